"""The one way to decide on a draft: everything is looked at again in the transaction that stores the decision.

Why it is so: what was shown an hour ago proves nothing now. Rights, four eyes, version, hash, evidence and supplements
are read under the task's lock, so none of them can move between the check and the row. Whoever only asked for changes
added words to the task and is barred from its next draft like every other author.
"""

import uuid
from dataclasses import dataclass

from models.contract import content_hash as hash_of
from models.decisions import Decision, Verdict
from models.drafts import Draft
from models.errors import AlreadyDecided, Conflict, FourEyes, InvalidInput, Refused, StaleVersion
from models.fields import FieldValue
from models.ids import Subject, TaskId, parse_task_id
from models.line_items import Confirmations, check_confirmations, check_fit
from models.principals import Principal, require_role
from services.audit import audit_append, audit_object, audited_refusals
from services.principals import resolve_principal
from services.task_evidence import cited_evidence, failed_evidence
from services.task_intake import append_message
from services.task_messages import read_content
from services.task_state import lock_task
from store.decision import DecisionRow, decision_fetch, decision_insert
from store.draft import DraftRow, draft_fetch
from store.message import message_author_list, message_unmerged_exists
from store.outbox import outbox_insert
from store.pool import Store, TenantTransaction
from store.task import TaskRow, task_recheck_set

_MAX_COMMENT = 10_000


@dataclass(frozen=True, slots=True)
class _Wanted:
    task_id: TaskId
    decision_version: int
    draft_hash: str
    verdict: Verdict
    comment: str
    confirmations: dict[str, FieldValue]


async def decide(
    store: Store,
    actor: Principal,
    *,
    task_id: str,
    decision_version: int,
    content_hash: str,
    verdict: Verdict,
    comment: str = "",
    confirmations: Confirmations | None = None,
) -> Decision:
    """Decides on the draft of `decision_version` as it was shown (`content_hash`); the stored decision is the answer.

    The same decision by the same person again is the same answer. Raises FourEyes for whoever took part, AlreadyDecided
    naming the winner, StaleVersion saying what moved, Refused for missing rights on the task or on what it cites,
    Conflict when a supplement, a cancel or changed evidence comes first; changed evidence also sends the task back to
    retrieving. Every refusal is audited.
    """
    async with audited_refusals(store, actor.tenant_id, actor.subject, "decision", audit_object("task", task_id)):
        confirmed = check_confirmations(confirmations or {})
        wanted = _Wanted(parse_task_id(task_id), decision_version, content_hash, verdict, comment, confirmed)
        _check_form(wanted)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            outcome = await _decided(tx, actor, wanted)
        if isinstance(outcome, Conflict):
            raise outcome  # its transaction had to be kept: it asks for the evidence again
        return outcome


async def _decided(tx: TenantTransaction, actor: Principal, wanted: _Wanted) -> Decision | Conflict:
    current = await resolve_principal(tx, actor.tenant_id, actor.subject)
    require_role(current, "approver")
    row = await lock_task(tx, wanted.task_id)
    await _check_four_eyes(tx, row, current.subject)
    standing = await decision_fetch(tx, wanted.task_id, wanted.decision_version)
    if standing is not None and standing.voided_at is None:
        return _same_or_taken(tx, standing, current.subject, wanted)
    _check_version(row, wanted)
    check_fit(row.state, wanted.confirmations)
    draft = _shown(await draft_fetch(tx, wanted.task_id, wanted.decision_version), wanted)
    await _check_undisturbed(tx, row)
    refusal = await _check_evidence(tx, row, current.subject, draft)
    return refusal or await _store(tx, row, current.subject, wanted)


async def _check_four_eyes(tx: TenantTransaction, row: TaskRow, subject: Subject) -> None:
    barred = {row.starter, *await message_author_list(tx, row.state.task_id)}
    if subject in barred:
        raise FourEyes(f"{subject!r} took part in task {row.state.task_id!r}: another approver must decide")


def _same_or_taken(tx: TenantTransaction, standing: DecisionRow, subject: Subject, wanted: _Wanted) -> Decision:
    same = (standing.actor, standing.verdict, standing.content_hash, standing.comment, standing.confirmations) == (
        subject,
        wanted.verdict,
        wanted.draft_hash,
        wanted.comment,
        wanted.confirmations,
    )
    if not same:
        raise AlreadyDecided(
            f"draft {standing.decision_version} of task {wanted.task_id!r} was decided by {standing.actor!r}: "
            f"{standing.verdict}"
        )
    return decision_of(tx, wanted.task_id, standing)


def decision_of(tx: TenantTransaction, task_id: TaskId, row: DecisionRow) -> Decision:
    """The decision of a stored row."""
    return Decision(
        tenant_id=tx.tenant_id,
        task_id=task_id,
        decision_version=row.decision_version,
        decision_id=row.decision_id,
        verdict=row.verdict,
        actor=row.actor,
        content_hash=row.content_hash,
        comment=row.comment,
        decided_at=row.decided_at,
        voided=row.voided_at is not None,
        void_reason=row.void_reason,
    )


