"""Reading documents and mails safely: each in a process of its own, bounded in time, memory and output.

The only promise about a file is that it ends: as a `ParsedDocument`, or as `UnreadableDocument` with a reason and what
to do. It never costs another document anything.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from pydantic import Field, TypeAdapter, ValidationError

from models.canonical import ParsedDocument
from models.contract import Contract, text_hash
from models.errors import UnreadableDocument, UnreadableReason
from services.parsing_sandbox import Isolation

MAX_CHILDREN: Final = 2
_OUTPUT_BYTES: Final = 64 * 1024 * 1024
_READ_BYTES: Final = 256 * 1024
_ROOT: Final = Path(__file__).resolve().parent.parent
# -E -s: no PYTHON* variable and no user site; -B: the child writes nothing, not even compiled modules.
_CHILD: Final = (sys.executable, "-E", "-s", "-B", "-m", "services.parsing_child")
_ENVIRONMENT: Final = {"LANG": "C.UTF-8", "PATH": os.defpath}
_EXTENSION: Final = re.compile(r"\.([A-Za-z0-9]{1,16})$")
_PEAK: Final = re.compile(rb'"peak_bytes": (\d{1,15})\}$')
_REASON: Final = TypeAdapter[UnreadableReason](UnreadableReason)
_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


class ParseLimits(Contract):
    """Bounds of one parse: sizes in bytes, times in seconds."""

    file_bytes: int = Field(default=20 * 1024 * 1024, gt=0)
    text_bytes: int = Field(default=5 * 1024 * 1024, gt=0)
    memory_bytes: int = Field(default=512 * 1024 * 1024, gt=0)
    wall_seconds: float = Field(default=10.0, gt=0)
    cpu_seconds: int = Field(default=8, gt=0)
    pages: int = Field(default=2000, gt=0)
    mail_parts: int = Field(default=100, gt=0)
    mail_depth: int = Field(default=10, gt=0)
    cells: int = Field(default=100_000, gt=0)
    archive_bytes: int = Field(default=128 * 1024 * 1024, gt=0)
    use_namespace: bool = True


class MeasuredParse(NamedTuple):
    """How one parse ended: a document or an error, in how many seconds, with how much memory (None when killed)."""

    document: ParsedDocument | None
    error: UnreadableDocument | None
    crashed: bool
    seconds: float
    peak_bytes: int | None


async def parse_document(
    data: bytes, *, file_name: str | None, declared_type: str | None, limits: ParseLimits
) -> ParsedDocument:
    """The canonical text of `data` with addresses; UnreadableDocument says why there is none. Keeps no file."""
    measured = await parse_measured(data, file_name=file_name, declared_type=declared_type, limits=limits)
    if measured.document is None:
        raise measured.error or _failed()
    return measured.document


async def parse_measured(
    data: bytes, *, file_name: str | None, declared_type: str | None, limits: ParseLimits
) -> MeasuredParse:
    """As `parse_document`, with what it took; time is counted from when the child starts."""
    if not data:
        return _refused_before("empty", "this file is empty: send it again")
    if len(data) > limits.file_bytes:
        return _refused_before("too_large", f"this file is larger than {limits.file_bytes} bytes: split it")
    extension = _EXTENSION.search((file_name or "").strip())
    request = {
        **limits.model_dump(exclude={"file_bytes", "wall_seconds"}),
        "extension": extension.group(1).lower() if extension else "",
        "declared_type": (declared_type or "")[:200],
    }
    async with _slot():
        began = time.monotonic()
        output, status = b"", 0
        try:
            output, status = await _run_child(json.dumps(request).encode() + b"\n" + data, limits.wall_seconds)
            # A large table has many addresses: they are checked beside the event loop.
            found: ParsedDocument | UnreadableDocument = await asyncio.to_thread(_document, output, status)
        except UnreadableDocument as error:
            found = error
        seconds = time.monotonic() - began
    crashed = status not in (0, -signal.SIGXCPU)
    if isinstance(found, UnreadableDocument):
        return MeasuredParse(None, found, crashed, seconds, _peak(output))
    return MeasuredParse(found, None, crashed, seconds, _peak(output))


@cache
def network_isolation() -> Isolation:
    """How a parser is kept off the network here: by a namespace of its own, or by the audit hook alone."""
    probe = subprocess.run(
        [*_CHILD, "--probe-isolation"], cwd=_ROOT, env=_ENVIRONMENT, capture_output=True, timeout=30, check=False
    )
    return "namespace" if probe.stdout == b"namespace" else "audit_hook"


def _slot() -> asyncio.Semaphore:
    """At most MAX_CHILDREN parsers at a time; waiting for one's turn does not count as parsing time."""
    loop = asyncio.get_running_loop()
    return _slots.setdefault(loop, asyncio.Semaphore(MAX_CHILDREN))


async def _run_child(payload: bytes, wall_seconds: float) -> tuple[bytes, int]:
    """Output and exit status of one child, which is dead when this returns, raises or is cancelled."""
    child = await asyncio.create_subprocess_exec(
        *_CHILD,
        cwd=_ROOT,
        env=_ENVIRONMENT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(wall_seconds):
            feeding = asyncio.ensure_future(_feed(child, payload))
            try:
                output = await _collect(child)
            finally:
                feeding.cancel()
            return output, await child.wait()
    except TimeoutError:
        raise UnreadableDocument("too_slow", "reading this file takes too long: split it, or export it again") from None
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        await asyncio.shield(child.wait())


async def _feed(child: asyncio.subprocess.Process, payload: bytes) -> None:
    if child.stdin is None:
        return
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(payload)
        await child.stdin.drain()
        child.stdin.close()


async def _collect(child: asyncio.subprocess.Process) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while child.stdout is not None and (piece := await child.stdout.read(_READ_BYTES)):
        size += len(piece)
        if size > _OUTPUT_BYTES:
            raise UnreadableDocument("too_large", "this file holds too much text: split it")
        pieces.append(piece)
    return b"".join(pieces)


def _refused_before(reason: UnreadableReason, message: str) -> MeasuredParse:
    return MeasuredParse(None, UnreadableDocument(reason, message), crashed=False, seconds=0.0, peak_bytes=None)


def _failed() -> UnreadableDocument:
    return UnreadableDocument("corrupt", "reading this file failed: export it again and send that")


def _peak(output: bytes) -> int | None:
    found = _PEAK.search(output[-64:])
    return int(found.group(1)) if found else None


def _document(output: bytes, status: int) -> ParsedDocument:
    if status == -signal.SIGXCPU:
        raise UnreadableDocument("too_slow", "reading this file takes too long: split it, or export it again")
    if status != 0:
        raise UnreadableDocument("corrupt", "reading this file failed: it is damaged, export it again and send that")
    try:
        answer: dict[str, Any] = json.loads(output)
        if "reason" in answer:
            raise UnreadableDocument(_REASON.validate_python(answer["reason"]), str(answer["message"]))
        parsed: dict[str, Any] = answer["parsed"]
        return ParsedDocument.model_validate({**parsed, "content_hash": text_hash(parsed["text"])})
    except (ValidationError, ValueError, KeyError, TypeError):
        # The child speaks for untrusted bytes: what is not of the contract is no document.
        raise _failed() from None
