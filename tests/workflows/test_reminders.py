"""Reminder and escalation of a waiting draft over days of virtual time: each once, whatever becomes of the run."""

import asyncio
from datetime import timedelta

from temporalio.testing import TimeSkipper

from deploy.temporal_server import TemporalServer
from models.ids import TaskId, TenantId
from services.policies import policy_set
from services.task_intake import add_supplement
from services.task_reading import task_list
from services.task_reconciling import restart_run
from store.pool import Store
from tests.workflows.running import RunningDesk, running_desk
from tests.workflows.short_histories import short_histories
from workflows.signals import signal_payload


async def reminders(run: RunningDesk) -> list[str]:
    """The kinds in the order in which they were recorded."""
    async with run.desk.store.tenant_transaction(run.desk.tenant) as tx:
        rows = await tx.conn.fetch("select kind from reminders order by recorded_at, kind desc")
    return [row["kind"] for row in rows]


async def until_reminded(run: RunningDesk, *kinds: str) -> None:
    for _ in range(1_500):
        if await reminders(run) == list(kinds):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{await reminders(run)} instead of {kinds}")


async def pass_time(run: RunningDesk, **span: float) -> None:
    await TimeSkipper(run.client).fast_forward(run.handle(), timedelta(**span))


async def urgency(run: RunningDesk) -> str:
    (task,) = await task_list(run.desk.store, run.desk.person("chief"))
    return task.urgency


async def test_a_draft_is_reminded_of_after_a_day_escalated_after_two_and_expires_after_seven(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await pass_time(run, hours=23, minutes=50)
        await asyncio.sleep(0.5)
        assert (await reminders(run), await urgency(run)) == ([], "normal")
        await pass_time(run, minutes=20)
        await until_reminded(run, "reminder")
        assert await urgency(run) == "reminded"
        await pass_time(run, hours=23)
        await asyncio.sleep(0.5)
        assert await reminders(run) == ["reminder"]
        await pass_time(run, hours=2)
        await until_reminded(run, "reminder", "escalation")
        assert await urgency(run) == "escalated"
        shown = [(entry["status"], entry["reason"]) for entry in await run.handle().query("timeline")]
        assert shown[-2:] == [("awaiting_approval", "reminder"), ("awaiting_approval", "escalation")]
        assert (await run.desk.row()).state.status == "awaiting_approval"
        await pass_time(run, days=5, hours=1)
        await run.until("blocked")
        assert (await reminders(run), await urgency(run)) == (["reminder", "escalation"], "normal")
        assert len(await run.desk.audited("approval_reminded")) == 1
        assert len(await run.desk.audited("approval_escalated")) == 1


async def test_a_decision_after_a_reminder_ends_the_waiting(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await pass_time(run, hours=25)
        await until_reminded(run, "reminder")
        await run.decide()
        assert await run.handle().result() == "completed"
        assert await reminders(run) == ["reminder"]


async def test_the_tenants_own_hours_hold_and_the_next_draft_begins_anew(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        hours = {"reminder_hours": 2, "escalation_hours": 3, "expiry_hours": 100}
        await policy_set(store, run.desk.person("ops"), hours)
        await run.desk.start()
        first = await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        await pass_time(run, hours=2, minutes=10)
        await until_reminded(run, "reminder")
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        await run.until("awaiting_approval", passed=first.state.pass_)
        await run.until_shown("awaiting_approval")
        await pass_time(run, hours=4)
        await until_reminded(run, "reminder", "reminder", "escalation")


async def test_a_timer_that_came_while_no_worker_was_there_is_honoured_later(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        queue = run.runs.task_queue
    passing = asyncio.create_task(pass_time(run, days=3))  # it waits until the worker has seen the timer
    await asyncio.sleep(1)
    assert await reminders(run) == []
    async with running_desk(store, tenant, temporal_virtual_time.address, desk=run.desk, queue=queue) as run:
        await until_reminded(run, "reminder", "escalation")
        assert (await run.desk.row()).state.status == "awaiting_approval"
        await passing


async def test_a_reset_and_a_rebuilt_run_remind_of_nothing_twice(
    store: Store, tenant: TenantId, temporal_virtual_time: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal_virtual_time.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await pass_time(run, hours=25)
        await until_reminded(run, "reminder")
        await run.reset_to_the_first_task()
        await run.until_shown("awaiting_approval")
        await pass_time(run, hours=10)  # its clock went on from the first run's
        assert await reminders(run) == ["reminder"]
        assert await restart_run(store, tenant, TaskId("Q1"), 1, "by hand")
        await run.desk.library.run("update tasks set updated_at = now()")
        for _ in range(1_000):
            shown = await run.shown()
            if shown is not None and (shown["run_epoch"], shown["status"]) == (2, "awaiting_approval"):
                break
            await asyncio.sleep(0.02)
        await pass_time(run, hours=49)
        await until_reminded(run, "reminder", "escalation")
        assert len(await run.desk.audited("approval_reminded")) == 1


async def test_a_run_that_continues_as_new_between_them_reminds_of_each_once(store: Store, tenant: TenantId) -> None:
    with short_histories(time_skipping=True) as server:
        async with running_desk(store, tenant, server.address) as run:
            await run.desk.start()
            await run.until_shown("awaiting_approval")
            await pass_time(run, hours=25)
            await until_reminded(run, "reminder")
            first = (await run.handle().describe()).run_id
            for number in range(30):
                await run.handle().signal("decision_recorded", signal_payload(f"F{number}"))
            for _ in range(1_000):
                if (await run.handle().describe()).run_id != first:
                    break
                await asyncio.sleep(0.02)
            assert (await run.handle().describe()).run_id != first
            await run.until_shown("awaiting_approval")
            assert await reminders(run) == ["reminder"]
            await pass_time(run, hours=49)
            await until_reminded(run, "reminder", "escalation")
