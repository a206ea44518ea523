"""Cancelling a task: asked for in Postgres first, carried out by whoever holds the task next."""

from models.errors import AlreadyDecided, Conflict, InvalidInput
from models.ids import Subject, parse_task_id
from models.principals import Principal, require_role
from models.steps import CancelInput, TaskBrief
from models.transitions import OPEN
from services.audit import audit_append, audit_object, audited_refusals
from services.principals import resolve_principal
from services.task_inbox import apply_decision
from services.task_services import TaskServices
from services.task_state import brief_of, cancel_now, check_epoch, lock_task
from store.decision import decision_fetch
from store.outbox import outbox_insert
from store.pool import Store
from store.task import task_cancel_request

_MAX_REASON = 500


async def cancel_task(store: Store, actor: Principal, *, task_id: str, reason: str) -> TaskBrief:
    """Asks for the end of an open task; its starter, approvers and operators only. Asked again is the same answer.

    Raises Conflict for a task that is completed or failed, AlreadyDecided when a decision waits to be carried out.
    """
    async with audited_refusals(store, actor.tenant_id, actor.subject, "cancel", audit_object("task", task_id)):
        checked = parse_task_id(task_id)
        if not 0 < len(reason.strip()) <= _MAX_REASON:
            raise InvalidInput(f"say why in 1 to {_MAX_REASON} characters")
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await resolve_principal(tx, actor.tenant_id, actor.subject)
            row = await lock_task(tx, checked)
            if current.subject != row.starter:
                require_role(current, "operator", "approver")
            if row.cancel_requested_by is not None or row.state.status == "cancelled":
                return await brief_of(tx, row)
            if row.state.status not in OPEN:
                raise Conflict(f"task {checked!r} is {row.state.status}: there is nothing left to cancel")
            standing = await decision_fetch(tx, checked, row.state.decision_version)
            if standing is not None and standing.applied_at is None and standing.voided_at is None:
                raise AlreadyDecided(f"task {checked!r} was decided by {standing.actor!r}: {standing.verdict}")
            await task_cancel_request(tx, checked, actor=current.subject, reason=reason)
            await audit_append(tx, current.subject, "cancel_requested", audit_object("task", checked), {})
            await outbox_insert(tx, checked, "cancel", current.subject)
            return await brief_of(tx, await lock_task(tx, checked))


async def cancel_run(services: TaskServices, given: CancelInput) -> TaskBrief:
    """Carries out Temporal's own cancel, or ours that it tells of; a decision that came first is carried out instead.

    A closed task stays as it is. Raises StaleWriter when the task belongs to another run.
    """
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        check_epoch(row, given.run_epoch)
        row = await apply_decision(tx, row)
        if row.state.status in OPEN:
            actor = Subject(row.cancel_requested_by or "workflow")
            row = await cancel_now(tx, row, "cancelled", row.cancel_reason or given.reason[:_MAX_REASON], actor=actor)
        return await brief_of(tx, row)
