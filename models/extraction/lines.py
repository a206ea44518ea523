"""Several line items in one message: which parts of it are items, what is said of each, and what is said of all.

Why it is so: a list is taken for lines only where its pieces name different goods (parts, drawings, or named things
with a number of pieces each). A list of requirements, price breaks and offers joined by "or" are none: they stay one
line with the conflicts that they had, and are asked.
"""

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from models.extraction import MAX_READ
from models.extraction.codes import find_codes
from models.extraction.line_judging import Found, goods_of
from models.extraction.line_layout import Layout, Piece, marked
from models.extraction.line_reading import Reader, doubtful_row, row_position, row_words
from models.extraction.line_remarks import NAMELESS, Known, read_loose, remarks_of
from models.extraction.line_rhythm import amounts, distributed, rhythmic
from models.extraction.line_tables import Table, tables
from models.extraction.line_words import DEFAULTS, TOTAL, adds, framing, speaks_of_all
from models.extraction.mail_layers import layers
from models.extraction.masks import Ranges, masked_ranges
from models.extraction.scripts import detect_language, likely_language
from models.extraction.views import Candidate, clauses, sentences, source_text
from models.fields import FieldName, MessageFields, Span
from models.line_items import CODE_FIELDS, MAX_LABEL, MAX_LINES, ItemReading, LinesSaid
from models.normalization import normalize_term
from models.rfq_text import structured_ranges

_LISTED = re.compile(r"\s*(?:、|,|，|&|\band\b|\bund\b|和|及|以及|与|と)\s*", re.IGNORECASE)
_TRIED = 40  # pieces that are read before a longer list is taken for lines


def read_lines(text: str, *, several: bool, known: Known = NAMELESS) -> LinesSaid | None:
    """What a message says of several lines; None when it names no second one.

    `several`: the task has lines, which can be named as `known` says; then each remark counts that names one.
    Deterministic and never raising. Of a list longer than MAX_LINES one item more than that is read.
    """
    text = _free_text(text)[:MAX_READ]
    whole = detect_language(text)
    newer: list[tuple[int, int]] = []
    for ranges in layers(text):
        written = "".join(text[start:end] for start, end in ranges)
        reader = Reader(source_text(text, ranges), likely_language(written) or whole)
        found = _items(reader, text)
        if found:
            return _said(reader, found, known, newer=bool(newer))
        said = _remarked(reader, known, several=several)
        if said is not None:
            return said
        newer.extend(ranges)
    return None


def _free_text(text: str) -> str:
    """`text` with blanks for its structured documents, whose tags say what a value is."""
    for start, end in structured_ranges(text):
        text = f"{text[:start]}\n{' ' * (end - start - 1)}{text[end:]}"
    return text


def with_listed_parts(text: str, read: MessageFields) -> MessageFields:
    """`read`, whose part is in conflict where a list names others of its kind beside it.

    A list of parts that gives no lines (one number for all of them) leaves open which of them is meant.
    """
    one = read.settled.get("part_number")
    if one is None:
        return read
    text = _free_text(text)[:MAX_READ]
    source = source_text(text, [(0, len(text))])
    taken = Ranges(masked_ranges(source.folded), len(source.folded))
    codes = [found for found in find_codes(source, taken) if found.field == "part_number"]
    listed: dict[str, Candidate] = {}
    for left, right in pairwise(codes):
        if _LISTED.fullmatch(source.folded, left.end, right.start) and _kind(left) == _kind(right) != "":
            listed.update({str(left.value): left, str(right.value): right})
    if str(one.value) not in listed or len(listed) < 2:
        return read
    settled, conflicts = dict(read.settled), dict(read.conflicts)
    del settled["part_number"]
    conflicts["part_number"] = tuple(found.reading(source) for found in listed.values())
    return MessageFields(settled=settled, undecided=read.undecided, conflicts=conflicts)


def _kind(code: Candidate) -> str:
    return re.sub(r"\d", "0", str(code.value)).casefold()


def _items(reader: Reader, text: str) -> list[Found]:
    """The items of a layer by the first way of setting them apart that gives lines of an RFQ."""
    for table in tables(reader.source):
        found = goods_of(reader, _from_table(reader, table), named=True)
        if found:
            return found
    for layout in marked(reader.source, text):
        tried = _from_layout(reader, layout, _TRIED)
        found = goods_of(reader, tried, named=layout.named)
        if found and len(layout.pieces) > _TRIED:
            found = goods_of(reader, _from_layout(reader, layout, MAX_LINES + 1), named=layout.named)
        if found:
            return found
    return rhythmic(reader)


def _from_layout(reader: Reader, layout: Layout, most: int) -> list[Found]:
    found: list[Found] = []
    for at, piece in enumerate(islice(layout.pieces, most)):
        end = piece.end
        if at + 1 == len(layout.pieces):
            end = _own_end(reader, piece, {name for one in found for name in one.fields.settled})
        fields = reader.fields((piece.start, end))
        label = reader.label(piece.start, end, fields)
        found.append(Found(piece.mark, piece.start, end, fields, label, piece.position))
    return found


