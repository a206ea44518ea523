"""One PostgreSQL for a whole test run: started by the first worker that needs it, stopped by the run's main process.

Its keeper watches the main process, so that the server neither dies with the worker that happened to start it nor
outlives a run that was killed.
"""

import asyncio
import fcntl
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from deploy.embedded import prepare_database
from deploy.postgres import PostgresAddress, PostgresServer, load_passwords

TEMPLATE = "proofdesk_template"
_started: list[PostgresServer] = []


def controller_pid(config: pytest.Config) -> int:
    """The pid of the run's main process: the parent of an xdist worker, else this process."""
    return os.getppid() if hasattr(config, "workerinput") else os.getpid()


def run_folder(config: pytest.Config) -> Path:
    """The folder of this run, the same in all its workers."""
    return Path(tempfile.gettempdir()) / f"proofdesk-tests-{controller_pid(config)}"


def shared_postgres(folder: Path, watched_pid: int) -> PostgresAddress:
    """The run's server with a migrated template database."""
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder / "server.json"
    with _locked(folder / "start.lock"):
        if not state.exists():
            lock_fd = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
            fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            server = PostgresServer.start(folder, lock_fd=lock_fd, watched_pid=watched_pid, durable=False)
            os.close(lock_fd)
            _started.append(server)
            asyncio.run(_prepare(server.address))
            state.write_text(json.dumps({"port": server.address.port, "keeper": server.process.keeper_pid}))
        port = int(json.loads(state.read_text())["port"])
    return PostgresAddress(port, load_passwords(folder / "postgres-passwords.json"))


async def _prepare(address: PostgresAddress) -> None:
    await prepare_database(address, database=TEMPLATE)


def stop_shared_postgres(config: pytest.Config) -> None:
    """Stops the run's server, if one was started; only the main process does so."""
    folder = run_folder(config)
    if hasattr(config, "workerinput") or not folder.exists():
        return
    with suppress(OSError, ValueError), _locked(folder / "start.lock"):
        os.kill(int(json.loads((folder / "server.json").read_text())["keeper"]), signal.SIGTERM)
    for server in _started:
        server.stop()
    with suppress(OSError), _locked(folder / "server.lock"):  # held by the keeper until its server is gone
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(path: Path) -> Generator[None]:
    with path.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
