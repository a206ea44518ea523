"""Moving a task: every change of its state goes through here, in one transaction with all that belongs to it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from models.contract import content_hash
from models.drafts import Draft
from models.errors import BudgetExhausted, NotFound, StaleWriter
from models.evidence import Evidence
from models.handoffs import Agent, Handoff
from models.ids import Subject, TaskId
from models.reminders import next_reminder
from models.steps import StepInput, TaskBrief
from models.tasks import Block, BlockedReason, Outcome, Step, StepToken, TaskStatus
from models.transitions import check_step, interrupted, moved
from services.audit import audit_append, audit_object
from services.faults import fault_point
from services.policies import policy_current
from services.task_services import TaskServices
from store.checkpoint import checkpoint_fetch, checkpoint_insert, handoff_insert, task_evidence_insert
from store.draft import draft_fetch, draft_insert, draft_void
from store.message import message_merge, message_unmerged_exists
from store.pool import TenantTransaction
from store.reminder import reminder_list
from store.task import (
    TaskRow,
    dead_letter_insert,
    task_event_insert,
    task_fetch,
    task_lock,
    task_recheck_set,
    task_save_if_revision,
)

MERGES = 10


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What a step hands to the next agent, before the program seals it."""

    source: Agent
    target: Agent
    schema_version: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step makes of the state it was given; `kept` survives an interruption, `changes` do not."""

    target: TaskStatus
    reason: str = ""
    kept: Mapping[str, object] = field(default_factory=dict[str, object])
    changes: Mapping[str, object] = field(default_factory=dict[str, object])
    merged: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    handoff: Outgoing | None = None
    draft: Draft | None = None


Work = Callable[[TaskRow], Awaitable[StepResult]]


async def run_step(services: TaskServices, given: StepInput, work: Work) -> TaskBrief:
    """Does `work` on the task's state and commits what comes of it, once for each (task, step, pass).

    A step that was done answers from its checkpoint. A state that moved meanwhile is read again, at most ten times;
    then the task is blocked. A budget that is used up is no failed attempt: the task is blocked until the day turns.
    Raises StaleWriter when a newer run, pass or attempt owns the task.
    """
    for merge in range(MERGES):
        row, done = await _read(services, given)
        if done is not None:
            return done
        if merge == 0 and row.state.revision != given.expected_revision:
            continue  # lost before it began: the next round works on what is there now
        check_token(row, given.token)
        check_step(row.state.status, row.state.next_step, given.step)
        try:
            result = await work(row)
        except BudgetExhausted as refused:
            result = _out_of_budget(refused)
        fault_point(services.fault, f"{given.step}:before")
        brief = await _commit(services, given, row.state.revision, result)
        if brief is not None:
            fault_point(services.fault, f"{given.step}:after")
            return brief
    return await give_up_step(services, given, "revision_conflict", "revision_conflict", MERGES)


def _out_of_budget(refused: BudgetExhausted) -> StepResult:
    block = Block(reason="budget_exhausted", detail=str(refused), resumes_at=refused.resumes_at)
    return StepResult("blocked", "budget_exhausted", changes={"block": block})


async def give_up_step(
    services: TaskServices, given: StepInput, reason: BlockedReason, error_code: str, attempts: int
) -> TaskBrief:
    """Blocks the task with a dead letter; a task that moved on meanwhile, or is to be cancelled, is left to that."""
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        if moved_on(row, given.token):
            return await brief_of(tx, row)
        if row.cancel_requested_by is not None:
            row = await cancel_now(tx, row, "cancelled", row.cancel_reason or "", actor=row.cancel_requested_by)
            return await brief_of(tx, row)
        await dead_letter_insert(
            tx, row.state, step=given.step, reason=reason, error_code=error_code, attempts=attempts
        )
        block = Block(reason=reason, detail=f"{given.step}: {error_code}")
        row = await move_task(tx, row, "blocked", error_code, actor=given.principal, block=block)
        return await brief_of(tx, row)


def check_token(row: TaskRow, token: StepToken) -> None:
    """Raise StaleWriter unless `token` is of this run, this pass and no older attempt."""
    state = row.state
    if token.run_epoch != state.run_epoch or token.pass_ != state.pass_ or token.attempt < row.attempt:
        raise StaleWriter(
            f"task {state.task_id!r} is at run {state.run_epoch}, pass {state.pass_}, attempt {row.attempt}; "
            f"this writer holds {token.run_epoch}, {token.pass_}, {token.attempt}: stop, nothing was changed"
        )


def check_epoch(row: TaskRow, run_epoch: int) -> None:
    """Raise StaleWriter unless the caller is of the task's current run."""
    if run_epoch != row.state.run_epoch:
        raise StaleWriter(f"task {row.state.task_id!r} belongs to run {row.state.run_epoch}, not {run_epoch}: stop")


