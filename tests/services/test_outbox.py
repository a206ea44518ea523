"""The outbox: written with its cause, leased to one relay at a time, told at least once."""

import asyncio
from itertools import pairwise

import pytest
import pytest_asyncio

from models.ids import TenantId
from services.outbox import outbox_delivered, outbox_due, outbox_failed, outbox_read, outbox_take
from services.task_intake import add_supplement
from store.outbox import OutboxNotice, outbox_insert
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.quote_desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.start()
    return desk


async def test_what_is_due_is_claimed_once_and_says_what_to_tell(desk: Desk) -> None:
    assert await outbox_due(desk.store) == 1
    (notice,) = await outbox_take(desk.store)
    assert await outbox_take(desk.store) == []
    row = await outbox_read(desk.store, notice)
    assert row is not None
    assert (row.kind, row.reference, row.task_id, row.run_epoch, row.starter) == ("start", "1", "Q1", 1, "sales")


async def test_relays_at_once_get_different_notices(desk: Desk) -> None:
    for number in range(20):
        await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=f"Part {number}")
    taken = await asyncio.gather(*(outbox_take(desk.store, limit=3) for _ in range(8)))
    ids = [notice.outbox_id for part in taken for notice in part]
    assert len(ids) == len(set(ids)) == 21


async def test_what_is_told_is_gone_and_telling_twice_is_harmless(desk: Desk) -> None:
    (notice,) = await outbox_take(desk.store)
    for _ in range(2):
        await outbox_delivered(desk.store, notice.tenant_id, notice.outbox_id)
    assert await outbox_due(desk.store) == 0
    assert await desk.count("outbox", "delivered_at is not null") == 1
    assert await outbox_read(desk.store, notice) is None


async def test_a_relay_that_dies_gives_its_notices_back(desk: Desk) -> None:
    (notice,) = await outbox_take(desk.store, lease_seconds=0.2)
    await asyncio.sleep(0.25)
    assert await outbox_take(desk.store) == [notice]


async def test_a_failed_delivery_waits_longer_each_time_but_never_above_ten_seconds(desk: Desk) -> None:
    (notice,) = await outbox_take(desk.store)
    waits: list[float] = []
    for _ in range(8):
        await outbox_failed(desk.store, notice.tenant_id, notice.outbox_id, "temporal_unavailable")
        async with desk.store.directory_transaction() as directory:
            waits.append(await directory.conn.fetchval("select extract(epoch from due_at - now()) from outbox_notices"))
    # Each is read in a transaction a moment later, so equal waits may differ by that moment.
    assert all(later > earlier - 0.3 for earlier, later in pairwise(map(float, waits)))
    assert 0 < waits[0] < 0.6
    assert 9 < waits[-1] <= 10
    assert await desk.count("outbox", "attempts = 8 and last_error_code = 'temporal_unavailable'") == 1


async def test_a_notice_without_its_row_is_dropped(desk: Desk) -> None:
    lost = OutboxNotice(desk.tenant, "00000000-0000-4000-8000-000000000000")
    assert await outbox_read(desk.store, lost) is None


async def test_a_row_that_is_rolled_back_leaves_no_notice(desk: Desk) -> None:
    with pytest.raises(RuntimeError):
        async with desk.store.tenant_transaction(desk.tenant) as tx:
            row = await desk.row()
            await outbox_insert(tx, row.state.task_id, "recheck", "x")
            raise RuntimeError
    assert await outbox_due(desk.store) == 1


async def test_a_notice_names_its_tenant_only(desk: Desk, make_tenant: MakeTenant) -> None:
    other = await open_desk(desk.store, await make_tenant("B"))
    await other.start()
    notices = await outbox_take(desk.store)
    assert {notice.tenant_id for notice in notices} == {desk.tenant, other.tenant}
    foreign = next(notice for notice in notices if notice.tenant_id == other.tenant)
    assert await outbox_read(desk.store, OutboxNotice(desk.tenant, foreign.outbox_id)) is None


async def test_a_flood_of_one_tenant_delays_no_other(desk: Desk, make_tenant: MakeTenant) -> None:
    for number in range(30):
        await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=f"Part {number}")
    other = await open_desk(desk.store, await make_tenant("B"))
    await other.start()
    first = await outbox_take(desk.store, limit=4)
    assert [notice.tenant_id for notice in first].count(other.tenant) == 1
    rest = await outbox_take(desk.store, limit=100)
    assert {notice.tenant_id for notice in rest} == {desk.tenant}
    assert len(first) + len(rest) == 32


async def test_the_notices_of_a_tenant_are_taken_in_their_order(desk: Desk) -> None:
    for number in range(6):
        await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=f"Part {number}")
    taken: list[str] = []
    while notices := await outbox_take(desk.store, limit=1):
        row = await outbox_read(desk.store, notices[0])
        assert row is not None
        taken.append(row.reference)
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        rows = await tx.conn.fetch("select reference from outbox order by created_at")
    assert taken == [row["reference"] for row in rows]
