"""RFQs of several lines on their way into a task: read, merged, asked and confirmed line by line.

Capabilities: C-4.
"""

import pytest
import pytest_asyncio

from models.errors import InvalidField, InvalidInput
from models.ids import TenantId
from models.tasks import LineItem, TaskState
from services.task_intake import add_supplement
from services.task_messages import AttachedFile
from services.task_reading import draft_show
from store.pool import Store
from tests.services.quote_desk import Desk, open_desk

TWO = "Please quote:\n1. Bracket BK-310, SUS304, 250 pcs\n2. Shaft SH-42, S45C, 90 pcs\n"


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    return await open_desk(store, tenant)


async def restored(
    desk: Desk, text: str | None = None, confirmed: dict[str, int | bool | str] | None = None
) -> TaskState:
    """The state after a request, or after what was added to it, has been read."""
    if text is not None or confirmed:
        await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=text, confirmations=confirmed)
    return (await desk.drive()).state


def values(line: LineItem) -> dict[str, object]:
    return {name: held.value for name, held in line.confirmed.items()}


async def test_a_request_of_two_lines_waits_for_what_each_lacks(desk: Desk) -> None:
    await desk.start(text=TWO)
    state = await restored(desk)
    assert state.status == "waiting_input"
    assert [(one.line, one.label, one.status) for one in state.lines] == [
        (1, "Bracket", "waiting"),
        (2, "Shaft", "waiting"),
    ]
    assert values(state.lines[1]) == {
        "material": "S45C",
        "quantity": 90,
        "quantity_unit": "pcs",
        "part_number": "SH-42",
    }
    assert all(one.pending == ("special_inspection",) for one in state.lines)
    assert (state.confirmed, state.pending) == ({}, ("special_inspection",))
    source = state.lines[1].confirmed["quantity"].source
    assert TWO[slice(source.char_start, source.char_end)] == "90"


async def test_a_supplement_speaks_of_one_line_or_of_all(desk: Desk) -> None:
    await desk.start(text=TWO)
    await restored(desk)
    state = await restored(desk, "Line 2 needs special inspection.")
    assert [one.pending for one in state.lines] == [("special_inspection",), ()]
    state = await restored(desk, "BK-310 does not need any special inspection.")
    assert [values(one)["special_inspection"] for one in state.lines] == [False, True]
    assert state.status != "waiting_input"


async def test_a_confirmation_names_its_line_or_is_refused_with_the_lines(desk: Desk) -> None:
    await desk.start(text=TWO)
    await restored(desk)
    with pytest.raises(InvalidField, match=r"several lines.*1 \(BK-310\), 2 \(SH-42\)"):
        await restored(desk, confirmed={"quantity": 1300})
    with pytest.raises(InvalidField, match="no line 3"):
        await restored(desk, confirmed={"3.quantity": 1300})
    with pytest.raises(InvalidField, match="differs from line to line"):
        await restored(desk, confirmed={"all.quantity": 1300})
    state = await restored(desk, confirmed={"2.quantity": 1300, "all.special_inspection": False})
    assert [values(one)["quantity"] for one in state.lines] == [250, 1300]
    assert state.lines[1].replaced[0].old.value == 90
    assert state.status != "waiting_input"


async def test_a_confirmation_of_a_line_is_refused_beside_one_line(desk: Desk) -> None:
    await desk.start(text="Please quote 40 pcs of BK-310 in SUS304.")
    await restored(desk)
    with pytest.raises(InvalidField, match="one line"):
        await restored(desk, confirmed={"1.quantity": 1300})
    with pytest.raises(InvalidField, match="no line 3"):
        await desk.start("Q2", text=TWO, confirmations={"3.quantity": 5})
    with pytest.raises(InvalidField, match="one line"):
        await desk.start("Q2", text="40 pcs of BK-310", confirmations={"1.quantity": 5})
    assert await desk.count("tasks") == 1


async def test_a_line_is_withdrawn_and_another_added_which_waits_for_its_own_gaps(desk: Desk) -> None:
    await desk.start(text=TWO + "No special inspection for all lines.")
    assert (await restored(desk)).status != "waiting_input"
    state = await restored(desk, "Please cancel item 1.")
    assert [one.status for one in state.lines] == ["withdrawn", "complete"]
    state = await restored(desk, "Additionally please quote PL-77, 15 pcs.")
    assert [one.status for one in state.lines] == ["withdrawn", "complete", "waiting"]
    assert state.lines[2].pending == ("material", "special_inspection")
    assert values(state.lines[2])["part_number"] == "PL-77"


