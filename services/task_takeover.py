"""Takeover of a blocked task: an operator or an approver retries it, provides what is missing, or abandons it.

Why it is so: whoever takes over shapes what the draft will say, so the same person cannot decide on it. Requesters
help by a supplement, which needs no takeover.
"""

import uuid
from collections.abc import Mapping

from models.contract import content_hash
from models.decisions import Takeover
from models.errors import Conflict, InvalidInput
from models.fields import FieldValue
from models.ids import parse_task_id
from models.line_items import Confirmations, check_confirmations, check_fit
from models.principals import Principal, require_role
from models.tasks import TakeoverChoice
from services.audit import audit_append, audit_object, audited_refusals
from services.principals import resolve_principal
from services.task_intake import append_message
from services.task_messages import read_content
from services.task_state import lock_task
from store.outbox import outbox_insert
from store.pool import Store, TenantTransaction
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
) -> Takeover:
    """Takes a blocked task over; operators and approvers only, once for each block. The same again is the same answer.

    `provide` brings a text or confirmed fields, the other choices bring none. Raises Conflict when the task is not
    blocked or was taken over otherwise, InvalidInput for a choice that this block does not offer.
    """
    async with audited_refusals(store, actor.tenant_id, actor.subject, "takeover", audit_object("task", task_id)):
        checked = parse_task_id(task_id)
        confirmed = check_confirmations(confirmations or {})
        _check_form(choice, text, confirmed)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await resolve_principal(tx, actor.tenant_id, actor.subject)
            require_role(current, "operator", "approver")
            row = await lock_task(tx, checked)
            standing = await takeover_fetch(tx, checked, row.state.pass_)
            if standing is not None:
                return _same_or_taken(tx, row, standing, (current.subject, choice, text, confirmed))
            _check_blocked(row, choice)
            check_fit(row.state, confirmed)
            takeover = Takeover(
                tenant_id=tx.tenant_id,
                task_id=checked,
                takeover_id=str(uuid.uuid4()),
                choice=choice,
                actor=current.subject,
                text=text,
                confirmations=confirmed,
                taken_at=await tx.now(),
            )
            await _store(tx, row, takeover)
            return takeover


async def _store(tx: TenantTransaction, row: TaskRow, takeover: Takeover) -> None:
    await takeover_insert(tx, takeover, row.state.pass_)
    if takeover.choice == "provide":
        content = await read_content(takeover.text, None, takeover.confirmations)
        hashed = content_hash(["takeover", takeover.takeover_id])
        await append_message(
            tx, row, content, kind="takeover", author=takeover.actor, idempotency_hash=hashed, notify=False
        )
    detail: dict[str, str | int] = {
        "takeover_id": takeover.takeover_id,
        "choice": takeover.choice,
        "pass": row.state.pass_,
    }
    await audit_append(tx, takeover.actor, "takeover_recorded", audit_object("task", takeover.task_id), detail)
    await outbox_insert(tx, takeover.task_id, "takeover", takeover.takeover_id)


def _same_or_taken(tx: TenantTransaction, row: TaskRow, standing: TakeoverRow, wanted: tuple[object, ...]) -> Takeover:
    if (standing.actor, standing.choice, standing.text, standing.confirmations) != wanted:
        raise Conflict(f"task {row.state.task_id!r} was taken over by {standing.actor!r} already: {standing.choice}")
    return Takeover(
        tenant_id=tx.tenant_id,
        task_id=row.state.task_id,
        takeover_id=standing.takeover_id,
        choice=standing.choice,
        actor=standing.actor,
        text=standing.text,
        confirmations=standing.confirmations,
        taken_at=standing.taken_at,
    )


def _check_blocked(row: TaskRow, choice: TakeoverChoice) -> None:
    task_id, block = row.state.task_id, row.state.block
    if row.state.status != "blocked" or block is None:
        raise Conflict(f"task {task_id!r} is {row.state.status}, not blocked: send a supplement, or cancel it")
    if row.cancel_requested_by is not None:
        raise Conflict(f"task {task_id!r} is being cancelled: nothing is left to take over")
    if choice not in block.choices:
        raise InvalidInput(f"a task blocked for {block.reason} offers {', '.join(block.choices)}")


def _check_form(choice: TakeoverChoice, text: str, confirmed: Mapping[str, FieldValue]) -> None:
    if choice == "choose_source":
        raise InvalidInput(
            "a source cannot be chosen for a task yet: withdraw the document that does not hold, or publish a version "
            "that settles it, then retry"
        )
    if choice == "provide" and not text.strip() and not confirmed:
        raise InvalidInput("provide brings something: give a text or confirmed fields")
    if choice != "provide" and (text.strip() or confirmed):
        raise InvalidInput(f"{choice} brings nothing: use provide for a text or confirmed fields")
