"""What the reconciler does to a task whose run is gone: a new run, or the end."""

from collections.abc import Mapping

from models.ids import TaskId, TenantId
from models.transitions import OPEN
from services.audit import audit_append, audit_object
from services.task_inbox import apply_decision
from services.task_state import cancel_now, lock_task, move_task
from store.message import message_unmerged_exists
from store.outbox import outbox_insert
from store.pool import Store, TenantTransaction
from store.reconciling import UnattendedTask, task_unattended_list, tenant_ids
from store.task import TaskRow, task_save_if_revision

CANCELLED = "cancelled"
_ACTOR = "reconciler"


async def unattended_tasks(store: Store, *, quiet_seconds: float) -> Mapping[TenantId, tuple[UnattendedTask, ...]]:
    """For each tenant, its tasks that something is to be done for and that nothing has moved for `quiet_seconds`."""
    async with store.directory_transaction() as directory:
        tenants = await tenant_ids(directory)
    found: dict[TenantId, tuple[UnattendedTask, ...]] = {}
    for tenant_id in tenants:
        async with store.tenant_transaction(tenant_id) as tx:
            found[tenant_id] = await task_unattended_list(tx, quiet_seconds=quiet_seconds)
    return found


async def restart_run(store: Store, tenant_id: TenantId, task_id: TaskId, run_epoch: int, reason: str) -> bool:
    """Raises the epoch and asks for a run of it; whether it did. A task that moved on is left alone."""
    async with store.tenant_transaction(tenant_id) as tx:
        row = await _unchanged(tx, task_id, run_epoch)
        if row is None or not (row.state.status in OPEN or await message_unmerged_exists(tx, task_id)):
            return False
        state = row.state
        raised = state.model_copy(update={"run_epoch": run_epoch + 1, "revision": state.revision + 1})
        # Attempts are counted anew: the writers of the old run are fenced off by the epoch.
        await task_save_if_revision(tx, raised, expected_revision=state.revision, attempt=0)
        detail = {"run_epoch": raised.run_epoch, "reason": reason}
        await audit_append(tx, _ACTOR, "run_restarted", audit_object("task", task_id), detail)
        await outbox_insert(tx, task_id, "start", str(raised.run_epoch))
        return True


async def end_task(store: Store, tenant_id: TenantId, task_id: TaskId, run_epoch: int, reason: str) -> bool:
    """Ends a task whose run was ended from outside, as `reason` says; whether it did. One that moved on is left alone.

    A decision that was made before is carried out. What is still open then is `cancelled` where somebody asked for
    that, of us or of Temporal before the run could do it, and else `failed`.
    """
    async with store.tenant_transaction(tenant_id) as tx:
        row = await _unchanged(tx, task_id, run_epoch)
        if row is None or row.state.status not in OPEN:
            return False
        row = await apply_decision(tx, row)
        if row.state.status not in OPEN:
            return True
        if reason == CANCELLED or row.cancel_requested_by is not None:
            by, why = row.cancel_requested_by or _ACTOR, row.cancel_reason or "cancelled by an operator"
            await cancel_now(tx, row, "cancelled", why, actor=by)
        else:
            await move_task(tx, row, "failed", reason, actor=_ACTOR, outcome="terminated")
        return True


async def _unchanged(tx: TenantTransaction, task_id: TaskId, run_epoch: int) -> TaskRow | None:
    row = await lock_task(tx, task_id)
    return row if row.state.run_epoch == run_epoch else None
