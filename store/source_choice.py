"""Choices between sources that contradict each other, and whether a chosen version is still what was chosen."""

from dataclasses import dataclass
from typing import Any

from models.ids import Subject, TaskId
from models.source_choices import NamedSource, SourceChoice
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class SourceVersion:
    """A version as a source for one reader now; `content_hash` is of its text."""

    content_hash: str
    is_readable: bool
    is_in_force: bool


async def source_choice_insert(tx: TenantTransaction, task_id: TaskId, pass_: int, choice: SourceChoice) -> None:
    """Stores what the takeover of this block chose."""
    await queries.source_choice_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=task_id,
        pass_=pass_,
        topic=choice.topic,
        document_id=choice.document_id,
        version=choice.version,
        content_hash=choice.content_hash,
        sides=[list(side) for side in choice.sides],
    )


async def source_choice_fetch(tx: TenantTransaction, task_id: TaskId, pass_: int) -> NamedSource | None:
    """What the takeover of this block chose, or None."""
    row = await queries.source_choice_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, pass_=pass_)
    return None if row is None else NamedSource.model_validate(dict(row.items()))


async def source_choice_list(
    tx: TenantTransaction, task_id: TaskId, subject: Subject
) -> list[tuple[SourceChoice, str | None]]:
    """The last choice on each topic that is not void, with the check that its source fails now for `subject`."""
    rows: Any = queries.source_choice_list(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, subject=subject)
    return [(_choice(row), _failed(row)) async for row in rows]


async def source_choice_void(tx: TenantTransaction, task_id: TaskId, topic: str, reason: str) -> None:
    """Voids what was chosen on `topic`; a first reason stands."""
    await queries.source_choice_void(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, topic=topic, reason=reason)


async def source_version_fetch(
    tx: TenantTransaction, subject: Subject, document_id: str, version: int
) -> SourceVersion | None:
    """The version as `subject` has it now, or None."""
    row = await queries.source_version_fetch(
        tx.conn, tenant_id=tx.tenant_id, subject=subject, document_id=document_id, version=version
    )
    if row is None:
        return None
    in_force = row["version_holds"] is True and row["validity_holds"] is True
    return SourceVersion(row["content_hash"], row["permission_holds"] is True, in_force)


def _choice(row: Any) -> SourceChoice:
    return SourceChoice(
        topic=row["topic"],
        document_id=row["document_id"],
        version=row["version"],
        content_hash=row["content_hash"],
        chosen_by=Subject(row["actor"]),
        chosen_at=row["taken_at"],
        sides=tuple((document_id, version) for document_id, version in row["sides"]),
    )


def _failed(row: Any) -> str | None:
    checks = ("hash", "version", "validity", "permission")
    return next((check for check in checks if row[f"{check}_holds"] is not True), None)
