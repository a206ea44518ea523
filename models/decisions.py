"""A person's decision of one draft, and a person's takeover of a blocked task."""

from datetime import datetime
from typing import Literal

from models.contract import Contract
from models.fields import FieldValue
from models.ids import Subject, TaskId, TenantId
from models.source_choices import NamedSource
from models.tasks import TakeoverChoice

Verdict = Literal["approve", "request_changes", "reject"]


class Decision(Contract):
    """Bound to a decision_version and a content hash; a row that fails its check is voided, never applied."""

    tenant_id: TenantId
    task_id: TaskId
    decision_version: int
    decision_id: str
    verdict: Verdict
    actor: Subject
    content_hash: str
    comment: str
    decided_at: datetime
    voided: bool = False
    void_reason: str | None = None


class Takeover(Contract):
    """What a person chose for a blocked task."""

    tenant_id: TenantId
    task_id: TaskId
    takeover_id: str
    choice: TakeoverChoice
    actor: Subject
    text: str
    confirmations: dict[str, FieldValue]
    taken_at: datetime
    source: NamedSource | None = None
