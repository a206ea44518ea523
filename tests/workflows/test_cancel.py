"""Cancelling: nothing further is scheduled, and what was asked for is carried out however the cancel came.

Capabilities: C-15.
"""

import asyncio

import pytest
from temporalio.client import WorkflowExecutionStatus, WorkflowFailureError

from deploy.temporal_server import TemporalServer
from models.errors import StoreUnavailable
from models.ids import TenantId
from models.tasks import Step, TaskStatus
from services.task_cancel import cancel_task
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, cancelled_as_a_step_ends, running_desk


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
    """This SDK raises it; how a run of an SDK that swallows it goes on is replayed in test_replay.py."""
    run = await cancelled_as_a_step_ends(store, tenant, temporal.address)
    assert await run.until_closed("Q42") == WorkflowExecutionStatus.CANCELED
    assert run.script.calls["analyzing"] == 0
    assert (await run.desk.row("Q42")).state.status == "cancelled"


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
