"""XLSX as its reader sees it: each visible sheet row by row, cells under `sheet!cell`, numbers as they are shown.

A formula is its stored value; one without a value shows nothing and sets the flag `value_missing`. Hidden sheets, rows
and columns, white or tiny text, and comments are left out and flagged. Nothing is calculated, opened or followed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from models.instructions import is_instruction
from services.parsing_docx import described
from services.parsing_docx_style import child, children, name_of, value_of
from services.parsing_package import Package, Relationship, damaged
from services.parsing_result import Bounds, Parsed, TextBuilder
from services.parsing_tables import add_table
from services.parsing_xlsx_cells import SheetReader, Strings, read_strings
from services.parsing_xlsx_style import read_cell_styles

PARSER_VERSION: Final = "1"
MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAX_SHEETS: Final = 1000
MAX_SHEET_NAME: Final = 100
MAX_LISTED: Final = 100
_EMBEDDED: Final = frozenset({"package", "oleObject", "control"})
_COMMENTS: Final = frozenset({"comments", "threadedComment"})


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    part: str
    hidden: bool


def parse_xlsx(package: Package, bounds: Bounds) -> Parsed:
    """The visible cells with their addresses; UnreadableDocument where there are none or the file is not safe."""
    package.refuse_remote_links()
    main = next((one.target for one in package.relationships("").values() if one.kind == "officeDocument"), None)
    if main is None or main not in package:
        raise damaged()
    workbook, links = package.xml(main), package.relationships(main)
    reader = SheetReader(
        styles=read_cell_styles(_part(package, links, "styles")),
        strings=_strings(package, links),
        date1904=(value_of(child(workbook, "workbookPr"), "date1904") or "0") in ("1", "true"),
        most_cells=bounds.cells,
    )
    builder = TextBuilder(bounds.text_bytes)
    described_by = [described(package)]
    attachments: list[str] = []
    for sheet in list(_sheets(workbook, links))[:MAX_SHEETS]:
        if sheet.part not in package:
            continue
        if sheet.hidden:
            reader.unseen = reader.unseen or _holds_cells(package.read(sheet.part))
            continue
        add_table(builder, reader.rows(package.read(sheet.part), sheet.name))
        _read_beside(package, sheet, builder, reader, described_by, attachments)
    if reader.unseen:
        builder.flags.add("hidden_text")
    if reader.value_missing:
        builder.flags.add("value_missing")
    if attachments:
        builder.flags.add("attachment_not_read")
    builder.note_metadata("\n".join(described_by), is_command=is_instruction)
    listed = attachments[:MAX_LISTED]
    return Parsed(MEDIA_TYPE, "xlsx", PARSER_VERSION, builder.text(), builder.segments, builder.flags, listed)


def _sheets(workbook: Element, links: Mapping[str, Relationship]) -> Iterator[_Sheet]:
    for one in children(workbook, "sheets"):
        link = links.get(value_of(one, "id") or "")
        if link is not None and link.kind == "worksheet" and not link.external:
            name = " ".join(one.get("name", "").split())[:MAX_SHEET_NAME] or "?"
            yield _Sheet(name, link.target, one.get("state", "visible") != "visible")


def _part(package: Package, links: Mapping[str, Relationship], kind: str) -> Element | None:
    part = next((one.target for one in links.values() if one.kind == kind and not one.external), None)
    return package.xml(part) if part is not None and part in package else None


def _strings(package: Package, links: Mapping[str, Relationship]) -> Strings:
    part = next((one.target for one in links.values() if one.kind == "sharedStrings" and not one.external), None)
    return read_strings(package.read(part)) if part is not None and part in package else []


def _holds_cells(data: bytes) -> bool:
    return b"<c " in data or b":c " in data or b"<c>" in data


def _read_beside(
    package: Package,
    sheet: _Sheet,
    builder: TextBuilder,
    reader: SheetReader,
    described_by: list[str],
    attachments: list[str],
) -> None:
    """What lies on a sheet beside its cells: text in shapes is seen, comments pop up, embedded files stay closed."""
    for link in package.relationships(sheet.part).values():
        if link.external or link.target not in package:
            continue
        if link.kind in _COMMENTS:
            reader.unseen = reader.unseen or any(
                one.text and one.text.strip()
                for one in package.xml(link.target).iter()
                if name_of(one) in ("t", "text")
            )
        elif link.kind in _EMBEDDED:
            attachments.append(link.target)
        elif link.kind == "drawing":
            _read_drawing(package.xml(link.target), sheet, builder, described_by)


def _read_drawing(root: Element, sheet: _Sheet, builder: TextBuilder, described_by: list[str]) -> None:
    for shape in root.iter():
        name = name_of(shape)
        if name == "cNvPr":
            described_by.extend(filter(None, (shape.get("descr"), shape.get("title"))))
        if name != "txBody":
            continue
        for paragraph in shape:
            text = "".join(one.text or "" for one in paragraph.iter() if name_of(one) == "t")
            builder.add(text, sheet=sheet.name, heading=sheet.name)
