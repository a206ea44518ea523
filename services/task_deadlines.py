"""What a timer of a resting task brings about: a reminder, or the end of a block that ends by itself.

Why it is so: the moment is the workflow's timer alone; here only whether the task still rests where the timer began is
asked. What happened meanwhile comes first. Nothing is mailed: a reminder is a line of the timeline and an urgency.
"""

from models.ids import Subject
from models.reminders import ReminderKind
from models.steps import ReminderInput, ResumeInput, TaskBrief
from services.audit import audit_append, audit_object
from services.task_inbox import carry_out
from services.task_services import TaskServices
from services.task_state import brief_of, check_epoch, lock_task, move_task
from store.draft import draft_fetch
from store.reminder import reminder_insert
from store.task import dead_letter_resolve, task_event_insert

_ACTOR = Subject("workflow")
_EVENTS: dict[ReminderKind, str] = {"reminder": "approval_reminded", "escalation": "approval_escalated"}


async def record_reminder(services: TaskServices, given: ReminderInput) -> TaskBrief:
    """Reminds the approvers of a draft that still awaits them, once for each kind; the brief names what comes next.

    Raises StaleWriter when the task belongs to another run.
    """
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        check_epoch(row, given.run_epoch)
        row = await carry_out(tx, row)
        state = row.state
        version = given.decision_version
        waits = state.status == "awaiting_approval" and state.decision_version == version
        if waits and await draft_fetch(tx, given.task_id, version) is not None:
            first = await reminder_insert(tx, given.task_id, version, given.kind, run_epoch=given.run_epoch)
            if first:
                await task_event_insert(tx, state, given.kind)
                detail: dict[str, str | int] = {"decision_version": version, "run_epoch": given.run_epoch}
                await audit_append(tx, _ACTOR, _EVENTS[given.kind], audit_object("task", given.task_id), detail)
        return await brief_of(tx, row)


async def resume_task(services: TaskServices, given: ResumeInput) -> TaskBrief:
    """Goes on with a task whose block ends by itself now, unless a person was first: by restoring, as after a retry.

    Raises StaleWriter when the task belongs to another run.
    """
    async with services.store.tenant_transaction(given.tenant_id) as tx:
        row = await lock_task(tx, given.task_id)
        check_epoch(row, given.run_epoch)
        row = await carry_out(tx, row)
        block = row.state.block
        if block is not None and block.resumes_at is not None and row.state.pass_ == given.pass_:
            await dead_letter_resolve(tx, given.task_id)
            row = await move_task(tx, row, "restoring", f"resumed: {block.reason}", actor=_ACTOR)
        return await brief_of(tx, row)
