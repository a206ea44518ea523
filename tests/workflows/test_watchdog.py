"""A bug in the workflow's code parks its task with an alarm within a minute; mended, it goes on and nothing is lost."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from temporalio.client import WorkflowExecutionStatus

from deploy.temporal_server import TemporalServer
from models.ids import TaskId, TenantId
from services.task_intake import add_supplement
from services.task_takeover import take_over
from store.pool import Store
from store.task import TaskRow, dead_letter_list
from tests.services.quote_desk import Desk
from tests.workflows.forgetful_workflow import DeafQuoteTask, RestlessQuoteTask
from tests.workflows.running import RunningDesk, Script, running_desk
from workflows import workers
from workflows.quote_task import QuoteTask
from workflows.reconciler import Reconciler
from workflows.signals import signal_payload

SOON = timedelta(seconds=2)
LATER = timedelta(minutes=30)


@asynccontextmanager
async def desk_with(
    kind: type[QuoteTask],
    store: Store,
    tenant: TenantId,
    address: str,
    *,
    queue: str,
    desk: Desk | None = None,
    script: Script | None = None,
) -> AsyncGenerator[RunningDesk]:
    """A desk whose workers run the workflow as `kind` has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "QuoteTask", kind)
        async with running_desk(store, tenant, address, script, desk=desk, queue=queue) as run:
            yield run


async def until_parked(run: RunningDesk, *, pause: timedelta = SOON) -> tuple[TaskRow, float]:
    """Reconciles as a worker does, only with another pause; the parked task and the seconds that it took."""
    began = time.monotonic()
    reconciler = Reconciler(run.desk.store, run.runs, quiet_seconds=1, fault_pause=pause)
    while True:
        await reconciler.reconcile()
        row = await run.desk.row()
        if row.state.block is not None and row.state.block.reason == "worker_fault":
            return row, time.monotonic() - began
        assert time.monotonic() - began < 60, f"not parked within a minute: {row.state.status}"
        await asyncio.sleep(0.5)


async def reconciled(run: RunningDesk, *, pause: timedelta = SOON) -> None:
    reconciler = Reconciler(run.desk.store, run.runs, quiet_seconds=1, fault_pause=pause)
    await reconciler.run(period_seconds=0.5)


async def test_a_bug_in_a_handler_parks_the_task_and_it_goes_on_by_itself_without_losing_what_was_said(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    queue = f"quotes-{uuid.uuid4().hex}"
    async with desk_with(DeafQuoteTask, store, tenant, temporal.address, queue=queue) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        stuck = (await run.handle().describe()).run_id
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        parked, seconds = await until_parked(run)
        assert seconds < 60
        assert parked.state.block is not None
        assert parked.state.block.detail == "workflow_worker_unhandled_failure"
        assert parked.state.decision_version == 2, "the draft that was shown is void"
        (found,) = await run.desk.audited("worker_fault_found")
        assert (found["run_epoch"], found["cause"]) == (1, "workflow_worker_unhandled_failure")
        async with store.tenant_transaction(tenant) as tx:
            (letter,) = await dead_letter_list(tx, TaskId("Q1"))
        assert letter.reason == "worker_fault"
        assert await run.desk.count("task_events", "status = 'blocked' and reason = 'worker_fault'") == 1
        handle = run.client.get_workflow_handle(run.handle().id, run_id=stuck)
        assert (await handle.describe()).status == WorkflowExecutionStatus.TERMINATED
    async with running_desk(store, tenant, temporal.address, desk=run.desk, queue=queue) as run:
        going = asyncio.create_task(reconciled(run))
        row = await run.until("awaiting_approval", passed=parked.state.pass_)
        going.cancel()
        assert row.state.decision_version == 2
        assert await run.desk.count("messages", "merged_revision is null") == 0
        await run.until_shown("awaiting_approval")
        await run.decide()
        await run.until("completed")


async def test_a_bug_that_a_stray_signal_meets_is_found_although_nothing_is_asked_of_the_run(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    queue = f"quotes-{uuid.uuid4().hex}"
    async with desk_with(DeafQuoteTask, store, tenant, temporal.address, queue=queue) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await run.handle().signal("decision_recorded", signal_payload("stray"))
        _, seconds = await until_parked(run)
        assert seconds < 60


async def test_a_bug_in_the_workflows_code_waits_for_its_mending_and_a_person_may_retry(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    queue = f"quotes-{uuid.uuid4().hex}"
    async with desk_with(RestlessQuoteTask, store, tenant, temporal.address, queue=queue) as run:
        await run.desk.start()
        parked, _ = await until_parked(run, pause=LATER)
        going = asyncio.create_task(reconciled(run, pause=LATER))
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        await asyncio.sleep(8)
        still = await run.desk.row()
        assert still.state.block == parked.state.block, "the next run meets the same bug and is left to Temporal"
        assert len(await run.desk.audited("worker_fault_found")) == 1
        going.cancel()
    async with running_desk(store, tenant, temporal.address, desk=run.desk, queue=queue) as run:
        going = asyncio.create_task(reconciled(run, pause=LATER))
        await take_over(store, run.desk.person("ops"), task_id="Q1", choice="retry")
        await run.until("awaiting_approval", passed=still.state.pass_, patience=60)
        assert await run.desk.count("messages", "merged_revision is null") == 0
        await run.until_shown("awaiting_approval")
        await run.decide()
        await run.until("completed")
        going.cancel()


async def test_a_run_without_a_worker_is_no_fault(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
    await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
    await run.handle().signal("supplement_recorded", signal_payload("M2"))
    for _ in range(3):
        assert await Reconciler(store, run.runs, quiet_seconds=0).reconcile() == 0
        await asyncio.sleep(1)
    assert (await run.desk.row()).state.status == "awaiting_approval"
