"""The deadline of an approval, over days of virtual time."""

import asyncio
from datetime import timedelta

from temporalio.testing import TimeSkipper

from deploy.temporal_server import TemporalServer
from models.ids import TenantId
from services.task_takeover import take_over
from store.pool import Store
from tests.workflows.running import running_desk


async def test_an_approval_expires_after_seven_days_and_not_before(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        await run.desk.start()
        row = await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        clock = TimeSkipper(run.client)
        await clock.fast_forward(run.handle(), timedelta(days=6, hours=23))
        await asyncio.sleep(0.5)
        assert (await run.desk.row()).state.status == "awaiting_approval"
        await clock.fast_forward(run.handle(), timedelta(hours=2))
        expired = await run.until("blocked")
        assert expired.state.block is not None
        assert expired.state.block.reason == "approval_expired"
        assert (await run.until_shown("blocked"))["blocked_reason"] == "approval_expired"
        await take_over(store, run.desk.person("ops"), task_id="Q1", choice="retry")
        again = await run.until("awaiting_approval", passed=expired.state.pass_)
        assert again.state.decision_version == row.state.decision_version + 1


async def test_a_decision_before_the_deadline_ends_the_timer(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        await TimeSkipper(run.client).fast_forward(run.handle(), timedelta(days=6))
        await run.decide()
        await run.until("completed")
        assert await run.handle().result() == "completed"
