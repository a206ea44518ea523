"""Lines of an RFQ of several: what a message says of them, and how a person names one of their fields.

Why it is so: `2.quantity=1300` is a person's word for one line, `all.special_inspection=false` for every line. A plain
`quantity=1300` beside several lines would have to be guessed, so it is refused and the lines are named.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from models.contract import Contract
from models.errors import InvalidField
from models.fields import FIELD_NAMES, FieldName, FieldValue, MessageFields, check_value, parse_confirmation
from models.tasks import LineItem, TaskState

MAX_LINES = 200
MAX_LABEL = 120
OWN_FIELDS: frozenset[FieldName] = frozenset({"quantity", "quantity_unit", "part_number", "drawing_number"})
"""What differs from line to line: said once beside several lines, it is asked, never spread."""

Confirmations = Mapping[FieldName, FieldValue] | Mapping[str, FieldValue]
"""Values as a person confirms them, by `field`, by `line.field` or by `all.field`."""

_KEY = re.compile(r"(?P<line>[1-9][0-9]{0,2}|all)\.(?P<field>[a-z_]{1,40})")
_MAX_NAMED = 20


Act = Literal["states", "asks", "adds", "withdraws", "may_withdraw"]
CODE_FIELDS: tuple[FieldName, ...] = ("part_number", "drawing_number")


class ItemReading(Contract):
    """One item of a list in a message: its place, the customer's number and words for it, and what it says."""

    start: int
    end: int
    position: str | None = None
    label: str = ""
    fields: MessageFields


class Remark(Contract):
    """A part of a message and the lines that it names: by numbers, parts or words, or all of them.

    `parts` are the codes that it gives as parts or drawings, `terms` everything in it that could be one, `labels` those
    of the customer's words for lines that it uses. `act` says whether it only states values, leaves open for which line
    (`asks`), or is about the line itself; `may_` marks words that leave that open.
    """

    start: int
    end: int
    numbers: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    everyone: bool = False
    terms: tuple[str, ...] = ()
    act: Act = "states"
    labels: tuple[str, ...] = ()
    fields: MessageFields


NOTHING = MessageFields(settled={}, undecided={}, conflicts={})


class LinesSaid(Contract):
    """What a message says of several lines: a list of items, what is said once beside it, and its remarks.

    `everywhere` names no line, `unclear` neither, but follows words on one line. `adds` marks words that the items come
    in addition to what was asked before, `by_default` that an item's own word goes before what holds for all.
    """

    items: tuple[ItemReading, ...] = ()
    everywhere: MessageFields = NOTHING
    unclear: MessageFields = NOTHING
    remarks: tuple[Remark, ...] = ()
    adds: bool = False
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class LineWord:
    """A person's confirmation for one line (None: for every line); `withdrawn` takes the line out or back in."""

    line: int | None
    field: FieldName | Literal["withdrawn"]
    value: FieldValue


def line_word(key: str, value: FieldValue) -> LineWord | None:
    """The confirmation under a key of lines, or None under a plain one; InvalidField when it is of neither form."""
    found = _KEY.fullmatch(key)
    if found is None:
        return None
    line = None if found["line"] == "all" else int(found["line"])
    if found["field"] == "withdrawn":
        if not isinstance(value, bool):
            raise InvalidField("withdrawn takes true or false")
        return LineWord(line, "withdrawn", value)
    name = _field(found["field"])
    return LineWord(line, name, check_value(name, value))


def check_confirmations(given: Confirmations) -> dict[str, FieldValue]:
    """The checked values of a message under their keys; InvalidField for an unknown key or a wrong value."""
    checked: dict[str, FieldValue] = {}
    for key, value in given.items():
        word = line_word(key, value)
        checked[key] = check_value(_field(key), value) if word is None else word.value
    return checked


