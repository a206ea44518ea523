"""How a task begins and how something is added to it: row, audit and notification in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from models.answers import check_topics
from models.contract import content_hash
from models.errors import Conflict, InvalidInput, TaskExists
from models.ids import Subject, parse_task_id
from models.line_items import Confirmations, check_fit
from models.messages import MessageKind
from models.principals import Principal, require_role
from models.steps import TaskBrief
from models.tasks import TaskState
from services.audit import audit_append, audit_object, audited_refusals
from services.principals import resolve_principal
from services.task_lines import check_lines
from services.task_messages import AttachedFile, MessageContent, read_content, store_message
from services.task_state import brief_of, lock_task
from store.message import MessageRow, message_list
from store.outbox import outbox_insert
from store.pool import Store, TenantTransaction
from store.task import TaskRow, task_event_insert, task_insert, task_save_if_revision

_MAX_REFERENCE = 200


async def start_task(
    store: Store,
    actor: Principal,
    *,
    task_id: str,
    text: str | None = None,
    file: AttachedFile | None = None,
    confirmations: Confirmations | None = None,
    customer_ref: str | None = None,
) -> TaskBrief:
    """Starts a quote task from a request; requesters only. The same request again is the same task.

    Raises TaskExists when the id stands for another request, InvalidInput for an empty one. A file that cannot be
    read is kept, and the task will say so.
    """
    async with audited_refusals(store, actor.tenant_id, actor.subject, "task_start", audit_object("task", task_id)):
        checked = parse_task_id(task_id)
        reference = _reference(customer_ref)
        content = await read_content(text, file, confirmations)
        await asyncio.to_thread(check_lines, content.text, content.confirmations, starts=True)
        request_hash = content_hash([content.identity, reference])
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await resolve_principal(tx, actor.tenant_id, actor.subject)
            require_role(current, "requester")
            state = TaskState(tenant_id=actor.tenant_id, task_id=checked, revision=1, status="created")
            made = await task_insert(tx, state, starter=current.subject, request_hash=request_hash)
            row = await lock_task(tx, checked)
            if made:
                await _begin(tx, row, content, reference)
            elif row.request_hash != request_hash:
                raise TaskExists(
                    f"task {checked!r} was started with another request: see `proofdesk task show {checked}`, "
                    "or use another id"
                )
            return await brief_of(tx, row)


async def add_supplement(
    store: Store,
    actor: Principal,
    *,
    task_id: str,
    text: str | None = None,
    file: AttachedFile | None = None,
    confirmations: Confirmations | None = None,
    answers: Sequence[str] = (),
    idempotency_key: str | None = None,
) -> TaskBrief:
    """Adds a text, a file or confirmed fields to a task, in every open status and after its completion.

    For requesters, approvers and operators; whoever adds something cannot decide on the task's draft. A repeated
    supplement (same key, or same content without a key) is stored once. A completed task is opened again. Raises
    Conflict for a cancelled or failed task, and for a key that was used for something else.

    `answers` names what the last draft left to be confirmed and the message answers; of what nobody asked it means
    nothing.
    """
    async with audited_refusals(store, actor.tenant_id, actor.subject, "supplement", audit_object("task", task_id)):
        checked = parse_task_id(task_id)
        content = replace(await read_content(text, file, confirmations), answers=check_topics(answers))
        await asyncio.to_thread(check_lines, content.text, content.confirmations, starts=False)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            current = await resolve_principal(tx, actor.tenant_id, actor.subject)
            require_role(current, "requester", "approver", "operator")
            row = await lock_task(tx, checked)
            hashed = _idempotency(content, current.subject, idempotency_key)
            messages = await message_list(tx, checked)
            if _is_repeated(messages, content, hashed, keyed=idempotency_key is not None):
                return await brief_of(tx, row)
            if row.state.status in ("cancelled", "failed"):
                raise Conflict(f"task {checked!r} is {row.state.status}: start a new task with what is to be added")
            if row.cancel_requested_by is not None:
                raise Conflict(f"task {checked!r} is being cancelled: start a new task with what is to be added")
            check_fit(row.state, content.confirmations)
            kind: MessageKind = "supplement" if content.text or content.file else "confirmation"
            await append_message(tx, row, content, kind=kind, author=current.subject, idempotency_hash=hashed)
            if row.state.status == "completed" and all(one.merged_revision is not None for one in messages):
                row = await _reopen(tx, row, current.subject)
            return await brief_of(tx, row)


async def append_message(
    tx: TenantTransaction,
    row: TaskRow,
    content: MessageContent,
    *,
    kind: MessageKind,
    author: Subject,
    idempotency_hash: str,
    notify: bool = True,
) -> str:
    """Stores a message of a locked task with its audit row and, unless something else tells of it, its notification."""
    task_id = row.state.task_id
    ordinal = len(await message_list(tx, task_id)) + 1
    message_id = await store_message(
        tx, task_id, content, ordinal=ordinal, kind=kind, author=author, idempotency_hash=idempotency_hash
    )
    detail = {"message_id": message_id, "kind": kind, "content": content.identity, "status": row.state.status}
    await audit_append(tx, author, "message_recorded", audit_object("task", task_id), detail)
    if notify:
        await outbox_insert(tx, task_id, "supplement", message_id)
    return message_id


async def _begin(tx: TenantTransaction, row: TaskRow, content: MessageContent, reference: str | None) -> None:
    task_id = row.state.task_id
    await task_event_insert(tx, row.state, "")
    await append_message(
        tx,
        row,
        content,
        kind="request",
        author=row.starter,
        idempotency_hash=content.identity,
        notify=False,
    )
    detail = {"request_hash": row.request_hash, "customer_ref": None if reference is None else content_hash(reference)}
    await audit_append(tx, row.starter, "task_started", audit_object("task", task_id), detail)
    await outbox_insert(tx, task_id, "start", str(row.state.run_epoch))


async def _reopen(tx: TenantTransaction, row: TaskRow, actor: Subject) -> TaskRow:
    """A completed task gets its next run; what is added before that run begins needs no other."""
    state = row.state
    raised = state.model_copy(update={"run_epoch": state.run_epoch + 1, "revision": state.revision + 1})
    await task_save_if_revision(tx, raised, expected_revision=state.revision, attempt=row.attempt)
    await audit_append(tx, actor, "task_reopened", audit_object("task", state.task_id), {"run_epoch": raised.run_epoch})
    await outbox_insert(tx, state.task_id, "start", str(raised.run_epoch))
    return replace(row, state=raised)


def _idempotency(content: MessageContent, author: Subject, key: str | None) -> str:
    if key is None:
        return content_hash(["content", author, content.identity])
    if not 0 < len(key) <= _MAX_REFERENCE:
        raise InvalidInput(f"an idempotency key has 1 to {_MAX_REFERENCE} characters")
    return content_hash(["key", author, key])


def _is_repeated(messages: list[MessageRow], content: MessageContent, hashed: str, *, keyed: bool) -> bool:
    """Whether this was stored already.

    Without a key a text counts once for ever, since merging it again would change nothing. A confirmation counts once
    only in a row: after "1300", "1200" a person may well say "1300" again.
    """
    same = [one for one in messages if one.idempotency_hash == hashed]
    if not same:
        return False
    if not keyed:
        return not content.confirmations or messages[-1].idempotency_hash == hashed
    stored = same[0]
    if (stored.text, stored.original_hash, stored.confirmations, stored.answers) != (
        content.text,
        content.original_hash,
        dict(content.confirmations),
        content.answers,
    ):
        raise Conflict("this idempotency key was used for another supplement: use a new key")
    return True


def _reference(customer_ref: str | None) -> str | None:
    if customer_ref is not None and not 0 < len(customer_ref.strip()) <= _MAX_REFERENCE:
        raise InvalidInput(f"a customer reference has 1 to {_MAX_REFERENCE} characters")
    return customer_ref
