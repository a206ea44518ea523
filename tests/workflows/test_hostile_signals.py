"""Hostile cases 23 to 34 at the running workflow: nothing that the `temporal` CLI can send changes a task."""

import asyncio
import uuid
from typing import Any

from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.service import RPCError

from deploy.temporal_server import TemporalServer
from models.ids import TaskId, TenantId
from models.steps import RunInput
from services.task_intake import add_supplement
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, running_desk
from workflows.policies import quote_workflow_id
from workflows.quote_task import MALFORMED, NOT_CURRENT
from workflows.signals import signal_payload


async def resting(run: RunningDesk) -> int:
    """A task that awaits approval; its revision."""
    await run.desk.start()
    row = await run.until("awaiting_approval")
    await run.until_shown("awaiting_approval")
    return row.state.revision


async def until_audited(run: RunningDesk, event: str, count: int) -> list[dict[str, Any]]:
    for _ in range(1_000):
        rows = await run.desk.audited(event)
        if sum(row.get("count", 1) for row in rows) >= count:
            return rows
        await asyncio.sleep(0.02)
    raise AssertionError(f"{event} is not audited {count} times")


async def test_23_25_a_forged_decision_changes_nothing_and_is_audited(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        revision = await resting(run)
        for reference in (str(uuid.uuid4()), "M1", "quote/other/Q1"):
            await run.handle().signal("decision_recorded", signal_payload(reference))
        (row, *_) = await until_audited(run, "unverified_signal", 3)
        assert "reference" not in row
        assert (await run.desk.row()).state.revision == revision
        await run.decide()
        await run.until("completed")


async def test_24_31_what_cannot_be_read_is_counted_and_audited(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        revision = await resting(run)
        handle = run.handle()
        for payload in ("text", [1], {}, {"reference": 7}, {"reference": "x", "actor": "cfo"}, None, 1e300):
            await handle.signal("decision_recorded", payload)
        await handle.signal("supplement_recorded")
        await handle.signal("takeover_recorded", args=[signal_payload("a"), signal_payload("b")])
        await handle.signal("approve", {"by": "cfo"})
        await until_audited(run, "signal_rejected", 10)
        shown = await handle.query("status")
        assert (shown["signals_rejected"], shown["unknown_signals"]) == (9, 1)
        assert (await run.desk.row()).state.revision == revision
        await run.decide()
        assert await handle.result() == "completed"


async def test_26_a_thousand_signals_are_one_decision_and_a_bounded_history(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await resting(run)
        decision = await run.decide()
        payload = signal_payload(decision.decision_id)
        first = run.handle()
        few = asyncio.Semaphore(50)

        async def send() -> None:
            async with few:
                try:
                    await first.signal("decision_recorded", payload)
                except RPCError:
                    assert (await run.desk.row()).state.status == "completed"

        await asyncio.gather(*(send() for _ in range(1_000)))
        await run.until("completed")
        await run.until_closed()
        assert await run.desk.count("decisions") == 1
        assert (await first.describe()).history_length < 2_000


async def test_a_flood_of_signals_at_a_rest_goes_on_in_a_new_run_within_the_bound(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await resting(run)
        described = await run.handle().describe()
        handle = run.client.get_workflow_handle(described.id, run_id=described.run_id)
        number = 0
        while (await handle.describe()).status == WorkflowExecutionStatus.RUNNING:
            few = [run.handle().signal("decision_recorded", signal_payload(f"{number}-{n}")) for n in range(60)]
            await asyncio.gather(*few)
            number += 1
            assert number < 60, "the run is never handed over"
            await asyncio.sleep(0.15)  # Temporal itself refuses to close a run while signals are arriving
        closed = await handle.describe()
        assert closed.status == WorkflowExecutionStatus.CONTINUED_AS_NEW
        assert closed.history_length < 2_200
        await run.until_shown("awaiting_approval")
        shown = [entry["status"] for entry in await run.handle().query("timeline")]
        assert shown == ["restoring", "retrieving", "analyzing", "reviewing", "awaiting_approval"]
        await run.decide()
        await run.until("completed")


async def test_27_a_decision_signal_before_there_is_a_draft_is_not_counted(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address, Script(needs=2)) as run:
        await run.desk.start()
        await run.until_shown("waiting_input")
        await run.handle().signal("decision_recorded", signal_payload(str(uuid.uuid4())))
        await until_audited(run, "unverified_signal", 1)
        assert (await run.desk.row()).state.status == "waiting_input"


async def test_a_reference_forged_before_the_real_one_does_not_swallow_it(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address, Script(needs=2)) as run:
        await run.desk.start()
        row = await run.until("waiting_input")
        await run.until_shown("waiting_input")
        async with store.tenant_transaction(tenant) as tx:
            (held,) = await tx.conn.fetch("select message_id from messages")
        await run.handle().signal("supplement_recorded", signal_payload(held["message_id"].replace("M1", "M2")))
        await until_audited(run, "unverified_signal", 1)
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="We confirm.")
        await run.until("awaiting_approval", passed=row.state.pass_)


async def start_by_hand(client: Client, queue: str, workflow_id: str, *given: object) -> str:
    """What `temporal workflow start` does."""
    handle = await client.start_workflow("QuoteTask", args=list(given), id=workflow_id, task_queue=queue)
    return await handle.result()


async def test_29_a_start_from_outside_ends_itself_and_changes_nothing(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await resting(run)
        await run.decide()
        await run.until("completed")
        await run.until_closed()
        revision = (await run.desk.row()).state.revision
        queue, workflow_id = run.runs.task_queue, quote_workflow_id(tenant, TaskId("Q1"))
        for epoch in (0, 1, 2):
            given = RunInput(tenant_id=tenant, task_id=TaskId("Q1"), run_epoch=epoch)
            assert await start_by_hand(run.client, queue, workflow_id, given) == NOT_CURRENT
        other = RunInput(tenant_id=tenant, task_id=TaskId("Q1"), run_epoch=1)
        assert await start_by_hand(run.client, queue, "quote/other/Q1", other) == NOT_CURRENT
        malformed: list[list[object]] = [[], ["text"], [{}], [{"tenant_id": tenant}], [other, other]]
        for given in malformed:
            assert await start_by_hand(run.client, queue, workflow_id, *given) == MALFORMED
        assert len(await run.desk.audited("run_refused")) == 4
        assert (await run.desk.row()).state.revision == revision


async def test_a_run_under_a_foreign_id_does_not_work_on_the_task(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await resting(run)
        given = RunInput(tenant_id=tenant, task_id=TaskId("Q1"), run_epoch=1)
        assert await start_by_hand(run.client, run.runs.task_queue, "quote/other/Q1", given) == NOT_CURRENT
        assert await run.desk.audited("run_refused")
        await run.decide()
        await run.until("completed")
