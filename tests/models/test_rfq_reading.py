"""Structured documents become lines of goods with typed fields, each at its place; what has two readings is asked."""

import time

import pytest

from models.extraction import extract_fields
from models.fields import FieldName
from models.rfq import RfqLine, StructuredRfq
from models.rfq_reading import read_rfqs
from models.rfq_units import unit_word
from models.rfq_values import day_of, whole_number
from services.parsing_result import Bounds
from services.parsing_rfq import parse_rfq_json, parse_rfq_xml
from tests.structured_rfqs import cii, item_property, lot, notice, ocds, seller_number, tender, ubl, ubl_line

BOUNDS = Bounds(pages=10, text_bytes=1 << 22, mail_parts=10, mail_depth=5)


def text_of(data: bytes) -> str:
    return (parse_rfq_json if data.startswith(b"{") else parse_rfq_xml)(data, BOUNDS).text


def read(data: bytes) -> StructuredRfq:
    (rfq,) = read_rfqs(text_of(data))
    return rfq


def values(line: RfqLine) -> dict[FieldName, object]:
    return {name: one.value for name, one in line.fields.items()}


def test_a_request_gives_its_lines_with_every_field_at_its_place() -> None:
    item = (
        "<cbc:Description>turned part</cbc:Description>"
        + seller_number("RG-2210")
        + seller_number("77-104", "Buyers")
        + item_property("Werkstoff", "1.4404")
        + item_property("Drawing No.", "ZG-5511 Rev C")
        + item_property("Tolerance", "ISO 2768-mK")
        + item_property("表面處理", "黑色陽極")
        + item_property("Special inspection", "yes")
        + item_property("Colour", "blue")
    )
    wanted = (
        "<cac:RequestedDeliveryPeriod><cbc:StartDate>2027-02-01</cbc:StartDate>"
        "<cbc:EndDate>2027-03-15Z</cbc:EndDate></cac:RequestedDeliveryPeriod>"
    )
    head = (
        "<cbc:ID>RFQ-9</cbc:ID><cac:PaymentTerms><cbc:Note>30 days net</cbc:Note></cac:PaymentTerms>"
        "<cac:DeliveryTerms><cbc:ID>DAP</cbc:ID></cac:DeliveryTerms>"
    )
    data = ubl(head + ubl_line(1, "250", item=item, extra=f"<cac:Delivery>{wanted}</cac:Delivery>"))
    rfq = read(data)
    assert (rfq.format, rfq.document_type, rfq.document_id, rfq.requests) == (
        "ubl",
        "RequestForQuotation",
        "RFQ-9",
        True,
    )
    assert [(one.kind, one.text) for one in rfq.terms] == [("payment", "30 days net"), ("delivery", "DAP")]
    (line,) = rfq.items()
    assert (line.line_id, line.label, line.identifiers) == ("1", "spacer ring", ("RG-2210", "77-104"))
    assert values(line) == {
        "quantity": 250,
        "quantity_unit": "piece",
        "part_number": "RG-2210",
        "wanted_date": "2027-03-15",
        "material": "1.4404",
        "drawing_number": "ZG-5511 Rev C",
        "tolerance": "ISO 2768-mK",
        "surface_treatment": "anodizing",
        "special_inspection": True,
    }
    text = text_of(data)
    shown = {name: text[one.place.start : one.place.end] for name, one in line.fields.items()}
    assert shown["quantity_unit"] == line.fields["quantity_unit"].unit_code == "H87"
    assert shown["quantity"] == "250"
    assert shown["wanted_date"] == "2027-03-15Z"
    assert shown["surface_treatment"] == "黑色陽極"
    assert line.fields["quantity"].place.path == "RequestForQuotationLine/LineItem/Quantity"
    assert line.said().settled["material"].value == "1.4404"


def test_the_lines_of_an_invoice_in_both_syntaxes_settle_nothing_now() -> None:
    ubl_invoice = ubl(
        "<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>"
        '<cac:InvoiceLine><cbc:ID>7</cbc:ID><cbc:InvoicedQuantity unitCode="MTR">12</cbc:InvoicedQuantity>'
        "<cac:Item><cbc:Name>tube</cbc:Name></cac:Item></cac:InvoiceLine>",
        "Invoice",
    )
    cii_invoice = cii(
        "<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>7</ram:LineID>"
        "</ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:SellerAssignedID>T-12</ram:SellerAssignedID>"
        "<ram:Name>tube</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeDelivery>"
        '<ram:BilledQuantity unitCode="MTR">12</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>'
        "</ram:IncludedSupplyChainTradeLineItem>"
    )
    for data, rfq_format in ((ubl_invoice, "xrechnung"), (cii_invoice, "cii")):
        rfq = read(data)
        (line,) = rfq.lines
        assert (rfq.format, rfq.requests, line.line_id, line.label) == (rfq_format, False, "7", "tube")
        assert (line.fields["quantity"].value, line.fields["quantity_unit"].value) == (12, "metre")


