"""Merging messages into an RFQ of several lines: each value goes to the line it was said of, or it is asked.

Why it is so: a value on the wrong line is a wrong quote. So a message speaks of a line by its part, its number or its
words, or of all; what it says without naming one fills the only line that lacks it, or opens the question on every line
it could mean. Lines keep their number for good; words that leave open whether a line came or went are asked too.
"""

from collections.abc import Iterable, Sequence

from models.errors import InvalidInput
from models.extraction.line_words import label_key
from models.field_merging import Arrival, FieldMerge, Reading, readings_of
from models.fields import FIELD_NAMES, FieldName, FieldValue, MessageFields
from models.line_items import CODE_FIELDS, MAX_LINES, OWN_FIELDS, ItemReading, LinesSaid, LineWord, Remark
from models.normalization import normalize_term
from models.tasks import FieldSource, LineDoubt, LineItem, LineStatus, ReplacedValue, TaskState


class _Line:
    """One line at work."""

    def __init__(self, item: LineItem) -> None:
        self.number = item.line
        self.label = item.label
        self.position = item.position
        self.source = item.source
        self.doubt = item.doubt
        self.withdrawn_by = item.withdrawn_by
        self.fields = FieldMerge(
            confirmed=item.confirmed, pending=item.pending, conflicts=item.conflicts, replaced=item.replaced
        )

    @property
    def quoted(self) -> bool:
        return self.withdrawn_by is None

    def code(self, name: FieldName) -> str | None:
        held = self.fields.confirmed.get(name)
        return None if held is None else normalize_term(str(held.value))

    def result(self, required: Sequence[FieldName]) -> LineItem:
        missing = any(name not in self.fields.confirmed for name in required)
        status: LineStatus = "waiting" if missing or self.fields.conflicts else "complete"
        if self.withdrawn_by is not None:
            status = "withdrawn"
        return LineItem(
            line=self.number,
            label=self.label,
            position=self.position,
            status="waiting" if self.doubt is not None else status,
            source=self.source,
            confirmed=self.fields.confirmed,
            pending=self.fields.pending(required),
            conflicts=self.fields.conflicts,
            replaced=self.fields.replaced,
            doubt=self.doubt,
            withdrawn_by=self.withdrawn_by,
        )


