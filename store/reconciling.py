"""What the reconciler reads: every tenant, and the tasks that nothing moves although something is to be done."""

from dataclasses import dataclass

from models.ids import TaskId, TenantId
from models.tasks import TaskStatus
from store.named_queries import queries
from store.pool import DirectoryTransaction, TenantTransaction


@dataclass(frozen=True, slots=True)
class UnattendedTask:
    """A task that is open, or completed and added to, and the run that should drive it (now, when it `is_due`)."""

    task_id: TaskId
    run_epoch: int
    status: TaskStatus
    is_due: bool


async def tenant_ids(directory: DirectoryTransaction) -> tuple[TenantId, ...]:
    """Every tenant of this database."""
    rows = queries.tenant_ids(directory.conn)
    return tuple([TenantId(row["tenant_id"]) async for row in rows])


async def task_unattended_list(tx: TenantTransaction, *, quiet_seconds: float) -> tuple[UnattendedTask, ...]:
    """Tasks to be driven on that have been quiet for so long and whose start is not on its way."""
    rows = queries.task_unattended_list(tx.conn, tenant_id=tx.tenant_id, quiet_seconds=quiet_seconds)
    return tuple(
        [UnattendedTask(TaskId(row["task_id"]), row["run_epoch"], row["status"], row["is_due"]) async for row in rows]
    )
