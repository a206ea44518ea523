"""Small structured documents for tests: UBL, CII, eForms and OCDS, written here."""

import json
from typing import Any

_UBL = "urn:oasis:names:specification:ubl:schema:xsd:"
_CII = "urn:un:unece:uncefact:data:standard:"


def ubl(body: str, document_type: str = "RequestForQuotation") -> bytes:
    """A UBL document around `body`; `cac:` and `cbc:` are bound."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><{document_type} xmlns="{_UBL}{document_type}-2"'
        f' xmlns:cac="{_UBL}CommonAggregateComponents-2" xmlns:cbc="{_UBL}CommonBasicComponents-2">'
        f"{body}</{document_type}>"
    ).encode()


def ubl_line(
    number: int, quantity: str, *, unit: str = "H87", name: str = "spacer ring", item: str = "", extra: str = ""
) -> str:
    """One line of a request: `item` goes into the item, `extra` into the line item."""
    return (
        f"<cac:RequestForQuotationLine><cac:LineItem><cbc:ID>{number}</cbc:ID>"
        f'<cbc:Quantity unitCode="{unit}">{quantity}</cbc:Quantity>{extra}'
        f"<cac:Item><cbc:Name>{name}</cbc:Name>{item}</cac:Item></cac:LineItem></cac:RequestForQuotationLine>"
    )


def item_property(name: str, value: str) -> str:
    """A named property of an item."""
    return (
        f"<cac:AdditionalItemProperty><cbc:Name>{name}</cbc:Name><cbc:Value>{value}</cbc:Value>"
        "</cac:AdditionalItemProperty>"
    )


def seller_number(number: str, party: str = "Sellers") -> str:
    """An item's number as one party gives it."""
    return f"<cac:{party}ItemIdentification><cbc:ID>{number}</cbc:ID></cac:{party}ItemIdentification>"


def cii(lines: str, head: str = "") -> bytes:
    """A UN/CEFACT Cross Industry Invoice around lines and header parts; `ram:` is bound."""
    return (
        f'<rsm:CrossIndustryInvoice xmlns:rsm="{_CII}CrossIndustryInvoice:100"'
        f' xmlns:ram="{_CII}ReusableAggregateBusinessInformationEntity:100">'
        f"<rsm:ExchangedDocument><ram:ID>R-77</ram:ID></rsm:ExchangedDocument>"
        f"<rsm:SupplyChainTradeTransaction>{lines}{head}</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"
    ).encode()


def notice(kind: str, lots: str) -> bytes:
    """An eForms notice of one kind (`competition`, `result`, …) around its lots."""
    head = (
        "<cbc:CustomizationID>eforms-sdk-1.10</cbc:CustomizationID><cbc:ID>N-1</cbc:ID>"
        f'<cbc:NoticeTypeCode listName="{kind}">cn-standard</cbc:NoticeTypeCode>'
    )
    return ubl(head + lots, "ContractNotice")


def lot(number: str, project: str, scheme: str = "Lot") -> str:
    """One lot with what its project says."""
    return (
        f'<cac:ProcurementProjectLot><cbc:ID schemeName="{scheme}">{number}</cbc:ID>'
        f"<cac:ProcurementProject>{project}</cac:ProcurementProject></cac:ProcurementProjectLot>"
    )


def ocds(*releases: dict[str, Any]) -> bytes:
    """An OCDS package of releases."""
    return json.dumps({"version": "1.1", "releases": list(releases)}).encode()


def tender(
    items: list[dict[str, Any]], *, date: str = "2026-10-01", tag: str = "tender", **more: Any
) -> dict[str, Any]:
    """A release of the process `ocds-x-1` that tenders items."""
    return {"ocid": "ocds-x-1", "id": date, "date": date, "tag": [tag], "tender": {"items": items, **more}}
