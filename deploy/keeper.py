"""Runs one server for as long as the process that asked for it lives, and stops it in order afterwards.

Started as a script of its own. Its standard input is a pipe whose other end the asking process holds: the kernel
closes it however that process ends (return, SIGTERM, kill -9), and the keeper then stops the server with the signal
that its server calls an orderly stop. On Linux the server also gets that signal when the keeper itself is killed
(PR_SET_PDEATHSIG); elsewhere a killed keeper leaves its server, which the next start on that folder stops.
Only the standard library: the script runs isolated from the environment.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_GRACE_SECONDS = 20.0


def main(arguments: list[str]) -> int:
    """`stop_signal uid gid watched_pid command...`: 0 for uid and gid keeps the user, watched_pid 0 watches the pipe.

    With a watched pid the server lives until that process is gone, whoever started the keeper.
    Writes the server's pid on standard output; the exit code is the server's.
    """
    stop_signal, uid, gid, watched_pid = (int(word) for word in arguments[:4])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGTERM, _only_wake)
    signal.signal(signal.SIGCHLD, _only_wake)
    server = subprocess.Popen(
        arguments[4:],
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        stderr=sys.stderr,
        cwd="/" if uid else None,
        user=uid or None,
        group=gid or None,
        extra_groups=[] if uid else None,
        # One thread only, so nothing can hold a lock at the fork.
        preexec_fn=lambda: _die_with_parent(stop_signal),  # noqa: PLW1509
    )
    os.write(1, f"{server.pid}\n".encode())
    os.close(1)
    _wait(server, wake_read, watched_pid)
    return _stop(server, stop_signal)


def _only_wake(_signal: int, _frame: object) -> None:
    """The signal's number arrives in the wake-up pipe, where `_wait` reads it."""


def _die_with_parent(stop_signal: int) -> None:
    """Runs in the forked child: ask the kernel for `stop_signal` when the keeper dies."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, stop_signal, 0, 0, 0)


def _wait(server: subprocess.Popen[bytes], wake_read: int, watched_pid: int) -> None:
    """Returns when the server ended, the asking process is gone, or SIGTERM asks for a stop."""
    sources = [wake_read] if watched_pid else [wake_read, 0]
    while server.poll() is None:
        ready, _, _ = select.select(sources, [], [], 0.5)
        if 0 in ready and not os.read(0, 64):
            return
        if wake_read in ready and signal.SIGTERM in os.read(wake_read, 64):
            return
        if watched_pid and not _alive(watched_pid):
            return


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _stop(server: subprocess.Popen[bytes], stop_signal: int) -> int:
    if server.poll() is None:
        server.send_signal(stop_signal)
        deadline = time.monotonic() + _GRACE_SECONDS
        while server.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        if server.poll() is None:
            server.kill()
    return server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
