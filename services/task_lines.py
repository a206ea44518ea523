"""Messages on their way into a task's state: free text, tables and structured documents, line by line."""

from collections.abc import Iterable, Mapping, Sequence

from models.errors import InvalidField, InvalidInput
from models.extraction.line_remarks import NAMELESS, Known
from models.extraction.lines import read_lines, with_listed_parts
from models.fields import FieldName, FieldValue, MessageFields
from models.line_items import (
    CODE_FIELDS,
    MAX_LINES,
    ItemReading,
    LinesSaid,
    asked_of,
    open_lines,
    split_confirmations,
)
from models.merging import Arrival, merge_arrivals, readings_of
from models.normalization import normalize_term
from models.rfq import RfqLine, StructuredRfq
from models.rfq_reading import read_rfqs
from models.tasks import TaskState
from store.message import MessageRow

MAX_REASON = 500


def merged_state(
    state: TaskState, messages: Iterable[MessageRow], read: Mapping[str, MessageFields], required: Sequence[FieldName]
) -> TaskState:
    """`state` with the messages merged in their order; `read` holds what each says as a whole, by its id.

    Raises InvalidInput when the task would have more lines than it can hold.
    """
    for message in messages:
        for arrival in _arrivals(state, message, read[message.message_id]):
            state = merge_arrivals(state, [arrival], required)
    return merge_arrivals(state, [], required)


def waiting_reason(state: TaskState) -> str:
    """What a task waits for, short enough for its timeline."""
    said = ("; " if state.lines else ", ").join(asked_of(state))
    return said if len(said) <= MAX_REASON else f"{said[: MAX_REASON - 1]}…"


def check_lines(text: str, confirmations: Mapping[str, FieldValue], *, starts: bool) -> None:
    """Refuses a message of more lines than a task can hold and, when it starts a task, confirmations of other lines.

    Raises InvalidInput for the first, InvalidField for the second.
    """
    _, words = split_confirmations(confirmations)
    if not words and text.count("\n") < MAX_LINES // 2:
        return
    documents = [one for one in read_rfqs(text) if one.requests]
    said = read_lines(text, several=False)
    named = sum(len(one.items()) for one in documents) + (0 if said is None else len(said.items))
    if named > MAX_LINES:
        raise InvalidInput(f"a task has at most {MAX_LINES} lines: split this request into several tasks")
    if not starts or not words:
        return
    if named < 2:
        raise InvalidField("this request has one line: confirm FIELD=VALUE, such as quantity=1300")
    unknown = [one.line for one in words if one.line is not None and one.line > named]
    if unknown:
        raise InvalidField(f"this request has no line {unknown[0]}: its lines are 1 to {named}")


def _arrivals(state: TaskState, message: MessageRow, read: MessageFields) -> Iterable[Arrival]:
    """One message as merging takes it: each structured document, then the words around them."""
    whole, words = split_confirmations(message.confirmations)
    for document in read_rfqs(message.text):
        if document.requests and document.items():
            yield _of_document(message, document)
    several = bool(state.lines) or _structured_lines(message.text)
    lines = read_lines(message.text, several=several, known=_known(state))
    if lines is None:
        read = with_listed_parts(message.text, read)
    yield Arrival(message.message_id, message.author, readings_of(read), whole, lines, words)


def _structured_lines(text: str) -> bool:
    return any(len(one.items()) > 1 for one in read_rfqs(text) if one.requests)


def _of_document(message: MessageRow, document: StructuredRfq) -> Arrival:
    items = document.items()
    if len(items) == 1:
        readings = (*readings_of(document.said()), *readings_of(items[0].said()))
        return Arrival(message.message_id, message.author, readings)
    said = LinesSaid(items=tuple(_item(one) for one in items), everywhere=document.said(), by_default=True)
    return Arrival(message.message_id, message.author, lines=said)


def _item(line: RfqLine) -> ItemReading:
    return ItemReading(
        start=line.place.start,
        end=line.place.end,
        position=line.line_id[:20] or None,
        label=line.label[:120],
        fields=line.said(),
    )


def _known(state: TaskState) -> Known:
    if not state.lines:
        return NAMELESS
    quoted = [*open_lines(state.lines), *(one for one in state.lines if one.status == "withdrawn")]
    codes = [
        normalize_term(str(held.value))
        for one in quoted
        for name in CODE_FIELDS
        if (held := one.confirmed.get(name)) is not None
    ]
    return Known(tuple(dict.fromkeys(codes)), tuple(dict.fromkeys(one.label for one in quoted if one.label)))