def _check_version(row: TaskRow, wanted: _Wanted) -> None:
    state = row.state
    if state.decision_version != wanted.decision_version:
        raise StaleVersion(
            f"draft {wanted.decision_version} of task {state.task_id!r} is no longer current: "
            f"it is at decision_version {state.decision_version} and {state.status}; look at the draft again"
        )
    if state.status != "awaiting_approval":
        raise StaleVersion(f"task {state.task_id!r} is {state.status} and awaits no decision: look at it again")


def _shown(stored: DraftRow | None, wanted: _Wanted) -> Draft:
    if stored is None or stored.voided_at is not None:
        raise StaleVersion(f"task {wanted.task_id!r} has no valid draft {wanted.decision_version}: look at it again")
    if stored.content_hash != wanted.draft_hash:
        raise StaleVersion(
            f"the draft shown has another content hash than draft {wanted.decision_version} of task "
            f"{wanted.task_id!r} ({stored.content_hash[:12]}…): look at the draft again"
        )
    draft = stored.read()
    if draft is None:
        raise StaleVersion(f"the stored draft of task {wanted.task_id!r} is not what was shown: tell an operator")
    return draft


async def _check_undisturbed(tx: TenantTransaction, row: TaskRow) -> None:
    task_id = row.state.task_id
    if row.cancel_requested_by is not None:
        raise Conflict(f"task {task_id!r} is being cancelled: nothing is left to decide")
    if await message_unmerged_exists(tx, task_id):
        raise StaleVersion(f"something was added to task {task_id!r} after this draft: wait for the next one")
    if row.recheck_reason is not None:
        raise StaleVersion(f"the sources of task {task_id!r} changed after this draft: wait for the next one")


async def _check_evidence(tx: TenantTransaction, row: TaskRow, subject: Subject, draft: Draft) -> Conflict | None:
    """Refused when the approver may not read a source; a Conflict to be returned when a source no longer holds."""
    cited = cited_evidence(draft)
    task_id = row.state.task_id
    gone = await failed_evidence(tx, task_id, row.starter, cited)
    if gone:
        names = ", ".join(sorted({f"{one.document_id} v{one.version}" for one, _ in gone}))
        await task_recheck_set(tx, task_id, "evidence no longer valid")
        await outbox_insert(tx, task_id, "recheck", f"decision_version/{draft.decision_version}")
        return Conflict(f"sources of this draft no longer hold ({names}): the task asks for them again")
    hidden = await failed_evidence(tx, task_id, subject, cited)
    if hidden:
        raise Refused(
            f"{subject!r} may not read {len(hidden)} of the quotes of this draft: an approver with read rights on "
            "every source must decide"
        )
    return None


async def _store(tx: TenantTransaction, row: TaskRow, subject: Subject, wanted: _Wanted) -> Decision:
    decision = Decision(
        tenant_id=tx.tenant_id,
        task_id=wanted.task_id,
        decision_version=wanted.decision_version,
        decision_id=str(uuid.uuid4()),
        verdict=wanted.verdict,
        actor=subject,
        content_hash=wanted.draft_hash,
        comment=wanted.comment,
        decided_at=await tx.now(),
    )
    if not await decision_insert(tx, decision, wanted.confirmations):
        raise StaleVersion(f"draft {wanted.decision_version} of task {wanted.task_id!r} cannot be decided any more")
    if wanted.verdict == "request_changes":
        changes = await read_content(wanted.comment, None, wanted.confirmations)
        hashed = hash_of(["decision", decision.decision_id])
        await append_message(
            tx, row, changes, kind="request_changes", author=subject, idempotency_hash=hashed, notify=False
        )
    detail: dict[str, str | int] = {
        "decision_id": decision.decision_id,
        "decision_version": decision.decision_version,
        "verdict": decision.verdict,
        "content_hash": decision.content_hash,
    }
    await audit_append(tx, subject, "decision_recorded", audit_object("task", wanted.task_id), detail)
    await outbox_insert(tx, wanted.task_id, "decision", decision.decision_id)
    return decision


def _check_form(wanted: _Wanted) -> None:
    if len(wanted.comment) > _MAX_COMMENT:
        raise InvalidInput(f"a comment has at most {_MAX_COMMENT} characters")
    if wanted.verdict == "request_changes":
        if not wanted.comment.strip() and not wanted.confirmations:
            raise InvalidInput("say what is to be changed: give a comment or confirmed fields")
    elif wanted.confirmations:
        raise InvalidInput(f"{wanted.verdict} takes no confirmed fields: use request_changes, or send a supplement")
