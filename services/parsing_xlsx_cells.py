"""The cells of one worksheet: which are seen, and what each shows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final, Literal
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from services.parsing_docx_style import child, name_of, value_of, whole_number
from services.parsing_number_formats import shown_number
from services.parsing_package import check_xml, damaged
from services.parsing_result import unreadable
from services.parsing_tables import Cell
from services.parsing_xlsx_style import CellLook, CellStyles, is_white

MAX_COLUMN: Final = 16_384
MAX_ROW: Final = 1_048_576
MAX_MERGES: Final = 10_000
_MERGED_ROWS: Final = 500
_LOW_POINTS: Final = 2.0
_NARROW: Final = 0.3
_REFERENCE: Final = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")

# A string is its runs, each with how it is written: white text is seen before a filled cell, tiny text nowhere.
Writing = Literal["plain", "white", "tiny"]
Runs = tuple[tuple[str, Writing], ...]
Strings = Sequence[Runs]


@dataclass
class SheetReader:
    """Reads worksheets of one workbook; `unseen` and `value_missing` tell what was left out of any of them."""

    styles: CellStyles
    strings: Strings
    date1904: bool
    most_cells: int
    unseen: bool = False
    value_missing: bool = False
    cells: int = 0

    def rows(self, data: bytes, sheet: str) -> Iterator[list[Cell]]:
        """The visible rows of a sheet from top to bottom, an empty list for each gap between them."""
        found, merges = self._read(data, sheet)
        _fill_merged(found, merges)
        last = 0
        for number in sorted(found):
            if last and number > last + 1:
                yield []
            yield [found[number][column] for column in sorted(found[number])]
            last = number

    def _read(self, data: bytes, sheet: str) -> tuple[dict[int, dict[int, Cell]], list[str]]:
        check_xml(data)
        found: dict[int, dict[int, Cell]] = {}
        merges: list[str] = []
        hidden = _HiddenColumns()
        rows_hidden = False
        number = 0
        try:
            for _, element in ElementTree.iterparse(BytesIO(data)):  # noqa: S314 -- declarations are refused above
                name = name_of(element)
                if name == "row":
                    given = whole_number(element.get("r"))
                    number = number + 1 if given is None else given
                    cells = self._row(element, number, sheet, hidden, shut=rows_hidden)
                    if cells:
                        found.setdefault(number, {}).update(cells)
                    element.clear()
                elif name == "col":
                    hidden.add(element)
                elif name == "sheetFormatPr":
                    rows_hidden = element.get("zeroHeight") in ("1", "true")
                elif name == "mergeCell" and len(merges) < MAX_MERGES:
                    merges.append(element.get("ref") or "")
        except (ElementTree.ParseError, ValueError, LookupError):
            raise damaged() from None
        return found, merges

    def _row(self, row: Element, number: int, sheet: str, hidden: "_HiddenColumns", *, shut: bool) -> dict[int, Cell]:
        is_hidden = row.get("hidden") in ("1", "true") or _below(row.get("ht"), _LOW_POINTS)
        is_hidden = is_hidden or (shut and row.get("hidden") is None)
        cells: dict[int, Cell] = {}
        column = 0
        for one in row:
            if name_of(one) != "c":
                continue
            column = _column(one.get("r")) or column + 1
            if column > MAX_COLUMN or number > MAX_ROW:
                raise damaged()
            self.cells += 1
            if self.cells > self.most_cells * 4:
                raise self._too_many()
            look = self.styles.look(one.get("s"))
            text, unseen = self._shown(one, look)
            if is_hidden or column in hidden:
                self.unseen = self.unseen or bool(text.strip()) or unseen
                continue
            self.unseen = self.unseen or unseen
            if text.strip():
                address: dict[str, object] = {"sheet": sheet, "heading": sheet, "cell": f"{letters(column)}{number}"}
                cells[column] = Cell(text, column, address, look.bold)
        return cells

    def _too_many(self) -> Exception:
        return unreadable("too_large", f"this workbook has more than {self.most_cells} cells: split it")

    def _shown(self, cell: Element, look: CellLook) -> tuple[str, bool]:
        """What a cell shows, and whether it holds something that it does not show."""
        kind = cell.get("t") or "n"
        raw = (value.text or "") if (value := child(cell, "v")) is not None else ""
        runs: Runs
        if kind == "s":
            index = whole_number(raw.strip())
            runs = self.strings[index] if index is not None and index < len(self.strings) else ()
        elif kind == "inlineStr":
            runs = string_runs(child(cell, "is"))
        else:
            runs = ((self._value(cell, kind, raw, look), "plain"),)
        if look.unseen:
            return "", any(text.strip() for text, _ in runs)
        seen: tuple[Writing, ...] = ("plain", "white") if look.filled else () if look.white else ("plain",)
        text = "".join(text for text, writing in runs if writing in seen)
        whole = "".join(text for text, _ in runs)
        blank = kind == "n" and not whole and raw.strip() not in ("", "0")
        return text, len(text) < len(whole) or blank

    def _value(self, cell: Element, kind: str, raw: str, look: CellLook) -> str:
        formula = child(cell, "f")
        if formula is not None and not raw:
            # An empty text is a value: `=IF(A1>0, A1, "")`.
            self.value_missing = self.value_missing or kind != "str"
            return ""
        if kind == "b":
            return "TRUE" if raw.strip() == "1" else "FALSE"
        if kind == "n":
            return shown_number(raw, look.code, date1904=self.date1904) if raw.strip() else ""
        return raw


class _HiddenColumns:
    """Ranges of columns that are hidden or too narrow to show anything."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []

    def add(self, column: Element) -> None:
        """A `col` element."""
        first, last = whole_number(column.get("min")), whole_number(column.get("max"))
        if first is None or last is None:
            return
        if column.get("hidden") in ("1", "true") or _below(column.get("width"), _NARROW):
            self._ranges.append((first, last))

    def __contains__(self, column: int) -> bool:
        return any(first <= column <= last for first, last in self._ranges)