class LineMerge:
    """The lines of a task while messages are merged into them; empty for a task of one line."""

    def __init__(self, lines: Sequence[LineItem]) -> None:
        self._lines = [_Line(one) for one in lines]

    @property
    def several(self) -> bool:
        """Whether the task has lines."""
        return bool(self._lines)

    def begins(self, whole: FieldMerge, arrival: Arrival) -> bool:
        """Whether this message turns a task of one line into one of several; what is known goes to its lines."""
        said = arrival.lines
        if said is None:
            return False
        known = whole.confirmed.get("part_number")
        added = [one for one in said.remarks if one.act == "adds" and _is_other(one, known and known.value)]
        if len(said.items) < 2 and not (added and whole.confirmed):
            return False
        if len(said.items) < 2 or known is not None:
            first = self._new(arrival, None)
            first.fields = whole
            first.source = next((one.source for one in whole.confirmed.values()), first.source)
        else:
            for item in said.items:
                self._new(arrival, item).fields = whole.copy()
        return True

    def merge(self, arrival: Arrival) -> None:
        """Takes what one message says of the lines."""
        said = arrival.lines
        if said is not None:
            touched = [self._placed(item, arrival, added=said.adds) for item in said.items]
            for line, item in zip(touched, said.items, strict=True):
                self._read(line, readings_of(item.fields), arrival)
            for line, item in zip(touched, said.items, strict=True):
                self._read(line, _for_all(said, item), arrival)
            for remark in said.remarks:
                self._remark(remark, arrival)
            if not touched:
                self._unaddressed(said.everywhere, arrival)
            self._ask(self._open(), readings_of(said.unclear), arrival)
        self._confirm(arrival)

    def result(self, state: TaskState, replaced: tuple[ReplacedValue, ...], required: Sequence[FieldName]) -> TaskState:
        """`state` with the lines; its own fields move to them, `pending` names what any line waits for."""
        items = tuple(line.result(required) for line in self._lines)
        waiting = {name for one in items if one.status == "waiting" for name in one.pending}
        return state.model_copy(
            update={
                "confirmed": {},
                "pending": tuple(name for name in FIELD_NAMES if name in waiting),
                "conflicts": (),
                "replaced": state.replaced,
                "lines": items,
            }
        )

    def _open(self) -> list[_Line]:
        return [line for line in self._lines if line.quoted]

    def _new(self, arrival: Arrival, item: ItemReading | None) -> _Line:
        if len(self._lines) >= MAX_LINES:
            raise InvalidInput(f"a task has at most {MAX_LINES} lines: start another task for the rest")
        start, end = (None, None) if item is None else (item.start, item.end)
        line = _Line(
            LineItem(
                line=len(self._lines) + 1,
                label="" if item is None else item.label,
                position=None if item is None else item.position,
                source=arrival.extracted(start, end),
            )
        )
        self._lines.append(line)
        return line

    def _placed(self, item: ItemReading, arrival: Arrival, *, added: bool) -> _Line:
        """The line that an item of a list is, or a new one; where the list does not say that it is new, it is asked."""
        here = arrival.extracted(item.start, item.end)
        own = next((line for line in self._lines if line.source == here), None)
        matching = [own] if own is not None else self._matching(item)
        if len(matching) == 1:
            return matching[0]
        first = all(line.source.message_id == arrival.message_id for line in self._lines)
        taken = {line.position for line in self._lines} | {str(line.number) for line in self._lines}
        line = self._new(arrival, item)
        if not (first or added or (item.position is not None and item.position not in taken)):
            line.doubt = LineDoubt(kind="addition", source=here)
        return line

    def _matching(self, item: ItemReading) -> list[_Line]:
        for name in CODE_FIELDS:
            code = _code(item.fields, name)
            if code is not None:
                return [line for line in self._lines if line.code(name) == code]
        key = label_key(item.label)
        return [line for line in self._lines if key and label_key(line.label) == key]

    def _read(self, line: _Line, readings: Iterable[Reading], arrival: Arrival) -> None:
        confirmed = {word.field for word in arrival.line_words if word.line in (None, line.number)}
        for reading in readings:
            if reading.field not in confirmed and reading.field not in arrival.confirmations:
                line.fields.read(reading, arrival)

    def _remark(self, remark: Remark, arrival: Arrival) -> None:
        targets, certain = self._meant(remark)
        readings = readings_of(remark.fields)
        source = arrival.extracted(remark.start, remark.end)
        if not targets:
            self._of_no_line(remark, arrival)
        elif remark.act in ("withdraws", "may_withdraw"):
            sure = certain and remark.act == "withdraws" and not remark.everyone
            for line in targets:
                _withdraw(line, source, sure=sure)
        elif not certain or remark.act == "asks":
            self._ask(targets, readings, arrival)
        else:
            for line in targets:
                if not line.quoted and readings:
                    line.doubt = LineDoubt(kind="addition", source=source)
                if remark.act == "adds" and "quantity" in remark.fields.settled:
                    line.fields.doubt("quantity", source)
                self._read(line, readings, arrival)

    def _meant(self, remark: Remark) -> tuple[list[_Line], bool]:
        """The lines that a remark names, and whether it leaves no other."""
        if remark.everyone:
            return self._open(), True
        numbered = [self._numbered(one) for one in remark.numbers]
        if numbered:
            parts = self._of_parts(remark)
            named = [line for lines in numbered for line in lines]
            clear = all(
                lines and (len(lines) == 1 or one == "both")
                for one, lines in zip(remark.numbers, numbered, strict=True)
            )
            return _distinct([*named, *parts]), clear and all(line in named for line in parts)
        parts = self._of_parts(remark)
        if parts:
            return _distinct(parts), all(
                sum(code in {line.code(name) for name in CODE_FIELDS} for line in parts) <= 1
                for code in {*remark.parts, *remark.terms}
            )
        if remark.parts:
            return [], False
        called = [line for line in self._lines if line.label in remark.labels and line.label]
        return called, len({label_key(line.label) for line in called}) == len(called)

    def _numbered(self, number: str) -> list[_Line]:
        if number == "both":
            quoted = self._open()
            return quoted if len(quoted) == 2 else []
        by_position = [line for line in self._lines if line.position == number]
        return by_position or [line for line in self._lines if str(line.number) == number]

    def _of_parts(self, remark: Remark) -> list[_Line]:
        named = {*remark.parts, *remark.terms}
        return [line for line in self._lines if {line.code(name) for name in CODE_FIELDS} & named]

    def _of_no_line(self, remark: Remark, arrival: Arrival) -> None:
        """A remark on a line that is not there: perhaps a new one, else whatever it says is asked of every line."""
        readings = readings_of(remark.fields)
        if remark.act in ("withdraws", "may_withdraw"):
            return
        own = remark.fields.settled.keys() & {"quantity", "part_number", "drawing_number"}
        if (remark.parts or remark.numbers) and len(own) > (1 if remark.parts else 0):
            item = ItemReading(start=remark.start, end=remark.end, fields=remark.fields)
            if remark.numbers:
                item = item.model_copy(update={"position": remark.numbers[0]})
            line = self._placed(item, arrival, added=remark.act == "adds")
            self._read(line, readings, arrival)
            return
        self._ask(self._open(), [one for one in readings if one.field not in CODE_FIELDS], arrival)

    def _unaddressed(self, fields: MessageFields, arrival: Arrival) -> None:
        """What is said of no line: it fills the one gap, holds for all where lines do not differ, or is asked."""
        quoted = self._open()
        for reading in readings_of(fields):
            lacking = [line for line in quoted if not line.fields.has(reading.field)]
            if len(quoted) == 1:
                self._read(quoted[0], [reading], arrival)
            elif reading.field == "quantity_unit":
                continue
            elif reading.field in OWN_FIELDS:
                alone = len(lacking) == 1 and reading.field not in CODE_FIELDS
                if alone:
                    self._read(lacking[0], [reading], arrival)
                else:
                    self._ask(quoted, [reading], arrival)
            elif len(lacking) < len(quoted) and any(line.fields.contradicts(reading) for line in quoted):
                self._ask(quoted, [reading], arrival)
            else:
                for line in quoted:
                    self._read(line, [reading], arrival)

    def _ask(self, lines: Iterable[_Line], readings: Iterable[Reading], arrival: Arrival) -> None:
        """Each value that could be meant for these lines contradicts what they have, and opens what they lack."""
        for line in lines:
            for reading in readings:
                if line.fields.has(reading.field):
                    self._read(line, [reading], arrival)
                else:
                    open_ = Reading(reading.field, "undecided", (), reading.char_start, reading.char_end)
                    self._read(line, [open_], arrival)

    def _confirm(self, arrival: Arrival) -> None:
        source = arrival.confirmation()
        quoted = self._open()
        for name, value in arrival.confirmations.items():
            for line in quoted:
                if name in OWN_FIELDS and len(quoted) > 1:
                    line.fields.doubt(name, source)
                else:
                    line.fields.confirm(name, value, source)
        for word in arrival.line_words:
            for line in self._lines:
                if word.line == line.number or (word.line is None and line.quoted):
                    _carry_out(line, word, source)


