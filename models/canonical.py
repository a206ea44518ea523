"""Canonical text of an original, and the addresses that lead from a run of it back to a page, part or cell.

The text is made once per parser name and version, hashed and stored. It is what a citation is compared with byte for
byte, so it is cleaned of what no store can hold and of what no reader can see, and never normalised further: width,
script and look-alike folding belong to the index alone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from models.contract import Contract, text_hash
from models.errors import UnreadableReason

MediaType = Literal[
    "text/markdown",
    "text/plain",
    "application/pdf",
    "message/rfc822",
    "text/html",
    "text/csv",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/xml",
    "application/json",
]
ParseFlag = Literal[
    "hidden_text",  # there was text that a reader of the original does not see
    "metadata_text",  # the file carries a title, subject, comment or keywords that are not part of the text
    "attachment_not_read",  # a mail has parts that were listed and not read
    "truncated",  # a bound was reached: what lies behind it is not in the text
    "characters_replaced",  # bytes or code points that are no text became U+FFFD
    "direction_override",  # bidirectional controls can show the text in another order than it is stored
    "value_missing",  # a cell holds a formula whose value was not stored: the cell shows nothing here
    "broken_structure",  # the container was damaged and was read as far as it went
]


def _is_none(value: object) -> bool:
    return value is None


class Address(Contract):
    """A place as the original's own program names it; all numbers count from 1.

    A row or column is one of a table of a text document, or of a CSV file; `cell` is a cell (`B7`) or the cells of one
    row (`A7:D7`) of `sheet`. What a kind of document does not have is left out of the JSON, so that hashes of what was
    stored before an address existed stay what they were.
    """

    page: int | None = None
    part: str | None = None
    heading: str | None = None
    paragraph: int | None = Field(default=None, exclude_if=_is_none)
    table: int | None = Field(default=None, exclude_if=_is_none)
    row: int | None = Field(default=None, exclude_if=_is_none)
    column: int | None = Field(default=None, exclude_if=_is_none)
    sheet: str | None = Field(default=None, exclude_if=_is_none)
    cell: str | None = Field(default=None, exclude_if=_is_none)


class Segment(Address):
    """The native address of a run of canonical text; half-open, in characters."""

    char_start: int = Field(ge=0)
    char_end: int = Field(ge=0)


class Locator(Address):
    """Where a quote stands: characters of the canonical text, and its native address."""

    char_start: int = Field(ge=0)
    char_end: int = Field(ge=0)


class UnreadAttachment(Contract):
    """An attachment that was listed and not read, and why; its name is a claim of the mail."""

    name: str
    part: str
    reason: UnreadableReason


class ParsedDocument(Contract):
    """What a parser read from an original. `segments` are ordered and do not overlap.

    `attachments` are names only, of all; those that were not read are in `unread` too.
    """

    media_type: MediaType
    parser_name: str
    parser_version: str
    text: str
    content_hash: str
    segments: tuple[Segment, ...]
    flags: tuple[ParseFlag, ...] = ()
    attachments: tuple[str, ...] = ()
    unread: tuple[UnreadAttachment, ...] = ()

    @model_validator(mode="after")
    def _addresses_fit_text(self) -> Self:
        if self.content_hash != text_hash(self.text):
            raise ValueError("content_hash is not the hash of text")
        if any(one.char_start > one.char_end for one in self.segments):
            raise ValueError("a segment ends before it starts")
        if any(left.char_end > right.char_start for left, right in pairwise(self.segments)):
            raise ValueError("segments overlap or are out of order")
        if self.segments and self.segments[-1].char_end > len(self.text):
            raise ValueError("a segment ends behind the text")
        return self


def locate(parsed_segments: Sequence[Segment], char_start: int, char_end: int) -> Locator:
    """The address of a span: of the first segment it touches, or of the one before when it touches none.

    A span over several cells has the address of all: `A7:D7`, or their row without a column. `parsed_segments` are
    ordered and do not overlap, so a table of many thousand cells is not read through for each of its rows.
    """
    touched_segments = touching(parsed_segments, char_start, char_end)
    if touched_segments:
        touched, last = touched_segments[0], touched_segments[-1]
    else:
        before = bisect_right(parsed_segments, char_start, key=_end_of) - 1
        if before < 0:
            return Locator(char_start=char_start, char_end=char_end)
        touched = last = parsed_segments[before]
    address = {**touched.model_dump(), **_of_all_cells(touched, last), "char_start": char_start, "char_end": char_end}
    return Locator.model_validate(address)


def touching(parsed_segments: Sequence[Segment], char_start: int, char_end: int) -> Sequence[Segment]:
    """The segments that a span touches, in their order."""
    first = bisect_right(parsed_segments, char_start, key=_end_of)
    return parsed_segments[first : bisect_left(parsed_segments, max(char_end, char_start + 1), lo=first, key=_start_of)]


def _end_of(segment: Segment) -> int:
    return segment.char_end


def _start_of(segment: Segment) -> int:
    return segment.char_start


def _of_all_cells(first: Segment, last: Segment) -> dict[str, str | None]:
    """What the address of the cells from `first` to `last` has otherwise than that of `first`."""
    if first is last or (first.sheet, first.table) != (last.sheet, last.table):
        return {}
    if first.cell is not None and last.cell is not None:
        return {"cell": f"{first.cell.partition(':')[0]}:{last.cell.rpartition(':')[2]}"}
    return {"column": None} if first.row is not None and first.row == last.row else {}


def span_hash(text: str, start: int, end: int) -> str:
    """SHA-256 (hex) over the UTF-8 of `text[start:end]`; ValueError when the span does not lie in the text."""
    if not 0 <= start <= end <= len(text):
        raise ValueError(f"the span {start}:{end} does not lie in a text of {len(text)} characters")
    return text_hash(text[start:end])
