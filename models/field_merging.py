"""Merging values into the fields of one line: a text fills or contradicts, only a person's confirmation replaces."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from models.fields import FIELD_NAMES, FieldName, FieldReading, FieldValue, MessageFields
from models.folding import fold
from models.ids import Subject
from models.line_items import LinesSaid, LineWord
from models.tasks import ConfirmedValue, FieldConflict, FieldSource, ReplacedValue

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
    """One message as merging sees it; confirmations speak for their fields, whatever the text beside them says.

    `readings` are those of the whole text, `lines` what it says of several lines; which of them counts depends on the
    task. `line_words` are confirmations for lines.
    """

    message_id: str
    author: Subject
    readings: Sequence[Reading] = ()
    confirmations: Mapping[FieldName, FieldValue] = field(default_factory=dict[FieldName, FieldValue])
    lines: LinesSaid | None = None
    line_words: tuple[LineWord, ...] = ()

    def extracted(self, char_start: int | None, char_end: int | None) -> FieldSource:
        """A span of this message as the source of a value."""
        return FieldSource(
            message_id=self.message_id,
            author=self.author,
            confirmed_by="extraction",
            char_start=char_start,
            char_end=char_end,
        )

    def confirmation(self) -> FieldSource:
        """The author's word in this message as the source of a value."""
        return FieldSource(message_id=self.message_id, author=self.author, confirmed_by="confirmation")


def readings_of(fields: MessageFields) -> tuple[Reading, ...]:
    """What one message says, as merging takes it."""
    settled = [Reading(name, "settled", (_read_value(one),)) for name, one in fields.settled.items()]
    open_ = [Reading(name, "undecided", (), span.start, span.end) for name, span in fields.undecided.items()]
    several = [
        Reading(name, "conflict", tuple(_read_value(one) for one in values))
        for name, values in fields.conflicts.items()
    ]
    return (*settled, *open_, *several)


def same_value(name: FieldName, one: FieldValue, other: FieldValue) -> bool:
    """Equal in type and value; texts also when width, case and blanks alone differ, units when they count alike."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return type(one) is type(other) and one == other
    left, right = _folded(one), _folded(other)
    if name == "quantity_unit":
        return _UNITS.get(left, left) == _UNITS.get(right, right)
    return left == right


class FieldMerge:
    """The fields of one line (or of a task of one line) while messages are merged into them."""

    def __init__(
        self,
        *,
        confirmed: Mapping[FieldName, ConfirmedValue] | None = None,
        pending: Sequence[FieldName] = (),
        conflicts: Sequence[FieldConflict] = (),
        replaced: Sequence[ReplacedValue] = (),
    ) -> None:
        self.confirmed = dict(confirmed or {})
        self._conflicts = {conflict.field: conflict for conflict in conflicts}
        self._replaced = list(replaced)
        self._open = set(pending)

    @property
    def conflicts(self) -> tuple[FieldConflict, ...]:
        """The conflicts, in the order of the fields."""
        return tuple(self._conflicts[name] for name in FIELD_NAMES if name in self._conflicts)

    @property
    def replaced(self) -> tuple[ReplacedValue, ...]:
        """What a person replaced, oldest first."""
        return tuple(self._replaced)

    def pending(self, required: Sequence[FieldName]) -> tuple[FieldName, ...]:
        """What is required or was said to be open, and has no value."""
        waiting = (self._open | set(required)) - set(self.confirmed)
        return tuple(name for name in FIELD_NAMES if name in waiting)

    def has(self, name: FieldName) -> bool:
        """Whether something is known of the field: a value or a conflict."""
        return name in self.confirmed or name in self._conflicts

    def contradicts(self, reading: Reading) -> bool:
        """Whether what is known of the field is already contested, or would be by this reading."""
        if reading.field in self._conflicts:
            return True
        known = self.confirmed.get(reading.field)
        if known is None:
            return False
        values = reading.candidates
        return not values or not all(same_value(reading.field, known.value, one.value) for one in values)

    def copy(self) -> "FieldMerge":
        """Another one that knows the same."""
        return FieldMerge(
            confirmed=self.confirmed,
            pending=tuple(self._open),
            conflicts=tuple(self._conflicts.values()),
            replaced=self._replaced,
        )

    def read(self, reading: Reading, arrival: Arrival) -> None:
        """Takes what a text says: it fills what is empty and contradicts what is not."""
        if reading.outcome == "undecided":
            self.doubt(reading.field, arrival.extracted(reading.char_start, reading.char_end))
            return
        values = [
            ConfirmedValue(value=one.value, source=arrival.extracted(one.char_start, one.char_end))
            for one in reading.candidates
        ]
        known = self.confirmed.get(reading.field)
        conflict = self._conflicts.get(reading.field)
        if conflict is not None:
            self._conflicts[reading.field] = _joined(conflict, values)
        elif known is not None:
            if not all(same_value(reading.field, known.value, one.value) for one in values):
                self._conflicts[reading.field] = _joined(_one_sided(reading.field, known), values)
        elif all(same_value(reading.field, values[0].value, one.value) for one in values[1:]):
            self.confirmed[reading.field] = values[0]
        else:
            self._conflicts[reading.field] = _joined(_one_sided(reading.field, values[0]), values[1:])

    def confirm(self, name: FieldName, value: FieldValue, source: FieldSource) -> None:
        """Takes a person's word: it replaces what was confirmed and settles a conflict."""
        known = self.confirmed.get(name)
        self._conflicts.pop(name, None)
        if known is not None and same_value(name, known.value, value):
            return
        if known is not None:
            self._replaced.append(ReplacedValue(field=name, old=known, replaced_by=source))
        self.confirmed[name] = ConfirmedValue(value=value, source=source)

    def doubt(self, name: FieldName, source: FieldSource) -> None:
        """Opens the field: what is not known becomes pending, what is known is asked."""
        known = self.confirmed.get(name)
        conflict = self._conflicts.get(name)
        if conflict is None and known is None:
            self._open.add(name)
            return
        opened = conflict if conflict is not None or known is None else _one_sided(name, known)
        if opened is not None and source not in opened.undecided:
            self._conflicts[name] = opened.model_copy(update={"undecided": (*opened.undecided, source)})


def _folded(text: str) -> str:
    return "".join(fold(unicodedata.normalize("NFKC", text)).casefold().split())


def _read_value(reading: FieldReading) -> ReadValue:
    return ReadValue(reading.value, reading.start, reading.end)


def _one_sided(name: FieldName, known: ConfirmedValue) -> FieldConflict:
    return FieldConflict(field=name, candidates=(known,))


def _joined(conflict: FieldConflict, values: Sequence[ConfirmedValue]) -> FieldConflict:
    """The conflict with the values it does not list yet."""
    candidates = list(conflict.candidates)
    for one in values:
        if not any(same_value(conflict.field, one.value, listed.value) for listed in candidates):
            candidates.append(one)
    return conflict.model_copy(update={"candidates": tuple(candidates)})
