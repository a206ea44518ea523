"""Looking at tasks: nothing here changes anything, and a citation is read again from its original whenever shown.

Who may look: everyone of the tenant who holds a role. A quote whose source the reader may not read, or that no longer
holds, is shown with its failed checks and without its text.
"""

import asyncio
from datetime import datetime

from models.contract import Contract
from models.drafts import Draft
from models.errors import InvalidInput, NotFound, Refused
from models.evidence import Checks, Evidence
from models.fields import FieldName, FieldValue
from models.ids import EvidenceId, Subject, TaskId, parse_task_id
from models.line_items import contested
from models.messages import MessageKind
from models.principals import Principal
from models.reminders import Urgency, urgency_of
from models.steps import TimelineEntry
from models.tasks import BlockedReason, TaskState, TaskStatus
from services.principals import resolve_principal
from services.task_days import DayProposal, day_proposals
from services.task_evidence import checks_now, cited_evidence
from services.task_state import task_not_found
from services.tenants import tenant_zone
from store.draft import DraftRow, draft_fetch, draft_latest_fetch
from store.message import MessageRow, message_list
from store.pool import Store, TenantTransaction
from store.task import TaskRow, task_event_list, task_fetch
from store.task import task_list as task_rows

MAX_LIST = 500


class ShownMessage(Contract):
    """A message of the task without its text: what came, from whom, and whether it was read and merged."""

    message_id: str
    kind: MessageKind
    author: Subject
    file_name: str | None
    flags: tuple[str, ...]
    confirmations: dict[str, FieldValue]
    received_at: datetime
    merged: bool


class ShownTask(Contract):
    """A task as a person sees it."""

    state: TaskState
    starter: Subject
    cancel_requested: bool
    cancel_reason: str | None
    created_at: datetime
    updated_at: datetime
    messages: tuple[ShownMessage, ...]
    draft_content_hash: str | None
    day_proposals: tuple[DayProposal, ...] = ()


class ListedTask(Contract):
    """One line of the list of tasks."""

    task_id: TaskId
    status: TaskStatus
    revision: int
    decision_version: int
    pending: tuple[FieldName, ...]
    conflicts: tuple[FieldName, ...]
    blocked_reason: BlockedReason | None
    urgency: Urgency
    starter: Subject
    created_at: datetime
    updated_at: datetime


class Citation(Contract):
    """A quote of the draft with the checks of this moment; its text is empty where they fail."""

    evidence: Evidence
    checks: Checks


class ShownDraft(Contract):
    """A draft, whether it is still the one to decide on, and its citations as their originals say now.

    `draft` is None, and `withheld` names the pieces, when the reader may not see a source: what a claim says is as
    secret as what it rests on.
    """

    decision_version: int
    content_hash: str
    valid: bool
    void_reason: str | None
    draft: Draft | None
    citations: tuple[Citation, ...]
    withheld: tuple[EvidenceId, ...]


