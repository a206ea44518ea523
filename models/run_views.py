"""What a run of `QuoteTask` answers to an operator's query: ids, numbers and statuses, never texts."""

from models.contract import Contract
from models.fields import FieldName
from models.ids import TaskId, TenantId
from models.tasks import BlockedReason, Outcome, TaskStatus


class RunStatus(Contract):
    """Where the run believes the task to stand, and what it was told in vain."""

    tenant_id: TenantId
    task_id: TaskId
    run_epoch: int
    status: TaskStatus
    revision: int
    decision_version: int
    pending: tuple[FieldName, ...]
    blocked_reason: BlockedReason | None
    outcome: Outcome | None
    error_code: str | None
    signals_rejected: int
    unknown_signals: int


class RunDraft(Contract):
    """Which draft awaits a decision or was decided on; its text comes from `proofdesk task show`."""

    draft_id: str
    decision_version: int
    content_hash: str
