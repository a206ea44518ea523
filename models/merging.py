"""Merging what arrives into what is known: nothing confirmed is overwritten, lost, or asked for again.

Why it is so: a text is somebody's wording and was read by a program, a structured confirmation is a person's word for a
field. So a text may fill what is empty and may contradict; only a confirmation replaces or settles. "The quantity is
not fixed after all" contradicts a confirmed quantity as much as another number does: it opens a conflict with one
candidate and the message that doubts it, so that it is asked, neither kept in silence nor dropped.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from models.fields import FIELD_NAMES, FieldName, FieldReading, FieldValue, MessageFields
from models.folding import fold
from models.ids import Subject
from models.tasks import ConfirmedValue, FieldConflict, FieldSource, ReplacedValue, TaskState

# Words that count the same thing: a customer who writes "pcs" today and "Stück" tomorrow contradicts nothing.
_COUNTED = {
    "piece": "pc pcs piece pieces ea each unit units off no nos part parts stk stck stück stücke stücken stueck"
    " teil teile einheit einheiten exemplar exemplare pz pza pièce pièces"
    " 件 个 只 支 片 颗 粒 枚 本 台 点 根 块 ヶ ケ コ つ 개",
    "set": "set sets kit kits satz sätze saetze garnitur garnituren assembly assemblies 套 组 式 セット 세트",
    "pair": "pair pairs paar paare 对 双 副 ペア",
}
_UNITS = {word: counted for counted, words in _COUNTED.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A value as a message states it, with its span in that message."""

    value: FieldValue
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says of one field: one value, that it is open, or several values at once."""

    field: FieldName
    outcome: Literal["settled", "undecided", "conflict"]
    candidates: tuple[ReadValue, ...] = ()
    char_start: int | None = None
    char_end: int | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """One message as merging sees it; confirmations speak for their fields, whatever the text beside them says."""

    message_id: str
    author: Subject
    readings: Sequence[Reading] = ()
    confirmations: Mapping[FieldName, FieldValue] = field(default_factory=dict[FieldName, FieldValue])


def merge_arrivals(state: TaskState, arrivals: Iterable[Arrival], required: Sequence[FieldName]) -> TaskState:
    """`state` with the arrivals merged in their order; merging one twice changes nothing more.

    Only `confirmed`, `pending`, `conflicts` and `replaced` differ afterwards. `pending` lists what is required or was
    said to be open, and is not confirmed.
    """
    work = _Merge(state)
    for arrival in arrivals:
        for reading in arrival.readings:
            if reading.field not in arrival.confirmations:
                work.read(reading, arrival)
        for name, value in arrival.confirmations.items():
            work.confirm(name, value, arrival)
    return work.result(required)


def readings_of(fields: MessageFields) -> tuple[Reading, ...]:
    """What one message says, as merging takes it."""
    settled = [Reading(name, "settled", (_read_value(one),)) for name, one in fields.settled.items()]
    open_ = [Reading(name, "undecided", (), span.start, span.end) for name, span in fields.undecided.items()]
    several = [
        Reading(name, "conflict", tuple(_read_value(one) for one in values))
        for name, values in fields.conflicts.items()
    ]
    return (*settled, *open_, *several)


def needs_input(state: TaskState, required: Sequence[FieldName]) -> bool:
    """Whether the task must ask: a required field has no value, or some field has more than one."""
    return bool(state.conflicts) or any(name not in state.confirmed for name in required)


def same_value(name: FieldName, one: FieldValue, other: FieldValue) -> bool:
    """Equal in type and value; texts also when width, case and blanks alone differ, units when they count alike."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return type(one) is type(other) and one == other
    left, right = _folded(one), _folded(other)
    if name == "quantity_unit":
        return _UNITS.get(left, left) == _UNITS.get(right, right)
    return left == right


def _folded(text: str) -> str:
    return "".join(fold(unicodedata.normalize("NFKC", text)).casefold().split())


def _read_value(reading: FieldReading) -> ReadValue:
    return ReadValue(reading.value, reading.start, reading.end)


class _Merge:
    def __init__(self, state: TaskState) -> None:
        self._state = state
        self._confirmed = dict(state.confirmed)
        self._conflicts = {conflict.field: conflict for conflict in state.conflicts}
        self._replaced = list(state.replaced)
        self._open = set(state.pending)

    def read(self, reading: Reading, arrival: Arrival) -> None:
        if reading.outcome == "undecided":
            self._doubt(reading, arrival)
            return
        values = [
            ConfirmedValue(value=one.value, source=_extracted(arrival, one.char_start, one.char_end))
            for one in reading.candidates
        ]
        known = self._confirmed.get(reading.field)
        conflict = self._conflicts.get(reading.field)
        if conflict is not None:
            self._conflicts[reading.field] = _joined(conflict, values)
        elif known is not None:
            if not all(same_value(reading.field, known.value, one.value) for one in values):
                self._conflicts[reading.field] = _joined(_one_sided(reading.field, known), values)
        elif all(same_value(reading.field, values[0].value, one.value) for one in values[1:]):
            self._confirmed[reading.field] = values[0]
        else:
            self._conflicts[reading.field] = _joined(_one_sided(reading.field, values[0]), values[1:])

    def confirm(self, name: FieldName, value: FieldValue, arrival: Arrival) -> None:
        source = FieldSource(message_id=arrival.message_id, author=arrival.author, confirmed_by="confirmation")
        known = self._confirmed.get(name)
        self._conflicts.pop(name, None)
        if known is not None and same_value(name, known.value, value):
            return
        if known is not None:
            self._replaced.append(ReplacedValue(field=name, old=known, replaced_by=source))
        self._confirmed[name] = ConfirmedValue(value=value, source=source)

    def _doubt(self, reading: Reading, arrival: Arrival) -> None:
        known = self._confirmed.get(reading.field)
        conflict = self._conflicts.get(reading.field)
        if conflict is None and known is None:
            self._open.add(reading.field)
            return
        source = _extracted(arrival, reading.char_start, reading.char_end)
        opened = conflict if conflict is not None or known is None else _one_sided(reading.field, known)
        if opened is not None and source not in opened.undecided:
            self._conflicts[reading.field] = opened.model_copy(update={"undecided": (*opened.undecided, source)})

    def result(self, required: Sequence[FieldName]) -> TaskState:
        waiting = (self._open | set(required)) - set(self._confirmed)
        return self._state.model_copy(
            update={
                "confirmed": self._confirmed,
                "pending": tuple(name for name in FIELD_NAMES if name in waiting),
                "conflicts": tuple(self._conflicts[name] for name in FIELD_NAMES if name in self._conflicts),
                "replaced": tuple(self._replaced),
            }
        )


def _extracted(arrival: Arrival, char_start: int | None, char_end: int | None) -> FieldSource:
    return FieldSource(
        message_id=arrival.message_id,
        author=arrival.author,
        confirmed_by="extraction",
        char_start=char_start,
        char_end=char_end,
    )


def _one_sided(name: FieldName, known: ConfirmedValue) -> FieldConflict:
    return FieldConflict(field=name, candidates=(known,))


def _joined(conflict: FieldConflict, values: Sequence[ConfirmedValue]) -> FieldConflict:
    """The conflict with the values it does not list yet."""
    candidates = list(conflict.candidates)
    for one in values:
        if not any(same_value(conflict.field, one.value, listed.value) for listed in candidates):
            candidates.append(one)
    return conflict.model_copy(update={"candidates": tuple(candidates)})
