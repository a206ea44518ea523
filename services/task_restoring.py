"""Restoring: everything said since is merged, and who asked is looked up again before anything is searched for them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from models.errors import InvalidInput, NotFound, Refused
from models.extraction import asking_days, understood_days
from models.fields import MessageFields
from models.ids import Subject
from models.merging import needs_input
from models.policies import Policy
from models.principals import require_role
from models.steps import StepInput, TaskBrief
from models.tasks import Block
from services.agents.extraction import read_messages
from services.policies import policy_current
from services.principals import resolve_principal
from services.task_answers import asked_topics, merged_answers
from services.task_lines import merged_state, waiting_reason
from services.task_messages import unreadable_reason
from services.task_services import TaskServices
from services.task_state import Outgoing, StepResult, run_step
from services.tenants import tenant_zone
from store.message import MessageRow, message_list
from store.pool import TenantTransaction
from store.task import TaskRow


@dataclass(frozen=True, slots=True)
class _Said:
    """What restoring reads: the unmerged messages, the policy, and the block if the starter may not go on."""

    messages: Sequence[MessageRow]
    policy: Policy
    rights_lost: Block | None
    zone: ZoneInfo
    asked: Sequence[str]


async def restore_task(services: TaskServices, given: StepInput) -> TaskBrief:
    """Merges every unmerged message and goes on to retrieving, or rests where a person must say or do something.

    What was confirmed stays and is not asked again. A starter who lost the role or the account blocks the task
    (rights_lost), a file that could not be read blocks it once (unreadable_input).
    """

    read: dict[str, MessageFields] = {}  # a state that moved meanwhile has no message read twice

    async def work(row: TaskRow) -> StepResult:
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            said = await _read(tx, row)
        texts = {one.message_id: one.text for one in said.messages if one.message_id not in read}
        # Nobody without rights has a model asked.
        read.update(await read_messages(services, given.tenant_id, texts, by_rules=said.rights_lost is not None))
        return await asyncio.to_thread(_restored, row, said, read)

    return await run_step(services, given, work)


async def _read(tx: TenantTransaction, row: TaskRow) -> _Said:
    messages = [one for one in await message_list(tx, row.state.task_id) if one.merged_revision is None]
    held = await policy_current(tx)
    block, zone = await rights_block(tx, row.starter), await tenant_zone(tx)
    return _Said(messages, held.policy, block, zone, await asked_topics(tx, row) if messages else ())


async def rights_block(tx: TenantTransaction, starter: Subject) -> Block | None:
    """The block of a task whose starter may not have it worked on now: nobody without rights is searched for."""
    try:
        require_role(await resolve_principal(tx, tx.tenant_id, starter), "requester")
    except (NotFound, Refused):
        detail = "the starter's account is not active or no longer a requester"
        return Block(reason="rights_lost", detail=detail, choices=("retry", "abandon"))
    return None


def _restored(row: TaskRow, said: _Said, read: Mapping[str, MessageFields]) -> StepResult:
    state, required = row.state, said.policy.required_fields
    too_many: Block | None = None
    read = {one.message_id: _days_asked(one, read[one.message_id], said.zone) for one in said.messages}
    try:
        merged = merged_state(state, said.messages, read, required)
        answers = merged_answers(
            row,
            said.messages,
            said.asked,
            said.policy,
            lambda count: merged_state(state, said.messages[:count], read, required),
        )
    except InvalidInput as error:
        merged, too_many = state, Block(reason="unreadable_input", detail=str(error))
        answers = state.answers
    kept: dict[str, object] = {
        "confirmed": merged.confirmed,
        "pending": merged.pending,
        "conflicts": merged.conflicts,
        "replaced": merged.replaced,
        "lines": merged.lines,
        "answers": answers,
    }
    ids = tuple(one.message_id for one in said.messages)
    block = _block(said) or too_many
    if block is not None:
        return StepResult("blocked", block.reason, kept=kept, changes={"block": block}, merged=ids)
    if needs_input(merged, required):
        return StepResult("waiting_input", waiting_reason(merged), kept=kept, merged=ids)
    handoff = Outgoing("restoring", "retrieval", "task-state@1", merged.model_dump(mode="json"))
    return StepResult("retrieving", kept=kept, merged=ids, handoff=handoff)


def _days_asked(message: MessageRow, read: MessageFields, zone: ZoneInfo) -> MessageFields:
    """Relative days count from the day on which the message arrived where the tenant is."""
    return asking_days(read, understood_days(message.text, message.received_at.astimezone(zone).date()))


def _block(said: _Said) -> Block | None:
    if said.rights_lost is not None:
        return said.rights_lost
    unreadable = [(one.message_id, reason) for one in said.messages if (reason := unreadable_reason(one)) is not None]
    if unreadable:
        detail = ", ".join(f"{message_id}: {reason}" for message_id, reason in unreadable)
        return Block(reason="unreadable_input", detail=f"could not be read: {detail}")
    return None