async def test_more_lines_than_a_task_can_hold_are_refused_with_a_way_out(desk: Desk) -> None:
    many = "\n".join(f"{at}. PX-{1000 + at}, SUS304, {at + 10} pcs" for at in range(1, 203))
    with pytest.raises(InvalidInput, match="at most 200 lines: split"):
        await desk.start(text=many)
    assert await desk.count("tasks") == 0
    await desk.start(text=many.rsplit("\n", 2)[0])
    assert len((await restored(desk)).lines) == 200


async def test_the_draft_lists_the_lines_and_says_for_which_a_claim_holds(desk: Desk) -> None:
    await desk.library.publish("SOP-1", "The standard lead time is 15 days.", title="Lead times")
    await desk.library.publish("SOP-2", "For part SH-42 the lead time is 28 days.", title="Shafts")
    await desk.start(text=TWO + "Line 1 needs no special inspection. Line 2 needs special inspection.")
    row = await desk.drive()
    assert row.state.status == "awaiting_approval", row.state.block
    shown = await draft_show(desk.store, desk.person("sales"), "Q1")
    draft = shown.draft
    assert draft is not None
    assert draft.fields == ()
    assert [(one.line, one.label, one.status) for one in draft.lines] == [
        (1, "BK-310", "complete"),
        (2, "SH-42", "complete"),
    ]
    assert {one.field: one.value.value for one in draft.lines[1].fields}["quantity"] == 90
    told = {one.text: one.lines for one in draft.claims}
    assert any("28 days" in text and lines == (2,) for text, lines in told.items()), told
    assert any("15 days" in text and lines == (1,) for text, lines in told.items()), told
    assert [one.lines for one in draft.awaiting_confirmation if one.topic == "special_inspection"] == [(2,)]
    assert [one.document_id for one in draft.evidence if one.source == "document"]


UBL = b"""<?xml version="1.0" encoding="UTF-8"?>
<RequestForQuotation xmlns="urn:oasis:names:specification:ubl:schema:xsd:RequestForQuotation-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>RQ-880</cbc:ID>
  <cac:RequestForQuotationLine><cbc:ID>10</cbc:ID><cac:LineItem><cbc:ID>10</cbc:ID>
    <cbc:Quantity unitCode="C62">140</cbc:Quantity>
    <cac:Item><cbc:Name>Bracket</cbc:Name><cac:BuyersItemIdentification><cbc:ID>BK-310</cbc:ID>
    </cac:BuyersItemIdentification></cac:Item></cac:LineItem></cac:RequestForQuotationLine>
  <cac:RequestForQuotationLine><cbc:ID>20</cbc:ID><cac:LineItem><cbc:ID>20</cbc:ID>
    <cbc:Quantity unitCode="C62">60</cbc:Quantity>
    <cac:Item><cbc:Name>Shaft</cbc:Name><cac:BuyersItemIdentification><cbc:ID>SH-42</cbc:ID>
    </cac:BuyersItemIdentification></cac:Item></cac:LineItem></cac:RequestForQuotationLine>
</RequestForQuotation>"""


async def test_a_structured_request_gives_lines_with_places_in_it(desk: Desk) -> None:
    await desk.start(text="", file=AttachedFile(data=UBL, file_name="rfq.xml", declared_type="application/xml"))
    state = await restored(desk)
    assert [(one.line, one.position, one.label) for one in state.lines] == [(1, "10", "Bracket"), (2, "20", "Shaft")]
    assert [values(one)["quantity"] for one in state.lines] == [140, 60]
    assert [values(one)["part_number"] for one in state.lines] == ["BK-310", "SH-42"]
    assert state.lines[1].confirmed["quantity"].source.char_start is not None
    state = await restored(desk, "Pos. 20 is made of S45C, pos. 10 of SUS304. No special inspection for all lines.")
    assert [values(one)["material"] for one in state.lines] == ["SUS304", "S45C"]
    assert [(one.pending, one.conflicts, one.doubt) for one in state.lines] == [((), (), None)] * 2
