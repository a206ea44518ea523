"""Cancelling: nothing further is scheduled, and what was asked for is carried out however the cancel came.

Capabilities: C-15.
"""

import asyncio
import uuid

import pytest
from temporalio.client import WorkflowExecutionStatus, WorkflowFailureError

from deploy.temporal_server import TemporalServer
from models.errors import StoreUnavailable
from models.ids import TenantId
from models.tasks import Step, TaskStatus
from services.task_cancel import cancel_task
from store.pool import Store
from tests.services.quote_desk import open_desk
from tests.workflows.running import RunningDesk, Script, ScriptedActivities, running_desk
from worker import step_worker, workflow_worker
from workflows.client import QuoteTaskClient, connect
from workflows.relay import Relay


async def ended(run: RunningDesk) -> WorkflowExecutionStatus | None:
    with pytest.raises(WorkflowFailureError):
        await run.handle().result()
    return (await run.handle().describe()).status


@pytest.mark.parametrize("status", ["waiting_input", "awaiting_approval", "blocked"])
async def test_a_resting_task_is_cancelled_by_its_people(
    store: Store, tenant: TenantId, temporal: TemporalServer, status: TaskStatus
) -> None:
    script = Script(needs=2 if status == "waiting_input" else 1, blocks=1 if status == "blocked" else 0)
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        await run.until(status)
        before = sum(run.script.calls.values())
        await cancel_task(store, run.desk.person("sales"), task_id="Q1", reason="the customer withdrew")
        row = await run.until("cancelled")
        assert (row.state.outcome, row.cancel_reason) == ("cancelled", "the customer withdrew")
        await run.until_closed()
        assert sum(run.script.calls.values()) == before


@pytest.mark.parametrize("step", ["retrieving", "analyzing", "reviewing"])
async def test_an_operators_cancel_during_a_step_schedules_nothing_further(
    store: Store, tenant: TenantId, temporal: TemporalServer, step: Step
) -> None:
    hold = asyncio.Event()
    async with running_desk(store, tenant, temporal.address, Script(holds={step: hold})) as run:
        await run.desk.start()
        await run.until_called(step)
        await run.handle().cancel()
        await run.until("cancelled")
        hold.set()
        assert await ended(run) == WorkflowExecutionStatus.CANCELED
        assert (await run.desk.row()).state.status == "cancelled"
        assert run.script.calls[step] == 1
        assert await run.desk.count("drafts") == 0


async def test_the_flag_in_postgres_is_seen_by_the_commit_of_a_step(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    hold = asyncio.Event()
    async with running_desk(store, tenant, temporal.address, Script(holds={"analyzing": hold})) as run:
        await run.desk.start()
        await run.until("analyzing")
        await cancel_task(store, run.desk.person("sales"), task_id="Q1", reason="withdrawn")
        hold.set()
        await run.until("cancelled")
        assert run.script.calls["reviewing"] == 0


async def test_a_cancel_that_the_end_of_a_step_swallows_is_honoured(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    """The step's result and the cancel reach the run in one activation, because no worker was there before."""
    desk, script = await open_desk(store, tenant), Script(holds={"retrieving": asyncio.Event()})
    client = await connect(temporal.address, "default")
    queue = f"quotes-{uuid.uuid4().hex}"
    runs = QuoteTaskClient(client, queue)
    run = RunningDesk(desk, script, client, runs)
    activities = ScriptedActivities(desk.services, script)
    relay = Relay(store, runs)
    await desk.start()
    await relay.deliver_due()
    async with step_worker(client, activities, queue):
        async with workflow_worker(client, activities, queue):
            await run.until("retrieving")
        script.holds["retrieving"].set()
        await run.until("analyzing")
        await run.handle().cancel()
        async with workflow_worker(client, activities, queue):
            assert await ended(run) == WorkflowExecutionStatus.CANCELED
    assert script.calls["analyzing"] == 0
    assert (await desk.row()).state.status == "cancelled"


async def test_a_decision_that_came_first_stands(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await run.decide()
        await run.handle().cancel()
        assert (await run.until("completed")).state.outcome == "approved"
        assert await run.handle().result() == "completed"


async def test_the_clean_up_waits_for_a_store_that_is_away(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    script = Script(errors={"analyzing": [StoreUnavailable("away") for _ in range(30)]})
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        await run.until_shown("retrying")
        await run.handle().cancel()
        await run.until("cancelled")
        assert await ended(run) == WorkflowExecutionStatus.CANCELED
