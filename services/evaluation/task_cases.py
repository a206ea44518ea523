"""Quote-task cases: their form, and the comparison of what happened with what was expected."""

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.documents import Kind
from models.errors import InvalidInput
from models.fields import FieldName, FieldValue
from models.principals import Role

Reference = tuple[str, int]


class _CasePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CasePrincipal(_CasePart):
    """Who starts the task."""

    tenant: str
    subject: str
    roles: tuple[Role, ...]
    groups: tuple[str, ...]


class CaseDocument(_CasePart):
    """One version of an original; its range is in days from the day of the run."""

    tenant: str
    document_id: str
    version: int
    kind: Kind
    status: Literal["active", "draft", "submitted", "approved", "withdrawn"]
    effective_from_day: float
    effective_to_day: float | None = None
    acl: tuple[str, ...]
    title: str
    lang: str = ""
    text: str


class CaseMessage(_CasePart):
    """What arrives on a day: a text, a structured confirmation, or both."""

    day: float
    text: str = ""
    confirm: dict[str, FieldValue] = Field(default_factory=dict[str, FieldValue])


class CaseLine(_CasePart):
    """What must hold of one line of an RFQ of several; `pending` and `conflicts` are all that there are."""

    line: int
    status: Literal["complete", "waiting", "withdrawn"] | None = None
    label: str | None = None
    position: str | None = None
    confirmed: dict[FieldName, FieldValue] = Field(default_factory=dict[FieldName, FieldValue])
    pending: tuple[str, ...] | None = None
    conflicts: tuple[str, ...] | None = None
    doubt: Literal["addition", "withdrawal"] | None = None


class CaseLineClaim(_CasePart):
    """A claim that holds all strings and is for exactly these lines (none: for all)."""

    lines: tuple[int, ...]
    contains: tuple[str, ...]


class CaseExpectation(_CasePart):
    """What must hold when the task rests."""

    statuses: tuple[str, ...]
    confirmed: dict[FieldName, FieldValue] = Field(default_factory=dict[FieldName, FieldValue])
    pending: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    conflict_seen: tuple[str, ...] = ()
    conflicts_or_pending: tuple[str, ...] = ()
    never_asked_again: tuple[str, ...] = ()
    must_cite: tuple[Reference, ...] = ()
    must_not_cite: tuple[Reference, ...] = ()
    claims_contain: tuple[tuple[str, ...], ...] = ()
    no_claim_contains: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()
    blocked_reason: str | None = None
    conflict_lists: tuple[Reference, ...] = ()
    missing_topics: tuple[str, ...] = ()
    awaiting_confirmation_of: tuple[str, ...] = ()
    history_lists: tuple[Reference, ...] = ()
    flags: tuple[str, ...] = ()
    decision_version: int | None = None
    lines: tuple[CaseLine, ...] = ()
    line_count: int | None = None
    line_claims: tuple[CaseLineClaim, ...] = ()


class TaskCase(_CasePart):
    """One case of the evaluation file."""

    case_id: str
    lang: str = ""
    note: str = ""
    principal: CasePrincipal
    policy: dict[str, Any]
    documents: tuple[CaseDocument, ...]
    messages: tuple[CaseMessage, ...]
    expect: CaseExpectation


class RestLine(_CasePart):
    """What one line showed when its task came to rest."""

    line: int
    status: str
    label: str
    position: str | None
    confirmed: dict[str, Any]
    pending: tuple[str, ...]
    conflicts: tuple[str, ...]
    doubt: str | None


class Rest(_CasePart):
    """What a task showed each time it came to rest."""

    status: str
    confirmed: dict[str, Any]
    pending: tuple[str, ...]
    conflicts: tuple[str, ...]
    seconds: float
    lines: tuple[RestLine, ...] = ()


class TaskObservation(_CasePart):
    """All that a run of a case brought to light."""

    rests: tuple[Rest, ...]
    claims: tuple[str, ...]
    claim_lines: tuple[tuple[int, ...], ...] = ()
    cited: tuple[Reference, ...]
    blocked_reason: str | None
    conflict_sides: tuple[Reference, ...]
    missing_topics: tuple[str, ...]
    awaiting_confirmation: tuple[str, ...]
    history: tuple[Reference, ...]
    flags: tuple[str, ...]
    decision_version: int
    shown: str
    citations: int
    citations_correct: int