def _own_end(reader: Reader, piece: Piece, own: set[FieldName]) -> int:
    """Where the last item ends: what it says of all, or inside a line what no other item says of itself, is not its."""
    inside = reader.folded[reader.folded.rfind("\n", 0, piece.mark) + 1 : piece.mark].strip() != ""
    parts = [
        one
        for left, right in sentences(reader.folded[piece.start : piece.end])
        for one in _clauses(reader, piece.start, left, right)
    ]
    end = piece.end
    for start, stop in reversed(parts[1:]):
        said = reader.fields((start, stop)).settled
        if not (speaks_of_all(reader.folded[start:stop]) or (inside and not set(said) & own)):
            break
        end = start
    return end


def _clauses(reader: Reader, base: int, left: int, right: int) -> list[tuple[int, int]]:
    return [(base + one, base + other) for one, other in clauses(reader.folded[base:], left, right)]


def _from_table(reader: Reader, table: Table) -> list[Found]:
    found: list[Found] = []
    for at, (row, cells) in enumerate(islice(table.rows, MAX_LINES + 1)):
        mark = table.start if at == 0 else row[0]
        if cells is None:
            fields = doubtful_row(reader, table, row)
            found.append(Found(mark, *row, fields, reader.label(*row, fields), None))
            continue
        label = row_words(reader, table, cells, "label")
        found.append(Found(mark, *row, reader.row(table.columns, cells), label, row_position(reader, table, cells)))
    return found


def _said(reader: Reader, found: Sequence[Found], known: Known, *, newer: bool) -> LinesSaid:
    folded = reader.folded
    if len(found) > MAX_LINES:
        return LinesSaid(items=tuple(_item(reader, one) for one in found))
    codes = [normalize_term(code) for one in found if (code := one.code) is not None]
    names = Known((*known.codes, *codes), (*known.labels, *(one.label for one in found if one.label)))
    outside = _outside(len(folded), found)
    each = [one for start, end in outside for one in distributed(folded, start, end)]
    frame = [one for start, end in outside for one in framing(folded, start, end, len(found))]
    rest = [one for start, end in outside for one in _without(start, end, sorted([*each, *frame]))]
    remarks = remarks_of(reader, rest, names)
    items = tuple(_item(reader, one) for one in found)
    spread = read_loose(reader, [*remarks.plain, *(amount for one in each for amount in amounts(folded, *one))])
    beside = "".join(folded[start:end] for start, end in outside)
    return LinesSaid(
        items=items,
        everywhere=_spread(spread, items, beside, each=bool(each)),
        unclear=read_loose(reader, remarks.after),
        remarks=remarks.remarks,
        adds=adds(beside) and not newer,
        by_default=DEFAULTS.search(beside) is not None,
    )


def _item(reader: Reader, one: Found) -> ItemReading:
    span = reader.source.span(one.start, max(one.start + 1, one.end))
    return ItemReading(
        start=span.start, end=span.end, position=one.position, label=one.label[:MAX_LABEL], fields=one.fields
    )


def _spread(said: MessageFields, items: Sequence[ItemReading], beside: str, *, each: bool) -> MessageFields:
    """What is said once for all: no part; a number of pieces only where each line has it, else it is asked.

    A sum that is right says nothing new.
    """
    settled, undecided, conflicts = dict(said.settled), dict(said.undecided), dict(said.conflicts)
    for name in CODE_FIELDS:
        conflicts.pop(name, None)
    settled.pop("part_number", None)
    undecided.pop("part_number", None)
    count = settled.get("quantity")
    if count is not None and not each:
        del settled["quantity"]
        settled.pop("quantity_unit", None)
        own = [one.fields.settled["quantity"].value for one in items if "quantity" in one.fields.settled]
        sums = len(own) == len(items) and count.value == sum(one for one in own if isinstance(one, int))
        if not sums or not TOTAL.search(beside):
            undecided["quantity"] = Span(start=count.start, end=count.end)
    return MessageFields(settled=settled, undecided=undecided, conflicts=conflicts)


def _outside(length: int, found: Sequence[Found]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    at = 0
    for one in sorted(found, key=lambda one: one.mark):
        if one.mark > at:
            ranges.append((at, one.mark))
        at = max(at, one.end)
    return [*ranges, (at, length)] if at < length else ranges


def _without(start: int, end: int, cut: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for left, right in cut:
        if start <= left < end:
            found.append((start, left))
            start = max(start, right)
    return [one for one in [*found, (start, end)] if one[0] < one[1]]


def _remarked(reader: Reader, known: Known, *, several: bool) -> LinesSaid | None:
    """A message without a list: what it says of the lines that a task has, or of one in addition."""
    if not several and not adds(reader.folded):
        return None
    remarks = remarks_of(reader, [(0, len(reader.folded))], known)
    if not several:
        added = tuple(one for one in remarks.remarks if one.act == "adds")
        return LinesSaid(remarks=added) if added else None
    if not reader.folded.strip():
        return None
    return LinesSaid(
        everywhere=read_loose(reader, remarks.plain),
        unclear=read_loose(reader, remarks.after),
        remarks=remarks.remarks,
    )