def test_parts_of_a_line_name_the_line_they_belong_to() -> None:
    part = (
        "<cac:SubInvoiceLine><cbc:ID>{0}</cbc:ID><cac:Item><cbc:Name>p{0}</cbc:Name></cac:Item>{1}</cac:SubInvoiceLine>"
    )
    nested = part.format("1.1", part.format("1.1.1", "")) + part.format("1.2", "")
    rfq = read(ubl(f"<cac:InvoiceLine><cbc:ID>1</cbc:ID>{nested}</cac:InvoiceLine>", "Invoice"))
    assert [(one.line_id, one.parent) for one in rfq.lines] == [
        ("1", None),
        ("1.1", "1"),
        ("1.1.1", "1.1"),
        ("1.2", "1"),
    ]
    assert [one.line_id for one in rfq.items()] == ["1"]


@pytest.mark.parametrize(("kind", "requests"), [("competition", True), ("result", False), ("planning", False)])
def test_a_notice_gives_its_lots_and_asks_only_where_it_calls_for_tenders(kind: str, requests: bool) -> None:
    project = (
        "<cbc:Name>Laser cutting</cbc:Name>"
        '<cbc:EstimatedOverallContractQuantity unitCode="HUR">900</cbc:EstimatedOverallContractQuantity>'
        "<cac:PlannedPeriod><cbc:EndDate>2027-12-31+01:00</cbc:EndDate></cac:PlannedPeriod>"
    )
    rfq = read(notice(kind, lot("LOT-0001", project) + lot("GLO-1", "<cbc:Name>all</cbc:Name>", "LotsGroup")))
    (line,) = rfq.lines
    assert (rfq.format, rfq.requests, line.line_id, line.label) == ("eforms", requests, "LOT-0001", "Laser cutting")
    assert values(line) == {"quantity": 900, "quantity_unit": "hour"}
    assert [(one.kind, one.text) for one in line.terms] == [("period", "2027-12-31+01:00")]


def test_of_a_tender_with_a_history_the_last_release_counts() -> None:
    first = tender([{"id": "1", "description": "shafts", "quantity": 40}])
    amended = tender(
        [
            {
                "id": "1",
                "description": "shafts",
                "quantity": 44,
                "unit": {"name": "pcs", "scheme": "UNCEFACT", "id": "H87"},
            }
        ],
        date="2026-11-01",
        tag="tenderAmendment",
    )
    for order in ((first, amended), (amended, first)):
        rfq = read(ocds(*order))
        assert (rfq.format, rfq.requests) == ("ocds", True)
        assert values(rfq.lines[0]) == {"quantity": 44, "quantity_unit": "pcs"}
        assert rfq.lines[0].fields["quantity_unit"].unit_code == "H87"
    over = {"ocid": "ocds-x-1", "id": "z", "date": "2026-12-01", "tag": ["award"], "awards": [{"items": [{"id": "9"}]}]}
    rfq = read(ocds(first, over))
    assert (rfq.requests, rfq.lines[0].line_id) == (False, "1")
    assert read(ocds(over)).lines[0].line_id == "9"
    assert read(ocds(tender([{"id": "1"}], status="cancelled"))).requests is False
    assert read(ocds(tender([{"id": "1"}], tag="planning"))).requests is False


@pytest.mark.parametrize(
    "written",
    ["NaN", "INF", "1e400", "1e3", "-0", "0", "-5", "1,5", "1.5", "1.000,00", "1,000", "1.000", "9007199254740993",
     "12 pcs", "0x10", "١٢", "一百"],
)  # fmt: skip
def test_a_quantity_that_is_no_whole_number_or_reads_two_ways_is_asked(written: str) -> None:
    (line,) = read(ubl(ubl_line(1, written))).lines
    assert "quantity" not in line.fields
    assert "quantity" in line.undecided
    assert line.said().undecided["quantity"].start == line.undecided["quantity"].start


@pytest.mark.parametrize(("written", "number"), [("12", 12), ("012", 12), ("+12", 12), ("12.0", 12), ("12.0000", 12)])
def test_a_whole_number_is_read_whatever_its_form(written: str, number: int) -> None:
    assert whole_number(written) == number


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2027-03-15", "2027-03-15"),
        ("2027-03-15+08:00", "2027-03-15"),
        ("2027-03-15T23:59:00Z", "2027-03-15"),
        ("20270315", "2027-03-15"),
        ("2027-02-30", None),
        ("15/03/2027", None),
        ("2027-03", None),
        ("0000-01-01", None),
    ],
)
def test_a_day_is_one_of_the_calendar(written: str, day: str | None) -> None:
    assert day_of(written) == day


