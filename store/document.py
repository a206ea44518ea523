"""Documents, their versions and originals, in the tenant's transaction. Tasks are locked before documents."""

from collections.abc import AsyncIterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.canonical import ParsedDocument, Segment
from models.documents import DocumentVersion, EffectiveRange, Kind, VersionStatus
from models.ids import DocumentId, Subject
from models.publishing import OriginalText
from store.connection import Row
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What a new draft is made of."""

    document_id: DocumentId
    version: int
    title: str
    acl: tuple[str, ...]
    effective: EffectiveRange | None
    file_name: str | None
    original_hash: str
    parsed: ParsedDocument
    created_by: Subject


@dataclass(frozen=True, slots=True)
class HeldVersion:
    """A locked version's status and range."""

    status: VersionStatus
    effective: EffectiveRange | None


async def original_insert(tx: TenantTransaction, original_hash: str, media_type: str, data: bytes) -> None:
    """Keeps the bytes once per content."""
    await queries.original_insert(
        tx.conn, tenant_id=tx.tenant_id, original_hash=original_hash, media_type=media_type, bytes=data
    )


async def document_ensure(tx: TenantTransaction, document_id: DocumentId, kind: Kind, created_by: Subject) -> Kind:
    """Makes the document unless it is there; the kind that it has."""
    await queries.document_insert(
        tx.conn, tenant_id=tx.tenant_id, document_id=document_id, kind=kind, created_by=created_by
    )
    held: Kind = await queries.document_kind_fetch(tx.conn, tenant_id=tx.tenant_id, document_id=document_id)
    return held


async def document_maker_fetch(tx: TenantTransaction, document_id: DocumentId) -> Subject | None:
    """Who made the document, or None when there is none."""
    maker: Subject | None = await queries.document_maker_fetch(tx.conn, tenant_id=tx.tenant_id, document_id=document_id)
    return maker


async def document_version_lock(tx: TenantTransaction, document_id: DocumentId) -> Mapping[int, HeldVersion]:
    """Every version of the document, held until the transaction ends."""
    rows: AsyncIterable[Row] = queries.document_version_lock(tx.conn, tenant_id=tx.tenant_id, document_id=document_id)
    return {row["version"]: HeldVersion(row["status"], _effective(row)) async for row in rows}


async def document_version_last_fetch(tx: TenantTransaction, document_id: DocumentId) -> int:
    """The highest version of the document; 0 when it has none."""
    last: int | None = await queries.document_version_last_fetch(
        tx.conn, tenant_id=tx.tenant_id, document_id=document_id
    )
    return last or 0


async def document_version_insert(tx: TenantTransaction, new: NewVersion) -> None:
    """A draft with its canonical text; the number must be free and the original stored."""
    await queries.document_version_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        document_id=new.document_id,
        version=new.version,
        title=new.title,
        acl=list(new.acl),
        effective_from=None if new.effective is None else new.effective.effective_from,
        effective_to=None if new.effective is None else new.effective.effective_to,
        file_name=new.file_name,
        media_type=new.parsed.media_type,
        original_hash=new.original_hash,
        parser_name=new.parsed.parser_name,
        parser_version=new.parsed.parser_version,
        canonical_text=new.parsed.text,
        content_hash=new.parsed.content_hash,
        segments=[segment.model_dump() for segment in new.parsed.segments],
        parse_flags=list(new.parsed.flags),
        created_by=new.created_by,
    )


async def document_version_fetch(
    tx: TenantTransaction, document_id: DocumentId, version: int
) -> tuple[DocumentVersion, Subject | None] | None:
    """A version and who submitted it, or None."""
    row = await queries.document_version_fetch(
        tx.conn, tenant_id=tx.tenant_id, document_id=document_id, version=version
    )
    return None if row is None else (_version(row), row["submitted_by"])


async def document_version_list(
    tx: TenantTransaction,
    *,
    subject: Subject,
    groups: Sequence[str],
    sees_all: bool,
    document_id: DocumentId | None,
    status: VersionStatus | None,
    after: tuple[str, int],
    top: int,
) -> list[DocumentVersion]:
    """Versions in order of document and number behind `after`, without their text."""
    rows = queries.document_version_list(
        tx.conn,
        tenant_id=tx.tenant_id,
        subject=subject,
        groups=list(groups),
        sees_all=sees_all,
        document_id=document_id,
        status=status,
        after_document=after[0],
        after_version=after[1],
        top=top,
    )
    return [_version(row) async for row in rows]


