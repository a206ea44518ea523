"""Where each format keeps what a line of goods says: OASIS UBL 2.x, UN/CEFACT CII D16B, EU eForms, OCDS 1.1."""

from dataclasses import dataclass
from typing import Final

from models.rfq_text import Node, TextTree

Paths = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths below the document or below a line; of several for one value, the first that has one counts."""

    document_id: Paths = ()
    line_id: Paths = ()
    label: Paths = ()
    quantity: Paths = ()
    unit_word: Paths = ()
    unit_code: Paths = ()
    part_number: Paths = ()
    identifiers: Paths = ()
    properties: Paths = ()
    descriptions: Paths = ()
    wanted_until: Paths = ()
    wanted_from: Paths = ()
    payment: Paths = ()
    delivery: Paths = ()
    period: Paths = ()
    parts: Paths = ()


def _both(*paths: str) -> Paths:
    """UBL keeps an item below `LineItem` in requests, orders and quotations, and right in the line elsewhere."""
    return tuple(f"{prefix}{path}" for path in paths for prefix in ("LineItem/", ""))


_UBL: Final = Layout(
    document_id=("ID",),
    line_id=_both("ID"),
    label=_both("Item/Name", "Item/Description", "Note"),
    quantity=_both(
        "Quantity", "InvoicedQuantity", "CreditedQuantity", "DebitedQuantity", "DeliveredQuantity", "ReceivedQuantity"
    ),
    part_number=_both(
        "Item/SellersItemIdentification/ID",
        "Item/BuyersItemIdentification/ID",
        "Item/ManufacturersItemIdentification/ID",
    ),
    identifiers=_both("Item/StandardItemIdentification/ID", "Item/CatalogueItemIdentification/ID"),
    properties=_both("Item/AdditionalItemProperty"),
    descriptions=_both("Item/Description", "Item/Name", "Note"),
    wanted_until=_both(
        "RequestedDeliveryPeriod/EndDate", "Delivery/RequestedDeliveryPeriod/EndDate", "Delivery/LatestDeliveryDate"
    ),
    wanted_from=_both("RequestedDeliveryPeriod/StartDate", "Delivery/RequestedDeliveryPeriod/StartDate"),
    payment=_both("PaymentTerms/Note", "PaymentTerms/ID"),
    delivery=_both("DeliveryTerms/ID", "DeliveryTerms/SpecialTerms", "DeliveryTerms/DeliveryLocation/ID"),
    parts=_both("SubInvoiceLine", "SubCreditNoteLine", "SubLineItem"),
)
_CII_LINE: Final = "SpecifiedTradeProduct"
_CII: Final = Layout(
    document_id=("ExchangedDocument/ID",),
    line_id=("AssociatedDocumentLineDocument/LineID",),
    label=(f"{_CII_LINE}/Name", f"{_CII_LINE}/Description"),
    quantity=(
        "SpecifiedLineTradeDelivery/RequestedQuantity",
        "SpecifiedLineTradeDelivery/BilledQuantity",
    ),
    part_number=(
        f"{_CII_LINE}/SellerAssignedID",
        f"{_CII_LINE}/BuyerAssignedID",
        f"{_CII_LINE}/ManufacturerAssignedID",
    ),
    identifiers=(f"{_CII_LINE}/GlobalID",),
    properties=(f"{_CII_LINE}/ApplicableProductCharacteristic",),
    descriptions=(f"{_CII_LINE}/Description", f"{_CII_LINE}/Name"),
    wanted_until=(
        "SpecifiedLineTradeDelivery/RequestedDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
        "SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/RequestedDeliverySupplyChainEvent/"
        "OccurrenceDateTime/DateTimeString",
    ),
    payment=("SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/Description",),
    delivery=(
        "SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/ApplicableTradeDeliveryTerms/DeliveryTypeCode",
    ),
)
_EFORMS: Final = Layout(
    document_id=("ID",),
    line_id=("ID",),
    label=("ProcurementProject/Name", "ProcurementProject/Description"),
    quantity=("ProcurementProject/EstimatedOverallContractQuantity",),
    payment=("TenderingTerms/PaymentTerms/Note",),
    delivery=("TenderingTerms/DeliveryTerms/SpecialTerms",),
    period=(
        "ProcurementProject/PlannedPeriod/StartDate",
        "ProcurementProject/PlannedPeriod/EndDate",
        "ProcurementProject/PlannedPeriod/DurationMeasure",
    ),
)
_OCDS: Final = Layout(
    document_id=("ocid", "releases/ocid", "records/ocid"),
    line_id=("id",),
    label=("description",),
    quantity=("quantity",),
    unit_word=("unit/name",),
    unit_code=("unit/id",),
    descriptions=("description",),
)
LAYOUTS: Final[dict[str, Layout]] = {"ubl": _UBL, "xrechnung": _UBL, "cii": _CII, "eforms": _EFORMS, "ocds": _OCDS}

_NO_GOODS: Final = frozenset({"AddressLine", "TaxLine"})
_REQUESTS: Final = frozenset(
    {"RequestForQuotation", "RequestForTender", "CallForTenders", "Order", "CrossIndustryOrder", "SCRDMCCBDACIOMessage"}
)
_OPEN_STATUS: Final = frozenset({"", "active", "planned"})


def goods_of(tree: TextTree) -> list[Node]:
    """The nodes of the lines of goods, in the order of the document."""
    root = tree.root
    if tree.format == "ocds":
        return _ocds_items(root)
    if tree.format == "eforms":
        lots = root.every("ProcurementProjectLot")
        return [lot for lot in lots if lot.text("ID/@schemeName") != "LotsGroup"]
    if tree.format == "cii" or root.every("SupplyChainTradeTransaction"):
        return root.every("SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem")
    return [child for child in root.children if child.name.endswith("Line") and child.name not in _NO_GOODS]


def requests_goods(tree: TextTree) -> bool:
    """Whether the document asks for goods now: no invoice, quotation, award, plan or tender that is over does."""
    if tree.format == "ocds":
        latest = _latest(_releases(tree.root))
        return bool(latest) and all(_is_open(release) for release in latest)
    if tree.format == "eforms":
        return tree.root.text("NoticeTypeCode/@listName") == "competition"
    return tree.document_type in _REQUESTS


def _releases(root: Node) -> list[Node]:
    """The releases of a package, the compiled or last ones of records, or the document itself."""
    if root.name == "Release":
        return [root]
    return [*root.every("releases"), *(root.every("records/compiledRelease") or root.every("records/releases"))]


def _latest(releases: list[Node]) -> list[Node]:
    """Of each contracting process (`ocid`) the release that stands last by its date."""
    last: dict[str, Node] = {}
    for release in releases:
        known = last.get(release.text("ocid"))
        if known is None or release.text("date") >= known.text("date"):
            last[release.text("ocid")] = release
    return list(last.values())


def _is_open(release: Node) -> bool:
    tags = {one.value for one in release.every("tag")}
    stage = not tags or tags <= {"tender", "tenderAmendment", "tenderUpdate", "compiled"}
    return stage and release.text("tender/status") in _OPEN_STATUS and bool(release.every("tender/items"))


def _ocds_items(root: Node) -> list[Node]:
    """The items of the last release that tenders some; where none does, those that were awarded or contracted."""
    releases = _releases(root)
    for path in ("tender/items", "awards/items", "contracts/items", "planning/items"):
        items = [
            item for release in _latest([one for one in releases if one.every(path)]) for item in release.every(path)
        ]
        if items:
            return items
    return []
