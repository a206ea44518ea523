"""Attachments of a mail, read by the same parsers as files of their own, within what time and text the mail has left.

A parser that fails, or is stopped, costs its attachment and never the mail: the attachment is then listed with the
reason why it was not read.
"""

import resource
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, TypeVar

from models.errors import UnreadableDocument, UnreadableReason
from services.parsing_result import Parsed, TextBuilder

Result = TypeVar("Result")
# Bytes, extension, declared type: what the dispatch of the parser process takes.
ReadPart = Callable[[bytes, str, str], Parsed]

# A line of its own between texts that stand beside each other in one mail: models.extraction.mail_layers knows it.
SIDE_BY_SIDE: Final = "═" * 12
_SHARE: Final = 0.5
_MIN_SECONDS: Final = 0.05
_AGAIN_SECONDS: Final = 0.1
_UNLIMITED_SECONDS: Final = 60.0


class OutOfTimeError(BaseException):
    """An attachment used up its time; not an Exception, so that no library swallows it."""


class AttachmentReader:
    """Reads attachments into the text of their mail; what it has left shrinks with each."""

    def __init__(self, read: ReadPart | None) -> None:
        self._read = read
        limit = resource.getrlimit(resource.RLIMIT_CPU)[0]
        left = _UNLIMITED_SECONDS if limit == resource.RLIM_INFINITY else limit - time.process_time()
        self._seconds = left * _SHARE

    def add(self, builder: TextBuilder, data: bytes, *, name: str, declared: str, part: str) -> UnreadableReason | None:
        """Appends what an attachment says under the mail's part; else the reason why nothing was appended."""
        read = self._read
        if read is None:
            return "unsupported_type"
        if not data.strip():
            return "empty"
        parsed = self.guarded(lambda: read(data, _extension(name), declared))
        return parsed if isinstance(parsed, str) else _append(builder, parsed, part)

    def guarded(self, work: Callable[[], Result]) -> Result | UnreadableReason:
        """What `work` gives, or the reason why it was broken off; its time is taken from that of all attachments."""
        try:
            with self._timed():
                return work()
        except UnreadableDocument as error:
            return error.reason
        except OutOfTimeError:
            return "too_slow"
        except MemoryError:
            return "too_much_memory"
        except RecursionError:
            return "unsafe_content"
        except Exception:  # noqa: BLE001 -- whatever breaks a parser breaks its attachment alone
            return "corrupt"

    @contextmanager
    def _timed(self) -> Generator[None]:
        """Stops what runs inside when the time of all attachments is used up."""
        if self._seconds < _MIN_SECONDS:
            raise OutOfTimeError
        began = time.process_time()
        watched = threading.current_thread() is threading.main_thread()
        if watched:
            signal.signal(signal.SIGPROF, _stop)
            signal.setitimer(signal.ITIMER_PROF, self._seconds, _AGAIN_SECONDS)
        try:
            yield
        finally:
            if watched:
                signal.setitimer(signal.ITIMER_PROF, 0)
            self._seconds -= time.process_time() - began


def _stop(_number: int, _frame: object) -> None:
    raise OutOfTimeError


def _extension(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    return extension.lower()[:16] if dot and stem and extension.isascii() and extension.isalnum() else ""


def _append(builder: TextBuilder, parsed: Parsed, part: str) -> UnreadableReason | None:
    if len(parsed.text.encode("utf-8", "surrogatepass")) + builder.size + 64 > builder.text_bytes:
        return "too_large"
    builder.add(SIDE_BY_SIDE, part=part)
    builder.flags.update(parsed.flags)
    before = len(builder.segments)
    builder.add(parsed.text, part=part)
    if len(builder.segments) == before + 1 and builder.pieces[-1] == parsed.text:
        start = int(str(builder.segments[-1]["char_start"]))
        builder.segments[before:] = [_moved(segment, start, part) for segment in parsed.segments]
    return None


def _moved(segment: dict[str, object], start: int, part: str) -> dict[str, object]:
    """A segment of the attachment as one of the mail: its own address stays beside the part."""
    inner = segment.get("part")
    moved = {name: int(str(segment[name])) + start for name in ("char_start", "char_end")}
    return {**segment, **moved, "part": part if inner is None else f"{part}.{inner}"}