def read_strings(data: bytes) -> Strings:
    """The shared strings of a workbook."""
    check_xml(data)
    found: list[Runs] = []
    try:
        for _, element in ElementTree.iterparse(BytesIO(data)):  # noqa: S314 -- declarations are refused above
            if name_of(element) == "si":
                found.append(string_runs(element))
                element.clear()
    except (ElementTree.ParseError, ValueError, LookupError):
        raise damaged() from None
    return found


def string_runs(item: Element | None) -> Runs:
    """The runs of a string; what guides its pronunciation is no part of it."""
    runs: list[tuple[str, Writing]] = []
    for one in item if item is not None else ():
        name = name_of(one)
        if name == "t":
            runs.append((one.text or "", "plain"))
        elif name == "r":
            text = "".join(part.text or "" for part in one if name_of(part) == "t")
            size = value_of(child(one, "rPr", "sz"))
            white = is_white(child(one, "rPr", "color"))
            runs.append((text, "tiny" if _below(size, _LOW_POINTS) else "white" if white else "plain"))
    return tuple(runs)


def letters(column: int) -> str:
    """The letters of a column, from 1: `A` … `XFD`."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def _column(reference: str | None) -> int | None:
    found = _REFERENCE.fullmatch(reference or "")
    if found is None:
        return None
    number = 0
    for char in found[1]:
        number = number * 26 + ord(char) - 64
    return number


def _below(text: str | None, bound: float) -> bool:
    try:
        return text is not None and float(text) < bound
    except ValueError:
        return False


def _fill_merged(found: dict[int, dict[int, Cell]], merges: Sequence[str]) -> None:
    """A cell merged downwards is shown once and stands for each of its rows that shows something beside it."""
    for merge in merges:
        ends = [_REFERENCE.fullmatch(end) for end in merge.split(":")]
        if len(ends) != 2 or ends[0] is None or ends[1] is None:
            continue
        top, bottom, column = int(ends[0][2]), int(ends[1][2]), _column(ends[0].group())
        origin = found.get(top, {}).get(column or 0)
        if origin is None or column is None or bottom <= top:
            continue
        place = {**origin.address, "cell": f"{ends[0].group()}:{letters(column)}{bottom}".replace("$", "")}
        for row in range(top, min(bottom, top + _MERGED_ROWS) + 1):
            cells = found.get(row)
            if cells and (row == top or column not in cells):
                cells[column] = replace(origin, address=place)
