"""What a resting task is to do next: asked of Postgres, whatever the signals say.

Why it is so: a signal is a notification, never proof. Its reference is looked up for this task alone; one that is not
there is audited and has no effect. What has an effect are rows that were written with their own checks, in a fixed
order: a decision that stands came before anything that would have barred it, then cancel, takeover, supplement, changed
evidence.
"""

from collections import Counter
from collections.abc import Sequence

from models.contract import text_hash
from models.steps import ExpiryInput, InboxInput, Signalled, TaskBrief
from models.tasks import Block, Outcome
from models.transitions import OPEN, RESTS
from services.audit import audit_append, audit_object
from services.task_evidence import cited_evidence, failed_evidence
from services.task_run import reopen
from services.task_services import TaskServices
from services.task_state import brief_of, cancel_now, check_epoch, leave_draft, lock_task, move_task
from store.decision import DecisionRow, decision_apply, decision_fetch, decision_known, decision_void
from store.draft import draft_fetch
from store.message import message_fetch, message_unmerged_exists
from store.outbox import outbox_known
from store.pool import TenantTransaction
from store.takeover import takeover_apply, takeover_fetch, takeover_known
from store.task import TaskRow, dead_letter_resolve, task_recheck_set

_OUTCOMES: dict[str, Outcome] = {"approve": "approved", "reject": "rejected"}


async def read_inbox(services: TaskServices, given: InboxInput) -> TaskBrief:
    """Carries out what Postgres holds for the task and says where it stands then.

    Signals that name nothing of this task are audited together as `unverified_signal`. Raises StaleWriter when the
    task belongs to another run.
    """
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        check_epoch(row, given.run_epoch)
        await _audit_signals(tx, row, given)
        row = await carry_out(tx, row)
        return await brief_of(tx, row)


async def expire_approval(services: TaskServices, given: ExpiryInput) -> TaskBrief:
    """Blocks a task whose draft nobody decided on in time, unless something else happened first.

    The deadline is the workflow's timer; only whether the draft still waits is asked here.
    """
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        check_epoch(row, given.run_epoch)
        row = await carry_out(tx, row)
        waits = row.state.status == "awaiting_approval" and row.state.decision_version == given.decision_version
        if waits:
            version = await leave_draft(tx, row, "approval_expired")
            block = Block(reason="approval_expired", detail=f"decision_version {given.decision_version}")
            row = await move_task(tx, row, "blocked", "approval_expired", actor=given.principal, block=block, **version)
        return await brief_of(tx, row)


async def apply_decision(tx: TenantTransaction, row: TaskRow) -> TaskRow:
    """Carries out the decision that stands for the draft shown, once; one that fails its check is voided."""
    if row.state.status != "awaiting_approval":
        return row
    decision = await decision_fetch(tx, row.state.task_id, row.state.decision_version)
    if decision is None or decision.applied_at is not None or decision.voided_at is not None:
        return row
    fault = await _fault_of(tx, row, decision)
    if fault is not None:
        return await _void(tx, row, decision, fault)
    await decision_apply(tx, row.state.task_id, decision.decision_version)
    if decision.verdict == "request_changes":
        version = await leave_draft(tx, row, "request_changes")
        return await move_task(tx, row, "restoring", "request_changes", actor=decision.actor, **version)
    outcome = _OUTCOMES[decision.verdict]
    row = await move_task(tx, row, "completed", outcome, actor=decision.actor, outcome=outcome)
    if await message_unmerged_exists(tx, row.state.task_id):
        return await reopen(tx, row)
    return row


async def carry_out(tx: TenantTransaction, row: TaskRow) -> TaskRow:
    """Carries out what Postgres holds for a locked task, in the order above."""
    row = await apply_decision(tx, row)
    if row.state.status not in OPEN:
        return row
    if row.cancel_requested_by is not None:
        return await cancel_now(tx, row, "cancelled", row.cancel_reason or "", actor=row.cancel_requested_by)
    row = await _apply_takeover(tx, row)
    if row.state.status not in RESTS:
        return row
    if await message_unmerged_exists(tx, row.state.task_id) and not await _waits_for_mending(tx, row):
        version = await leave_draft(tx, row, "supplement")
        return await move_task(tx, row, "restoring", "supplement", actor=row.starter, **version)
    return await _apply_recheck(tx, row)


