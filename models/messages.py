"""What arrives for a task: the request, supplements, confirmations; originals citable by that task only."""

from datetime import datetime
from typing import Literal

from models.canonical import Segment
from models.contract import Contract
from models.fields import FieldValue
from models.ids import Subject, TaskId, TenantId

MessageKind = Literal["request", "supplement", "confirmation", "request_changes", "takeover"]


class Message(Contract):
    """One original of a task: canonical text with its hash, and structured confirmations beside it."""

    tenant_id: TenantId
    task_id: TaskId
    message_id: str
    kind: MessageKind
    author: Subject
    text: str
    content_hash: str
    segments: tuple[Segment, ...]
    confirmations: dict[str, FieldValue]
    received_at: datetime
    merged: bool
