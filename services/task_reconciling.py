"""What the reconciler does to a task whose run is gone or gets nowhere: a new run, a pause, or the end."""

from collections.abc import Mapping
from datetime import timedelta

from models.ids import TaskId, TenantId
from models.tasks import Block, BlockedReason
from models.transitions import OPEN
from services.audit import audit_append, audit_name, audit_object
from services.task_inbox import apply_decision, carry_out
from services.task_state import cancel_now, leave_draft, lock_task, move_task
from store.message import message_unmerged_exists
from store.outbox import outbox_insert
from store.pool import Store, TenantTransaction
from store.reconciling import UnattendedTask, task_unattended_list, tenant_ids
from store.task import TaskRow, dead_letter_insert, dead_letter_list, task_save_if_revision

CANCELLED = "cancelled"
WORKER_FAULT: BlockedReason = "worker_fault"
# How long a task whose run failed waits before it goes on by itself: four times as long each time.
FAULT_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)
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


async def park_task(
    store: Store, tenant_id: TenantId, task_id: TaskId, run_epoch: int, *, cause: str, attempts: int, pause: timedelta
) -> bool:
    """Parks a task whose run of `run_epoch` gets nowhere as `blocked` (worker_fault), under an epoch of no run yet.

    What Postgres holds (a decision, a cancel, a takeover, a supplement) is carried out first, so nothing that was said
    waits for the mending. The block ends by itself after `pause`, four times as long each time, or by a takeover. False
    when the task moved on, or is parked already and nobody said anything since; its run is then left to Temporal.
    """
    async with store.tenant_transaction(tenant_id) as tx:
        row = await _unchanged(tx, task_id, run_epoch)
        if row is None or row.state.status not in OPEN:
            return False
        before = row.state.revision
        was_parked = row.state.block is not None and row.state.block.reason == WORKER_FAULT
        row = await carry_out(tx, row)
        if was_parked and row.state.revision == before:
            return False
        detail = {"run_epoch": run_epoch, "cause": audit_name(cause), "attempts": attempts}
        await audit_append(tx, _ACTOR, "worker_fault_found", audit_object("task", task_id), detail)
        if row.state.status in OPEN and not was_parked:
            row = await _parked(tx, row, audit_name(cause), attempts, pause)
        raised = row.state.model_copy(update={"run_epoch": run_epoch + 1, "revision": row.state.revision + 1})
        await task_save_if_revision(tx, raised, expected_revision=row.state.revision, attempt=0)
        return True


async def _parked(tx: TenantTransaction, row: TaskRow, cause: str, attempts: int, pause: timedelta) -> TaskRow:
    task_id = row.state.task_id
    letters = [one for one in await dead_letter_list(tx, task_id) if one.reason == WORKER_FAULT]
    resumes_at = await tx.now() + min(pause * 4 ** min(len(letters), 10), LONGEST_PAUSE)
    step = row.state.next_step or "restoring"
    await dead_letter_insert(tx, row.state, step=step, reason=WORKER_FAULT, error_code=cause, attempts=attempts)
    version = await leave_draft(tx, row, WORKER_FAULT)
    block = Block(reason=WORKER_FAULT, detail=cause, resumes_at=resumes_at)
    return await move_task(tx, row, "blocked", WORKER_FAULT, actor=_ACTOR, block=block, **version)


async def _unchanged(tx: TenantTransaction, task_id: TaskId, run_epoch: int) -> TaskRow | None:
    row = await lock_task(tx, task_id)
    return row if row.state.run_epoch == run_epoch else None
