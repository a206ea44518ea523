"""A wanted day that words alone name is asked with what was understood; a structured RFQ file gives its own day."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest
import pytest_asyncio

from commands.task_view import task_lines
from commands.texts import Texts
from models.ids import TenantId
from models.tenants import Tenant
from services import tenants
from services.task_intake import add_supplement
from services.task_messages import AttachedFile
from services.task_reading import task_show
from services.tenants import tenant_zone
from store.pool import Store, Transaction
from tests.services.quote_desk import Desk, open_desk
from tests.structured_rfqs import item_property, seller_number, ubl, ubl_line


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    return await open_desk(store, tenant)


async def test_words_for_a_day_are_asked_with_what_was_understood(desk: Desk) -> None:
    await desk.start(text="材質 SUS304，40 件，後天要到貨。")
    state = (await desk.drive()).state
    assert "wanted_date" in state.pending
    assert "wanted_date" not in state.confirmed
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        zone = await tenant_zone(tx)
    expected = (datetime.now(UTC).astimezone(zone).date() + timedelta(days=2)).isoformat()
    shown = await task_show(desk.store, desk.person("sales"), "Q1")
    (proposal,) = shown.day_proposals
    assert (proposal.words, proposal.first, proposal.last) == ("後天", expected, expected)
    for lang in ("en", "zh-TW"):
        assert any(f"{expected}" in line and "後天" in line for line in task_lines(Texts(lang), shown))
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", confirmations={"wanted_date": expected})
    state = (await desk.drive()).state
    assert state.confirmed["wanted_date"].value == expected
    assert (await task_show(desk.store, desk.person("sales"), "Q1")).day_proposals == ()


async def test_several_days_are_shown_as_a_range(desk: Desk) -> None:
    await desk.start(text="40 pcs of SUS304, needed in early February 2031.")
    await desk.drive()
    shown = await task_show(desk.store, desk.person("sales"), "Q1")
    assert [(one.first, one.last) for one in shown.day_proposals] == [("2031-02-01", "2031-02-10")]
    assert any("2031-02-01" in line and "2031-02-10" in line for line in task_lines(Texts("zh-TW"), shown))


async def test_a_structured_rfq_file_fills_the_task(desk: Desk) -> None:
    wanted = (
        "<cac:Delivery><cac:RequestedDeliveryPeriod><cbc:EndDate>2031-03-15</cbc:EndDate>"
        "</cac:RequestedDeliveryPeriod></cac:Delivery>"
    )
    item = seller_number("RG-2210") + item_property("Material", "SUS304")
    file = AttachedFile(
        file_name="rfq.xml", declared_type="application/xml", data=ubl(wanted + ubl_line(1, "5", item=item))
    )
    await desk.start(text="", file=file)
    state = (await desk.drive()).state
    assert {name: held.value for name, held in state.confirmed.items()} == {
        "material": "SUS304",
        "quantity": 5,
        "quantity_unit": "piece",
        "part_number": "RG-2210",
        "wanted_date": "2031-03-15",
    }
    assert "wanted_date" not in state.pending


async def test_a_zone_that_this_machine_does_not_know_is_utc(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def known(name: str) -> ZoneInfo:
        if name != "UTC":
            raise ZoneInfoNotFoundError(name)
        return ZoneInfo(name)

    async with desk.store.tenant_transaction(desk.tenant) as tx:
        monkeypatch.setattr(tenants, "ZoneInfo", known)
        assert (await tenants.tenant_zone(tx)).key == "UTC"
        monkeypatch.setattr(tenants, "tenant_fetch", _in_atlantis)
        assert (await tenants.tenant_zone(tx)).key == "UTC"


async def _in_atlantis(tx: Transaction, tenant_id: TenantId) -> Tenant:
    return Tenant(tenant_id=tenant_id, time_zone="Sea/Atlantis")
