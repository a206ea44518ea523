"""Canonical text of an original, and the addresses that lead from a run of it back to a page or a mail part.

The text is made once per parser name and version, hashed and stored. It is what a citation is compared with byte for
byte, so it is cleaned of what no store can hold and of what no reader can see, and never normalised further: width,
script and look-alike folding belong to the index alone.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from models.contract import Contract, text_hash

MediaType = Literal["text/markdown", "text/plain", "application/pdf", "message/rfc822"]
ParseFlag = Literal[
    "hidden_text",  # there was text that a reader of the original does not see
    "metadata_text",  # the file carries a title, subject, comment or keywords that are not part of the text
    "attachment_not_read",  # a mail has parts that were listed and not read
    "truncated",  # a bound was reached: what lies behind it is not in the text
    "characters_replaced",  # bytes or code points that are no text became U+FFFD
    "direction_override",  # bidirectional controls can show the text in another order than it is stored
    "broken_structure",  # the container was damaged and was read as far as it went
]


class Segment(Contract):
    """The native address of a run of canonical text; half-open, in characters."""

    char_start: int = Field(ge=0)
    char_end: int = Field(ge=0)
    page: int | None = None
    part: str | None = None
    heading: str | None = None


class Locator(Contract):
    """Where a quote stands: characters of the canonical text, and the page (from 1), part or heading."""

    char_start: int = Field(ge=0)
    char_end: int = Field(ge=0)
    page: int | None = None
    part: str | None = None
    heading: str | None = None


class ParsedDocument(Contract):
    """What a parser read from an original. `segments` are ordered and do not overlap; `attachments` are names only."""

    media_type: MediaType
    parser_name: str
    parser_version: str
    text: str
    content_hash: str
    segments: tuple[Segment, ...]
    flags: tuple[ParseFlag, ...] = ()
    attachments: tuple[str, ...] = ()

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
    """The address of a span: of the first segment it touches, or of the one before when it touches none."""
    before: Segment | None = None
    for segment in parsed_segments:
        if segment.char_start >= max(char_end, char_start + 1):
            break
        before = segment
        if segment.char_end > char_start:
            break
    if before is None:
        return Locator(char_start=char_start, char_end=char_end)
    return Locator(char_start=char_start, char_end=char_end, page=before.page, part=before.part, heading=before.heading)


def span_hash(text: str, start: int, end: int) -> str:
    """SHA-256 (hex) over the UTF-8 of `text[start:end]`; ValueError when the span does not lie in the text."""
    if not 0 <= start <= end <= len(text):
        raise ValueError(f"the span {start}:{end} does not lie in a text of {len(text)} characters")
    return text_hash(text[start:end])
