"""Items without marks: lines or clauses that each name one part and its number of pieces, in a steady order."""

import re
from collections.abc import Iterable, Sequence

from models.extraction.line_judging import Found, goods_of
from models.extraction.line_layout import physical_lines
from models.extraction.line_reading import Piece, Reader
from models.extraction.line_words import EACH, EACH_WORD
from models.extraction.views import sentences
from models.fields import FieldName, MessageFields

MAX_SEGMENTS = 600
MAX_WHOLE = 4_000
_STEADY: tuple[FieldName, ...] = ("part_number", "drawing_number", "quantity")
_SEPARATOR = re.compile(
    r"(?<!\d)[,，](?!\d)|(?<=\d)[,，](?=\s)|[、;；]|\s(?:and|und|plus|as well as|sowie)\s|(?<![总共])和|以及|"
    r"(?<![普])及(?!时)|"
    r"与|跟|および|及び|(?<=[A-Za-z0-9個个件枚台本])と",
    re.IGNORECASE,
)


def rhythmic(reader: Reader) -> list[Found]:
    """The items of a layer that names several parts without marks; none where parts and numbers do not pair."""
    if len(reader.codes()) < 2:
        return []
    return _by_lines(reader) or _by_clauses(reader)


def distributed(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges that give every line the same number of pieces: "200 each"."""
    return [found.span() for found in EACH.finditer(folded, start, end)]


def amounts(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    """What such a range counts, without the words that spread it."""
    found: list[tuple[int, int]] = []
    for word in EACH_WORD.finditer(folded, start, end):
        found.append((start, word.start()))
        start = word.end()
    return [one for one in [*found, (start, end)] if folded[slice(*one)].strip()]


def _by_lines(reader: Reader) -> list[Found]:
    """Blocks that each begin with a line that names a part, and hold its number of pieces."""
    lines = [(start, end, reader.fields((start, end))) for start, end in physical_lines(reader.folded)[:MAX_SEGMENTS]]
    heads = [at for at, (_, _, read) in enumerate(lines) if _code(read)]
    if len(heads) < 2:
        return []
    found: list[Found] = []
    spread = False
    for at, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        start, end, read = lines[at]
        for left, right, _ in lines[at + 1 : following]:
            indented = reader.folded[left] in " \t-*•・·"
            last = following == len(lines)
            if "\n\n" in reader.folded[end : left + 1] or (last and not indented and not spread):
                break
            spread, end = True, right
        read = reader.fields((start, end))
        found.append(Found(start, start, end, read, reader.label(start, end, read)))
    complete = all(_code(one.fields) and one.names("quantity") for one in found)
    return goods_of(reader, found, named=False) if complete else []


def _by_clauses(reader: Reader) -> list[Found]:
    folded = reader.folded
    whole = [(0, len(folded))] if len(folded) <= MAX_WHOLE else []
    for start, end in [*sentences(folded), *whole]:
        each = distributed(folded, start, end)
        segments = [(left, right, reader.fields((left, right))) for left, right in _segments(folded, start, end, each)]
        if len([one for one in segments if _code(one[2])]) < 2:
            continue
        items = _grouped(reader, segments)
        if all(_code(one.fields) and ("quantity" in one.fields.settled or each) for one in items):
            goods = goods_of(reader, items, named=False)
            if goods:
                return goods
    return []


def _segments(folded: str, start: int, end: int, each: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """The clauses of a sentence without what is said of each item."""
    at = start
    ends = [(right, right) for _, right in sentences(folded[start:end])]
    cuts = [*(one.span() for one in _SEPARATOR.finditer(folded, start, end)), *each]
    cuts = sorted([*cuts, *((start + left, start + right) for left, right in ends)])
    for left, right in cuts[:MAX_SEGMENTS]:
        if left < at:
            at = max(at, right)
            continue
        if folded[at:left].strip():
            yield at, left
        at = right
    if folded[at:end].strip():
        yield at, end


def _grouped(reader: Reader, segments: Sequence[tuple[int, int, MessageFields]]) -> list[Found]:
    """Clauses joined to items: a new one begins where a part or a number comes a second time.

    What stands before the first belongs to none. What follows the last and no other item says of itself holds for all.
    """
    groups: list[list[tuple[int, int, MessageFields]]] = []
    seen: set[FieldName] = set()
    for segment in segments:
        names: set[FieldName] = {name for name in _STEADY if name in segment[2].settled}
        if not groups and not names:
            continue
        if not groups or names & seen:
            groups.append([])
            seen = set()
        groups[-1].append(segment)
        seen |= names
    if len(groups) > 1:
        own = {name for group in groups[:-1] for one in group for name in one[2].settled}
        while len(groups[-1]) > 1 and not set(groups[-1][-1][2].settled) & own:
            groups[-1].pop()
    return [_found(reader, group) for group in groups]


def _found(reader: Reader, group: Sequence[tuple[int, int, MessageFields]]) -> Found:
    start, end = group[0][0], group[-1][1]
    pieces: list[Piece] = [piece for left, right, _ in group for piece in ((left, right), (left, ", "))]
    read = reader.fields(*pieces)
    return Found(start, start, end, read)


def _code(read: MessageFields) -> bool:
    return "part_number" in read.settled or "drawing_number" in read.settled
