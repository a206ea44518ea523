"""The walls around a parser process: memory, time, files, network. Entered by the child before it reads a byte.

Two walls against the network, because neither is enough: a network namespace of its own holds for native code too but
needs the kernel's leave; an audit hook holds everywhere but sees Python's calls only. The hook is always set.
"""

import ctypes
import os
import resource
import sys
from typing import Final, Literal, NoReturn

Isolation = Literal["namespace", "audit_hook"]

_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWNET: Final = 0x40000000
_OPEN_FILES: Final = 48
_WRITE_FLAGS: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN: Final = frozenset(
    {
        "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.fork",
        "os.forkpty", "pty.spawn", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink",
        "os.truncate", "os.chmod", "os.chown", "os.kill", "os.putenv", "webbrowser.open",
    }
)  # fmt: skip


class ForbiddenInParser(BaseException):
    """A parser asked for something that no document needs; not an Exception, so that no library swallows it."""


def limit_resources(*, memory_bytes: int, cpu_seconds: int) -> None:
    """Bound address space and CPU time, forbid growing files and core dumps. Cannot be undone by the process."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    # The soft limit ends the process by SIGXCPU, which the parent reads as "too slow"; the hard one is the backstop.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))


def peak_bytes() -> int | None:
    """The most memory that this process has held; None where the system does not say.

    `getrusage` would tell that of the process which started it, where that was larger.
    """
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            line = next((line for line in status if line.startswith("VmHWM:")), None)
        return int(line.split()[1]) * 1024 if line is not None else None
    except (OSError, ValueError, IndexError):
        return None


def leave_network() -> bool:
    """Move into a network namespace without interfaces; False where the kernel does not allow it."""
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    return any(unshare(flags) == 0 for flags in (_CLONE_NEWNET, _CLONE_NEWUSER | _CLONE_NEWNET))


def forbid_by_audit_hook() -> None:
    """Refuse sockets, processes and writing from now on; the hook cannot be taken away again."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith("socket.") or event in _FORBIDDEN:
        _forbid(event)
    if event == "open":
        flags = arguments[2] if len(arguments) > 2 else 0
        if isinstance(flags, int) and flags & _WRITE_FLAGS:
            _forbid("open for writing")


def _forbid(event: str) -> NoReturn:
    raise ForbiddenInParser(event)
