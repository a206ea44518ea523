"""Reminders of drafts that await a decision: each once for each draft."""

from models.ids import TaskId
from models.reminders import ReminderKind
from store.named_queries import queries
from store.pool import TenantTransaction


async def reminder_insert(
    tx: TenantTransaction, task_id: TaskId, decision_version: int, kind: ReminderKind, *, run_epoch: int
) -> bool:
    """Whether this is the draft's first reminder of this kind."""
    row = await queries.reminder_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=task_id,
        decision_version=decision_version,
        kind=kind,
        run_epoch=run_epoch,
    )
    return row is not None


async def reminder_list(tx: TenantTransaction, task_id: TaskId, decision_version: int) -> frozenset[ReminderKind]:
    """The reminders that a draft had."""
    rows = queries.reminder_list(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, decision_version=decision_version)
    return frozenset([row["kind"] async for row in rows])