def moved_on(row: TaskRow, token: StepToken) -> bool:
    """Whether the step of `token` is behind the task already; raises StaleWriter for another run."""
    check_epoch(row, token.run_epoch)
    return row.state.pass_ != token.pass_


async def lock_task(tx: TenantTransaction, task_id: TaskId) -> TaskRow:
    """The task, held until the transaction ends; NotFound for a foreign or missing one alike."""
    row = await task_lock(tx, task_id)
    if row is None:
        raise task_not_found(task_id)
    return row


def task_not_found(task_id: str) -> NotFound:
    """The one answer for a task that is missing or another tenant's."""
    return NotFound(f"there is no task {task_id!r} here: check the id with `proofdesk task list`")


async def move_task(
    tx: TenantTransaction, row: TaskRow, target: TaskStatus, reason: str, *, actor: str, **changes: object
) -> TaskRow:
    """Writes the next state of a locked task with its timeline event and its audit row."""
    state = moved(row.state, target, now=await tx.now(), **changes)
    return await write_state(tx, row, replace(row, state=state, attempt=0), reason, actor=actor)


async def write_state(tx: TenantTransaction, row: TaskRow, after: TaskRow, reason: str, *, actor: str) -> TaskRow:
    """Writes `after` over the locked `row` with event and audit."""
    state = after.state
    saved = await task_save_if_revision(tx, state, expected_revision=row.state.revision, attempt=after.attempt)
    if not saved:
        raise StaleWriter(f"task {state.task_id!r} moved while it was locked: stop, nothing was changed")
    await task_event_insert(tx, state, reason)
    detail: dict[str, str | int] = {
        "from": row.state.status,
        "to": state.status,
        "revision": state.revision,
        "pass": state.pass_,
        "run_epoch": state.run_epoch,
        "decision_version": state.decision_version,
    }
    await audit_append(tx, actor, "task_moved", audit_object("task", state.task_id), detail)
    return after


async def cancel_now(tx: TenantTransaction, row: TaskRow, outcome: Outcome, reason: str, *, actor: str) -> TaskRow:
    """Ends a locked open task; its draft, if one is shown, is void."""
    await leave_draft(tx, row, outcome)
    return await move_task(tx, row, "cancelled", reason or outcome, actor=actor, outcome=outcome)


async def leave_draft(tx: TenantTransaction, row: TaskRow, reason: str) -> dict[str, object]:
    """Voids the draft of this decision_version if there is one; the change that begins the next version."""
    draft = await draft_fetch(tx, row.state.task_id, row.state.decision_version)
    if draft is None:
        return {}
    await draft_void(tx, row.state.task_id, row.state.decision_version, reason)
    return {"decision_version": row.state.decision_version + 1}


async def brief_of(tx: TenantTransaction, row: TaskRow, reason: str = "") -> TaskBrief:
    """Where the task stands, small enough for workflow history."""
    state = row.state
    hashed, expires_at, reminder = None, None, None
    if state.status in ("awaiting_approval", "completed"):
        draft = await draft_fetch(tx, state.task_id, state.decision_version)
        hashed = None if draft is None else draft.content_hash
    if state.status == "awaiting_approval" and state.awaiting_since is not None:
        held = await policy_current(tx)
        expires_at = state.awaiting_since + held.policy.expires_after
        recorded = await reminder_list(tx, state.task_id, state.decision_version)
        reminder = None if hashed is None else next_reminder(state.awaiting_since, held.policy, recorded)
    return TaskBrief(
        status=state.status,
        revision=state.revision,
        run_epoch=state.run_epoch,
        pass_=state.pass_,
        decision_version=state.decision_version,
        starter=row.starter,
        resume_step=state.next_step,
        content_hash=hashed,
        blocked_reason=None if state.block is None else state.block.reason,
        outcome=state.outcome,
        pending=state.pending,
        reason=reason[:200],
        expires_at=expires_at,
        reminder=reminder,
        resumes_at=None if state.block is None else state.block.resumes_at,
        cancel_requested=row.cancel_requested_by is not None,
    )


