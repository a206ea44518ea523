"""Reading the lines of goods out of the canonical text of a structured document.

Why it is so: a tag says what a value is, so nothing is searched for that has a tag. Only what no tag of a format can
hold (material, treatment, tolerance, drawing) is read out of an item's named properties and description, by the rules
that messages are read with; where two places differ, the field is asked. A number that is no whole number of XML and
JSON, or reads differently in two countries (`1.000`), is asked too.
"""

from collections.abc import Iterable, Iterator

from models.errors import InvalidField
from models.extraction import extract_fields
from models.extraction.codes import foreign_letters
from models.fields import FieldName, FieldValue, check_value
from models.rfq import MAX_RFQ_LINES, RfqFormat, RfqLine, RfqPlace, RfqTerm, RfqTermKind, RfqValue, StructuredRfq
from models.rfq_layouts import LAYOUTS, Layout, goods_of, requests_goods
from models.rfq_text import Node, TextTree, read_trees
from models.rfq_units import unit_word
from models.rfq_values import day_of, property_field, whole_number, yes_or_no

_DESCRIBED: tuple[FieldName, ...] = ("material", "surface_treatment", "tolerance", "drawing_number")
_MAX_DESCRIPTION = 4_000
_FORMATS: dict[str, RfqFormat] = {
    "ubl": "ubl",
    "xrechnung": "xrechnung",
    "cii": "cii",
    "eforms": "eforms",
    "ocds": "ocds",
}


def read_rfqs(text: str) -> tuple[StructuredRfq, ...]:
    """What the structured documents in a canonical text ask for, each with places in `text`. Never raises.

    `text` is that of a message or file: a document alone, or a mail with documents attached. Of more than
    `MAX_RFQ_LINES` lines the first ones are read; the parser refuses such a document.
    """
    return tuple(_read(tree) for tree in read_trees(text))


def _read(tree: TextTree) -> StructuredRfq:
    layout = LAYOUTS[tree.format]
    lines: list[RfqLine] = []
    for goods in goods_of(tree):
        lines += _line_with_parts(goods, layout, None)
        if len(lines) >= MAX_RFQ_LINES:
            break
    head = _Fields()
    _read_dates(head, tree.root, layout)
    return StructuredRfq(
        format=_FORMATS[tree.format],
        document_type=tree.document_type,
        document_id=tree.root.text(*layout.document_id)[:200],
        requests=requests_goods(tree),
        lines=tuple(lines[:MAX_RFQ_LINES]),
        fields=head.values,
        undecided=head.undecided,
        terms=tuple(_terms(tree.root, layout)),
    )


class _Fields:
    """The fields of one line while they are read: the first value stands, another one makes it undecided."""

    def __init__(self) -> None:
        self.values: dict[FieldName, RfqValue] = {}
        self.undecided: dict[FieldName, RfqPlace] = {}

    def take(self, field: FieldName, value: FieldValue, place: RfqPlace, unit_code: str | None = None) -> None:
        """A value as it must be for its field; everything else is undecided."""
        try:
            read = RfqValue(field=field, value=check_value(field, value), place=place, unit_code=unit_code)
        except InvalidField:
            self.leave_open(field, place)
            return
        known = self.values.get(field)
        if known is not None and str(known.value).casefold() != str(read.value).casefold():
            self.leave_open(field, place)
        elif field not in self.undecided and known is None:
            self.values[field] = read

    def leave_open(self, field: FieldName, place: RfqPlace) -> None:
        """The document speaks of the field without one value."""
        self.values.pop(field, None)
        self.undecided.setdefault(field, place)


def _line_with_parts(goods: Node, layout: Layout, parent: str | None) -> list[RfqLine]:
    """A line and, behind it, the lines that it consists of; the depth of a document is bounded by its parser."""
    line = _line(goods, layout, parent)
    found = [line]
    for path in layout.parts:
        for part in goods.every(path):
            found += _line_with_parts(part, layout, line.line_id)
    return found


