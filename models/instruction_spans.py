"""Where in a text the sentences stand that command the system, also those that are broken over several lines."""

import re
from collections.abc import Iterator

from models.chunking import sentences
from models.instructions import is_instruction

MAX_READ = 200_000
MAX_LINES_OF_ONE = 4

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_MARKS = re.compile(r"[\s>＞|*#]+")


def instruction_spans(text: str, *, from_customer: bool = False) -> tuple[tuple[int, int], ...]:
    """Half-open spans of the commands in `text`, in order, as `is_instruction` tells them; none behind `MAX_READ`.

    A sentence that was cut by line breaks is put together again within its paragraph.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text[:MAX_READ]):
        if not text[start:end].strip():
            continue
        pieces = [(start + left, start + right) for left, right in sentences(text[start:end])]
        hits = [one for one in pieces if is_instruction(text[one[0] : one[1]], from_customer=from_customer)]
        if not hits and len(pieces) > 1 and is_instruction(_joined(text, pieces), from_customer=from_customer):
            hits = list(_broken(text, pieces, from_customer=from_customer))
        found += hits
    return tuple(found)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for blank in _BLANK_LINE.finditer(text):
        yield start, blank.start()
        start = blank.end() - 1
    yield start, len(text)


def _broken(text: str, pieces: list[tuple[int, int]], *, from_customer: bool) -> Iterator[tuple[int, int]]:
    """The shortest runs of neighbouring pieces that are a command together."""
    at = 0
    while at < len(pieces):
        for size in range(2, MAX_LINES_OF_ONE + 1):
            run = pieces[at : at + size]
            if len(run) == size and is_instruction(_joined(text, run), from_customer=from_customer):
                yield run[0][0], run[-1][1]
                at += size - 1
                break
        at += 1


def _joined(text: str, pieces: list[tuple[int, int]]) -> str:
    return " ".join(_MARKS.sub(" ", text[start:end]).strip() for start, end in pieces)
