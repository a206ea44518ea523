"""PostgreSQL and Temporal on this machine: started together, found by other commands, stopped together.

A data folder belongs to one process at a time. The lock is held by that process and by the keepers of its servers,
so it is free only when nothing of that stack runs any more.
"""

import asyncio
import fcntl
import json
import os
import shutil
import signal
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

from deploy.postgres import DATABASE, PostgresAddress, PostgresServer, write_secret
from deploy.server_process import accepts_connections
from deploy.temporal_server import NAMESPACE, TemporalServer
from models.errors import StackBusy, StackFailed
from store.migrate import migrate
from store.roles import bootstrap_roles, create_database

ROLES = Path(__file__).with_name("roles.sql")
_STATE = "stack.json"
_LOCK = "stack.lock"
_TEMPORARY = "proofdesk-stack-"
# A stack whose process was killed needs this long to go down by itself.
_ORPHAN_SECONDS = 30.0


@dataclass(frozen=True)
class StackAddresses:
    """Where a running stack is reached; the URLs hold passwords and are never printed."""

    pid: int
    database_url_app: str
    database_url_owner: str
    temporal_address: str
    namespace: str
    ui_port: int | None
    temporal_pid: int


class EmbeddedStack:
    """`async with EmbeddedStack(folder) as addresses:` runs both servers for the length of the block.

    Without a folder the data lives in a temporary one, removed at the end (by the next temporary stack, if this
    process is killed). Raises StackBusy if another process runs
    a stack on the folder, StackFailed (naming the log) if a server does not start. SIGTERM cancels the task that
    entered, as Ctrl-C does, so that both servers stop in order; whatever kills the process, they stop too.
    """

    def __init__(self, data_folder: Path | None = None, *, ui: bool = False, durable: bool = True) -> None:
        self._temporary = data_folder is None
        if data_folder is None:
            _remove_abandoned()
            data_folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY))
        self._folder = data_folder.absolute()
        self._ui = ui
        self._durable = durable
        self._lock_fd: int | None = None
        self._servers: list[PostgresServer | TemporalServer] = []
        self._handles_sigterm = False

    @property
    def folder(self) -> Path:
        """Where data, logs and `stack.json` are."""
        return self._folder

    async def start(self) -> StackAddresses:
        """Starts both servers, brings roles and schema up to date and says where they are."""
        try:
            self._lock_fd = await _take_lock(_made(self._folder) / _LOCK)
            return await self._start_servers(self._lock_fd)
        except BaseException:
            await self.stop()
            raise

    async def _start_servers(self, lock_fd: int) -> StackAddresses:
        starting = asyncio.gather(
            asyncio.to_thread(self._start_postgres, lock_fd),
            asyncio.to_thread(self._start_temporal, lock_fd),
            return_exceptions=True,
        )
        try:
            postgres, temporal = await asyncio.shield(starting)
        finally:
            await starting  # a start that is under way cannot be left: its server would be nobody's
        if isinstance(postgres, BaseException):
            raise postgres
        if isinstance(temporal, BaseException):
            raise temporal
        await prepare_database(postgres.address)
        addresses = StackAddresses(
            pid=os.getpid(),
            database_url_app=postgres.address.app_url(),
            database_url_owner=postgres.address.owner_url(),
            temporal_address=temporal.address,
            namespace=NAMESPACE,
            ui_port=temporal.ui_port,
            temporal_pid=temporal.process.pid,
        )
        write_secret(self._folder / _STATE, json.dumps(asdict(addresses)))
        return addresses

    def _start_postgres(self, lock_fd: int) -> PostgresServer:
        server = PostgresServer.start(self._folder, lock_fd=lock_fd, durable=self._durable)
        self._servers.append(server)
        return server

    def _start_temporal(self, lock_fd: int) -> TemporalServer:
        server = TemporalServer.start(self._folder, ui=self._ui, lock_fd=lock_fd)
        self._servers.append(server)
        return server

    async def stop(self) -> None:
        """Stops both servers and returns when they are gone; stopping twice is harmless."""
        servers, self._servers = self._servers, []
        if self._lock_fd is not None:  # else the file tells of another process's stack
            (self._folder / _STATE).unlink(missing_ok=True)
        stopping = asyncio.gather(*(asyncio.to_thread(server.stop) for server in servers))
        try:
            await asyncio.shield(stopping)
        finally:
            await stopping
            if self._lock_fd is not None:
                os.close(self._lock_fd)
                self._lock_fd = None
            if self._temporary:
                await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def __aenter__(self) -> StackAddresses:
        task = asyncio.current_task()
        if threading.current_thread() is threading.main_thread() and task is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
            self._handles_sigterm = True
        try:
            return await self.start()
        except BaseException:
            self._forget_sigterm()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.stop()
        finally:
            self._forget_sigterm()

    def _forget_sigterm(self) -> None:
        if self._handles_sigterm:
            asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
            self._handles_sigterm = False


async def prepare_database(postgres: PostgresAddress, *, database: str = DATABASE) -> None:
    """Makes `database` with its roles and schema, or brings them up to date."""
    await create_database(postgres.admin_url(), database)
    secrets = postgres.passwords
    await bootstrap_roles(
        postgres.admin_url(database),
        ROLES.read_text(encoding="utf-8"),
        owner_password=secrets.owner,
        app_password=secrets.app,
    )
    await migrate(postgres.owner_url(database))


def running_stack(data_folder: Path) -> StackAddresses | None:
    """The stack that another process runs on `data_folder` now, or None; a file left behind is not believed."""
    try:
        addresses = StackAddresses(**json.loads((data_folder / _STATE).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    ports = [int(addresses.temporal_address.rpartition(":")[2])]
    ports.append(int(addresses.database_url_app.rpartition("@")[2].partition("/")[0].rpartition(":")[2]))
    alive = _holder(data_folder / _LOCK) == addresses.pid and all(accepts_connections(port) for port in ports)
    return addresses if alive else None


def _remove_abandoned() -> None:
    """Removes the temporary folders of stacks whose process was killed: they may hold somebody's documents."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue  # without a lock it is being made or removed by another process
        try:
            if _locked(descriptor):
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)


def _made(folder: Path) -> Path:
    """The folder, made if it was missing; StackFailed where there can be none that this process may write to."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise StackFailed(
            f"{folder} cannot be the data folder ({error.strerror}): make it a folder that you may write to, or set "
            "PROOFDESK_DATA_FOLDER to one"
        ) from error


async def _take_lock(path: Path) -> int:
    """The locked descriptor; StackBusy naming the process that holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + _ORPHAN_SECONDS
        while not _locked(descriptor):
            pid = _written_pid(path)
            if _process_exists(pid) or time.monotonic() > deadline:
                raise StackBusy(
                    f"process {pid} runs the stack on {path.parent}: use it, stop it (Ctrl-C there, or kill {pid}), "
                    "or choose another data folder"
                )
            await asyncio.sleep(0.05)  # its servers are being stopped by their keepers
    except BaseException:
        os.close(descriptor)
        raise
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return descriptor


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(path: Path) -> int | None:
    """The pid of the process that holds the lock, or None if nobody does."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = _written_pid(path)
        return pid if _process_exists(pid) else None
    finally:
        os.close(descriptor)
    return None


def _written_pid(path: Path) -> int:
    text = path.read_text().strip()
    return int(text) if text.isdigit() else 0


def _process_exists(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
