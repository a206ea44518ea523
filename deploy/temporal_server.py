"""The embedded Temporal development server with a database file: the one place of its tuned command line."""

import signal
import sys
from functools import partial
from pathlib import Path

from deploy.server_process import ServerProcess, accepts_connections, free_port
from models.errors import StackFailed

NAMESPACE = "default"
SEARCH_ATTRIBUTES = ("TenantId", "TaskStatus", "BlockedReason")
_START_SECONDS = 60.0
_ATTEMPTS = 3
_USUAL_PORTS = (7233, 8233)

# As shipped the server polls its queues 20 times a second, so every hop waits up to 50 ms; the partitions make
# small backlogs unfair between tenants.
_TUNED = {
    "history.transferProcessorMaxPollRPS": "2000",
    "history.timerProcessorMaxPollRPS": "2000",
    "history.visibilityProcessorMaxPollRPS": "2000",
    "matching.numTaskqueueReadPartitions": "1",
    "matching.numTaskqueueWritePartitions": "1",
    "matching.enableFairness": "true",
}


def temporal_binary() -> Path:
    """The bundled `temporal` program; StackFailed if it is missing."""
    path = Path(sys.executable).with_name("temporal")
    if not path.exists():
        raise StackFailed("the bundled Temporal CLI is missing: run `make env`, or set PROOFDESK_TEMPORAL_ADDRESS")
    return path


def temporal_command(
    *,
    port: int,
    database_file: Path | None,
    ui_port: int | None = None,
    time_skipping: bool = False,
    history_events: int | None = None,
) -> list[str]:
    """The command of the development server, used by the embedded stack, the tests and the benchmarks alike.

    Without a database file everything is lost at its end. `time_skipping` gives the virtual clock of tests;
    `history_events` lets runs continue as new after so few events.
    """
    words = [str(temporal_binary()), "server", "start-dev", "--ip", "127.0.0.1", "--port", str(port)]
    words += ["--namespace", NAMESPACE, "--log-level", "error", "--color", "never"]
    words += ["--headless"] if ui_port is None else ["--ui-port", str(ui_port)]
    if database_file is not None:
        words += ["--db-filename", str(database_file)]
        words += ["--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=1"]
    for name in SEARCH_ATTRIBUTES:
        words += ["--search-attribute", f"{name}=Keyword"]
    dynamic = _TUNED | ({"frontend.WorkflowTimeSkippingEnabled": "true"} if time_skipping else {})
    if history_events is not None:
        dynamic["limit.historyCount.suggestContinueAsNew"] = str(history_events)
    for name, value in dynamic.items():
        words += ["--dynamic-config-value", f"{name}={value}"]
    return words


class TemporalServer:
    """A running Temporal development server."""

    def __init__(self, process: ServerProcess, port: int, ui_port: int | None) -> None:
        self.process = process
        self.port = port
        self.ui_port = ui_port

    @property
    def address(self) -> str:
        """The gRPC address for clients and for `temporal --address`."""
        return f"127.0.0.1:{self.port}"

    @classmethod
    def start(
        cls,
        folder: Path,
        *,
        ui: bool = False,
        time_skipping: bool = False,
        history_events: int | None = None,
        lock_fd: int | None = None,
        watched_pid: int = 0,
        persistent: bool = True,
        port: int | None = None,
    ) -> "TemporalServer":
        """Starts the server on `folder/temporal.db` and returns when it is ready; StackFailed when it cannot.

        With `port` it is where its clients knew it. The caller holds the folder's lock.
        """
        log = folder / "temporal.log"
        for attempt in range(1, _ATTEMPTS + 1):
            free, ui_port = _ports(ui=ui, first=attempt == 1)
            chosen = port or free
            seen = log.stat().st_size if log.exists() else 0
            process = ServerProcess.start(
                "Temporal",
                temporal_command(
                    port=chosen,
                    database_file=folder / "temporal.db" if persistent else None,
                    ui_port=ui_port,
                    time_skipping=time_skipping,
                    history_events=history_events,
                ),
                log=log,
                stop_signal=signal.SIGTERM,
                lock_fd=lock_fd,
                watched_pid=watched_pid,
            )
            try:
                process.wait_until(partial(_is_ready, log, seen, chosen), seconds=_START_SECONDS)
            except StackFailed:
                process.stop()
                if attempt == _ATTEMPTS:
                    raise
            else:
                return cls(process, chosen, ui_port)
        raise StackFailed("Temporal found no free port on 127.0.0.1")

    def stop(self) -> None:
        """An orderly stop; returns when the server is gone."""
        self.process.stop()


def _ports(*, ui: bool, first: bool) -> tuple[int, int | None]:
    """With the UI the server is one that people use: on Temporal's own ports while they are free."""
    if ui and first and not any(accepts_connections(port) for port in _USUAL_PORTS):
        return _USUAL_PORTS
    return free_port(), free_port() if ui else None


def _is_ready(log: Path, seen: int, port: int) -> bool:
    """The server prints its addresses once the namespace and the search attributes are registered."""
    with log.open("rb") as source:
        source.seek(seen)
        said = source.read()
    return b"Temporal Metrics:" in said and accepts_connections(port)