async def document_version_submit(tx: TenantTransaction, document_id: DocumentId, version: int, actor: Subject) -> None:
    """draft → submitted."""
    await queries.document_version_submit(tx.conn, **_key(tx, document_id, version), actor=actor)


async def document_version_approve(
    tx: TenantTransaction, document_id: DocumentId, version: int, actor: Subject
) -> None:
    """submitted → approved; the table refuses its creator, its submitter and an unknown submitter."""
    await queries.document_version_approve(tx.conn, **_key(tx, document_id, version), actor=actor)


async def document_version_publish(
    tx: TenantTransaction, document_id: DocumentId, version: int, actor: Subject, effective: EffectiveRange
) -> None:
    """approved → published in this range."""
    await queries.document_version_publish(
        tx.conn,
        **_key(tx, document_id, version),
        actor=actor,
        effective_from=effective.effective_from,
        effective_to=effective.effective_to,
    )


async def document_version_close(
    tx: TenantTransaction, document_id: DocumentId, version: int, effective_to: datetime
) -> None:
    """Ends the range of a published version."""
    await queries.document_version_close(tx.conn, **_key(tx, document_id, version), effective_to=effective_to)


async def document_version_withdraw(
    tx: TenantTransaction, document_id: DocumentId, version: int, actor: Subject, reason: str
) -> None:
    """Any status → withdrawn."""
    await queries.document_version_withdraw(tx.conn, **_key(tx, document_id, version), actor=actor, reason=reason)


async def original_text_fetch(
    tx: TenantTransaction, document_id: DocumentId, version: int, groups: Sequence[str]
) -> OriginalText | None:
    """A published version with its text, if one of `groups` may read it."""
    row = await queries.original_text_fetch(tx.conn, **_key(tx, document_id, version), groups=list(groups))
    if row is None:
        return None
    return OriginalText(
        tenant_id=tx.tenant_id,
        document_id=document_id,
        version=version,
        kind=row["kind"],
        title=row["title"],
        effective=EffectiveRange(effective_from=row["effective_from"], effective_to=row["effective_to"]),
        media_type=row["media_type"],
        file_name=row["file_name"],
        original_hash=row["original_hash"],
        content_hash=row["content_hash"],
        text=row["canonical_text"],
        segments=tuple(Segment.model_validate(segment) for segment in row["segments"]),
    )


async def original_bytes_fetch(
    tx: TenantTransaction, document_id: DocumentId, version: int, groups: Sequence[str]
) -> bytes | None:
    """The bytes of a published version as they came in, if one of `groups` may read it."""
    data: bytes | None = await queries.original_bytes_fetch(
        tx.conn, **_key(tx, document_id, version), groups=list(groups)
    )
    return data


async def tasks_recheck(tx: TenantTransaction, document_id: DocumentId, reason: str) -> list[str]:
    """Marks each open task whose last evidence holds the document and posts it a notice; the ids of these tasks.

    Call it before a document is locked: tasks come first in the lock order. `reason` holds ids only and names its act,
    for it is the notice's reference too: of two equal ones the second might wait.
    """
    rows = queries.task_recheck_by_document(tx.conn, tenant_id=tx.tenant_id, document_id=document_id, reason=reason)
    return [row["task_id"] async for row in rows]


def _key(tx: TenantTransaction, document_id: DocumentId, version: int) -> dict[str, Any]:
    return {"tenant_id": tx.tenant_id, "document_id": document_id, "version": version}


def _effective(row: Row) -> EffectiveRange | None:
    if row["effective_from"] is None:
        return None
    return EffectiveRange(effective_from=row["effective_from"], effective_to=row["effective_to"])


def _version(row: Row) -> DocumentVersion:
    return DocumentVersion(
        tenant_id=row["tenant_id"],
        document_id=row["document_id"],
        version=row["version"],
        kind=row["kind"],
        status=row["status"],
        title=row["title"],
        acl=tuple(row["acl"]),
        effective=_effective(row),
        original_hash=row["original_hash"],
        content_hash=row["content_hash"],
        media_type=row["media_type"],
        file_name=row["file_name"],
        created_by=row["created_by"],
        revision=row["revision"],
    )
