"""Rows of a table as lines that can be read alone: `Material: SUS304 | Lead time: 15 days`.

A citation shows one row, so each cell stands beside the label of its column. Where a table does not show for certain
which row is its head, a row of two cells is a label with its value, and any other row is its cells.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from services.parsing_result import TextBuilder

MAX_LABEL: Final = 80
MAX_SHOWN: Final = 400
_LOOKED_AT: Final = 20
_DIGIT: Final = re.compile(r"\d")
_VALUE: Final = re.compile(r"[\d.,:/%+\-±~ ]*\d[\d.,:/%+\-±~ ]*")
_SENTENCE: Final = re.compile(r"[。！？!?;；]|\.\s")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows, its column from 1, its address, and whether it is marked as a label (bold, `th`)."""

    text: str
    column: int
    address: dict[str, object]
    label: bool = False


Row = Sequence[Cell]


def add_table(builder: TextBuilder, rows: Iterable[Row]) -> None:
    """Append the rows that show something; the head is kept as a row of its own before the rows that it labels.

    Empty rows divide a sheet into blocks: a block with a head of its own has its labels, another one those before it.
    """
    labels: dict[int, str] = {}
    for block in _blocks(rows):
        head = _head_index(block)
        if head is not None:
            labels = {}
        for row in block[: 0 if head is None else head]:
            builder.add_row(_pair(row))
        if head is not None:
            labels = {cell.column: label for cell in block[head] if (label := _label(cell.text))}
            builder.add_row((cell.text, cell.address) for cell in block[head])
        for row in block[0 if head is None else head + 1 :]:
            _add_row(builder, list(_labelled(row, labels) if labels else _pair(row)))


def _blocks(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    block: list[Row] = []
    for row in rows:
        shown = [cell for cell in row if cell.text.strip()]
        if shown:
            block.append(shown)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _add_row(builder: TextBuilder, cells: Sequence[tuple[str, dict[str, object]]]) -> None:
    """A row is one line, unless a cell holds so much that the table only arranges a page."""
    if any(len(text) > MAX_SHOWN for text, _ in cells):
        for text, address in cells:
            builder.add(" ".join(text.split()), **address)
        return
    builder.add_row(cells)


def _labelled(row: Row, labels: dict[int, str]) -> Iterator[tuple[str, dict[str, object]]]:
    for cell in row:
        label = labels.get(cell.column)
        # A line across the table (`Delivery`) is a heading of what follows and belongs to no column.
        alone = len(row) == 1 and len(labels) > 1
        yield (cell.text if label is None or alone else f"{label}: {cell.text}"), cell.address


def _pair(row: Row) -> Iterator[tuple[str, dict[str, object]]]:
    """`Lead time | 15 days` is one statement: the label joins its value, under the address of the value."""
    if len(row) == 2 and _is_label(row[0].text) and (label := _label(row[0].text)):
        yield f"{label}: {row[1].text}", row[1].address
        return
    yield from ((cell.text, cell.address) for cell in row)


def _head_index(rows: Sequence[Row]) -> int | None:
    """Which row names the columns; None when none does for certain. Titles above a head are narrower than it."""
    widest = max((len(row) for row in rows[:_LOOKED_AT]), default=0)
    if widest < 2:
        return None
    for index, row in enumerate(rows[:_LOOKED_AT]):
        if len(row) < max(2, (widest + 1) // 2):
            continue
        return index if _is_head(row, rows[index + 1 : index + 1 + _LOOKED_AT], widest) else None
    return None


def _is_head(row: Row, body: Sequence[Row], widest: int) -> bool:
    texts = [cell.text.strip() for cell in row]
    if not body or len({text.casefold() for text in texts}) != len(texts) or not all(map(_is_label, texts)):
        return False
    if all(cell.label for cell in row):
        # A table whose first column is all labels and whose head is none has no marked row.
        return not all(cell.label for other in body[:1] for cell in other)
    if any(cell.label for cell in row[1:]):
        return False
    if widest == 2:
        pairs = [other for other in body if len(other) == 2]
        # One row alone would be a label and its value as well, unless its first cell is no label.
        enough = len(pairs) >= 2 or any(not _is_label(other[0].text) for other in pairs)
        return enough and all(_is_value(other[-1].text) for other in pairs)
    return any(_column_of_values(cell.column, body) for cell in row) or len(body) >= 2


def _column_of_values(column: int, body: Sequence[Row]) -> bool:
    held = [cell.text for row in body for cell in row if cell.column == column]
    return len(held) * 2 >= len(body) and all(map(_is_value, held))


def _is_label(text: str) -> bool:
    stripped = text.strip()
    return (
        0 < len(stripped) <= MAX_LABEL
        and any(char.isalpha() for char in stripped)
        and _SENTENCE.search(stripped) is None
        and len(_DIGIT.findall(stripped)) <= 2
    )


def _is_value(text: str) -> bool:
    """Whether a cell begins as a value does, with a number, as no label would."""
    return _VALUE.match(text.strip()) is not None


def _label(text: str) -> str:
    return " ".join(text.split()).rstrip(":： ")[:MAX_LABEL]
