"""The life of governed knowledge: draft → submitted → approved → published → withdrawn, each step an audited act.

Every act reads the actor's rights in its own transaction. A refusal changes nothing and is audited by itself.
Knowledge owners govern; a requester may propose documents of its own, which nobody finds before two others agreed.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from models.canonical import ParsedDocument
from models.contract import text_hash
from models.documents import DocumentVersion, EffectiveRange, Kind, VersionStatus, check_version_transition
from models.errors import Conflict, FourEyes, NotFound, Refused
from models.ids import DocumentId, Subject, parse_document_id
from models.principals import Principal, require_role
from models.publishing import (
    OriginalText,
    check_acl,
    check_reason,
    check_title,
    check_version,
    closed_by,
    plain_file_name,
    utc_range,
)
from services.audit import audit_append, audit_object, audited_refusals
from services.indexing import index_version_of_document, unindex_version_of_document
from services.parsing import ParseLimits, parse_document
from services.ports import Embedder
from services.principals import resolve_principal
from store.document import (
    HeldVersion,
    NewVersion,
    document_ensure,
    document_maker_fetch,
    document_version_approve,
    document_version_close,
    document_version_fetch,
    document_version_insert,
    document_version_last_fetch,
    document_version_list,
    document_version_lock,
    document_version_publish,
    document_version_submit,
    document_version_withdraw,
    original_bytes_fetch,
    original_insert,
    original_text_fetch,
    tasks_recheck,
)
from store.pool import Store, TenantTransaction

MAX_LIST = 500


async def document_add(
    store: Store,
    actor: Principal,
    *,
    document_id: str,
    kind: Kind,
    title: str,
    acl: Sequence[str],
    data: bytes,
    file_name: str | None,
    declared_type: str | None = None,
    version: int | None = None,
    effective: EffectiveRange | None = None,
    limits: ParseLimits | None = None,
) -> DocumentVersion:
    """A new draft of `data`, which is read in a process of its own and kept byte for byte; nobody finds it yet.

    Without a number it is the next version; the same original under the same number again changes nothing. The first
    version fixes the document's kind. `acl` names the groups that may read, an empty one is nobody. `effective` is
    what `document_publish` takes unless it is told otherwise.

    Raises UnreadableDocument for a file that cannot become knowledge, Refused, InvalidInput, and Conflict for another
    kind or another original under the same number; each leaves everything as it was.
    """
    async with _refusals(store, actor, "document_add", document_id, version):
        checked = parse_document_id(document_id)
        wanted = None if version is None else check_version(version)
        described = (check_title(title), check_acl(acl))
        planned = None if effective is None else utc_range(effective.effective_from, effective.effective_to)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            await _proposer(tx, actor, checked)
        parsed = await parse_document(
            data, file_name=file_name, declared_type=declared_type, limits=limits or ParseLimits()
        )
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await _proposer(tx, actor, checked)
            await _ensure_kind(tx, checked, kind, current.subject)
            await document_version_lock(tx, checked)
            new = NewVersion(
                document_id=checked,
                version=wanted or await document_version_last_fetch(tx, checked) + 1,
                title=described[0],
                acl=described[1],
                effective=planned,
                file_name=plain_file_name(file_name),
                original_hash=hashlib.sha256(data).hexdigest(),
                parsed=parsed,
                created_by=current.subject,
            )
            return await _add_draft(tx, new, data)


async def document_submit(store: Store, actor: Principal, document_id: str, version: int) -> DocumentVersion:
    """draft → submitted, by a knowledge owner or by the requester who made the document."""
    async with _refusals(store, actor, "document_submit", document_id, version):
        checked = parse_document_id(document_id)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await _proposer(tx, actor, checked)
            await _held(tx, checked, version, "submitted")
            await document_version_submit(tx, checked, version, current.subject)
            return await _done(tx, current, "document_submitted", checked, version)


async def document_approve(store: Store, actor: Principal, document_id: str, version: int) -> DocumentVersion:
    """submitted → approved, by a knowledge owner who neither made nor submitted it; FourEyes otherwise."""
    async with _refusals(store, actor, "document_approve", document_id, version):
        checked = parse_document_id(document_id)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await _owner(tx, actor)
            await _held(tx, checked, version, "approved")
            held, submitted_by = await _read(tx, checked, version)
            _require_four_eyes(current.subject, held.created_by, submitted_by)
            await document_version_approve(tx, checked, version, current.subject)
            return await _done(tx, current, "document_approved", checked, version)


async def document_publish(
    store: Store,
    actor: Principal,
    document_id: str,
    version: int,
    effective_from: datetime | None = None,
    effective_to: datetime | None = None,
    *,
    embedder: Embedder,
    progress: Callable[[int, int], None] | None = None,
) -> DocumentVersion:
    """approved → published in a half-open range, searchable from the commit on; all of it or nothing.

    A bound that is not given is the one planned with the draft, else now and open. A lower version whose range
    reaches into the new one ends where the new one starts. Open tasks that cite the document are told to look again.
    The text is indexed before, which may take minutes; `progress` is told passages done and in all.

    Raises InvalidInput for a range that is none, Conflict where `models.publishing.closed_by` does, Refused,
    EmbedderFailed.
    """
    async with _refusals(store, actor, "document_publish", document_id, version):
        checked = parse_document_id(document_id)
        given = (effective_from, effective_to)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            await _owner(tx, actor)
            held = await _held(tx, checked, version, "published")
            planned = await _planned_range(tx, held[version], given)
            closed_by(version, planned, _published(held))
        await index_version_of_document(
            store,
            embedder,
            tenant_id=actor.tenant_id,
            document_id=checked,
            version=version,
            progress=progress,
        )
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await _owner(tx, actor)
            return await _publish(tx, current, checked, version, given)


async def document_withdraw(
    store: Store, actor: Principal, document_id: str, version: int, reason: str
) -> DocumentVersion:
    """Any status → withdrawn, by a knowledge owner: no search finds it from the commit on.

    Open tasks that cite the document are told to look again. A version that it had closed stays closed.
    """
    async with _refusals(store, actor, "document_withdraw", document_id, version):
        checked = parse_document_id(document_id)
        why = check_reason(reason)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await _owner(tx, actor)
            tasks = await tasks_recheck(tx, checked, f"{checked} v{version} withdrawn")
            await _held(tx, checked, version, "withdrawn")
            await document_version_withdraw(tx, checked, version, current.subject, why)
            gone = await unindex_version_of_document(tx, document_id=checked, version=version)
            detail = {"reason_hash": text_hash(why), "chunks": gone, "tasks": tasks}
            return await _done(tx, current, "document_withdrawn", checked, version, detail)


async def document_list(
    store: Store,
    actor: Principal,
    *,
    document_id: str | None = None,
    status: VersionStatus | None = None,
    after: tuple[str, int] = ("", 0),
    limit: int = 100,
) -> list[DocumentVersion]:
    """Versions without their text, in order of document and number, behind `after`; at most 500.

    Knowledge owners and auditors see all of the tenant, others what is published to one of their groups and what they
    made or submitted themselves.
    """
    checked = None if document_id is None else parse_document_id(document_id)
    async with store.tenant_transaction(actor.tenant_id) as tx:
        current = await resolve_principal(tx, actor.tenant_id, actor.subject)
        return await document_version_list(
            tx,
            subject=current.subject,
            groups=current.groups,
            sees_all=bool({"knowledge_owner", "auditor"} & set(current.roles)),
            document_id=checked,
            status=status,
            after=after,
            top=max(1, min(limit, MAX_LIST)),
        )


async def original_read(tx: TenantTransaction, document_id: str, version: int, principal: Principal) -> OriginalText:
    """A published version opened again for a citation, effective now or not.

    Raises NotFound alike for a missing, foreign, unpublished and withdrawn version, and for one whose access list
    names none of the groups that the principal is in now.
    """
    current = await resolve_principal(tx, principal.tenant_id, principal.subject)
    original = await original_text_fetch(tx, parse_document_id(document_id), version, current.groups)
    if original is None:
        raise _missing(document_id, version)
    return original


async def original_bytes_read(tx: TenantTransaction, document_id: str, version: int, principal: Principal) -> bytes:
    """The bytes of a published version as they came in; NotFound as `original_read`."""
    current = await resolve_principal(tx, principal.tenant_id, principal.subject)
    data = await original_bytes_fetch(tx, parse_document_id(document_id), version, current.groups)
    if data is None:
        raise _missing(document_id, version)
    return data


async def _ensure_kind(tx: TenantTransaction, document_id: DocumentId, kind: Kind, subject: Subject) -> None:
    held = await document_ensure(tx, document_id, kind, subject)
    if held != kind:
        raise Conflict(f"{document_id!r} is of the kind {held}, which never changes: give it another id as {kind}")


async def _add_draft(tx: TenantTransaction, new: NewVersion, data: bytes) -> DocumentVersion:
    held = await document_version_fetch(tx, new.document_id, new.version)
    if held is not None:
        return _same_or_conflict(held[0], new)
    await original_insert(tx, new.original_hash, new.parsed.media_type, data)
    await document_version_insert(tx, new)
    detail = {"original_hash": new.original_hash, "content_hash": new.parsed.content_hash, **_reading(new.parsed)}
    about = audit_object("document", new.document_id, new.version)
    await audit_append(tx, new.created_by, "document_added", about, detail)
    return (await _read(tx, new.document_id, new.version))[0]


def _same_or_conflict(held: DocumentVersion, new: NewVersion) -> DocumentVersion:
    same = (held.original_hash, held.title, held.acl) == (new.original_hash, new.title, new.acl)
    if same and (held.status != "draft" or held.effective == new.effective):
        return held
    raise Conflict(
        f"version {new.version} of {new.document_id!r} exists with other content: add it as the next version"
    )


def _reading(parsed: ParsedDocument) -> Mapping[str, str | list[str]]:
    return {"parser": f"{parsed.parser_name}/{parsed.parser_version}", "flags": list(parsed.flags)}


async def _publish(
    tx: TenantTransaction,
    current: Principal,
    document_id: DocumentId,
    version: int,
    given: tuple[datetime | None, datetime | None],
) -> DocumentVersion:
    tasks = await tasks_recheck(tx, document_id, f"{document_id} v{version} published")
    held = await _held(tx, document_id, version, "published")
    effective = await _planned_range(tx, held[version], given)
    closed = closed_by(version, effective, _published(held))
    for other, left in closed.items():
        await document_version_close(tx, document_id, other, left.effective_to or effective.effective_from)
    await document_version_publish(tx, document_id, version, current.subject, effective)
    detail = {
        "effective_from": effective.effective_from.isoformat(),
        "effective_to": None if effective.effective_to is None else effective.effective_to.isoformat(),
        "closed": [str(other) for other in closed],
        "tasks": tasks,
    }
    return await _done(tx, current, "document_published", document_id, version, detail)


async def _planned_range(
    tx: TenantTransaction, held: HeldVersion, given: tuple[datetime | None, datetime | None]
) -> EffectiveRange:
    planned = held.effective
    start = given[0] or (planned.effective_from if planned else await tx.now())
    return utc_range(start, given[1] or (planned.effective_to if planned else None))


def _published(held: Mapping[int, HeldVersion]) -> dict[int, EffectiveRange]:
    return {
        number: one.effective for number, one in held.items() if one.status == "published" and one.effective is not None
    }


async def _held(
    tx: TenantTransaction, document_id: DocumentId, version: int, target: VersionStatus
) -> Mapping[int, HeldVersion]:
    """All versions, locked; the one named may become `target`."""
    held = await document_version_lock(tx, document_id)
    if version not in held:
        raise _missing(document_id, version)
    check_version_transition(held[version].status, target)
    return held


async def _read(tx: TenantTransaction, document_id: DocumentId, version: int) -> tuple[DocumentVersion, Subject | None]:
    found = await document_version_fetch(tx, document_id, version)
    if found is None:
        raise _missing(document_id, version)
    return found


async def _done(
    tx: TenantTransaction,
    current: Principal,
    event: str,
    document_id: DocumentId,
    version: int,
    detail: Mapping[str, str | int | list[str] | None] | None = None,
) -> DocumentVersion:
    result, _ = await _read(tx, document_id, version)
    about = audit_object("document", document_id, version)
    hashed = {"content_hash": result.content_hash, "revision": result.revision}
    await audit_append(tx, current.subject, event, about, {**hashed, **(detail or {})})
    return result


async def _owner(tx: TenantTransaction, actor: Principal) -> Principal:
    current = await resolve_principal(tx, actor.tenant_id, actor.subject)
    require_role(current, "knowledge_owner")
    return current


async def _proposer(tx: TenantTransaction, actor: Principal, document_id: DocumentId) -> Principal:
    """A knowledge owner, or a requester whose own document it is or will be."""
    current = await resolve_principal(tx, actor.tenant_id, actor.subject)
    require_role(current, "knowledge_owner", "requester")
    if "knowledge_owner" in current.roles:
        return current
    maker = await document_maker_fetch(tx, document_id)
    if maker not in (None, current.subject):
        raise Refused(f"{document_id!r} is kept by others: a knowledge owner adds to it, or choose another id")
    return current


def _require_four_eyes(actor: Subject, created_by: Subject, submitted_by: Subject | None) -> None:
    if submitted_by is None or not created_by:
        raise FourEyes("who made or submitted this version is not known, so nobody can approve it: add it again")
    if actor in (created_by, submitted_by):
        raise FourEyes(f"{actor!r} made or submitted this version: another knowledge owner approves it")


def _refusals(
    store: Store, actor: Principal, act: str, document_id: str, version: int | None
) -> AbstractAsyncContextManager[None]:
    about = audit_object("document", document_id, *([] if version is None else [version]))
    return audited_refusals(store, actor.tenant_id, actor.subject, act, about)


def _missing(document_id: str, version: int) -> NotFound:
    return NotFound(f"there is no version {version} of {document_id[:80]!r} here: see `proofdesk docs list`")
