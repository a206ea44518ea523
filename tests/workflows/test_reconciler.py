"""Relay and reconciler: nothing that Postgres holds is lost, whatever happens to Temporal's side."""

import asyncio
import uuid

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.contrib.pydantic import pydantic_data_converter

from activities.quote_task import QuoteTaskActivities
from deploy.temporal_server import TemporalServer
from models.errors import TemporalUnavailable
from models.ids import TaskId, TenantId
from services.outbox import outbox_due
from services.task_cancel import cancel_task
from services.task_intake import add_supplement
from store.pool import Store
from tests.services.quote_desk import open_desk
from tests.workflows.running import RunningDesk, Script, running_desk
from workflows.client import QuoteTaskClient, connect
from workflows.reconciler import Reconciler
from workflows.relay import Relay
from workflows.workers import workflow_worker


async def first_mended(reconciler: Reconciler) -> int:
    """What the first look mends that sees the end: Temporal's list of open runs lags behind by a moment."""
    for _ in range(200):
        if mended := await reconciler.reconcile():
            return mended
        await asyncio.sleep(0.02)
    return 0


async def test_34_a_run_terminated_by_hand_makes_its_task_failed(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await run.handle().terminate("by hand")
        assert await first_mended(Reconciler(store, run.runs, quiet_seconds=0)) == 1
        row = await run.desk.row()
        assert (row.state.status, row.state.outcome) == ("failed", "terminated")
        assert await Reconciler(store, run.runs, quiet_seconds=0).reconcile() == 0
        assert [row for row in await run.desk.audited("task_moved") if row["to"] == "failed"]


async def test_a_decision_made_before_the_run_was_terminated_is_carried_out(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
    await run.decide()  # nobody is there to be told
    await run.handle().terminate("by hand")
    assert await first_mended(Reconciler(store, run.runs, quiet_seconds=0)) == 1
    row = await run.desk.row()
    assert (row.state.status, row.state.outcome) == ("completed", "approved")
    assert await run.desk.count("decisions", "applied_at is not null") == 1
    assert await Reconciler(store, run.runs, quiet_seconds=0).reconcile() == 0


async def test_changes_asked_for_before_the_run_was_terminated_do_not_save_it(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
    await run.decide("request_changes", comment="Say it in words.")
    await run.handle().terminate("by hand")
    assert await first_mended(Reconciler(store, run.runs, quiet_seconds=0)) == 1
    row = await run.desk.row()
    assert (row.state.status, row.state.outcome) == ("failed", "terminated")


async def test_a_cancel_that_came_before_the_run_could_do_anything_is_carried_out(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    """Temporal ends such a run without giving it a turn, so nothing of the cancel reached the task."""
    desk, queue = await open_desk(store, tenant), f"later-{uuid.uuid4().hex}"
    runs = QuoteTaskClient(await connect(temporal.address, "default"), queue)
    await desk.start()
    await Relay(store, runs).deliver_due()
    run = RunningDesk(desk, Script(), runs.client, runs)
    await run.handle().cancel()
    async with workflow_worker(runs.client, QuoteTaskActivities(desk.services), queue):
        assert await run.until_closed() == WorkflowExecutionStatus.CANCELED
    assert (await desk.row()).state.status == "created"
    assert await Reconciler(store, runs, quiet_seconds=0).reconcile() == 1
    row = await desk.row()
    assert (row.state.status, row.state.outcome) == ("cancelled", "cancelled")


async def test_a_cancel_asked_for_before_the_run_was_terminated_is_no_failure(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
    await cancel_task(store, run.desk.person("sales"), task_id="Q1", reason="withdrawn")
    await run.handle().terminate("by hand")
    assert await first_mended(Reconciler(store, run.runs, quiet_seconds=0)) == 1
    row = await run.desk.row()
    assert (row.state.status, row.state.outcome) == ("cancelled", "cancelled")


@pytest.mark.parametrize("is_terminated", [True, False])
async def test_what_was_added_to_a_completed_task_is_not_lost_with_its_run(
    store: Store, tenant: TenantId, temporal: TemporalServer, *, is_terminated: bool
) -> None:
    """The next run was started and is gone before it began: a server lost it, or an operator ended it."""
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await run.decide()
        await run.until("completed")
        await run.until_closed()
    desk = run.desk
    await add_supplement(store, desk.person("sales"), task_id="Q1", text="Anodised, please.")
    if is_terminated:
        nobody = QuoteTaskClient(run.client, f"nobody-{uuid.uuid4().hex}")
        assert await nobody.start(tenant, TaskId("Q1"), 2, request_id=str(uuid.uuid4()))
        await run.handle().terminate("by hand")
    await desk.library.run("update outbox set delivered_at = now()")
    assert await first_mended(Reconciler(store, run.runs, quiet_seconds=0)) == 1
    async with running_desk(store, tenant, temporal.address, desk=desk) as again:
        row = await again.until("awaiting_approval", passed=(await desk.row()).state.pass_)
        assert (row.state.run_epoch, row.state.decision_version) == (3, 2)


async def test_a_task_that_temporal_lost_is_rebuilt_from_postgres(
    store: Store, tenant: TenantId, temporal: TemporalServer, temporal_virtual_time: TemporalServer
) -> None:
    """The second server stands for the same one after its whole store was lost."""
    async with running_desk(store, tenant, temporal.address, Script(needs=2)) as run:
        await run.desk.start()
        await run.until("waiting_input")
    desk = run.desk
    async with running_desk(store, tenant, temporal_virtual_time.address, Script(needs=2), desk=desk) as run:
        assert await first_mended(Reconciler(store, run.runs, quiet_seconds=0)) == 1
        assert (await run.until_shown("waiting_input"))["run_epoch"] == 2
        assert await run.desk.audited("run_restarted")
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="We confirm.")
        await run.until("awaiting_approval")
        await run.decide()
        await run.until("completed")


async def test_a_run_that_works_is_left_alone(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        before = await run.desk.row()
        assert await Reconciler(store, run.runs, quiet_seconds=0).reconcile() == 0
        assert await run.desk.row() == before


async def test_a_reset_by_an_operator_changes_nothing(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        first = await run.desk.row()
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        row = await run.until("awaiting_approval", passed=first.state.pass_)
        await run.reset_to_the_first_task()
        await run.until_shown("awaiting_approval")
        assert await run.desk.row() == row
        assert await run.desk.count("drafts") == 2
        await run.decide()
        await run.until("completed")


async def test_a_start_is_told_once_however_often_it_is_delivered(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    desk = await open_desk(store, tenant)
    runs = QuoteTaskClient(await connect(temporal.address, "default"), f"nobody-{uuid.uuid4().hex}")
    await desk.start()
    request_id = str(uuid.uuid4())
    for _ in range(3):
        assert await runs.start(tenant, TaskId("Q1"), 1, request_id=request_id)
    assert await Relay(store, runs).deliver_due() == 1
    assert await outbox_due(store) == 0
    seen = await runs.run_fetch(tenant, TaskId("Q1"))
    assert seen is not None
    assert (seen.run_epoch, seen.is_open) == (1, True)
    for _ in range(3):
        await runs.signal(tenant, TaskId("Q1"), "supplement_recorded", "M2", request_id=request_id)
    handle = runs.client.get_workflow_handle(f"quote/{tenant}/Q1")
    kinds = [event.event_type async for event in handle.fetch_history_events()]
    assert kinds.count(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED) == 1
    await handle.terminate()


async def test_a_start_waits_until_the_older_run_has_closed(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    desk = await open_desk(store, tenant)
    runs = QuoteTaskClient(await connect(temporal.address, "default"), f"nobody-{uuid.uuid4().hex}")
    await desk.start()
    assert await runs.start(tenant, TaskId("Q1"), 0, request_id=str(uuid.uuid4()))
    relay = Relay(store, runs)
    assert await relay.deliver_due() == 1
    async with store.tenant_transaction(tenant) as tx:
        (row,) = await tx.conn.fetch("select delivered_at, last_error_code from outbox")
    assert (row["delivered_at"], row["last_error_code"]) == (None, "older_run_open")
    handle = runs.client.get_workflow_handle(f"quote/{tenant}/Q1")
    await handle.terminate()
    async with store.directory_transaction() as directory:
        await directory.conn.execute("update outbox_notices set due_at = now()")
    assert await relay.deliver_due() == 1
    described = await handle.describe()
    assert described.status == WorkflowExecutionStatus.RUNNING
    assert (await described.memo())["run_epoch"] == 1
    await handle.terminate()


async def test_while_temporal_is_away_everything_stays_due(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    desk = await open_desk(store, tenant)
    await desk.start()
    lazy = await Client.connect("127.0.0.1:9", lazy=True, data_converter=pydantic_data_converter)
    away = QuoteTaskClient(lazy)
    with pytest.raises(TemporalUnavailable):
        await away.start(tenant, TaskId("Q1"), 1, request_id="r")
    await Relay(store, away).deliver_due()
    async with store.tenant_transaction(tenant) as tx:
        (row,) = await tx.conn.fetch("select delivered_at, attempts from outbox")
    assert (row["delivered_at"], row["attempts"]) == (None, 1)
