"""What a step leaves behind stands under one key, and comes back as it went in."""

from datetime import UTC, datetime

import asyncpg
import pytest
import pytest_asyncio

from models.canonical import Locator
from models.contract import text_hash
from models.evidence import Checks, Evidence
from models.handoffs import Handoff
from models.ids import EvidenceId, Subject, TaskId, TenantId
from models.steps import TaskBrief
from models.tasks import StepToken, TaskState
from store.checkpoint import (
    checkpoint_fetch,
    checkpoint_insert,
    handoff_insert,
    handoff_latest_fetch,
    task_evidence_insert,
    task_evidence_list,
)
from store.pool import Store
from store.task import task_insert

_Q1 = TaskId("Q1")
_TOKEN = StepToken(run_epoch=1, pass_=3, attempt=1)
_BRIEF = TaskBrief(
    status="analyzing",
    revision=5,
    run_epoch=1,
    pass_=4,
    decision_version=1,
    starter=Subject("lin"),
    pending=("quantity",),
)


@pytest_asyncio.fixture
async def tenant_with_task(store: Store, tenant: TenantId) -> TenantId:
    async with store.tenant_transaction(tenant) as tx:
        await tx.conn.execute("insert into principals (tenant_id, subject) values ($1, 'lin')", tenant)
        state = TaskState(tenant_id=tenant, task_id=_Q1, revision=1, status="created")
        await task_insert(tx, state, starter="lin", request_hash="h")
    return tenant


async def test_a_checkpoint_is_found_by_step_and_pass(store: Store, tenant_with_task: TenantId) -> None:
    async with store.tenant_transaction(tenant_with_task) as tx:
        await checkpoint_insert(tx, _Q1, "retrieving", _TOKEN, _BRIEF)
        assert await checkpoint_fetch(tx, _Q1, "retrieving", 3) == _BRIEF
        assert await checkpoint_fetch(tx, _Q1, "retrieving", 4) is None
        assert await checkpoint_fetch(tx, _Q1, "analyzing", 3) is None


async def test_a_second_checkpoint_of_a_pass_breaks_the_key(store: Store, tenant_with_task: TenantId) -> None:
    with pytest.raises(asyncpg.UniqueViolationError):
        async with store.tenant_transaction(tenant_with_task) as tx:
            for _ in range(2):
                await checkpoint_insert(tx, _Q1, "retrieving", _TOKEN, _BRIEF)


def _handoff(number: int) -> Handoff:
    return Handoff(
        run_id="run",
        task_id=_Q1,
        source_agent="retrieval",
        target_agent="analysis",
        schema_version="memory-input@1",
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
        payload_hash=str(number),
        payload={"n": number, "text": "交期"},
    )


async def test_the_last_handoff_below_a_pass_is_found(store: Store, tenant_with_task: TenantId) -> None:
    async with store.tenant_transaction(tenant_with_task) as tx:
        for pass_ in (3, 6, 9):
            await handoff_insert(tx, _handoff(pass_), pass_)
        assert await handoff_latest_fetch(tx, _Q1, "analysis", 9) == _handoff(6)
        assert await handoff_latest_fetch(tx, _Q1, "review", 9) is None
        assert await handoff_latest_fetch(tx, _Q1, "analysis", 3) is None


def _evidence(name: str) -> Evidence:
    return Evidence(
        evidence_id=EvidenceId(name),
        source="message",
        document_id="M1",
        version=1,
        kind="message",
        title="request",
        quote="交期 15 日",
        locator=Locator(char_start=0, char_end=7),
        content_hash=text_hash("交期 15 日"),
        span_hash=text_hash("交期 15 日"),
        effective_from=None,
        effective_to=None,
        index_version=None,
        checks=Checks(version=True, permission=True, validity=True, hash=True, span=True),
    )


async def test_evidence_comes_back_in_the_order_asked_for(store: Store, tenant_with_task: TenantId) -> None:
    async with store.tenant_transaction(tenant_with_task) as tx:
        await task_evidence_insert(tx, _Q1, 3, [_evidence("E1"), _evidence("E2")])
        await task_evidence_insert(tx, _Q1, 3, [])
        found = await task_evidence_list(tx, _Q1, [EvidenceId("E2"), EvidenceId("E9"), EvidenceId("E1")])
    assert found == (_evidence("E2"), _evidence("E1"))