def read_cases(path: Path) -> tuple[TaskCase, ...]:
    """The cases of a JSONL file, or InvalidInput naming the first line that is not one."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # other line ends may stand inside a JSON string
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {str(path)!r} as UTF-8 text: {type(error).__name__}") from error
    cases = tuple(_read_case(line, number) for number, line in enumerate(lines, start=1) if line.strip())
    if not cases:
        raise InvalidInput(f"{str(path)!r} holds no case: give one JSON object a line")
    return cases


def _read_case(line: str, number: int) -> TaskCase:
    try:
        return TaskCase.model_validate(json.loads(line))
    except (json.JSONDecodeError, ValidationError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": (), "msg": "is not JSON"}
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"line {number} is not a quote-task case: {where} {first['msg']}") from error


def case_failures(case: TaskCase, seen: TaskObservation) -> tuple[str, ...]:
    """Every expectation that does not hold, in words; empty when the case passed."""
    return (
        *_state_failures(case.expect, seen),
        *_line_failures(case.expect, seen),
        *_reask_failures(case.expect, seen),
        *_citation_failures(case.expect, seen),
        *_text_failures(case.expect, seen),
        *_block_failures(case.expect, seen),
    )


def _state_failures(expect: CaseExpectation, seen: TaskObservation) -> Iterable[str]:
    statuses = tuple(rest.status for rest in seen.rests)
    if statuses != expect.statuses:
        yield f"statuses {statuses}, expected {expect.statuses}"
    last = seen.rests[-1]
    for field, value in expect.confirmed.items():
        if not _equal_values(last.confirmed.get(field), value):
            yield f"confirmed {field} is {last.confirmed.get(field)!r}, expected {value!r}"
    yield from _lacking("pending", expect.pending, last.pending)
    yield from _lacking("conflicts", expect.conflicts, last.conflicts)
    yield from _lacking("conflicts or pending", expect.conflicts_or_pending, (*last.conflicts, *last.pending))
    ever = tuple(field for rest in seen.rests for field in rest.conflicts)
    yield from _lacking("conflict seen", expect.conflict_seen, ever)
    if expect.decision_version is not None and seen.decision_version != expect.decision_version:
        yield f"decision_version {seen.decision_version}, expected {expect.decision_version}"


def _line_failures(expect: CaseExpectation, seen: TaskObservation) -> Iterable[str]:
    there = {one.line: one for one in seen.rests[-1].lines}
    if expect.line_count is not None and len(there) != expect.line_count:
        yield f"{len(there)} lines, expected {expect.line_count}"
    for wanted in expect.lines:
        line = there.get(wanted.line)
        if line is None:
            yield f"there is no line {wanted.line}"
        else:
            yield from (f"line {wanted.line}: {fault}" for fault in _faults_of_line(wanted, line))
    claims = tuple(zip(seen.claims, seen.claim_lines, strict=True))
    for claim in expect.line_claims:
        found = [lines for text, lines in claims if all(_folded(part) in _folded(text) for part in claim.contains)]
        if claim.lines not in found:
            yield f"no claim holds {claim.contains} for the lines {claim.lines} (for: {found})"


def _faults_of_line(wanted: CaseLine, line: RestLine) -> Iterable[str]:
    for name in ("status", "label", "position", "pending", "conflicts"):
        value = getattr(wanted, name)
        if value is not None and value != getattr(line, name):
            yield f"{name} is {getattr(line, name)!r}, expected {value!r}"
    if wanted.doubt != line.doubt:
        yield f"doubt is {line.doubt!r}, expected {wanted.doubt!r}"
    for field, value in wanted.confirmed.items():
        if not _equal_values(line.confirmed.get(field), value):
            yield f"confirmed {field} is {line.confirmed.get(field)!r}, expected {value!r}"


def _reask_failures(expect: CaseExpectation, seen: TaskObservation) -> Iterable[str]:
    for field in expect.never_asked_again:
        if field in reasked_fields(seen):
            yield f"{field} was asked for again after it had been confirmed"


def reasked_fields(seen: TaskObservation) -> tuple[str, ...]:
    """Fields that a waiting_input asked for after they had been confirmed and were not in conflict."""
    confirmed: set[str] = set()
    again: list[str] = []
    for rest in seen.rests:
        if rest.status == "waiting_input" and not rest.lines:
            again.extend(field for field in rest.pending if field in confirmed and field not in rest.conflicts)
        confirmed.update(rest.confirmed)
    return (*again, *_reasked_of_lines(seen))


def _reasked_of_lines(seen: TaskObservation) -> Iterable[str]:
    confirmed: set[tuple[int, str]] = set()
    for rest in seen.rests:
        for line in rest.lines:
            if rest.status == "waiting_input":
                asked = [field for field in line.pending if field not in line.conflicts]
                yield from (f"{line.line}.{field}" for field in asked if (line.line, field) in confirmed)
            confirmed.update((line.line, field) for field in line.confirmed)


def _citation_failures(expect: CaseExpectation, seen: TaskObservation) -> Iterable[str]:
    yield from _lacking("citations", expect.must_cite, seen.cited)
    for reference in expect.must_not_cite:
        if reference in seen.cited:
            yield f"{reference} is cited and must not be"
    yield from _lacking("history", expect.history_lists, seen.history)
    if seen.citations_correct != seen.citations:
        yield f"{seen.citations - seen.citations_correct} of {seen.citations} citations differ from the case's own text"


def _text_failures(expect: CaseExpectation, seen: TaskObservation) -> Iterable[str]:
    claims = tuple(_folded(claim) for claim in seen.claims)
    for wanted in expect.claims_contain:
        if not any(all(_folded(part) in claim for part in wanted) for claim in claims):
            yield f"no claim holds {wanted}"
    for unwanted in expect.no_claim_contains:
        if any(_folded(unwanted) in claim for claim in claims):
            yield f"a claim holds {unwanted!r}"
    shown = _folded(seen.shown)
    for unwanted in expect.nowhere:
        if _folded(unwanted) in shown:
            yield f"{unwanted!r} is shown"


def _block_failures(expect: CaseExpectation, seen: TaskObservation) -> Iterable[str]:
    if expect.blocked_reason is not None and seen.blocked_reason != expect.blocked_reason:
        yield f"blocked_reason {seen.blocked_reason!r}, expected {expect.blocked_reason!r}"
    yield from _lacking("conflict sides", expect.conflict_lists, seen.conflict_sides)
    yield from _lacking("missing topics", expect.missing_topics, seen.missing_topics)
    yield from _lacking("awaiting confirmation", expect.awaiting_confirmation_of, seen.awaiting_confirmation)
    yield from _lacking("flags", expect.flags, seen.flags)


def _lacking(what: str, wanted: Iterable[object], got: Iterable[object]) -> Iterable[str]:
    present = tuple(got)
    for item in wanted:
        if item not in present:
            yield f"{what}: {item!r} is missing (there: {present})"


def _equal_values(got: object, wanted: object) -> bool:
    if isinstance(got, str) and isinstance(wanted, str):
        return _folded(got).casefold().replace(" ", "") == _folded(wanted).casefold().replace(" ", "")
    return type(got) is type(wanted) and got == wanted


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