def _carry_out(line: _Line, word: LineWord, source: FieldSource) -> None:
    if word.field == "withdrawn":
        line.doubt = None
        line.withdrawn_by = source if word.value is True else None
    else:
        line.fields.confirm(word.field, word.value, source)


def _for_all(said: LinesSaid, item: ItemReading) -> list[Reading]:
    """What is said once for all items, as it holds for one: its own drawing stands, and by default its own word."""
    own = {*item.fields.settled, *item.fields.undecided, *item.fields.conflicts}
    kept = own if said.by_default else own & set(CODE_FIELDS)
    return [one for one in readings_of(said.everywhere) if one.field not in kept]


def _withdraw(line: _Line, source: FieldSource, *, sure: bool) -> None:
    if not line.quoted:
        return
    if sure:
        line.withdrawn_by, line.doubt = source, None
    else:
        line.doubt = LineDoubt(kind="withdrawal", source=source)


def _is_other(remark: Remark, known: FieldValue | None) -> bool:
    """Whether a remark that adds something names another part than the one known."""
    own = None if known is None else normalize_term(str(known))
    return bool(remark.parts) and own is not None and own not in remark.parts


def _code(fields: MessageFields, name: FieldName) -> str | None:
    read = fields.settled.get(name)
    return None if read is None else normalize_term(str(read.value))


def _distinct(lines: Iterable[_Line]) -> list[_Line]:
    return list({line.number: line for line in lines}.values())