async def _waits_for_mending(tx: TenantTransaction, row: TaskRow) -> bool:
    """Whether a fault of the program parked the task: what was said is kept, and would meet the same fault now."""
    block = row.state.block
    if block is None or block.reason != "worker_fault" or block.resumes_at is None:
        return False
    return await tx.now() < block.resumes_at


async def _apply_takeover(tx: TenantTransaction, row: TaskRow) -> TaskRow:
    if row.state.status != "blocked":
        return row
    takeover = await takeover_fetch(tx, row.state.task_id, row.state.pass_)
    if takeover is None or takeover.applied_at is not None:
        return row
    await takeover_apply(tx, row.state.task_id, row.state.pass_)
    await dead_letter_resolve(tx, row.state.task_id)
    if takeover.choice == "abandon":
        return await cancel_now(tx, row, "abandoned", "abandoned", actor=takeover.actor)
    return await move_task(tx, row, "restoring", f"takeover: {takeover.choice}", actor=takeover.actor)


async def _apply_recheck(tx: TenantTransaction, row: TaskRow) -> TaskRow:
    """Only a shown draft goes back by itself; leaving any other rest asks for all evidence anyway."""
    if row.recheck_reason is None:
        return row
    await task_recheck_set(tx, row.state.task_id, None)
    if row.state.status != "awaiting_approval":
        return row
    version = await leave_draft(tx, row, row.recheck_reason)
    return await move_task(tx, row, "retrieving", row.recheck_reason, actor=row.starter, **version)


async def _fault_of(tx: TenantTransaction, row: TaskRow, decision: DecisionRow) -> str | None:
    """Why the decision cannot be carried out, or None."""
    stored = await draft_fetch(tx, row.state.task_id, decision.decision_version)
    if stored is None or stored.voided_at is not None:
        return "draft_void"
    draft = stored.read()
    if draft is None or draft.content_hash != decision.content_hash:
        return "content_hash"
    if decision.verdict == "approve":
        cited = cited_evidence(draft)
        if await failed_evidence(tx, row.state.task_id, decision.actor, cited):
            return "evidence"
    return None


async def _void(tx: TenantTransaction, row: TaskRow, decision: DecisionRow, fault: str) -> TaskRow:
    await decision_void(tx, row.state.task_id, decision.decision_version, fault)
    detail: dict[str, str | int] = {
        "decision_id": decision.decision_id,
        "decision_version": decision.decision_version,
        "reason": fault,
    }
    await audit_append(tx, "workflow", "decision_voided", audit_object("task", row.state.task_id), detail)
    version = await leave_draft(tx, row, f"decision_voided: {fault}")
    return await move_task(tx, row, "retrieving", f"decision_voided: {fault}", actor=row.starter, **version)


async def _audit_signals(tx: TenantTransaction, row: TaskRow, given: InboxInput) -> None:
    unknown = [one for one in given.signals if not await _is_known(tx, row, one)]
    about = audit_object("task", row.state.task_id)
    if unknown:
        await audit_append(tx, "workflow", "unverified_signal", about, _summary(unknown))
    if given.rejected_signals:
        await audit_append(tx, "workflow", "signal_rejected", about, {"count": given.rejected_signals})


def _summary(unknown: Sequence[Signalled]) -> dict[str, str | int | list[str]]:
    """How many of each name, and hashes of a few references: what a stranger wrote is kept nowhere."""
    names = Counter(one.name for one in unknown)
    hashes = sorted({text_hash(one.reference)[:16] for one in unknown})[:10]
    return {"count": len(unknown), "names": [f"{name}={names[name]}" for name in sorted(names)], "references": hashes}


async def _is_known(tx: TenantTransaction, row: TaskRow, signal: Signalled) -> bool:
    task_id = row.state.task_id
    if "\0" in signal.reference:
        return False
    if signal.name == "supplement_recorded":
        return await message_fetch(tx, task_id, signal.reference) is not None
    if signal.name == "decision_recorded":
        return await decision_known(tx, task_id, signal.reference)
    if signal.name == "takeover_recorded":
        return await takeover_known(tx, task_id, signal.reference)
    return await outbox_known(tx, task_id, "recheck", signal.reference)
