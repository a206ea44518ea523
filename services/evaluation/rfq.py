"""Measures the reading of structured RFQs: every file of a folder ends as read or as refused with a reason.

The tags are the gold: a second reading that shares no code with the first one (XPath over the XML, plain dictionaries
of the JSON) gives for each line of goods its number, quantity, unit code and label, and the two are compared.
"""

import json
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast

from lxml import etree

from models.canonical import ParsedDocument
from models.contract import Contract
from models.errors import InvalidInput, UnreadableDocument
from models.fields import FIELD_NAMES
from models.rfq import MAX_RFQ_LINES, StructuredRfq
from models.rfq_reading import read_rfqs
from services.parsing import ParseLimits, parse_document

_TYPES: Final = frozenset({".xml", ".json"})
_LINES: Final = """
    //*[(self::*[substring(local-name(), string-length(local-name()) - 3) = 'Line'
                 and local-name() != 'AddressLine' and local-name() != 'TaxLine' and local-name() != 'Line'])
        or local-name() = 'SubLineItem'
        or local-name() = 'IncludedSupplyChainTradeLineItem'
        or (local-name() = 'ProcurementProjectLot' and not(*[local-name() = 'ID'][@schemeName = 'LotsGroup']))]
"""
_OWN: Final = (
    "(*|*[local-name() = 'LineItem']/*|*[local-name() = 'ProcurementProject']/*"
    "|*[local-name() = 'SpecifiedLineTradeDelivery']/*)"
)
_QUANTITY: Final = (
    f"({_OWN}[contains(' Quantity InvoicedQuantity CreditedQuantity DebitedQuantity DeliveredQuantity ReceivedQuantity"
    " EstimatedOverallContractQuantity BilledQuantity RequestedQuantity ', concat(' ', local-name(), ' '))])[1]"
)

_LABEL: Final = (
    "(*|*/*)[local-name() = 'Item' or local-name() = 'SpecifiedTradeProduct' or local-name() = 'ProcurementProject']"
    "/*[local-name() = 'Name'][normalize-space()]"
)

Outcome = Literal["read", "refused", "failed"]


class RfqFile(Contract):
    """How one file ended. `wrong` names lines and fields where the second reading has something else."""

    file: str
    outcome: Outcome
    reason: str | None = None
    message: str | None = None
    format: str | None = None
    document_type: str | None = None
    requests: bool | None = None
    lines: int = 0
    fields: int = 0
    undecided: int = 0
    wrong: tuple[str, ...] = ()


class RfqReport(Contract):
    """The figures of a folder; `compared` counts values that the second reading has, `right` those read alike."""

    files: int
    read: int
    refused: dict[str, int]
    failed: int
    formats: dict[str, int]
    lines: int
    fields: dict[str, int]
    undecided: int
    compared: int
    right: int
    results: tuple[RfqFile, ...]


class GoldLine(NamedTuple):
    """One line of goods by the second reading."""

    label: str
    quantity: Decimal | None
    unit_code: str | None


def rfq_files(folder: Path) -> list[Path]:
    """Every XML and JSON file below `folder`, in the order of their names; InvalidInput without one."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _TYPES and path.is_file())
    if not paths:
        raise InvalidInput(f"{str(folder)!r} holds no XML or JSON file: name the folder of the documents")
    return paths


async def evaluate_rfq(folder: Path, paths: list[Path]) -> RfqReport:
    """Reads the files through the parser's process, one after the other, and compares each with its tags."""
    results: list[RfqFile] = []
    fields: Counter[str] = Counter()
    compared = right = 0
    for path in paths:
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        try:
            parsed = await parse_document(data, file_name=path.name, declared_type=None, limits=ParseLimits())
        except UnreadableDocument as error:
            results.append(RfqFile(file=name, outcome="refused", reason=error.reason, message=str(error)))
            continue
        rfqs = read_rfqs(parsed.text)
        if len(rfqs) != 1:
            results.append(RfqFile(file=name, outcome="failed", message="the text holds no structured document"))
            continue
        gold = gold_lines(data, parsed.media_type == "application/json")
        wrong, values = _differences(rfqs[0], gold, parsed)
        compared += values
        right += values - len(wrong)
        fields.update(field for line in rfqs[0].lines for field in line.fields)
        results.append(_read(name, rfqs[0], wrong))
    return _report(results, fields, compared, right)