def parse_line_confirmation(key: str, raw: str) -> tuple[str, FieldValue]:
    """A confirmation as a person types it (`2.quantity=1300`); InvalidField says what is allowed."""
    found = _KEY.fullmatch(key)
    if found is None:
        return parse_confirmation(key, raw)
    if found["field"] == "withdrawn":
        said = {"true": True, "yes": True, "false": False, "no": False}.get(raw.strip().casefold())
        if said is None:
            raise InvalidField("withdrawn takes true or false")
        return key, said
    return key, parse_confirmation(found["field"], raw)[1]


def split_confirmations(given: Confirmations) -> tuple[dict[FieldName, FieldValue], tuple[LineWord, ...]]:
    """What is confirmed of the task as a whole, and of its lines."""
    whole: dict[FieldName, FieldValue] = {}
    words: list[LineWord] = []
    for key, value in given.items():
        word = line_word(key, value)
        if word is None:
            whole[_field(key)] = value
        else:
            words.append(word)
    return whole, tuple(words)


def check_fit(state: TaskState, given: Confirmations) -> None:
    """InvalidField, naming the lines, when a confirmation does not say which line of this task it is for."""
    whole, words = split_confirmations(given)
    if not state.lines:
        if words:
            raise InvalidField("this task has one line: confirm FIELD=VALUE, such as quantity=1300")
        return
    named = named_lines(state.lines)
    if whole:
        name = min(whole)
        raise InvalidField(
            f"this task has several lines: say which one {name} is for, such as 1.{name}=… or all.{name}=…; "
            f"its lines are {named}"
        )
    known = {one.line: one for one in state.lines}
    for word in words:
        if word.line is None:
            if word.field in OWN_FIELDS:
                raise InvalidField(f"{word.field} differs from line to line: confirm it for each of {named}")
            continue
        held = known.get(word.line)
        if held is None:
            raise InvalidField(f"this task has no line {word.line}; its lines are {named}")
        if held.status == "withdrawn" and word.field != "withdrawn":
            raise InvalidField(f"line {word.line} is withdrawn: confirm {word.line}.withdrawn=false first")


def named_lines(lines: Sequence[LineItem]) -> str:
    """The lines for people, `1 (AB-100), 2 (Flansch)`; of many, the first and how many there are."""
    shown = ", ".join(
        f"{one.line} ({line_name(one)})" if line_name(one) else str(one.line) for one in lines[:_MAX_NAMED]
    )
    return shown if len(lines) <= _MAX_NAMED else f"{shown} and {len(lines) - _MAX_NAMED} more"


def line_name(line: LineItem) -> str:
    """What people call the line: its part, its drawing, or the customer's words; "" when nothing was said."""
    for name in ("part_number", "drawing_number"):
        held = line.confirmed.get(name)
        if held is not None:
            return str(held.value)
    return line.label


def open_lines(lines: Sequence[LineItem]) -> tuple[LineItem, ...]:
    """The lines that are to be quoted."""
    return tuple(one for one in lines if one.status != "withdrawn")


def asked_of(state: TaskState) -> tuple[str, ...]:
    """What the task waits for, in words for its timeline: for each line its own gaps."""
    if not state.lines:
        return (*(f"conflict: {one.field}" for one in state.conflicts), *state.pending)
    if not open_lines(state.lines):
        return ("every line is withdrawn",)
    return tuple(f"line {one.line}: {', '.join(_asked(one))}" for one in open_lines(state.lines) if _asked(one))


def contested(state: TaskState) -> tuple[FieldName, ...]:
    """The fields in conflict, of the task or of any open line."""
    named = {one.field for one in state.conflicts}
    named |= {conflict.field for one in open_lines(state.lines) for conflict in one.conflicts}
    return tuple(name for name in FIELD_NAMES if name in named)


def _asked(line: LineItem) -> tuple[str, ...]:
    doubt = () if line.doubt is None else (f"{line.doubt.kind}?",)
    return (*doubt, *(f"conflict: {one.field}" for one in line.conflicts), *line.pending)


def _field(name: str) -> FieldName:
    for known in FIELD_NAMES:
        if known == name:
            return known
    raise InvalidField(f"{name[:40]!r} is no field; the fields are {', '.join(FIELD_NAMES)}")
