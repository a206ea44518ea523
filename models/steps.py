"""What passes between the workflow and its activities: references and statuses, never texts."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from models.contract import Contract
from models.fields import FieldName
from models.ids import Subject, TaskId, TenantId
from models.reminders import DueReminder, ReminderKind
from models.tasks import BlockedReason, Outcome, Step, StepToken, TaskStatus

SignalName = Literal["supplement_recorded", "decision_recorded", "takeover_recorded", "evidence_changed"]
TERMINAL_STATUSES: frozenset[TaskStatus] = frozenset({"completed", "failed", "cancelled"})


class TaskBrief(Contract):
    """Where a task stands in Postgres, small enough for workflow history."""

    status: TaskStatus
    revision: int
    run_epoch: int
    pass_: int
    decision_version: int
    starter: Subject
    resume_step: Step | None = None
    content_hash: str | None = None
    blocked_reason: BlockedReason | None = None
    outcome: Outcome | None = None
    pending: tuple[FieldName, ...] = ()
    reason: str = ""
    expires_at: datetime | None = None
    resumes_at: datetime | None = None
    reminder: DueReminder | None = None
    cancel_requested: bool = False


class RunInput(Contract):
    """One run of `QuoteTask`; a run whose epoch is not the one in Postgres ends itself."""

    tenant_id: TenantId
    task_id: TaskId
    run_epoch: int
    run_id: str = ""
    carried: "CarriedRun | None" = None


class TimelineEntry(Contract):
    """A status that the run saw, and when."""

    at: datetime
    status: TaskStatus
    reason: str = ""


class CarriedRun(Contract):
    """What a run hands to its successor at continue-as-new."""

    timeline: tuple[TimelineEntry, ...] = ()
    signals_seen: tuple[str, ...] = ()
    signals_rejected: int = 0
    unknown_signals: int = 0
    signals_waiting: tuple["Signalled", ...] = ()
    signals_unreported: int = 0
    unreachable_since: datetime | None = None


class RunOpened(Contract):
    """The answer to a run that asks whether it is the current one."""

    accepted: bool
    reason: str = ""
    brief: TaskBrief | None = None


class StepInput(Contract):
    """One attempt of one step, fenced by its token."""

    tenant_id: TenantId
    task_id: TaskId
    principal: Subject
    run_id: str
    step: Step
    token: StepToken
    expected_revision: int


class StepFailure(Contract):
    """An attempt that failed, by the code of its error (never by its text)."""

    failed: StepInput
    error_code: str
    attempts: int


class Signalled(Contract):
    """A signal as it came: a notification, never proof."""

    name: SignalName
    reference: str = Field(max_length=200)


class InboxInput(Contract):
    """Asks Postgres what is to be done; `signals` are only checked and audited."""

    tenant_id: TenantId
    task_id: TaskId
    principal: Subject
    run_id: str
    run_epoch: int
    signals: tuple[Signalled, ...] = ()
    rejected_signals: int = 0


class ExpiryInput(Contract):
    """The approval timer of one draft fired."""

    tenant_id: TenantId
    task_id: TaskId
    principal: Subject
    run_id: str
    run_epoch: int
    decision_version: int


class ReminderInput(Contract):
    """The timer of a reminder of one draft fired."""

    tenant_id: TenantId
    task_id: TaskId
    principal: Subject
    run_id: str
    run_epoch: int
    decision_version: int
    kind: ReminderKind


class ResumeInput(Contract):
    """The moment came at which the block of one pass ends by itself."""

    tenant_id: TenantId
    task_id: TaskId
    principal: Subject
    run_id: str
    run_epoch: int
    pass_: int


class CancelInput(Contract):
    """Temporal's own cancel reached the run."""

    tenant_id: TenantId
    task_id: TaskId
    principal: Subject
    run_id: str
    run_epoch: int
    reason: str