async def task_show(store: Store, actor: Principal, task_id: str) -> ShownTask:
    """The task; NotFound for a missing and a foreign one alike."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        row = await _readable(tx, actor, task_id)
        draft = await draft_fetch(tx, row.state.task_id, row.state.decision_version)
        messages = await message_list(tx, row.state.task_id)
        zone = await tenant_zone(tx)
    return ShownTask(
        state=row.state,
        starter=row.starter,
        cancel_requested=row.cancel_requested_by is not None,
        cancel_reason=row.cancel_reason,
        created_at=row.created_at,
        updated_at=row.updated_at,
        messages=tuple(_message(one) for one in messages),
        draft_content_hash=None if draft is None else draft.content_hash,
        day_proposals=await asyncio.to_thread(day_proposals, row.state, messages, zone),
    )


async def task_list(
    store: Store,
    actor: Principal,
    *,
    status: TaskStatus | None = None,
    blocked_reason: BlockedReason | None = None,
    starter: Subject | None = None,
    limit: int = 100,
) -> tuple[ListedTask, ...]:
    """Tasks of the tenant, the most urgent first, then the last changed; `limit` is held between 1 and 500."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        await _require_any_role(tx, actor)
        rows = await task_rows(
            tx,
            status=status,
            blocked_reason=blocked_reason,
            starter=starter,
            limit=max(1, min(limit, MAX_LIST)),
        )
    return tuple(
        ListedTask(
            task_id=row.state.task_id,
            status=row.state.status,
            revision=row.state.revision,
            decision_version=row.state.decision_version,
            pending=row.state.pending,
            conflicts=contested(row.state),
            blocked_reason=None if row.state.block is None else row.state.block.reason,
            urgency=urgency_of(row.reminders),
            starter=row.starter,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    )


async def draft_show(
    store: Store, actor: Principal, task_id: str, *, decision_version: int | None = None
) -> ShownDraft:
    """A draft (the last one unless told) with every citation read again from its original for this reader.

    Raises NotFound when there is no such task or no such draft, InvalidInput when what is stored is no longer what was
    shown.
    """
    async with store.tenant_transaction(actor.tenant_id) as tx:
        row = await _readable(tx, actor, task_id)
        stored = await _draft(tx, row, decision_version)
        draft = stored.read()
        if draft is None:
            raise InvalidInput(f"the stored draft of task {task_id!r} is not what was shown: tell an operator")
        shown = {one.evidence_id: await _citation(tx, row, actor, one) for one in draft.evidence}
    citations = tuple(shown[one.evidence_id] for one in cited_evidence(draft))
    withheld = tuple(name for name, one in shown.items() if not one.checks.permission)
    current = stored.decision_version == row.state.decision_version and row.state.status == "awaiting_approval"
    return ShownDraft(
        decision_version=stored.decision_version,
        content_hash=stored.content_hash,
        valid=current and stored.voided_at is None,
        void_reason=stored.void_reason,
        draft=None if withheld else draft,
        citations=citations,
        withheld=withheld,
    )


async def timeline(store: Store, actor: Principal, task_id: str) -> tuple[TimelineEntry, ...]:
    """Every status the task was in, and why, first one first."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        row = await _readable(tx, actor, task_id)
        return await task_event_list(tx, row.state.task_id)


async def _citation(tx: TenantTransaction, row: TaskRow, actor: Principal, evidence: Evidence) -> Citation:
    checks = await checks_now(tx, row.state.task_id, actor.subject, evidence)
    shown = evidence if checks.passed else evidence.model_copy(update={"quote": "", "title": ""})
    return Citation(evidence=shown, checks=checks)


async def _draft(tx: TenantTransaction, row: TaskRow, decision_version: int | None) -> DraftRow:
    task_id = row.state.task_id
    if decision_version is None:
        stored = await draft_latest_fetch(tx, task_id)
    else:
        stored = await draft_fetch(tx, task_id, decision_version)
    if stored is None:
        raise NotFound(f"task {task_id!r} has no such draft: it is {row.state.status}")
    return stored


async def _readable(tx: TenantTransaction, actor: Principal, task_id: str) -> TaskRow:
    await _require_any_role(tx, actor)
    try:
        row = await task_fetch(tx, parse_task_id(task_id))
    except InvalidInput:
        row = None
    if row is None:
        raise task_not_found(task_id[:80])
    return row


async def _require_any_role(tx: TenantTransaction, actor: Principal) -> None:
    current = await resolve_principal(tx, actor.tenant_id, actor.subject)
    if not current.roles:
        raise Refused(f"{current.subject!r} holds no role: ask an operator for one")


def _message(row: MessageRow) -> ShownMessage:
    return ShownMessage(
        message_id=row.message_id,
        kind=row.kind,
        author=row.author,
        file_name=row.file_name,
        flags=row.parse_flags,
        confirmations=row.confirmations,
        received_at=row.received_at,
        merged=row.merged_revision is not None,
    )
