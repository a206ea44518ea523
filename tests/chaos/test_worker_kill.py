"""kill -9 of a worker at each step, before and after the step's commit: nothing is lost and nothing happens twice.

Capabilities: C-1.
"""

import asyncio
import os
import signal
import sys
import uuid
from pathlib import Path

import pytest

from deploy.temporal_server import TemporalServer
from models.ids import TenantId
from models.transitions import STEPS
from store.pool import Store
from tests.conftest import Database
from tests.services.quote_desk import Desk, open_desk
from tests.workflows.running import RunningDesk, Script, ScriptedActivities
from workflows.client import QuoteTaskClient, connect
from workflows.relay import Relay
from workflows.workers import step_worker, workflow_worker

FAULTS = [f"{step}:{moment}" for step in STEPS for moment in ("before", "after")]
ROOT = Path(__file__).parents[2]


async def killed_at(fault: str, task_queue: str, database: Database, temporal: TemporalServer) -> int:
    """Runs a worker until the fault kills it; its exit code."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.chaos.killed_worker",
        task_queue,
        cwd=ROOT,
        env={
            **os.environ,
            "PROOFDESK_TEST_MODE": "1",
            "PROOFDESK_FAULT": fault,
            "PROOFDESK_DATABASE_URL": database.app_url,
            "PROOFDESK_TEMPORAL_ADDRESS": temporal.address,
        },
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(60):
            return await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def effects(desk: Desk, task_id: str) -> dict[str, list[str]]:
    """What a task left behind, by kind."""
    found: dict[str, list[str]] = {}
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        for kind, query in {
            "checkpoints": "select step from checkpoints where task_id = $1 order by pass",
            "drafts": "select decision_version::text from drafts where task_id = $1",
            "moves": "select detail->>'to' from audit_log where event = 'task_moved' and object = 'task/' || $1 "
            "order by seq",
        }.items():
            found[kind] = [row[0] for row in await tx.conn.fetch(query, task_id)]
    return found


@pytest.mark.timeout(170)
async def test_a_worker_killed_around_any_commit_costs_nothing_and_doubles_nothing(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    desk = await open_desk(store, tenant)
    client = await connect(temporal.address, "default")
    few, starting = asyncio.Semaphore(4), asyncio.Lock()

    async def crashed_and_finished(number: int, fault: str) -> None:
        task_id, queue = f"Q{number}", f"kill-{uuid.uuid4().hex}"
        run = RunningDesk(desk, Script(), client, QuoteTaskClient(client, queue))
        async with starting:  # one after another: whoever delivers a start chooses the queue
            await desk.start(task_id)
            await Relay(store, run.runs).deliver_due()
        async with few:
            assert await killed_at(fault, queue, database, temporal) == -signal.SIGKILL
        activities = ScriptedActivities(desk.services, run.script)
        async with workflow_worker(client, activities, queue), step_worker(client, activities, queue):
            await run.until("awaiting_approval", task_id, patience=60)
            await run.decide(task_id=task_id)
            await Relay(store, run.runs).deliver_due()
            await run.until("completed", task_id)
            assert await run.handle(task_id).result() == "completed"
        left = await effects(desk, task_id)
        assert left["checkpoints"] == list(STEPS), fault
        assert left["drafts"] == ["1"], fault
        straight = [move for move in left["moves"] if move != "retrying"]
        assert straight == [*STEPS, "awaiting_approval", "completed"], fault

    await asyncio.gather(*(crashed_and_finished(number, fault) for number, fault in enumerate(FAULTS)))
