"""A run of the workflow: whether it is the task's current one, and what becomes of an attempt that failed."""

from dataclasses import replace

from models.steps import RunInput, RunOpened, StepFailure, TaskBrief
from models.tasks import TaskStatus
from models.transitions import OPEN, check_step, check_transition
from services.audit import audit_name, audit_object
from services.task_services import TaskServices
from services.task_state import (
    brief_of,
    cancel_now,
    give_up_step,
    leave_draft,
    lock_task,
    move_task,
    moved_on,
    write_state,
)
from store.audit import audit_refusal_insert
from store.message import message_unmerged_exists
from store.pool import TenantTransaction
from store.task import TaskRow, task_lock


async def open_run(services: TaskServices, given: RunInput) -> RunOpened:
    """Whether this run may work on the task, and where the task stands.

    A run whose epoch is not the one in Postgres, or whose task is closed or unknown, is refused and audited: a start
    from outside changes nothing. A task just created, and a completed one that something new was said to, begin with
    restoring; a retrying one enters its step anew; every other open task goes on where it stood.
    """
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await task_lock(tx, given.task_id)
        if row is None:
            return await _refuse(tx, given, "there is no such task")
        if row.state.run_epoch != given.run_epoch:
            return await _refuse(tx, given, f"the current run is {row.state.run_epoch}")
        if row.state.status == "created":
            row = await move_task(tx, row, "restoring", "started", actor=row.starter)
        elif row.state.status == "retrying":
            row = await _take_up(tx, row)
        elif row.state.status == "completed" and await message_unmerged_exists(tx, given.task_id):
            row = await reopen(tx, row)
        elif row.state.status not in OPEN:
            return await _refuse(tx, given, f"the task is {row.state.status}")
        return RunOpened(accepted=True, brief=await brief_of(tx, row))


async def _take_up(tx: TenantTransaction, row: TaskRow) -> TaskRow:
    """A run that finds a step half done enters it anew: it counts attempts from one, older ones are fenced off."""
    step = row.state.next_step or "restoring"
    return await move_task(tx, row, step, "taken up by a new run", actor=row.starter)


async def reopen(tx: TenantTransaction, row: TaskRow) -> TaskRow:
    """A completed, locked task takes up what was said since; the next decision_version begins."""
    version = await leave_draft(tx, row, "supplement")
    return await move_task(tx, row, "restoring", "supplement", actor=row.starter, **version)


async def mark_retrying(services: TaskServices, given: StepFailure) -> TaskBrief:
    """Shows that an attempt failed and fences it off: from now on only the next attempt may write.

    A task that moved on meanwhile is left where it is; one that is to be cancelled, is cancelled.
    """
    failed = given.failed
    async with services.store.tenant_transaction(failed.tenant_id) as tx:
        row = await lock_task(tx, failed.task_id)
        if moved_on(row, failed.token) or row.attempt > failed.token.attempt:
            return await brief_of(tx, row)
        if row.cancel_requested_by is not None:
            row = await cancel_now(tx, row, "cancelled", row.cancel_reason or "", actor=row.cancel_requested_by)
            return await brief_of(tx, row)
        check_step(row.state.status, row.state.next_step, failed.step)
        target: TaskStatus = "retrying"
        check_transition(row.state.status, target)
        update = {"status": target, "next_step": failed.step, "revision": row.state.revision + 1}
        # The pass stays: it is the same entry into the step, told apart by its attempt.
        after = replace(row, state=row.state.model_copy(update=update), attempt=failed.token.attempt + 1)
        reason = f"{failed.step} failed: {audit_name(given.error_code)}"
        row = await write_state(tx, row, after, reason, actor=failed.principal)
        return await brief_of(tx, row, reason)


async def block_task(services: TaskServices, given: StepFailure) -> TaskBrief:
    """Gives the step up after its last attempt: `blocked` (attempts_exhausted) with a dead letter."""
    return await give_up_step(
        services, given.failed, "attempts_exhausted", audit_name(given.error_code), given.attempts
    )


async def _refuse(tx: TenantTransaction, given: RunInput, reason: str) -> RunOpened:
    detail = {"run_epoch": given.run_epoch, "run_id": audit_name(given.run_id), "reason": reason}
    about = audit_object("task", given.task_id)
    await audit_refusal_insert(tx, actor="workflow", event="run_refused", about=about, detail=detail)
    return RunOpened(accepted=False, reason=reason)
