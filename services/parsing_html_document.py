"""An HTML page as a document: paragraphs under their headings, data tables row by row, addressed by number.

Paragraphs are the blocks of text outside tables, counted from 1. Nothing that the page names is fetched.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from models.instructions import is_instruction
from services.parsing_html import VisibleText, is_block
from services.parsing_html_styles import StyleSheets
from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable
from services.parsing_tables import Cell, add_table
from services.parsing_text import BYTE_ORDER_MARKS, decode_text

PARSER_VERSION: Final = "1"
_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)
_CHARSET_BYTES: Final = 4096
_ALIASES: Final = {
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932", "iso-8859-1": "cp1252",
    "us-ascii": "utf-8", "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
}  # fmt: skip
_HEADING: Final = re.compile(r"h[1-6]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_DESCRIBING: Final = frozenset({"description", "keywords", "author", "subject", "og:title", "og:description"})
_CONDITIONAL: Final = re.compile(r"\s*\[(?:if|endif)\b", re.IGNORECASE)
_MAX_COMMENTS: Final = 20_000
_CELL_JOIN: Final = " / "
_MAX_NESTED: Final = 40


def parse_html(data: bytes, bounds: Bounds) -> Parsed:
    """The visible text of a page; `corrupt` for an encoding that is not certain, `no_text`, `too_large`."""
    markup = _decoded(data)
    builder = TextBuilder(bounds.text_bytes)
    reader = _DocumentReader(builder, StyleSheets(markup), bounds.cells)
    reader.feed(markup)
    reader.close()
    reader.end()
    if reader.hid_text or is_instruction(" ".join(reader.comments)[:_MAX_COMMENTS]):
        builder.flags.add("hidden_text")
    if "\ufffd" in markup:
        builder.flags.add("characters_replaced")
    builder.note_metadata("\n".join(reader.descriptions), is_command=is_instruction)
    return Parsed("text/html", "html", PARSER_VERSION, builder.text(), builder.segments, builder.flags)


def _decoded(data: bytes) -> str:
    """By byte order mark, else as the page declares itself, else by the rules for text files."""
    found = _CHARSET.search(data[:_CHARSET_BYTES])
    if found is None or data.startswith(BYTE_ORDER_MARKS):
        return decode_text(data)
    name = found[1].decode("ascii").lower()
    try:
        return data.decode(_ALIASES.get(name, name))
    except (UnicodeDecodeError, LookupError, ValueError):
        return decode_text(data)


@dataclass
class _Table:
    number: int
    rows: list[list[Cell]] = field(default_factory=list[list[Cell]])
    column: int = 1
    cell: list[str] | None = None
    label: bool = False
    span: int = 1
    below: dict[int, tuple[int, Cell]] = field(default_factory=dict[int, tuple[int, Cell]])
    rowspan: int = 1
    in_row: bool = False


class _DocumentReader(VisibleText):
    """Turns what is seen into pieces of a builder while the page is read."""

    def __init__(self, builder: TextBuilder, sheets: StyleSheets, most_cells: int) -> None:
        super().__init__(sheets)
        self.comments: list[str] = []
        self.descriptions: list[str] = []
        self._builder = builder
        self._room = most_cells
        self._paragraphs = 0
        self._tables_seen = 0
        self._tables: list[_Table] = []
        self._heading: str | None = None
        self._in_heading = False
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Ends the block before it and opens an element."""
        values = dict(attrs)
        if is_block(tag) or tag in ("td", "th", "caption"):
            self._end_block()
        self._begin(tag, values)
        if tag in ("img", "area", "input") and (text := values.get("alt") or values.get("title")):
            self.descriptions.append(text)
        if tag == "meta" and (values.get("name") or values.get("property") or "").lower() in _DESCRIBING:
            self.descriptions.append(values.get("content") or "")
        self._in_title = tag == "title"
        if len(self._tables) <= _MAX_NESTED:
            super().handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Ends a block, cell, row or table."""
        if is_block(tag) or tag in ("td", "th", "caption"):
            self._end_block()
        self._in_title = False
        if _HEADING.fullmatch(tag):
            self._in_heading = False
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "tr":
            self._end_row()
        elif tag == "table" and self._tables:
            self._end_table()
        super().handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Takes text when it is seen; a title is a description."""
        if self._in_title:
            self.descriptions.append(data)
        super().handle_data(data)

    def handle_comment(self, data: str) -> None:
        """Keeps a comment to look for commands in it; conditions for old programs are none."""
        if not _CONDITIONAL.match(data):
            self.comments.append(data)

    def end(self) -> None:
        """Ends what the page left open."""
        self._end_block()
        while self._tables:
            self._end_table()

    def _begin(self, tag: str, values: dict[str, str | None]) -> None:
        if _HEADING.fullmatch(tag):
            self._in_heading = True
        elif tag == "table":
            self._tables_seen += 1
            self._tables.append(_Table(self._tables_seen))
        elif tag == "tr" and self._tables:
            self._end_row()
            self._begin_row(self._tables[-1])
        elif tag in ("td", "th") and self._tables:
            self._begin_cell(tag, values)

    def _begin_row(self, table: _Table) -> None:
        table.rows.append([])
        table.column, table.in_row = 1, True

    def _begin_cell(self, tag: str, values: dict[str, str | None]) -> None:
        self._end_cell()
        table = self._tables[-1]
        if not table.in_row:
            self._begin_row(table)
        self._room -= 1
        if self._room < 0:
            raise unreadable("too_large", "its tables have too many cells: split it")
        self._fill_from_above(table)
        table.cell = []
        table.label = tag == "th"
        table.span, table.rowspan = _span(values.get("colspan")), _span(values.get("rowspan"))

    def _fill_from_above(self, table: _Table) -> None:
        """A cell that reaches down over several rows stands for each of them."""
        while (held := table.below.get(table.column)) is not None and held[0] > 0:
            left, cell = held
            address = {**cell.address, "row": len(table.rows)}
            table.rows[-1].append(Cell(cell.text, table.column, address, cell.label))
            table.below[table.column] = (left - 1, cell)
            table.column += 1

    def _end_block(self) -> None:
        lines = (_BLANKS.sub(" ", line).strip() for line in "".join(self.pieces).split("\n"))
        text = "\n".join(line for line in lines if line)
        self.pieces.clear()
        if not text.strip("-• \n"):
            return
        if self._tables and self._tables[-1].cell is not None:
            self._tables[-1].cell.append(text)
            return
        if self._in_heading:
            self._heading = " ".join(text.split())[:200]
        self._paragraphs += 1
        self._builder.add(text, paragraph=self._paragraphs, **self._under())

    def _end_cell(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is None or table.cell is None:
            return
        address: dict[str, object] = {"table": table.number, "row": len(table.rows), "column": table.column}
        text = _CELL_JOIN.join(" ".join(one.split()) for one in table.cell)
        read = Cell(text, table.column, {**address, **self._under()}, table.label)
        table.rows[-1].append(read)
        if table.rowspan > 1:
            table.below[table.column] = (table.rowspan - 1, read)
        table.column += table.span
        table.cell = None

    def _end_row(self) -> None:
        self._end_cell()
        if self._tables and self._tables[-1].in_row:
            self._fill_from_above(self._tables[-1])
            self._tables[-1].in_row = False

    def _end_table(self) -> None:
        self._end_row()
        table = self._tables.pop()
        rows = [row for row in table.rows if any(cell.text.strip() for cell in row)]
        outer = self._tables[-1] if self._tables else None
        if outer is not None and outer.cell is not None:
            outer.cell.extend(", ".join(cell.text for cell in row if cell.text.strip()) for row in rows)
            return
        add_table(self._builder, rows)

    def _under(self) -> dict[str, object]:
        return {"heading": self._heading} if self._heading else {}


def _span(text: str | None) -> int:
    return min(int(text), 1000) if text and text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0 else 1
