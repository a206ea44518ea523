"""Comma-separated values: the delimiter is the one that gives every line the same cells; addressed by row and column.

Rows are counted as a spreadsheet would show them, from 1 and with the head.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable
from services.parsing_tables import Cell, Row, add_table
from services.parsing_text import decode_text

PARSER_VERSION: Final = "1"
MAX_CELL: Final = 100_000
_DELIMITERS: Final = (",", ";", "\t", "|")
_SAMPLE_LINES: Final = 60
_SAMPLE_CHARACTERS: Final = 200_000


def parse_csv(data: bytes, bounds: Bounds) -> Parsed:
    """Each row as a line of `head: value` cells; `too_large` above the bounds, `corrupt` for an open quote."""
    text = decode_text(data).replace("\x00", "")
    builder = TextBuilder(bounds.text_bytes)
    add_table(builder, _rows(text, bounds.cells))
    return Parsed("text/csv", "csv", PARSER_VERSION, builder.text(), builder.segments, builder.flags)


def _rows(text: str, most_cells: int) -> Iterator[Row]:
    first, _, rest = text.partition("\n")
    named = first.strip().strip('"')
    # Excel writes its delimiter into a first line of its own.
    if len(named) == 5 and named.lower().startswith("sep="):
        delimiter, body, offset = named[4], rest, 1
    else:
        delimiter, body, offset = _delimiter(text), text, 0
    seen = 0
    try:
        for number, cells in enumerate(_reader(body, delimiter), start=1 + offset):
            seen += len(cells)
            if seen > most_cells:
                raise unreadable("too_large", f"this table has more than {most_cells} cells: split it")
            yield [
                Cell(cell, column, {"row": number, "column": column})
                for column, cell in enumerate(cells, start=1)
                if cell.strip()
            ]
    except csv.Error:
        raise unreadable("corrupt", "the quotes of this table do not close: save it as CSV again") from None


def _reader(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(MAX_CELL)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").splitlines(keepends=True)
    return csv.reader(lines, delimiter=delimiter, doublequote=True, skipinitialspace=True)


def _delimiter(text: str) -> str:
    """The mark that divides most lines of a sample into the same number of cells; a comma where none does."""
    sample = text[:_SAMPLE_CHARACTERS]
    best, most = ",", (0.0, 0)
    for mark in _DELIMITERS:
        try:
            widths = [len(cells) for cells in islice(_reader(sample, mark), _SAMPLE_LINES) if any(cells)]
        except csv.Error:
            continue
        if not widths:
            continue
        width, lines = Counter(widths).most_common(1)[0]
        score = (lines / len(widths), width) if width > 1 else (0.0, 0)
        most, best = max((most, best), (score, mark), key=lambda one: one[0])
    return best
