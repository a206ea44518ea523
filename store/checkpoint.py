"""What a step leaves behind in its own transaction: its checkpoint, its handoff, its evidence."""

from collections.abc import Sequence
from typing import Any

from models.evidence import Evidence
from models.handoffs import Agent, Handoff
from models.ids import EvidenceId, TaskId
from models.steps import TaskBrief
from models.tasks import Step, StepToken
from store.named_queries import queries
from store.pool import TenantTransaction


async def checkpoint_fetch(tx: TenantTransaction, task_id: TaskId, step: Step, pass_: int) -> TaskBrief | None:
    """What the step answered when it was done, or None when it is not done."""
    row = await queries.checkpoint_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, step=step, pass_=pass_)
    return None if row is None else TaskBrief.model_validate(row["result"])


async def checkpoint_insert(
    tx: TenantTransaction, task_id: TaskId, step: Step, token: StepToken, brief: TaskBrief
) -> None:
    """Stores the answer of a step under (tenant, task, step, pass): a second one breaks the key."""
    await queries.checkpoint_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=task_id,
        step=step,
        pass_=token.pass_,
        run_epoch=token.run_epoch,
        attempt=token.attempt,
        revision=brief.revision,
        result=brief.model_dump(mode="json"),
    )


async def handoff_insert(tx: TenantTransaction, handoff: Handoff, pass_: int) -> None:
    """Stores what one agent hands to the next."""
    await queries.handoff_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=handoff.task_id,
        pass_=pass_,
        source_agent=handoff.source_agent,
        target_agent=handoff.target_agent,
        schema_version=handoff.schema_version,
        run_id=handoff.run_id,
        payload_hash=handoff.payload_hash,
        body=handoff.model_dump(mode="json"),
    )


async def handoff_latest_fetch(tx: TenantTransaction, task_id: TaskId, target: Agent, before: int) -> Handoff | None:
    """The last handoff to `target` of a pass below `before`, or None."""
    row = await queries.handoff_latest_fetch(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, target_agent=target, pass_=before
    )
    return None if row is None else Handoff.model_validate(row["body"])


async def task_evidence_insert(
    tx: TenantTransaction, task_id: TaskId, pass_: int, evidence: Sequence[Evidence]
) -> None:
    """Stores the evidence of one retrieval."""
    await queries.task_evidence_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=task_id,
        pass_=pass_,
        evidence_ids=[one.evidence_id for one in evidence],
        sources=[one.source for one in evidence],
        document_ids=[one.document_id for one in evidence],
        versions=[one.version for one in evidence],
        bodies=[one.model_dump_json() for one in evidence],
    )


async def task_evidence_list(
    tx: TenantTransaction, task_id: TaskId, evidence_ids: Sequence[EvidenceId]
) -> tuple[Evidence, ...]:
    """The evidence of these ids, in the order given; unknown ids are left out."""
    rows: Any = queries.task_evidence_list(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, evidence_ids=list(evidence_ids)
    )
    found = {one.evidence_id: one for one in [Evidence.model_validate(row["body"]) async for row in rows]}
    return tuple(found[evidence_id] for evidence_id in evidence_ids if evidence_id in found)
