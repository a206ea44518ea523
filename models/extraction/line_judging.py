"""Whether the pieces of a list are lines of an RFQ: different goods, not requirements, price breaks or alternatives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from models.extraction.line_reading import Reader
from models.extraction.line_words import ALTERNATIVES, LOTS, OR, label_key
from models.fields import FieldName, MessageFields
from models.line_items import CODE_FIELDS
from models.normalization import normalize_term

_INTRO = 160


@dataclass(frozen=True, slots=True)
class Found:
    """A piece of a layer with what it says; `mark` is where its mark begins."""

    mark: int
    start: int
    end: int
    fields: MessageFields
    label: str = ""
    position: str | None = None

    def names(self, name: FieldName) -> bool:
        """Whether the piece says anything of a field."""
        said = self.fields
        return name in said.settled or name in said.undecided or name in said.conflicts

    @property
    def code(self) -> str | None:
        """The part, else the drawing, that it settles."""
        read = self.fields.settled.get("part_number") or self.fields.settled.get("drawing_number")
        return None if read is None else str(read.value)

    @property
    def identity(self) -> str:
        """What tells its goods from others: code, or the customer's words."""
        return normalize_term(self.code) if self.code is not None else label_key(self.label)


def goods_of(reader: Reader, pieces: Sequence[Found], *, named: bool) -> list[Found]:
    """The pieces that are lines of an RFQ, or none; `named` marks say that they are items.

    A piece that names no goods (a term, a remark) is left out and is read as what holds for all.
    """
    goods = _with_goods(pieces, named=named)
    if len(goods) < 2 or _alternatives(reader, goods):
        return []
    goods = _same_goods_joined(goods)
    return goods if len(goods) >= 2 else []


def _with_goods(pieces: Sequence[Found], *, named: bool) -> list[Found]:
    for name in CODE_FIELDS:
        coded = [one for one in pieces if name in one.fields.settled]
        if len({normalize_term(str(one.fields.settled[name].value)) for one in coded}) >= 2:
            return [one for one in pieces if one.code is not None or one.names("part_number") or one.names("quantity")]
    called = [one for one in pieces if one.names("quantity") and label_key(one.label) and not LOTS.search(one.label)]
    if len({label_key(one.label) for one in called}) >= 2:
        return [one for one in pieces if one.names("quantity")]
    counted = [one for one in pieces if one.names("quantity")]
    if named and len({_but_quantity(one) for one in counted}) >= 2 and all(_but_quantity(one) for one in counted):
        return counted
    return []


def _but_quantity(one: Found) -> tuple[tuple[str, str], ...]:
    """What a piece settles besides its number of pieces."""
    return tuple(
        (name, str(read.value).casefold())
        for name, read in sorted(one.fields.settled.items())
        if name not in ("quantity", "quantity_unit")
    )


def _alternatives(reader: Reader, goods: Sequence[Found]) -> bool:
    """Whether words beside or between the pieces offer them instead of each other."""
    first = goods[0]
    intro = reader.folded[max(0, first.mark - _INTRO) : first.mark].rsplit("\n\n", 1)[-1]
    if ALTERNATIVES.search(intro):
        return True
    for left, right in pairwise(goods):
        between = reader.folded[max(left.start, left.end - 8) : right.mark].rstrip()
        opening = reader.folded[right.start : right.start + 8]
        found = list(OR.finditer(between))
        closing = found and not any(char.isalpha() for char in between[found[-1].end() :])
        if closing or OR.match(opening.lstrip()):
            return True
    return any(ALTERNATIVES.search(reader.folded, one.mark, min(one.end, one.start + 60)) for one in goods)


def _same_goods_joined(goods: Sequence[Found]) -> list[Found]:
    """Pieces of the same goods that differ in nothing but their number are price breaks: one line, whose quantity is

    in conflict.
    """
    kept: dict[object, Found] = {}
    for at, one in enumerate(goods):
        key = (one.identity, _but_quantity(one)) if one.identity else at
        other = kept.get(key)
        kept[key] = one if other is None else _with_other_quantity(other, one)
    return list(kept.values())


def _with_other_quantity(one: Found, other: Found) -> Found:
    readings = [
        *one.fields.conflicts.get("quantity", ()),
        *(fields.settled["quantity"] for fields in (one.fields, other.fields) if "quantity" in fields.settled),
    ]
    settled = dict(one.fields.settled)
    settled.pop("quantity", None)
    if len({read.value for read in readings}) < 2:
        return one
    conflicts = dict(one.fields.conflicts)
    conflicts["quantity"] = tuple({read.value: read for read in readings}.values())
    fields = MessageFields(settled=settled, undecided=one.fields.undecided, conflicts=conflicts)
    return replace(one, fields=fields)