def gold_lines(data: bytes, is_json: bool) -> list[GoldLine]:
    """The lines of goods by the tags alone, in the order of the document."""
    if is_json:
        return [_gold_item(item) for item in _gold_items(json.loads(data))]
    root: Any = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    return [_gold_line(line) for line in root.xpath(_LINES)]


def _gold_line(line: Any) -> GoldLine:
    quantities = line.xpath(_QUANTITY)
    labels = line.xpath(_LABEL)
    if not quantities:
        return GoldLine(_text(labels), None, None)
    return GoldLine(_text(labels), Decimal(_text(quantities)), quantities[0].get("unitCode"))


def _gold_items(document: Any) -> list[Any]:
    releases: list[Any] = document.get("releases") or [document]
    for stage in ("tender", "awards", "contracts"):
        for release in sorted(releases, key=_date_of, reverse=True):
            held: Any = release.get(stage) or []
            several: list[Any] = cast("list[Any]", held) if isinstance(held, list) else [held]
            items: list[Any] = [item for one in several for item in one.get("items", ())]
            if items:
                return items
    return []


def _date_of(release: Any) -> str:
    return str(release.get("date", ""))


def _gold_item(item: Any) -> GoldLine:
    quantity: Any = item.get("quantity")
    unit: Any = item.get("unit") or {"id": None}
    return GoldLine(
        " ".join(str(item.get("description", "")).split()),
        None if quantity is None else Decimal(str(quantity)),
        unit.get("id") if quantity is not None else None,
    )


def _text(found: list[Any]) -> str:
    return " ".join("".join(found[0].itertext()).split()) if found else ""


def _differences(rfq: StructuredRfq, gold: list[GoldLine], parsed: ParsedDocument) -> tuple[list[str], int]:
    """What differs between the readings, and how many values were compared."""
    wrong: list[str] = []
    compared = 1
    if len(rfq.lines) != len(gold[:MAX_RFQ_LINES]):
        return [f"{len(rfq.lines)} lines for {len(gold)}"], 1
    for number, (line, wanted) in enumerate(zip(rfq.lines, gold, strict=True), 1):
        got: dict[str, object] = {"label": line.label, "quantity": None, "unit_code": None}
        for field in ("quantity", "quantity_unit"):
            value = line.fields.get(field)
            if field == "quantity" and value is not None:
                got["quantity"] = Decimal(str(value.value))
            if field == "quantity_unit" and value is not None:
                got["unit_code"] = value.unit_code
        expected = {"label": wanted.label[:200] or line.label, **_expected_quantity(wanted, line.undecided)}
        compared += len(expected)
        wrong += [f"line {number} {name}" for name, value in expected.items() if got[name] != value]
        wrong += [
            f"line {number} {one.field} place"
            for one in line.fields.values()
            if not 0 <= one.place.start < one.place.end <= len(parsed.text)
        ]
    return wrong, compared


def _expected_quantity(wanted: GoldLine, undecided: Iterable[str]) -> dict[str, object]:
    """A quantity that is no whole number from 1 must be left open; every other one must be read."""
    if wanted.quantity is None:
        return {"quantity": None}
    whole = wanted.quantity == wanted.quantity.to_integral_value() and wanted.quantity >= 1
    doubtful = str(wanted.quantity).endswith(".000")
    value = wanted.quantity if whole and not doubtful else None
    if value is None and "quantity" not in undecided:
        return {"quantity": "left open"}
    return {"quantity": value, "unit_code": wanted.unit_code}


def _read(name: str, rfq: StructuredRfq, wrong: list[str]) -> RfqFile:
    return RfqFile(
        file=name,
        outcome="failed" if wrong else "read",
        format=rfq.format,
        document_type=rfq.document_type,
        requests=rfq.requests,
        lines=len(rfq.lines),
        fields=sum(len(line.fields) for line in rfq.lines),
        undecided=sum(len(line.undecided) for line in rfq.lines),
        wrong=tuple(wrong[:20]),
    )


def _report(results: list[RfqFile], fields: Counter[str], compared: int, right: int) -> RfqReport:
    return RfqReport(
        files=len(results),
        read=sum(one.outcome == "read" for one in results),
        refused=dict(Counter(one.reason for one in results if one.reason is not None)),
        failed=sum(one.outcome == "failed" for one in results),
        formats=dict(Counter(one.format for one in results if one.format is not None)),
        lines=sum(one.lines for one in results),
        fields={name: fields[name] for name in FIELD_NAMES if name in fields},
        undecided=sum(one.undecided for one in results),
        compared=compared,
        right=right,
        results=tuple(results),
    )