def _line(goods: Node, layout: Layout, parent: str | None) -> RfqLine:
    fields = _Fields()
    _read_quantity(fields, goods, layout)
    numbers = [node for path in layout.part_number if (node := goods.first(path)) is not None]
    if numbers:
        _take_code(fields, "part_number", numbers[0])
    _read_dates(fields, goods, layout)
    for entry in (one for path in layout.properties for one in goods.every(path)):
        _read_property(fields, entry)
    for node in (one for path in layout.descriptions for one in goods.every(path)):
        _read_description(fields, node)
    identifiers = [*numbers, *(node for path in layout.identifiers for node in goods.every(path) if node.value)]
    label = goods.first(*layout.label)
    return RfqLine(
        line_id=goods.text(*layout.line_id)[:100],
        label=label.value[:200] if label is not None else "",
        place=_place(label or goods.first(*layout.line_id) or _first_value(goods)),
        parent=parent,
        identifiers=tuple(dict.fromkeys(node.value[:200] for node in identifiers)),
        fields=fields.values,
        undecided=fields.undecided,
        terms=tuple(_terms(goods, layout)),
    )


def _read_quantity(fields: _Fields, goods: Node, layout: Layout) -> None:
    node = goods.first(*layout.quantity)
    if node is None:
        return
    number = whole_number(node.value)
    if number is None:
        fields.leave_open("quantity", _place(node))
    else:
        fields.take("quantity", number, _place(node))
    word, code = goods.first(*layout.unit_word), node.first("@unitCode") or goods.first(*layout.unit_code)
    if word is not None:
        fields.take("quantity_unit", word.value, _place(word), code.value if code is not None else None)
    elif code is not None:
        fields.take("quantity_unit", unit_word(code.value), _place(code), code.value)


def _read_dates(fields: _Fields, node: Node, layout: Layout) -> None:
    """The last day of the period that delivery is asked for in; a period without an end is undecided."""
    ends = [one for path in layout.wanted_until for one in node.every(path) if one.value]
    for one in ends:
        day = day_of(one.value)
        if day is None:
            fields.leave_open("wanted_date", _place(one))
        else:
            fields.take("wanted_date", day, _place(one))
    start = node.first(*layout.wanted_from)
    if not ends and start is not None:
        fields.leave_open("wanted_date", _place(start))


def _read_property(fields: _Fields, entry: Node) -> None:
    """A named property of an item ("Material": "SUS304"), where its name is one of a field."""
    name, node = entry.text("Name", "Description"), entry.first("Value", "ValueQuantity")
    field = property_field(name)
    if field is None or node is None:
        return
    said = extract_fields(f"{name}: {node.value[:_MAX_DESCRIPTION]}")
    if field in said.undecided or field in said.conflicts:
        fields.leave_open(field, _place(node))
    elif field in ("part_number", "drawing_number"):
        _take_code(fields, field, node)
    elif field in ("material", "tolerance"):
        fields.take(field, node.value, _place(node))
    else:
        value = yes_or_no(node.value) if field == "special_inspection" else None
        reading = said.settled.get(field)
        value = value if value is not None else reading.value if reading is not None else None
        if value is None:
            fields.leave_open(field, _place(node))
        else:
            fields.take(field, value, _place(node))


def _read_description(fields: _Fields, node: Node) -> None:
    """What a description says of a part; where it names no material, a coat may be the goods themselves (red paint)."""
    said = extract_fields(node.value[:_MAX_DESCRIPTION])
    for field in _DESCRIBED:
        if field == "surface_treatment" and "material" not in said.settled:
            continue
        if field in said.undecided or field in said.conflicts:
            fields.leave_open(field, _place(node))
        elif (reading := said.settled.get(field)) is not None:
            start = node.start + reading.start
            place = RfqPlace(path=node.path, start=start, end=node.start + reading.end)
            fields.take(field, reading.value, place)


def _take_code(fields: _Fields, field: FieldName, node: Node) -> None:
    """A number of a part or drawing; letters that only look Latin leave open which one is meant."""
    if foreign_letters(node.value):
        fields.leave_open(field, _place(node))
    else:
        fields.take(field, node.value, _place(node))


def _terms(node: Node, layout: Layout) -> Iterator[RfqTerm]:
    kinds: Iterable[tuple[RfqTermKind, tuple[str, ...]]] = (
        ("payment", layout.payment),
        ("delivery", layout.delivery),
        ("period", layout.period),
    )
    for kind, paths in kinds:
        for path in paths:
            for one in node.every(path):
                if one.value:
                    yield RfqTerm(kind=kind, text=one.value[:500], place=_place(one))


def _first_value(node: Node) -> Node:
    """The node itself or the first one below it that has a value."""
    while not node.value and node.children:
        node = node.children[0]
    return node


def _place(node: Node) -> RfqPlace:
    return RfqPlace(path=node.path, start=node.start, end=node.end)