async def _read(services: TaskServices, given: StepInput) -> tuple[TaskRow, TaskBrief | None]:
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await task_fetch(tx, given.task_id)
        if row is None:
            raise task_not_found(given.task_id)
        check_epoch(row, given.token.run_epoch)
        return row, await checkpoint_fetch(tx, given.task_id, given.step, given.token.pass_)


async def _commit(services: TaskServices, given: StepInput, expected: int, result: StepResult) -> TaskBrief | None:
    """The step's one transaction; None when the state moved since it was read."""
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        if row.state.revision != expected:
            return None
        check_token(row, given.token)
        if result.merged:
            await message_merge(tx, given.task_id, result.merged, row.state.revision + 1)
        instead = interrupted(
            result.target,
            step=given.step,
            cancel=row.cancel_requested_by is not None,
            unmerged=await message_unmerged_exists(tx, given.task_id),
            recheck=row.recheck_reason is not None,
        )
        if instead is None:
            after = await _proceed(tx, row, given, result)
            reason = result.reason
        else:
            after, reason = await _interrupt(tx, row, given.principal, instead, result.kept)
        brief = await brief_of(tx, after, reason)
        await checkpoint_insert(tx, given.task_id, given.step, given.token, brief)
        return brief


async def _proceed(tx: TenantTransaction, row: TaskRow, given: StepInput, result: StepResult) -> TaskRow:
    changes = {**result.kept, **result.changes}
    base = _stepping(row, given.step)
    after = await move_task(tx, base, result.target, result.reason, actor=given.principal, **changes)
    if result.evidence:
        await task_evidence_insert(tx, given.task_id, given.token.pass_, result.evidence)
    if result.handoff is not None:
        await handoff_insert(tx, await _sealed(tx, given, result.handoff), given.token.pass_)
    if result.draft is not None:
        await draft_insert(tx, result.draft)
    return after


async def _interrupt(
    tx: TenantTransaction, row: TaskRow, actor: Subject, instead: TaskStatus, kept: Mapping[str, object]
) -> tuple[TaskRow, str]:
    if instead == "cancelled":
        reason = row.cancel_reason or "cancelled"
        actor = Subject(row.cancel_requested_by or actor)
        after = await move_task(tx, row, "cancelled", reason, actor=actor, outcome="cancelled", **kept)
        return after, "cancelled"  # what a person wrote stays here and goes into no workflow history
    reason = "supplement" if instead == "restoring" else row.recheck_reason or "recheck"
    version = await leave_draft(tx, row, reason)
    base = row if instead == "restoring" else _stepping(row, row.state.next_step or "retrieving")
    return await move_task(tx, base, instead, reason, actor=actor, **kept, **version), reason


def _stepping(row: TaskRow, step: Step) -> TaskRow:
    """A task that retries a step does that step now; its next move starts there."""
    if row.state.status != "retrying":
        return row
    return replace(row, state=row.state.model_copy(update={"status": step}))


async def clear_recheck(services: TaskServices, given: StepInput) -> None:
    """The evidence is asked for now: whatever changes from here on asks again."""
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        check_token(row, given.token)
        if row.recheck_reason is not None:
            await task_recheck_set(tx, given.task_id, None)


async def _sealed(tx: TenantTransaction, given: StepInput, outgoing: Outgoing) -> Handoff:
    return Handoff(
        run_id=given.run_id,
        task_id=given.task_id,
        source_agent=outgoing.source,
        target_agent=outgoing.target,
        schema_version=outgoing.schema_version,
        timestamp=await tx.now(),
        payload_hash=content_hash(outgoing.payload),
        payload=outgoing.payload,
    )
