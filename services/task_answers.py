"""Which open questions of the last draft a task's new messages answer."""

from collections.abc import Callable, Sequence

from models.answers import asked_topic, fields_hash, typed_answers
from models.policies import Policy
from models.tasks import TaskState, TopicAnswer
from store.draft import draft_latest_fetch
from store.message import MessageRow
from store.pool import TenantTransaction
from store.task import TaskRow

_TYPED = frozenset({"supplement", "takeover", "request_changes"})


async def asked_topics(tx: TenantTransaction, row: TaskRow) -> tuple[str, ...]:
    """What the task's last draft said must still be confirmed, and what was answered of it since."""
    stored = await draft_latest_fetch(tx, row.state.task_id)
    draft = None if stored is None else stored.read()
    if draft is None:
        return ()
    answered = (one.topic for one in draft.answers)
    return tuple(dict.fromkeys((*(one.topic for one in draft.awaiting_confirmation), *answered)))


def merged_answers(
    row: TaskRow,
    messages: Sequence[MessageRow],
    asked: Sequence[str],
    policy: Policy,
    merged_up_to: Callable[[int], TaskState],
) -> tuple[TopicAnswer, ...]:
    """The answers that hold once all messages are merged; `merged_up_to(n)` is the state after the first n of them.

    The last answer on a topic counts. One that was given for other confirmed values is no answer any more.
    """
    held = {one.topic: one for one in row.state.answers}
    for number, message in enumerate(messages, start=1):
        for topic in _answered(message, row, asked, policy):
            given_for = fields_hash(merged_up_to(number))
            held[topic] = TopicAnswer(
                topic=topic, message_id=message.message_id, author=message.author, fields_hash=given_for
            )
    if not held:
        return ()
    now = fields_hash(merged_up_to(len(messages)))
    return tuple(one for one in held.values() if one.fields_hash == now)


def _answered(message: MessageRow, row: TaskRow, asked: Sequence[str], policy: Policy) -> tuple[str, ...]:
    if message.answers:
        named = (asked_topic(topic, asked) for topic in message.answers)
        return tuple(topic for topic in named if topic is not None)
    # Whoever started the task passes the customer's words on: theirs must be marked.
    typed = message.kind in _TYPED and message.file_name is None and message.author != row.starter
    return typed_answers(message.text, asked, policy) if typed and asked else ()
