"""Takeover of a blocked task: an operator or an approver retries it, provides what is missing, chooses a source, or
abandons it.

Why it is so: whoever takes over shapes what the draft will say, so the same person cannot decide on it. Requesters
help by a supplement, which needs no takeover.
"""

import uuid
from collections.abc import Mapping

from models.contract import content_hash
from models.decisions import Takeover
from models.errors import Conflict, InvalidInput
from models.fields import FieldValue
from models.ids import TaskId, parse_task_id
from models.line_items import Confirmations, check_confirmations, check_fit
from models.principals import Principal, require_role
from models.source_choices import NamedSource, SourceChoice
from models.tasks import Block, TakeoverChoice
from services.audit import audit_append, audit_object, audited_refusals
from services.principals import resolve_principal
from services.task_intake import append_message
from services.task_messages import read_content
from services.task_sources import chosen_source
from services.task_state import lock_task
from store.audit import AuditValue
from store.outbox import outbox_insert
from store.pool import Store, TenantTransaction
from store.source_choice import source_choice_fetch, source_choice_insert
from store.takeover import TakeoverRow, takeover_fetch, takeover_insert
from store.task import TaskRow


async def take_over(
    store: Store,
    actor: Principal,
    *,
    task_id: str,
    choice: TakeoverChoice,
    text: str = "",
    confirmations: Confirmations | None = None,
    source: NamedSource | None = None,
) -> Takeover:
    """Takes a blocked task over; operators and approvers only, once for each block. The same again is the same answer.

    `provide` brings a text or confirmed fields, `choose_source` one of the sides that contradict each other, the other
    choices nothing. Raises Conflict when the task is not blocked, was taken over otherwise, or the source no longer
    holds, InvalidInput for a choice that this block does not offer, Refused for a source that one may not read.
    """
    async with audited_refusals(store, actor.tenant_id, actor.subject, "takeover", audit_object("task", task_id)):
        checked = parse_task_id(task_id)
        confirmed = check_confirmations(confirmations or {})
        _check_form(choice, text, confirmed, source)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await resolve_principal(tx, actor.tenant_id, actor.subject)
            require_role(current, "operator", "approver")
            row = await lock_task(tx, checked)
            standing = await takeover_fetch(tx, checked, row.state.pass_)
            if standing is not None:
                wanted = (current.subject, choice, text, confirmed, source)
                return _same_or_taken(row, await _told(tx, checked, standing), wanted)
            block = _check_blocked(row, choice)
            check_fit(row.state, confirmed)
            chosen = None if source is None else await chosen_source(tx, row, block, current.subject, source)
            takeover = Takeover(
                tenant_id=tx.tenant_id,
                task_id=checked,
                takeover_id=str(uuid.uuid4()),
                choice=choice,
                actor=current.subject,
                text=text,
                confirmations=confirmed,
                taken_at=await tx.now(),
                source=source,
            )
            await _store(tx, row, takeover, chosen)
            return takeover


async def _store(tx: TenantTransaction, row: TaskRow, takeover: Takeover, chosen: SourceChoice | None) -> None:
    await takeover_insert(tx, takeover, row.state.pass_)
    if chosen is not None:
        await source_choice_insert(tx, takeover.task_id, row.state.pass_, chosen)
    if takeover.choice == "provide":
        content = await read_content(takeover.text, None, takeover.confirmations)
        hashed = content_hash(["takeover", takeover.takeover_id])
        await append_message(
            tx, row, content, kind="takeover", author=takeover.actor, idempotency_hash=hashed, notify=False
        )
    detail: dict[str, AuditValue] = {
        "takeover_id": takeover.takeover_id,
        "choice": takeover.choice,
        "pass": row.state.pass_,
    }
    if chosen is not None:
        detail |= chosen.model_dump(mode="json", include={"topic", "document_id", "version", "content_hash"})
    await audit_append(tx, takeover.actor, "takeover_recorded", audit_object("task", takeover.task_id), detail)
    await outbox_insert(tx, takeover.task_id, "takeover", takeover.takeover_id)


def _same_or_taken(row: TaskRow, standing: Takeover, wanted: tuple[object, ...]) -> Takeover:
    held = (standing.actor, standing.choice, standing.text, standing.confirmations, standing.source)
    if held != wanted:
        raise Conflict(f"task {row.state.task_id!r} was taken over by {standing.actor!r} already: {standing.choice}")
    return standing


async def _told(tx: TenantTransaction, task_id: TaskId, standing: TakeoverRow) -> Takeover:
    """The takeover of a stored row."""
    return Takeover(
        tenant_id=tx.tenant_id,
        task_id=task_id,
        takeover_id=standing.takeover_id,
        choice=standing.choice,
        actor=standing.actor,
        text=standing.text,
        confirmations=standing.confirmations,
        taken_at=standing.taken_at,
        source=await source_choice_fetch(tx, task_id, standing.pass_),
    )


def _check_blocked(row: TaskRow, choice: TakeoverChoice) -> Block:
    task_id, block = row.state.task_id, row.state.block
    if row.state.status != "blocked" or block is None:
        raise Conflict(f"task {task_id!r} is {row.state.status}, not blocked: send a supplement, or cancel it")
    if row.cancel_requested_by is not None:
        raise Conflict(f"task {task_id!r} is being cancelled: nothing is left to take over")
    if choice not in block.choices:
        raise InvalidInput(f"a task blocked for {block.reason} offers {', '.join(block.choices)}")
    return block


def _check_form(
    choice: TakeoverChoice, text: str, confirmed: Mapping[str, FieldValue], source: NamedSource | None
) -> None:
    if (choice == "choose_source") != (source is not None):
        raise InvalidInput("choose_source names a topic, a document and its version, and the other choices name none")
    if choice == "provide" and not text.strip() and not confirmed:
        raise InvalidInput("provide brings something: give a text or confirmed fields")
    if choice != "provide" and (text.strip() or confirmed):
        raise InvalidInput(f"{choice} brings nothing: use provide for a text or confirmed fields")
