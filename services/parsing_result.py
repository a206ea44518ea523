"""What a parser hands from its process to ours. Plain dataclasses: the child starts fast without pydantic."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from models.cleaning import CELL_GAP, canonical_text
from models.errors import UnreadableDocument, UnreadableReason

MIN_LETTERS: Final = 2
METADATA_LOOKED_AT: Final = 2000


@dataclass(frozen=True)
class Bounds:
    """How much of a document a parser reads."""

    pages: int
    text_bytes: int
    mail_parts: int
    mail_depth: int
    cells: int = 100_000
    archive_bytes: int = 128 * 1024 * 1024


@dataclass
class TextBuilder:
    """Collects canonical text with the address of each piece; raises `too_large` above its bound of UTF-8 bytes."""

    text_bytes: int
    pieces: list[str] = field(default_factory=list[str])
    segments: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    flags: set[str] = field(default_factory=set[str])
    length: int = 0
    size: int = 0

    def add(self, raw: str, **address: object) -> None:
        """Append a piece under its address (page=, part=, …), one blank line after the piece before."""
        self._append("\n\n", raw, address)

    def add_row(self, cells: Iterable[tuple[str, dict[str, object]]]) -> None:
        """Append the cells of one table row as one line, each under its address, behind a blank line."""
        gap = "\n\n"
        for raw, address in cells:
            if self._append(gap, " ".join(raw.split()), address):
                gap = CELL_GAP

    def note_metadata(self, text: str, *, is_command: Callable[[str], bool]) -> None:
        """Flag words that describe the file; those that command are hidden text, because nobody reads them there."""
        if len(text.strip()) < MIN_LETTERS:
            return
        self.flags.add("metadata_text")
        if is_command(text[:METADATA_LOOKED_AT]):
            self.flags.add("hidden_text")

    def _append(self, gap: str, raw: str, address: dict[str, object]) -> bool:
        cleaned, flags = canonical_text(raw)
        self.flags.update(flags)
        cleaned = cleaned.strip("\n")
        if not cleaned.strip():
            return False
        if self.pieces:
            self.pieces.append(gap)
            self.length += len(gap)
        self.size += len(cleaned.encode()) + len(gap)
        if self.size > self.text_bytes:
            raise too_much_text(self.text_bytes)
        self.segments.append({"char_start": self.length, "char_end": self.length + len(cleaned), **address})
        self.pieces.append(cleaned)
        self.length += len(cleaned)
        return True

    def text(self) -> str:
        """All pieces; raises `no_text` when they hold no words."""
        joined = "".join(self.pieces)
        require_words(joined)
        return joined


@dataclass
class Parsed:
    """Canonical text of one document with addresses and flags, before it becomes a `ParsedDocument`."""

    media_type: str
    parser_name: str
    parser_version: str
    text: str
    segments: list[dict[str, object]]
    flags: set[str]
    attachments: list[str] = field(default_factory=list[str])
    unread: list[dict[str, object]] = field(default_factory=list[dict[str, object]])


def require_words(text: str) -> None:
    """Raise `no_text` unless `text` has at least two letters or digits."""
    letters = 0
    for char in text:
        letters += char.isalnum()
        if letters >= MIN_LETTERS:
            return
    raise unreadable("no_text", "there is no text in this file: a scan needs text recognition first, or send the text")


def too_much_text(text_bytes: int) -> UnreadableDocument:
    """The error for a document whose text is above the bound."""
    return unreadable("too_large", f"its text is larger than {text_bytes} bytes: split the document")


def unreadable(reason: UnreadableReason, message: str) -> UnreadableDocument:
    """The one error of all parsers."""
    return UnreadableDocument(reason, message)
