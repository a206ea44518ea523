"""Originals of a task: kept as they came, and marked once the state holds what they say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.canonical import Segment
from models.fields import FieldValue
from models.ids import Subject, TaskId
from models.messages import MessageKind
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message; `merged_revision` is None until the state of that revision holds it."""

    message_id: str
    ordinal: int
    kind: MessageKind
    author: Subject
    text: str
    content_hash: str
    segments: tuple[Segment, ...]
    parse_flags: tuple[str, ...]
    file_name: str | None
    original_hash: str | None
    confirmations: dict[str, FieldValue]
    idempotency_hash: str
    received_at: datetime
    merged_revision: int | None
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message before it is stored."""

    message_id: str
    ordinal: int
    kind: MessageKind
    author: Subject
    text: str
    content_hash: str
    segments: Sequence[Segment]
    parse_flags: Sequence[str]
    file_name: str | None
    original_hash: str | None
    confirmations: Mapping[str, FieldValue]
    idempotency_hash: str
    answers: Sequence[str] = ()


async def message_insert(tx: TenantTransaction, task_id: TaskId, new: NewMessage) -> None:
    """Stores a message, not merged yet."""
    await queries.message_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=task_id,
        message_id=new.message_id,
        ordinal=new.ordinal,
        kind=new.kind,
        author=new.author,
        text=new.text,
        content_hash=new.content_hash,
        segments=[one.model_dump(mode="json") for one in new.segments],
        parse_flags=list(new.parse_flags),
        file_name=new.file_name,
        original_hash=new.original_hash,
        confirmations=dict(new.confirmations),
        idempotency_hash=new.idempotency_hash,
        answers=list(new.answers),
    )


async def message_list(tx: TenantTransaction, task_id: TaskId) -> list[MessageRow]:
    """The messages of a task in the order of their arrival."""
    rows = queries.message_list(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return [_message(row) async for row in rows]


async def message_fetch(tx: TenantTransaction, task_id: TaskId, message_id: str) -> MessageRow | None:
    """One message of this task, or None."""
    row = await queries.message_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, message_id=message_id)
    return None if row is None else _message(row)


async def message_unmerged_exists(tx: TenantTransaction, task_id: TaskId) -> bool:
    """Whether something was said that the state does not hold yet."""
    found: bool = await queries.message_unmerged_exists(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return found


async def message_merge(tx: TenantTransaction, task_id: TaskId, message_ids: Sequence[str], revision: int) -> None:
    """Marks messages as held by the state of `revision`."""
    await queries.message_merge(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, message_ids=list(message_ids), revision=revision
    )


async def message_author_list(tx: TenantTransaction, task_id: TaskId) -> frozenset[str]:
    """Everyone who said something to the task or took it over."""
    rows = queries.message_author_list(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return frozenset([row["author"] async for row in rows])


def _message(row: Any) -> MessageRow:
    fields: dict[str, Any] = dict(row.items())
    fields["segments"] = tuple(Segment.model_validate(one) for one in fields["segments"])
    fields["parse_flags"] = tuple(fields["parse_flags"])
    fields["answers"] = tuple(fields["answers"])
    return MessageRow(**fields)
