"""Takeovers: one for each time a task is blocked."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.decisions import Takeover
from models.fields import FieldValue
from models.ids import Subject, TaskId
from models.tasks import TakeoverChoice
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class TakeoverRow:
    """A stored takeover of the block of one pass."""

    pass_: int
    takeover_id: str
    choice: TakeoverChoice
    actor: Subject
    text: str
    confirmations: dict[str, FieldValue]
    taken_at: datetime
    applied_at: datetime | None


async def takeover_insert(tx: TenantTransaction, takeover: Takeover, pass_: int) -> None:
    """Stores a takeover: a second one of the same block breaks the key."""
    await queries.takeover_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=takeover.task_id,
        pass_=pass_,
        takeover_id=takeover.takeover_id,
        choice=takeover.choice,
        actor=takeover.actor,
        text=takeover.text,
        confirmations=dict(takeover.confirmations),
    )


async def takeover_fetch(tx: TenantTransaction, task_id: TaskId, pass_: int) -> TakeoverRow | None:
    """The takeover of one block, or None."""
    row: Any = await queries.takeover_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, pass_=pass_)
    if row is None:
        return None
    return TakeoverRow(
        row["pass"],
        row["takeover_id"],
        row["choice"],
        row["actor"],
        row["text"],
        row["confirmations"],
        row["taken_at"],
        row["applied_at"],
    )


async def takeover_known(tx: TenantTransaction, task_id: TaskId, reference: str) -> bool:
    """Whether `reference` is the id of a takeover of this task."""
    known: bool = await queries.takeover_known(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, reference=reference)
    return known


async def takeover_apply(tx: TenantTransaction, task_id: TaskId, pass_: int) -> None:
    """Marks the takeover as carried out."""
    await queries.takeover_apply(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, pass_=pass_)
