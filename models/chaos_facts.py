"""What Postgres holds of a tenant at the end of a chaos run: all that the checker compares with the journal."""

from typing import Any

from pydantic import Field

from models.contract import Contract
from models.decisions import Verdict
from models.fields import FieldName, FieldValue
from models.ids import Subject, TaskId
from models.messages import MessageKind
from models.tasks import TaskState


class TaskFact(Contract):
    """A task: its state, and how many rows tell of its way there."""

    state: TaskState
    starter: Subject
    cancel_requested: bool
    events: int


class MessageFact(Contract):
    """A stored message; its text only as a hash."""

    task_id: TaskId
    message_id: str
    kind: MessageKind
    author: Subject
    text_hash: str
    confirmations: dict[FieldName, FieldValue] = Field(default_factory=dict[FieldName, FieldValue])
    merged: bool


class DecisionFact(Contract):
    """A stored decision, and whether it was carried out or voided."""

    task_id: TaskId
    decision_version: int
    decision_id: str
    verdict: Verdict
    actor: Subject
    applied: bool
    voided: bool


class DraftFact(Contract):
    """A draft that was put before the approvers."""

    task_id: TaskId
    decision_version: int
    content_hash: str
    voided: bool


class AuditFact(Contract):
    """One row of the audit about a task, in the order of the audit."""

    task_id: TaskId
    event: str
    detail: dict[str, Any]


class TenantFacts(Contract):
    """Everything of one tenant."""

    tasks: tuple[TaskFact, ...]
    messages: tuple[MessageFact, ...]
    decisions: tuple[DecisionFact, ...]
    drafts: tuple[DraftFact, ...]
    audit: tuple[AuditFact, ...]
    undelivered: int
