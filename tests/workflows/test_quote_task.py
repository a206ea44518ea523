"""One quote through the real workflow, from the first mail to the decision, and everything that may come between.

Capabilities: C-3, C-16, C-17.
"""

import asyncio

import pytest
from temporalio.client import WorkflowExecutionStatus

from deploy.temporal_server import TemporalServer
from models.errors import AgentFailed, IndexMismatch, StoreUnavailable
from models.ids import TaskId, TenantId
from models.tasks import Step, TaskStatus
from services.task_intake import add_supplement
from services.task_takeover import take_over
from store.pool import Store
from store.task import dead_letter_list
from tests.workflows.running import Script, running_desk


async def test_a_quote_from_the_first_mail_to_the_approved_draft(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address, Script(needs=2)) as run:
        await run.desk.start()
        await run.until("waiting_input")
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Special inspection is wanted.")
        await run.until("awaiting_approval")
        await run.decide()
        row = await run.until("completed")
        assert row.state.outcome == "approved"
        assert await run.handle().result() == "completed"
        shown = [entry["status"] for entry in await run.handle().query("timeline")]
        steps = ["restoring", "retrieving", "analyzing", "reviewing", "awaiting_approval", "completed"]
        assert shown == ["restoring", "waiting_input", *steps]
        described = await run.handle().describe()
        assert described.status == WorkflowExecutionStatus.COMPLETED
        assert described.history_length < 120


async def test_a_rejected_draft_completes_the_task(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.decide("reject", comment="too dear")
        assert (await run.until("completed")).state.outcome == "rejected"


async def test_requested_changes_bring_the_next_draft(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        first = await run.until("awaiting_approval")
        await run.decide("request_changes", comment="Mention the packaging.")
        second = await run.until("awaiting_approval", passed=first.state.pass_)
        assert second.state.decision_version == first.state.decision_version + 1
        await run.decide(subject="deputy")
        await run.until("completed")


async def test_what_is_said_after_completion_opens_the_task_again(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.decide()
        await run.until("completed")
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="The customer asks for 60 now.")
        again = await run.until("awaiting_approval")
        assert (again.state.run_epoch, again.state.decision_version) == (2, 2)
        await run.decide()
        assert (await run.until("completed")).state.run_epoch == 2


@pytest.mark.parametrize("step", ["retrieving", "analyzing", "reviewing"])
async def test_a_supplement_during_a_step_is_merged_before_anything_is_shown(
    store: Store, tenant: TenantId, temporal: TemporalServer, step: Step
) -> None:
    hold = asyncio.Event()
    async with running_desk(store, tenant, temporal.address, Script(holds={step: hold})) as run:
        await run.desk.start()
        await run.until(step)
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        hold.set()
        row = await run.until("awaiting_approval")
        assert await run.desk.count("messages", "merged_revision is null") == 0
        assert run.script.calls["restoring"] == 2
        assert row.state.decision_version == 1


@pytest.mark.parametrize("status", ["waiting_input", "blocked", "awaiting_approval"])
async def test_a_supplement_during_a_rest_goes_through_restoring(
    store: Store, tenant: TenantId, temporal: TemporalServer, status: TaskStatus
) -> None:
    script = Script(needs=2 if status == "waiting_input" else 1, blocks=1 if status == "blocked" else 0)
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        rested = await run.until(status)
        await run.until_shown(status)
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        row = await run.until("awaiting_approval", passed=rested.state.pass_)
        assert row.state.decision_version == (2 if status == "awaiting_approval" else 1)
        assert run.script.calls["retrieving"] == (1 if status == "waiting_input" else 2)


async def test_an_attempt_that_fails_is_shown_and_the_next_one_goes_on(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    script = Script(errors={"analyzing": [AgentFailed("no JSON")]})
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        await run.until("retrying")
        shown = await run.until_shown("retrying")
        assert shown["error_code"] == "agent_failed"
        await run.until("awaiting_approval")
        assert run.script.calls["analyzing"] == 2
        assert (await run.until_shown("awaiting_approval"))["error_code"] is None


async def test_after_three_attempts_a_person_takes_over_and_the_task_goes_on(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    script = Script(errors={"reviewing": [AgentFailed("no JSON"), ValueError("customer text"), AgentFailed("no JSON")]})
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        row = await run.until("blocked")
        assert row.state.block is not None
        assert row.state.block.reason == "attempts_exhausted"
        assert run.script.calls["reviewing"] == 3
        assert (await run.until_shown("blocked"))["blocked_reason"] == "attempts_exhausted"
        async with store.tenant_transaction(tenant) as tx:
            (letter,) = await dead_letter_list(tx, TaskId("Q1"))
        assert (letter.step, letter.attempts, letter.error_code) == ("reviewing", 3, "agent_failed")
        await take_over(store, run.desk.person("ops"), task_id="Q1", choice="retry")
        await run.until("awaiting_approval")
        async with store.tenant_transaction(tenant) as tx:
            assert (await dead_letter_list(tx, TaskId("Q1")))[0].resolved_at is not None


async def test_an_error_that_cannot_get_better_blocks_at_once(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    script = Script(errors={"retrieving": [IndexMismatch("another model")]})
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        await run.until("blocked")
        assert run.script.calls["retrieving"] == 1


async def test_a_store_that_is_away_uses_no_attempt_up(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    away = [StoreUnavailable("away") for _ in range(4)]
    script = Script(errors={"analyzing": [*away], "restoring": [StoreUnavailable("away")]})
    async with running_desk(store, tenant, temporal.address, script) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        assert run.script.calls["analyzing"] == 5
        assert await run.desk.count("dead_letters") == 0
        assert await run.desk.count("task_events", "status = 'retrying'") == 0


async def test_an_abandoned_task_ends(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address, Script(blocks=1)) as run:
        await run.desk.start()
        await run.until("blocked")
        await take_over(store, run.desk.person("ops"), task_id="Q1", choice="abandon")
        assert (await run.until("cancelled")).state.outcome == "abandoned"
        assert await run.handle().result() == "cancelled"
