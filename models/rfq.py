"""A structured request for quotation: what UBL, XRechnung, CII, eForms and OCDS documents say, as fields of a quote.

Why it is so: the parser turns XML and JSON into one canonical text (a line for each value under its path), and
`models.rfq_reading.read_rfqs` reads the lines of goods out of that text alone. So a task that is restored reads the
same values from what is stored, and every value has a place that a citation can be compared with.
"""

from typing import Literal

from pydantic import Field

from models.contract import Contract
from models.fields import FieldName, FieldReading, FieldValue, MessageFields, Span

RfqFormat = Literal["ubl", "xrechnung", "cii", "eforms", "ocds"]
RfqTermKind = Literal["payment", "delivery", "period"]

MAX_RFQ_LINES = 1_000


class RfqPlace(Contract):
    """Where a value stands: its path in the document, and its half-open range in the canonical text."""

    path: str
    start: int
    end: int


class RfqValue(Contract):
    """One field of a line; `unit_code` is the UN/ECE Recommendation 20 code that a unit was written as."""

    field: FieldName
    value: FieldValue
    place: RfqPlace
    unit_code: str | None = None

    def reading(self) -> FieldReading:
        """The value as a reading of a message."""
        return FieldReading(field=self.field, value=self.value, start=self.place.start, end=self.place.end)


class RfqTerm(Contract):
    """Words of the customer on payment, delivery or a contract's period: their wish, never an agreed term."""

    kind: RfqTermKind
    text: str
    place: RfqPlace


class RfqLine(Contract):
    """One line of goods. `undecided` names what the document gives in a form that has no single reading.

    `line_id` is as written and need not be unique; `parent` is the line that this one is a part of; `identifiers` are
    all numbers of the item as written (seller's, buyer's, manufacturer's, standard).
    """

    line_id: str
    label: str
    place: RfqPlace
    parent: str | None = None
    identifiers: tuple[str, ...] = ()
    fields: dict[FieldName, RfqValue] = Field(default_factory=dict[FieldName, RfqValue])
    undecided: dict[FieldName, RfqPlace] = Field(default_factory=dict[FieldName, RfqPlace])
    terms: tuple[RfqTerm, ...] = ()

    def said(self) -> MessageFields:
        """The line as if a message said it."""
        return _said(self.fields, self.undecided)


class StructuredRfq(Contract):
    """What one document asks for; `fields`, `undecided` and `terms` hold for all lines that do not say otherwise.

    With `requests` False (invoice, quotation, award) its values are of the past: they may be shown and settle nothing.
    """

    format: RfqFormat
    document_type: str
    document_id: str
    requests: bool
    lines: tuple[RfqLine, ...]
    fields: dict[FieldName, RfqValue] = Field(default_factory=dict[FieldName, RfqValue])
    undecided: dict[FieldName, RfqPlace] = Field(default_factory=dict[FieldName, RfqPlace])
    terms: tuple[RfqTerm, ...] = ()

    def said(self) -> MessageFields:
        """What is said once for all lines, as if a message said it."""
        return _said(self.fields, self.undecided)

    def items(self) -> tuple[RfqLine, ...]:
        """The lines to be quoted: those that are no part of another line."""
        return tuple(line for line in self.lines if line.parent is None)


def _said(fields: dict[FieldName, RfqValue], undecided: dict[FieldName, RfqPlace]) -> MessageFields:
    return MessageFields(
        settled={name: one.reading() for name, one in fields.items()},
        undecided={name: Span(start=one.start, end=one.end) for name, one in undecided.items()},
        conflicts={},
    )
