"""A block that ends by itself: at its moment and not before, unless a person was first."""

import asyncio
from datetime import UTC, datetime, timedelta

from temporalio.testing import TimeSkipper

from deploy.temporal_server import TemporalServer
from models.ids import TenantId
from services.task_intake import add_supplement
from services.task_takeover import take_over
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, running_desk


def later(**span: float) -> datetime:
    return datetime.now(UTC) + timedelta(**span)


async def pass_time(run: RunningDesk, **span: float) -> None:
    await TimeSkipper(run.client).fast_forward(run.handle(), timedelta(**span))


async def test_a_task_without_budget_goes_on_when_the_window_turns_and_not_before(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    script = Script(exhausted=[later(hours=5)])
    async with running_desk(store, tenant, temporal_virtual_time.address, script) as run:
        await run.desk.start()
        row = await run.until("blocked")
        assert (await run.until_shown("blocked"))["blocked_reason"] == "budget_exhausted"
        await pass_time(run, hours=4, minutes=50)
        await asyncio.sleep(0.5)
        assert (await run.desk.row()).state.pass_ == row.state.pass_
        await pass_time(run, minutes=20)
        await run.until("awaiting_approval", passed=row.state.pass_)
        assert script.calls["restoring"] == 2
        assert await run.desk.count("task_events", "reason = 'resumed: budget_exhausted'") == 1
        assert await run.desk.count("takeovers") == 0
        await run.decide()
        await run.until("completed")


async def test_a_budget_that_is_used_up_again_waits_for_its_next_window_without_spinning(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    """The moments lie in the past, as they do where the database's clock is behind Temporal's."""
    script = Script(exhausted=[later(seconds=-60) for _ in range(50)])
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        await run.until("blocked")
        await asyncio.sleep(3)
        assert script.calls["analyzing"] == 2, "once by itself at once, then not before half a minute"
        assert await run.desk.count("task_events", "reason = 'resumed: budget_exhausted'") == 1


async def test_a_person_may_be_first(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    script = Script(exhausted=[later(hours=5), later(hours=5)])
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        first = await run.until("blocked")
        await take_over(store, run.desk.person("ops"), task_id="Q1", choice="retry")
        second = await run.until("blocked", passed=first.state.pass_)
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        await run.until("awaiting_approval", passed=second.state.pass_)
        assert await run.desk.count("task_events", "reason like 'resumed%'") == 0


async def test_a_moment_that_came_while_no_worker_was_there_is_honoured_later(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    script = Script(exhausted=[later(seconds=4)])
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        row = await run.until("blocked")
        queue = run.runs.task_queue
    await asyncio.sleep(4.5)
    assert (await run.desk.row()).state.pass_ == row.state.pass_
    async with running_desk(store, tenant, temporal.address, script, desk=run.desk, queue=queue) as run:
        await run.until("awaiting_approval", passed=row.state.pass_)


async def test_a_run_rebuilt_from_postgres_goes_on_at_the_same_moment(
    store: Store, tenant: TenantId, temporal: TemporalServer, temporal_virtual_time: TemporalServer
) -> None:
    script = Script(exhausted=[later(hours=5)])
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        row = await run.until("blocked")
    await run.desk.library.run("update tasks set updated_at = now() - interval '1 hour'")
    async with running_desk(store, tenant, temporal_virtual_time.address, script, desk=run.desk) as run:
        shown = await run.until_shown("blocked")
        assert shown["run_epoch"] == 2
        await pass_time(run, hours=5, minutes=1)
        await run.until("awaiting_approval", passed=row.state.pass_)
