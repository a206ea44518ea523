"""A stack of chaos runs: its servers and workers can be killed, paused and started again where they were.

Everything is stopped by its pid; nothing of another stack is touched.
"""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from deploy.embedded import prepare_database
from deploy.postgres import PostgresServer
from deploy.server_process import ServerProcess
from deploy.stack import Servers
from deploy.temporal_server import NAMESPACE, TemporalServer, temporal_binary
from deploy.worker_process import start_worker
from models.errors import StackFailed

_START_AGAIN_SECONDS = 30.0
_TEST_MODE = {"PROOFDESK_TEST_MODE": "1", "PROOFDESK_EMBEDDER": "hashing"}


class BreakableStack:
    """`async with BreakableStack(folder) as stack:` runs PostgreSQL (durable, as in use) and Temporal.

    The folder is the caller's own and new. StackFailed, naming the log, when a server does not start.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._postgres: PostgresServer | None = None
        self._temporal: TemporalServer | None = None
        self._workers: dict[str, ServerProcess] = {}

    @property
    def servers(self) -> Servers:
        """Where everything is, before and after each strike."""
        return Servers("temporary", self._postgres_now.address.app_url(), self._temporal_now.address, NAMESPACE)

    @property
    def owner_url(self) -> str:
        """The URL of the database's owner, who may take a guard away."""
        return self._postgres_now.address.owner_url()

    async def __aenter__(self) -> "BreakableStack":
        try:
            self._postgres = await asyncio.to_thread(PostgresServer.start, self.folder)
            self._temporal = await asyncio.to_thread(TemporalServer.start, self.folder)
            await prepare_database(self._postgres.address)
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def kill_postgres(self) -> None:
        """kill -9 of the postmaster."""
        await _killed(self._postgres_now.process)

    async def start_postgres(self) -> None:
        """Starts the cluster again at its address; its own recovery is part of the time."""
        port = self._postgres_now.address.port
        deadline = time.monotonic() + _START_AGAIN_SECONDS
        while True:
            try:
                self._postgres = await asyncio.to_thread(PostgresServer.start, self.folder, port=port)
            except StackFailed:  # what the killed one left may still be ending
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.2)
            else:
                return

    async def kill_temporal(self) -> None:
        """kill -9 of the Temporal server."""
        await _killed(self._temporal_now.process)

    async def start_temporal(self) -> None:
        """Starts the server again at its address, on whatever its file holds."""
        port = self._temporal_now.port
        self._temporal = await asyncio.to_thread(TemporalServer.start, self.folder, port=port)

    def lose_temporal(self) -> None:
        """Deletes the whole store of a Temporal server that was killed."""
        for path in self.folder.glob("temporal.db*"):
            path.unlink()

    async def start_worker(self, name: str = "worker", *, fault: str | None = None) -> None:
        """A worker of the product in test mode, with an embedder that costs nothing."""
        environment = _TEST_MODE | ({} if fault is None else {"PROOFDESK_FAULT": fault})
        log = self.folder / f"{name}.log"
        self._workers[name] = await asyncio.to_thread(start_worker, self.servers, log, environment=environment)

    async def kill_worker(self, name: str = "worker") -> None:
        """kill -9 of a worker."""
        await _killed(self._workers.pop(name))

    async def stop_worker(self, name: str = "worker") -> None:
        """An orderly stop of a worker."""
        await asyncio.to_thread(self._workers.pop(name).stop)

    def pause_worker(self, name: str = "worker") -> None:
        """SIGSTOP: the worker does nothing, and does not know it."""
        os.kill(self._workers[name].pid, signal.SIGSTOP)

    def resume_worker(self, name: str = "worker") -> None:
        """SIGCONT."""
        os.kill(self._workers[name].pid, signal.SIGCONT)

    def is_paused(self, name: str = "worker") -> bool:
        """Whether the worker stands still, by SIGSTOP of its own or of ours."""
        return process_is_paused(self._workers[name].pid)

    def log_of(self, name: str = "worker") -> str:
        """What a worker has written."""
        path = self.folder / f"{name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    async def operator(self, words: Sequence[str]) -> str:
        """One line of the `temporal` command as an operator types it; StackFailed with what it says."""
        process = await asyncio.create_subprocess_exec(
            *(str(temporal_binary()), *words, "--address", self._temporal_now.address, "--output", "json"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, error = await process.communicate()
        if process.returncode != 0:
            raise StackFailed(f"temporal {words[0]} {words[1]} failed: {error.decode(errors='replace')[:400]}")
        return out.decode()

    async def _stop(self) -> None:
        workers, self._workers = self._workers, {}
        for worker in workers.values():
            if worker.running:
                os.kill(worker.pid, signal.SIGCONT)  # a paused one could not stop in order
        await asyncio.gather(*(asyncio.to_thread(worker.stop) for worker in workers.values()))
        servers = [server for server in (self._postgres, self._temporal) if server is not None]
        await asyncio.gather(*(asyncio.to_thread(server.stop) for server in servers))

    @property
    def _postgres_now(self) -> PostgresServer:
        if self._postgres is None:
            raise StackFailed("PostgreSQL was not started: enter the stack first")
        return self._postgres

    @property
    def _temporal_now(self) -> TemporalServer:
        if self._temporal is None:
            raise StackFailed("Temporal was not started: enter the stack first")
        return self._temporal


def process_is_paused(pid: int) -> bool:
    """Whether the process stands still at a SIGSTOP; False for one that is gone."""
    state = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            return state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "T"
        except OSError:
            return False
    shown = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip().startswith("T")


async def _killed(process: ServerProcess) -> None:
    os.kill(process.pid, signal.SIGKILL)
    await asyncio.to_thread(process.stop)  # its keeper ends when it sees that the server is gone
