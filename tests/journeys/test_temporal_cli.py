"""Operating with the `temporal` command as it is: it shows where tasks stand, and what it forges changes nothing.

Capabilities: C-26.
"""

import asyncio
import json
import uuid
from typing import Any

from deploy.temporal_server import TemporalServer, temporal_binary
from models.ids import TenantId
from services.task_cancel import cancel_task
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, running_desk
from workflows.reconciler import Reconciler


async def temporal_cli(server: TemporalServer, *words: str) -> str:
    """One line of the command, as an operator types it; its output."""
    process = await asyncio.create_subprocess_exec(
        str(temporal_binary()),
        *words,
        "--address",
        server.address,
        "--output",
        "json",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def listed(server: TemporalServer, query: str) -> set[str]:
    """The task ids that a list by search attributes shows."""
    found = json.loads(await temporal_cli(server, "workflow", "list", "--query", query))
    return {row["execution"]["workflowId"].rpartition("/")[2] for row in found}


async def until_listed(server: TemporalServer, query: str, expected: set[str]) -> None:
    """Visibility follows after a moment."""
    for _ in range(40):
        if await listed(server, query) == expected:
            return
        await asyncio.sleep(0.1)
    assert await listed(server, query) == expected


async def query(server: TemporalServer, run: RunningDesk, name: str, task_id: str = "Q1") -> Any:
    words = ("workflow", "query", "--workflow-id", run.handle(task_id).id, "--name", name)
    answer = json.loads(await temporal_cli(server, *words))
    return answer["queryResult"][0] if "queryResult" in answer else answer


async def test_tasks_are_listed_by_tenant_status_and_reason(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address, Script(blocks=1)) as run:
        await run.desk.start("Q1")
        await run.until("blocked", "Q1")
        await run.desk.start("Q2", text="We ask for 50 brackets.")
        await run.until("awaiting_approval", "Q2")
        mine = f"TenantId = '{tenant}'"
        await until_listed(temporal, mine, {"Q1", "Q2"})
        await until_listed(temporal, f"{mine} AND TaskStatus = 'awaiting_approval'", {"Q2"})
        await until_listed(temporal, f"{mine} AND TaskStatus = 'blocked'", {"Q1"})
        await until_listed(temporal, f"{mine} AND BlockedReason = 'insufficient_evidence'", {"Q1"})
        await until_listed(temporal, f"{mine} AND BlockedReason = 'source_conflict'", set())
        described = json.loads(
            await temporal_cli(temporal, "workflow", "describe", "--workflow-id", run.handle("Q1").id)
        )
        assert described["workflowExecutionInfo"]["type"]["name"] == "QuoteTask"


async def test_status_timeline_and_draft_answer_without_any_text(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        status = await query(temporal, run, "status")
        assert (status["status"], status["task_id"], status["run_epoch"]) == ("awaiting_approval", "Q1", 1)
        timeline = await query(temporal, run, "timeline")
        assert [entry["status"] for entry in timeline][-1] == "awaiting_approval"
        draft = await query(temporal, run, "draft")
        version, shown_hash = await run.draft_hash()
        assert draft == {"draft_id": f"Q1/{version}", "decision_version": version, "content_hash": shown_hash}
        assert "brackets" not in json.dumps([status, timeline, draft])


async def test_a_cancel_ends_the_task_in_postgres_too(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await temporal_cli(temporal, "workflow", "cancel", "--workflow-id", run.handle().id)
        row = await run.until("cancelled")
        assert row.state.outcome == "cancelled"
        assert await run.desk.count("drafts", "voided_at is null") == 0
        await cancel_task(store, run.desk.person("sales"), task_id="Q1", reason="asked again")


async def test_a_forged_signal_a_reset_and_a_start_change_nothing(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        before = await run.desk.row()
        task = ("--workflow-id", run.handle().id)
        forged = json.dumps({"reference": str(uuid.uuid4())})
        await temporal_cli(temporal, "workflow", "signal", *task, "--name", "decision_recorded", "--input", forged)
        await temporal_cli(temporal, "workflow", "signal", *task, "--name", "approve", "--input", '{"by":"cfo"}')
        await temporal_cli(temporal, "workflow", "reset", *task, "--type", "FirstWorkflowTask", "--reason", "by hand")
        await run.until_shown("awaiting_approval")
        other = json.dumps({"tenant_id": tenant, "task_id": "Q1", "run_epoch": 2})
        await temporal_cli(
            temporal,
            *("workflow", "start", "--type", "QuoteTask", "--task-queue", run.runs.task_queue),
            *("--workflow-id", f"quote/{tenant}/forged", "--input", other),
        )
        assert await run.client.get_workflow_handle(f"quote/{tenant}/forged").result() == "not the current run"
        assert await run.desk.row() == before
        assert await run.desk.audited("unverified_signal")
        assert await run.desk.audited("run_refused")
        await run.decide()
        await run.until("completed")


async def test_34_a_terminate_is_found_by_the_reconciler(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        await temporal_cli(temporal, "workflow", "terminate", "--workflow-id", run.handle().id, "--reason", "by hand")
        assert await Reconciler(store, run.runs, quiet_seconds=0).reconcile() == 1  # the worker's own looks every 10 s
        row = await run.desk.row()
        assert row.state.status == "failed"
        assert row.state.outcome == "terminated"