def test_a_period_without_an_end_and_two_ends_are_asked() -> None:
    period = "<cac:Delivery><cac:RequestedDeliveryPeriod>{}</cac:RequestedDeliveryPeriod></cac:Delivery>"
    start = period.format("<cbc:StartDate>2027-03-01</cbc:StartDate>")
    two = period.format("<cbc:EndDate>2027-03-01</cbc:EndDate>") + period.format(
        "<cbc:EndDate>2027-04-01</cbc:EndDate>"
    )
    for extra in (start, two, period.format("<cbc:EndDate>2027-02-31</cbc:EndDate>")):
        rfq = read(ubl(extra + ubl_line(1, "5")))
        assert rfq.fields == {}
        assert set(rfq.said().undecided) == {"wanted_date"}


def test_a_unit_that_is_no_known_code_stays_as_written() -> None:
    (line,) = read(ubl(ubl_line(1, "5", unit="Q7X"))).lines
    assert (line.fields["quantity_unit"].value, line.fields["quantity_unit"].unit_code) == ("Q7X", "Q7X")
    assert [unit_word(code) for code in ("C62", "kgm", "MTR", "ST")] == ["piece", "kilogram", "metre", "ST"]


def test_look_alike_letters_in_a_number_are_asked() -> None:
    (line,) = read(ubl(ubl_line(1, "5", item=seller_number("RG-О10")))).lines
    assert set(line.undecided) == {"part_number"}


def test_a_description_adds_what_has_no_tag_and_a_contradiction_is_asked() -> None:
    said = "<cbc:Description>Bushing, SUS303, electroless nickel, drawing WE-4410, 9000 pcs a year</cbc:Description>"
    data = ubl(ubl_line(1, "80", item=said))
    (line,) = read(data).lines
    assert values(line) == {
        "quantity": 80,
        "quantity_unit": "piece",
        "material": "SUS303",
        "surface_treatment": "plating",
        "drawing_number": "WE-4410",
    }
    place = line.fields["material"].place
    assert text_of(data)[place.start : place.end] == "SUS303"
    (line,) = read(ubl(ubl_line(1, "80", item=said + item_property("Material", "SUS304")))).lines
    assert "material" in line.undecided
    (line,) = read(ubl(ubl_line(1, "80", item=item_property("Material", "SUS304 or SUS316")))).lines
    assert "material" in line.undecided
    (line,) = read(ubl(ubl_line(1, "80", name="red paint for masts"))).lines
    assert set(line.fields) == {"quantity", "quantity_unit"}


def test_foreign_elements_and_attributes_are_no_values() -> None:
    forged = '<x:Quantity xmlns:x="urn:other" unitCode="H87">9</x:Quantity>'
    (line,) = read(ubl(ubl_line(1, "5").replace("<cbc:ID>", forged + "<cbc:ID>"))).lines
    assert line.fields["quantity"].value == 5


def test_a_document_among_other_words_is_read_at_its_place_and_by_no_rule() -> None:
    inner = text_of(ubl(ubl_line(1, "60", item=seller_number("KX-100"))))
    mail = f"Please quote, 25 pcs of POM each.\n\n{inner}\n\nThanks, part AB-900"
    (rfq,) = read_rfqs(mail)
    place = rfq.lines[0].fields["quantity"].place
    assert mail[place.start : place.end] == "60"
    fields = extract_fields(mail)
    assert {name: one.value for name, one in fields.settled.items()} == {
        "quantity": 25,
        "quantity_unit": "pcs",
        "material": "POM",
        "part_number": "AB-900",
    }
    found = fields.settled["part_number"]
    assert mail[found.start : found.end] == "AB-900"


def test_a_value_cannot_end_its_document_or_begin_another() -> None:
    said = "<cbc:Description>x\n[end of RequestForQuotation]\n[ubl] Order\nOrderLine/ID: 9</cbc:Description>"
    rfqs = read_rfqs(text_of(ubl(ubl_line(1, "60", item=said))))
    assert [len(one.lines) for one in rfqs] == [1]


@pytest.mark.parametrize("text", ["", "[ubl] Order", "[ubl] Order\nOrderLine/ID: 1", "a: b", "[end of Order]"])
def test_other_texts_hold_no_document(text: str) -> None:
    assert read_rfqs(text) == ()


@pytest.mark.parametrize(
    "unit", ["[ubl] Order\n", "[ubl] Order\n[end of Order]\n", "a/a: 1\n", "/" * 50 + ": 1\n", "[end of Order]\n"]
)
def test_the_work_grows_with_the_text_only(unit: str) -> None:
    text = "[ubl] Order\n" + unit * (400_000 // len(unit)) + "[end of Order]"
    started = time.process_time()
    read_rfqs(text)
    assert time.process_time() - started < 8
