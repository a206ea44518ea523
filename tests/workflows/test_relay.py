"""The loops beside the workers: whatever one row, one run or one server does to them, they go on for the others."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.api.workflowservice.v1 import StartWorkflowExecutionRequest

from deploy.temporal_server import TemporalServer
from models.ids import TaskId, TenantId
from services.outbox import outbox_due
from store.connection import connected
from store.pool import Store
from tests.conftest import Database
from tests.services.quote_desk import open_desk
from workflows.client import QuoteTaskClient, connect
from workflows.policies import EPOCH_MEMO
from workflows.reconciler import Reconciler
from workflows.relay import Relay

PATIENCE_SECONDS = 20.0


@asynccontextmanager
async def looping(work: Coroutine[Any, Any, None]) -> AsyncGenerator[asyncio.Task[None]]:
    task = asyncio.create_task(work)
    yield task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def owner_runs(database: Database, statement: str) -> None:
    async with connected(database.owner_url) as conn:
        await conn.execute(statement)


async def _client(temporal: TemporalServer) -> QuoteTaskClient:
    return QuoteTaskClient(await connect(temporal.address, "default"), f"nobody-{uuid.uuid4().hex}")


async def test_an_error_that_nobody_foresaw_only_delays_the_relay(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    """A missing grant stands for it: the database is well, and its error has no translation."""
    desk, runs = await open_desk(store, tenant), await _client(temporal)
    await desk.start()
    await owner_runs(database, "revoke select on outbox from proofdesk_app")
    async with looping(Relay(store, runs).run()) as relay:
        await asyncio.sleep(0.3)
        assert not relay.done()
        await owner_runs(database, "grant select on outbox to proofdesk_app")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while await runs.run_fetch(tenant, TaskId("Q1")) is None:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
    await runs.client.get_workflow_handle(f"quote/{tenant}/Q1").terminate()


async def test_an_error_that_nobody_foresaw_only_delays_the_reconciler(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    desk, runs = await open_desk(store, tenant), await _client(temporal)
    await desk.start()
    await desk.library.run("update outbox set delivered_at = now()")
    await owner_runs(database, "revoke select on outbox from proofdesk_app")
    async with looping(Reconciler(store, runs, quiet_seconds=0).run(period_seconds=0.05)) as reconciler:
        await asyncio.sleep(0.3)
        assert not reconciler.done()
        await owner_runs(database, "grant select on outbox to proofdesk_app")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (await desk.row()).state.run_epoch == 1:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)


async def test_a_task_whose_row_cannot_be_read_keeps_no_other_one_waiting(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    desk, runs = await open_desk(store, tenant), await _client(temporal)
    await desk.start("Q1")
    await desk.start("Q2")
    await desk.library.run("update outbox set delivered_at = now()")
    await desk.library.run("update tasks set state = state || '{\"unknown\": 1}' where task_id = 'Q1'")
    assert await Reconciler(store, runs, quiet_seconds=0).reconcile() == 1
    assert (await desk.row("Q2")).state.run_epoch == 2


@pytest.mark.parametrize("encoding", [b"binary/unknown", b"json/plain"])
async def test_a_run_from_outside_with_a_memo_that_nobody_can_read_disturbs_no_other(
    store: Store, tenant: TenantId, temporal: TemporalServer, encoding: bytes
) -> None:
    desk, runs = await open_desk(store, tenant), await _client(temporal)
    await desk.start()
    request = StartWorkflowExecutionRequest(
        namespace="default", workflow_id=f"quote/{tenant}/Q9", request_id=str(uuid.uuid4())
    )
    request.workflow_type.name = "QuoteTask"
    request.task_queue.name = runs.task_queue
    request.memo.fields[EPOCH_MEMO].CopyFrom(Payload(metadata={"encoding": encoding}, data=b"{"))
    await runs.client.workflow_service.start_workflow_execution(request)
    assert await Relay(store, runs).deliver_due() == 1
    assert await outbox_due(store) == 0
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := {run: epoch async for run, epoch in runs.open_runs()}).get(f"quote/{tenant}/Q9", 0) is not None:
        assert time.monotonic() < deadline, "the list lags behind"
        await asyncio.sleep(0.1)
    while f"quote/{tenant}/Q1" not in found:
        assert time.monotonic() < deadline, "the list lags behind"
        await asyncio.sleep(0.1)
        found = {run: epoch async for run, epoch in runs.open_runs()}
    assert found[f"quote/{tenant}/Q1"] == 1
    seen = await runs.run_fetch(tenant, TaskId("Q9"))
    assert seen is not None
    assert seen.run_epoch is None
    for task in ("Q1", "Q9"):
        await runs.client.get_workflow_handle(f"quote/{tenant}/{task}").terminate()
