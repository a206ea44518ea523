"""Decisions: one row for one draft, whoever comes second reads the first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.decisions import Decision, Verdict
from models.fields import FieldValue
from models.ids import Subject, TaskId
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A stored decision."""

    decision_version: int
    decision_id: str
    verdict: Verdict
    actor: Subject
    content_hash: str
    comment: str
    confirmations: dict[str, FieldValue]
    decided_at: datetime
    applied_at: datetime | None
    voided_at: datetime | None
    void_reason: str | None


async def decision_insert(tx: TenantTransaction, decision: Decision, confirmations: dict[str, FieldValue]) -> bool:
    """Whether the decision was taken in; False when this draft is decided already."""
    row = await queries.decision_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=decision.task_id,
        decision_version=decision.decision_version,
        decision_id=decision.decision_id,
        verdict=decision.verdict,
        actor=decision.actor,
        content_hash=decision.content_hash,
        comment=decision.comment,
        confirmations=confirmations,
    )
    return row is not None


async def decision_fetch(tx: TenantTransaction, task_id: TaskId, decision_version: int) -> DecisionRow | None:
    """The decision of one draft, or None."""
    row: Any = await queries.decision_fetch(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, decision_version=decision_version
    )
    return None if row is None else DecisionRow(**dict(row.items()))


async def decision_known(tx: TenantTransaction, task_id: TaskId, reference: str) -> bool:
    """Whether `reference` is the id of a decision of this task."""
    known: bool = await queries.decision_known(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, reference=reference)
    return known


async def decision_apply(tx: TenantTransaction, task_id: TaskId, decision_version: int) -> None:
    """Marks the decision as carried out."""
    await queries.decision_apply(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, decision_version=decision_version)


async def decision_void(tx: TenantTransaction, task_id: TaskId, decision_version: int, reason: str) -> None:
    """Marks the decision as void; a first reason stands."""
    await queries.decision_void(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, decision_version=decision_version, reason=reason
    )
