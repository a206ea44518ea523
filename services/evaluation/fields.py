"""Measures the extraction of fields on labelled messages.

Precision and recall count (message, field, value) for the settled fields and (message, field) for `conflicts` and
`undecided`; values are compared after NFKC, without regard to case and blanks. `wrongly_confirmed` counts values given
for fields whose label says undecided or in conflict: that error costs most. Where nothing was to be found and nothing
was, both figures are 1. Tolerances are judged in sets that label some: older ones were labelled without that field.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from models.contract import Contract
from models.errors import InvalidInput
from models.extraction import extract_fields
from models.fields import FIELD_NAMES, FieldName, FieldValue, MessageFields


class FieldsLine(BaseModel):
    """One labelled message; other keys (id, lang, spans) are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    fields: dict[FieldName, FieldValue]
    undecided: tuple[FieldName, ...] = ()
    conflicts: tuple[FieldName, ...] = ()


class PrecisionRecall(Contract):
    """Shares between 0 and 1."""

    precision: float
    recall: float


class FieldsReport(Contract):
    """The figures of one set; `fields` holds those that are labelled or were read in it."""

    lines: int
    micro_f1: float
    fields: dict[FieldName, PrecisionRecall]
    conflicts: PrecisionRecall
    undecided: PrecisionRecall
    wrongly_confirmed: int


class _Tally:
    def __init__(self) -> None:
        self.right = self.extra = self.missing = 0

    def add(self, found: set[tuple[str, str]], wanted: set[tuple[str, str]]) -> None:
        self.right += len(found & wanted)
        self.extra += len(found - wanted)
        self.missing += len(wanted - found)

    @property
    def seen(self) -> bool:
        return self.right + self.extra + self.missing > 0

    def figures(self) -> PrecisionRecall:
        return PrecisionRecall(
            precision=_share(self.right, self.right + self.extra), recall=_share(self.right, self.right + self.missing)
        )


def evaluate_fields(lines: Iterable[str]) -> FieldsReport:
    """Reads the message of each JSON line (blank ones are skipped) and compares; InvalidInput names a bad line."""
    labelled = [_parse(line, number) for number, line in enumerate(lines, 1) if line.strip()]
    judged = _judged(labelled)
    tallies: dict[FieldName, _Tally] = {name: _Tally() for name in judged}
    conflicts, undecided = _Tally(), _Tally()
    wrong = 0
    for wanted in labelled:
        got = extract_fields(wanted.text)
        for name, tally in tallies.items():
            tally.add(_found(got, name), _labelled(wanted, name))
        conflicts.add(
            {(name, "") for name in got.conflicts if name in judged}, {(name, "") for name in wanted.conflicts}
        )
        undecided.add(
            {(name, "") for name in got.undecided if name in judged}, {(name, "") for name in wanted.undecided}
        )
        wrong += sum(name in got.settled for name in {*wanted.conflicts, *wanted.undecided})
    right = sum(one.right for one in tallies.values())
    missed = sum(one.extra + one.missing for one in tallies.values())
    return FieldsReport(
        lines=len(labelled),
        micro_f1=_share(2 * right, 2 * right + missed),
        fields={name: tally.figures() for name, tally in tallies.items() if tally.seen},
        conflicts=conflicts.figures(),
        undecided=undecided.figures(),
        wrongly_confirmed=wrong,
    )


def _judged(labelled: Sequence[FieldsLine]) -> tuple[FieldName, ...]:
    named = {name for one in labelled for name in (*one.fields, *one.undecided, *one.conflicts)}
    return tuple(name for name in FIELD_NAMES if name != "tolerance" or name in named)


def _parse(line: str, number: int) -> FieldsLine:
    try:
        return FieldsLine.model_validate_json(line)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the line"
        raise InvalidInput(
            f"line {number} is no labelled message ({where}): it takes JSON with text, fields, undecided, conflicts"
        ) from None


def _found(got: MessageFields, name: FieldName) -> set[tuple[str, str]]:
    reading = got.settled.get(name)
    return set() if reading is None else {_comparable(reading.value)}


def _labelled(wanted: FieldsLine, name: FieldName) -> set[tuple[str, str]]:
    return {_comparable(wanted.fields[name])} if name in wanted.fields else set()


def _comparable(value: FieldValue) -> tuple[str, str]:
    """Type and text: `true` is not 1, and "ＳＵＳ 304" is "sus304"."""
    text = "".join(unicodedata.normalize("NFKC", str(value)).casefold().split())
    return type(value).__name__, text


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
