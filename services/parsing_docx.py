"""DOCX as its reader sees it: paragraphs, then tables row by row; notes, headers and footers behind the body.

Paragraphs and tables are numbered as Word's object model does: those of the body, from 1. What a reader does not see
(hidden, tiny, white on white, deleted, in comments) is left out and flagged; embedded files are listed, not opened.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from models.instructions import is_instruction
from services.parsing_docx_style import (
    Look,
    Styles,
    child,
    name_of,
    paragraph_look,
    read_styles,
    run_look,
    value_of,
    whole_number,
)
from services.parsing_package import Package, Relationship, damaged
from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable
from services.parsing_tables import Cell, add_table

PARSER_VERSION: Final = "1"
MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAX_LISTED: Final = 100
_BEHIND: Final = (("footnotes", "footnote"), ("endnotes", "endnote"), ("header", ""), ("footer", ""))
_UNSEEN: Final = frozenset({"del", "moveFrom", "delText"})
_SKIPPED: Final = frozenset(
    {"pPr", "rPr", "tblPr", "tblGrid", "trPr", "tcPr", "sectPr", "sdtPr", "sdtEndPr", "instrText", "delInstrText",
     "Fallback", "rt", "rubyPr", "numPr", "annotationRef", "binData"}
)  # fmt: skip
_MARKS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_ALT_TEXT: Final = ("descr", "title")
_EMBEDDED: Final = frozenset({"package", "oleObject", "aFChunk", "control"})
_DESCRIBING: Final = frozenset({"title", "subject", "description", "keywords", "category", "lpwstr", "bstr"})
_CELL_JOIN: Final = " / "


def parse_docx(package: Package, bounds: Bounds) -> Parsed:
    """The visible text with paragraph and table addresses; UnreadableDocument where it holds none or is not safe."""
    package.refuse_remote_links()
    main = next((one.target for one in package.relationships("").values() if one.kind == "officeDocument"), None)
    if main is None or main not in package:
        raise damaged()
    links = package.relationships(main)
    styles = _part(package, links, "styles")
    builder = TextBuilder(bounds.text_bytes)
    reader = _Reader(builder, read_styles(styles), bounds.cells)
    body = child(package.xml(main), "body")
    if body is None:
        raise damaged()
    reader.read_body(body)
    for kind, note in _BEHIND:
        for link in [one for one in links.values() if one.kind == kind and one.target in package]:
            reader.read_part(package.xml(link.target), kind, note)
    attachments = [one.target for one in links.values() if one.kind in _EMBEDDED][:MAX_LISTED]
    if attachments:
        builder.flags.add("attachment_not_read")
    comments = _part(package, links, "comments")
    if reader.unseen or (comments is not None and _words(comments)):
        builder.flags.add("hidden_text")
    builder.note_metadata(_described(package, reader), is_command=is_instruction)
    return Parsed(MEDIA_TYPE, "docx", PARSER_VERSION, builder.text(), builder.segments, builder.flags, attachments)


def described(package: Package) -> str:
    """Title, subject, comment, keywords and custom properties of an office package."""
    links = package.relationships("").values()
    parts = [one.target for one in links if one.kind in ("core-properties", "custom-properties")]
    found = [package.xml(part) for part in parts if part in package]
    return "\n".join(one.text for root in found for one in root.iter() if name_of(one) in _DESCRIBING and one.text)


def _described(package: Package, reader: "_Reader") -> str:
    return "\n".join((described(package), *reader.alternatives))


def _part(package: Package, links: dict[str, Relationship], kind: str) -> Element | None:
    part = next((one.target for one in links.values() if one.kind == kind and not one.external), None)
    return package.xml(part) if part is not None and part in package else None


def _words(root: Element) -> bool:
    return any(one.text and one.text.strip() for one in root.iter() if name_of(one) == "t")


@dataclass
class _Reader:
    builder: TextBuilder
    styles: Styles
    most_cells: int
    unseen: bool = False
    alternatives: list[str] = field(default_factory=list[str])
    heading: str | None = None
    boxes: list[Element] = field(default_factory=list[Element])
    tables: int = 0
    cells: int = 0

    def read_body(self, body: Element) -> None:
        """Paragraphs and tables of the body in their order."""
        paragraph = 0
        for block in _blocks(body):
            if name_of(block) == "tbl":
                self._add_table(block, {"heading": self.heading})
            else:
                paragraph += 1
                self._add_paragraph(block, {"paragraph": paragraph})

    def read_part(self, root: Element, part: str, note: str) -> None:
        """A part beside the body: its paragraphs under the address `part`; separators between notes are none."""
        self.heading = None
        holders = [one for one in root if name_of(one) == note and value_of(one, "type") is None] if note else [root]
        for number, block in enumerate((one for holder in holders for one in _blocks(holder)), start=1):
            if name_of(block) == "tbl":
                self._add_table(block, {"part": part})
            else:
                self._add_paragraph(block, {"part": part, "paragraph": number})

    def _add_paragraph(self, paragraph: Element, address: dict[str, object]) -> None:
        text, _ = self._paragraph_text(paragraph, Look())
        style = value_of(child(paragraph, "pPr", "pStyle"))
        outline = whole_number(value_of(child(paragraph, "pPr", "outlineLvl")))
        if text.strip() and (style in self.styles.headings or (outline is not None and outline < 9)):
            self.heading = " ".join(text.split())[:200]
        heading = {"heading": self.heading} if self.heading else {}
        self.builder.add(text, **address, **heading)
        boxes, self.boxes = self.boxes, []
        for box in boxes:
            for block in _blocks(box):
                if name_of(block) == "tbl":
                    self._add_table(block, {**address, **heading})
                else:
                    self._add_paragraph(block, address)

    def _add_table(self, table: Element, address: dict[str, object]) -> None:
        self.tables += 1
        address = {key: value for key, value in address.items() if value is not None}
        add_table(self.builder, self._rows(table, {**address, "table": self.tables}))

    def _rows(self, table: Element, address: dict[str, object]) -> Iterator[list[Cell]]:
        style = value_of(child(table, "tblPr", "tblStyle"))
        # A style that colours cells may stand behind white text; which cells it colours is Word's to work out.
        base = Look(behind=(128, 128, 128)) if style in self.styles.shaded else Look()
        above: dict[int, Cell] = {}
        for number, row in enumerate(_children(table, "tr"), start=1):
            properties = child(row, "trPr")
            if child(properties, "del") is not None:
                self.unseen = self.unseen or _words(row)
                continue
            cells = self._row_cells(row, paragraph_look(properties).over(base), {**address, "row": number}, above)
            self.cells += len(cells)
            if self.cells > self.most_cells:
                raise unreadable("too_large", f"its tables have more than {self.most_cells} cells: split it")
            # Rows without words are spacing and end no table.
            if any(cell.text.strip() for cell in cells):
                yield cells

    def _row_cells(self, row: Element, base: Look, address: dict[str, object], above: dict[int, Cell]) -> list[Cell]:
        cells: list[Cell] = []
        column = 1
        head = child(row, "trPr", "tblHeader") is not None
        for cell in _children(row, "tc"):
            properties = child(cell, "tcPr")
            merge = child(properties, "vMerge")
            place = {**address, "column": column}
            if merge is not None and value_of(merge) != "restart" and column in above:
                # A cell merged downwards is shown once and stands for each of its rows.
                read = Cell(above[column].text, column, place, above[column].label)
            else:
                text, bold = self._cell_text(cell, paragraph_look(properties).over(base))
                read = Cell(text, column, place, head or bold)
            above[column] = read
            cells.append(read)
            column += min(whole_number(value_of(child(properties, "gridSpan"))) or 1, 1000)
        return cells

    def _cell_text(self, cell: Element, base: Look) -> tuple[str, bool]:
        texts: list[str] = []
        bold = True
        for block in _blocks(cell):
            if name_of(block) == "tbl":
                rows = self._rows(block, {})
                texts.extend(", ".join(one.text for one in row if one.text.strip()) for row in rows)
                continue
            text, all_bold = self._paragraph_text(block, base)
            bold = bold and (all_bold or not text.strip())
            texts.append(" ".join(text.split()))
        boxes, self.boxes = self.boxes, []
        texts.extend(self._cell_text(box, base)[0] for box in boxes)
        shown = [text for text in texts if text.strip()]
        return _CELL_JOIN.join(shown), bold and bool(shown)

    def _paragraph_text(self, paragraph: Element, around: Look) -> tuple[str, bool]:
        properties = child(paragraph, "pPr")
        style = self.styles.look(value_of(child(properties, "pStyle")))
        base = paragraph_look(properties).over(style.over(around.over(self.styles.default)))
        pieces: list[tuple[str, bool]] = []
        self._collect(paragraph, base, pieces)
        text = "".join(piece for piece, _ in pieces)
        return text, all(bold for piece, bold in pieces if piece.strip())

    def _collect(self, element: Element, look: Look, pieces: list[tuple[str, bool]]) -> None:
        for one in element:
            name = name_of(one)
            if name in _UNSEEN:
                self.unseen = self.unseen or any(
                    found.text and found.text.strip() for found in one.iter() if name_of(found) in ("t", "delText")
                )
            elif name in _SKIPPED:
                continue
            elif name == "t":
                self._add_text(one.text or "", look, pieces)
            elif name in _MARKS:
                pieces.append((_MARKS[name], True))
            elif name == "txbxContent":
                self.boxes.append(one)
            else:
                if name == "docPr":
                    self.alternatives.extend(filter(None, (one.get(key) for key in _ALT_TEXT)))
                self._collect(one, self._run(one, look) if name == "r" else look, pieces)

    def _run(self, run: Element, base: Look) -> Look:
        properties = child(run, "rPr")
        style = self.styles.look(value_of(child(properties, "rStyle")))
        return run_look(properties).over(style.over(base))

    def _add_text(self, text: str, look: Look, pieces: list[tuple[str, bool]]) -> None:
        if look.is_hidden:
            self.unseen = self.unseen or bool(text.strip())
        else:
            pieces.append((text, bool(look.bold)))


def _blocks(holder: Element) -> Iterator[Element]:
    """The paragraphs and tables of a body, cell, note or box, those in content controls and insertions among them."""
    for one in holder:
        name = name_of(one)
        if name in ("p", "tbl"):
            yield one
        elif name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "AlternateContent", "Choice"):
            yield from _blocks(one)


def _children(holder: Element, wanted: str) -> Iterator[Element]:
    for one in holder:
        name = name_of(one)
        if name == wanted:
            yield one
        elif name in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _children(one, wanted)
