"""One server process under a keeper: started, watched and stopped by pid, never by name."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from models.errors import StackFailed

_KEEPER = Path(__file__).with_name("keeper.py")


@dataclass(frozen=True)
class SystemUser:
    """The unprivileged user a server runs as when Proofdesk itself runs as root."""

    name: str
    uid: int
    gid: int


def free_port() -> int:
    """A TCP port of 127.0.0.1 that is free now; another process may take it, so starts are tried again."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def accepts_connections(port: int) -> bool:
    """True if something listens on 127.0.0.1:`port`."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            return True
    except OSError:
        return False


class ServerProcess:
    """A server and its keeper. The keeper holds `lock_fd` too, so a lock is free only when the server is gone."""

    def __init__(self, name: str, keeper: "subprocess.Popen[bytes]", pid: int, log: Path) -> None:
        self.name = name
        self.pid = pid
        self.keeper_pid = keeper.pid
        self.log = log
        self._keeper = keeper

    @classmethod
    def start(
        cls,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        stop_signal: signal.Signals,
        user: SystemUser | None = None,
        lock_fd: int | None = None,
        watched_pid: int = 0,
        environment: Mapping[str, str] | None = None,
    ) -> "ServerProcess":
        """Starts `command`, appending its output to `log`; StackFailed if it cannot be executed.

        `environment` adds to what this process has.
        With `watched_pid` the server lives until that process ends, not until the caller does.
        """
        uid, gid = (user.uid, user.gid) if user else (0, 0)
        words = [sys.executable, "-I", "-S", str(_KEEPER), str(int(stop_signal)), str(uid), str(gid), str(watched_pid)]
        with log.open("ab") as sink:
            keeper = subprocess.Popen(
                [*words, *command],
                stdin=subprocess.PIPE if not watched_pid else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=sink,
                env={**os.environ, **(environment or {})},
                start_new_session=True,  # Ctrl-C of the terminal reaches only Proofdesk, which stops in order
                pass_fds=() if lock_fd is None else (lock_fd,),
            )
        first_line = _stream(keeper.stdout).readline()
        if not first_line.strip():
            keeper.wait()
            _close_pipes(keeper)
            raise StackFailed(f"{name} could not be started; see {log}")
        return cls(name, keeper, int(first_line), log)

    @property
    def running(self) -> bool:
        """True while the server has not ended."""
        return self._keeper.poll() is None

    def wait_until(self, ready: Callable[[], bool], *, seconds: float) -> None:
        """Returns once `ready()`; StackFailed naming the log if the server ends before, or is not ready in time."""
        deadline = time.monotonic() + seconds
        while not ready():
            if not self.running:
                raise StackFailed(f"{self.name} ended while it was starting: {last_line(self.log)}; see {self.log}")
            if time.monotonic() > deadline:
                self.stop()
                raise StackFailed(f"{self.name} was not ready within {seconds:.0f} s; see {self.log}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Stops the server in order and returns when it and its keeper are gone; stopping twice is harmless."""
        if self._keeper.poll() is None:
            os.kill(self._keeper.pid, signal.SIGTERM)
        self._keeper.wait()
        _close_pipes(self._keeper)


def last_line(log: Path) -> str:
    """The last line of a log that is not empty, or a note that there is none."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()] if log.exists() else []
    return lines[-1].strip() if lines else "no output"


def _close_pipes(keeper: "subprocess.Popen[bytes]") -> None:
    for stream in (keeper.stdin, keeper.stdout):
        if stream is not None:
            stream.close()


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise StackFailed("the keeper was started without a pipe")
    return stream
