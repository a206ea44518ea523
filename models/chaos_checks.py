"""The checker of chaos runs: what was acknowledged against what Postgres holds, rule by rule.

Why it is so: a run that merely ends well proves little. Each rule is told what it must see (the journal) and what there
is (the facts); whatever does not fit is a finding, never an average.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal

from models.chaos_facts import AuditFact, DecisionFact, MessageFact, TaskFact, TenantFacts
from models.chaos_journal import Answer, Journal, Operation, OperationKind
from models.contract import Contract
from models.decisions import Verdict
from models.fields import FieldName, FieldValue
from models.ids import TaskId
from models.merging import same_value
from models.messages import MessageKind
from models.transitions import CLOSED, RESTS

Rule = Literal[
    "exactly_once",
    "one_decision",
    "fields_kept",
    "audit_complete",
    "last_operations",
    "acknowledged_share",
    "settled",
    "as_the_model_says",
]
ACKNOWLEDGED_SHARE = 0.8
LAST_OPERATIONS = 6

_VERDICTS: dict[OperationKind, Verdict] = {
    "approve": "approve",
    "reject": "reject",
    "request_changes": "request_changes",
}
_MESSAGES: dict[OperationKind, tuple[MessageKind, ...]] = {
    "start": ("request",),
    "supplement": ("supplement", "confirmation"),
}
# What only a task that is there can have; a refusal may tell of any id.
_ACTS = frozenset({"task_started", "message_recorded", "decision_recorded", "cancel_requested", "task_moved"})


class Finding(Contract):
    """Something that a rule does not allow."""

    rule: Rule
    task_id: str
    what: str


class ChaosVerdict(Contract):
    """What came of a run; it holds when there is no finding."""

    operations: int
    acknowledged: int
    refused: int
    failed: int
    unknown: int
    acknowledged_share: float
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether every rule was kept."""
        return not self.findings


def check(journal: Journal, facts: TenantFacts, *, extra: Sequence[Finding] = ()) -> ChaosVerdict:
    """The verdict on a run that has come to rest; `extra` are findings of the scenario's own."""
    answers: Counter[Answer] = Counter(one.answer for one in journal.operations)
    decidable = len(journal.operations) - answers["refused"]
    share = answers["acknowledged"] / decidable if decidable else 1.0
    look = _Look(journal, facts)
    findings = [
        *look.exactly_once(),
        *look.nothing_unasked(),
        *look.one_decision(),
        *look.fields_kept(),
        *look.audit_complete(),
        *look.settled(),
        *_last_operations(journal),
        *extra,
    ]
    if share < ACKNOWLEDGED_SHARE:
        what = f"{answers['acknowledged']} of {decidable} operations were acknowledged"
        findings.append(Finding(rule="acknowledged_share", task_id="", what=what))
    return ChaosVerdict(
        operations=len(journal.operations),
        acknowledged=answers["acknowledged"],
        refused=answers["refused"],
        failed=answers["failed"],
        unknown=answers["unknown"],
        acknowledged_share=round(share, 4),
        findings=tuple(findings),
    )


def _last_operations(journal: Journal) -> Iterator[Finding]:
    """After everything was mended, what is asked last must succeed."""
    if len(journal.operations) < LAST_OPERATIONS:
        what = f"a run ends with {LAST_OPERATIONS} operations on mended servers; this one has less"
        yield Finding(rule="last_operations", task_id="", what=what)
    for one in journal.operations[-LAST_OPERATIONS:]:
        if one.answer != "acknowledged":
            what = f"{one.sent.kind} {one.sent.operation_id} at the end was {one.answer} {one.code}".strip()
            yield Finding(rule="last_operations", task_id=one.sent.task_id, what=what)


class _Look:
    """The facts, ordered by task once."""

    def __init__(self, journal: Journal, facts: TenantFacts) -> None:
        self._journal = journal
        self._facts = facts
        self._tasks: dict[TaskId, TaskFact] = {one.state.task_id: one for one in facts.tasks}
        self._messages: defaultdict[TaskId, list[MessageFact]] = defaultdict(list)
        self._decisions: defaultdict[TaskId, list[DecisionFact]] = defaultdict(list)
        self._audit: defaultdict[TaskId, list[AuditFact]] = defaultdict(list)
        for message in facts.messages:
            self._messages[message.task_id].append(message)
        for decision in facts.decisions:
            self._decisions[decision.task_id].append(decision)
        for row in facts.audit:
            self._audit[row.task_id].append(row)

    def exactly_once(self) -> Iterator[Finding]:
        """An acknowledged act has one effect, an open one at most one, a refused one none."""
        acts: defaultdict[tuple[str, ...], list[Operation]] = defaultdict(list)
        for operation in self._journal.operations:
            acts[operation.act].append(operation)
        for operations in acts.values():
            answers: set[Answer] = {one.answer for one in operations}
            first = operations[0].sent
            count = self._effects(operations[0])
            least, most = _allowed(answers)
            if not least <= count <= most:
                what = f"{first.kind} by {first.actor} ({_told(answers)}) has {count} effects"
                yield Finding(rule="exactly_once", task_id=first.task_id, what=what)
            for reference in {name for one in operations for name in one.references}:
                if not any(one.decision_id == reference for one in self._decisions[first.task_id]):
                    what = f"{first.kind} was acknowledged as {reference}, which is not there"
                    yield Finding(rule="exactly_once", task_id=first.task_id, what=what)

    def _effects(self, operation: Operation) -> int:
        sent = operation.sent
        if sent.kind == "cancel":
            task = self._tasks.get(sent.task_id)
            return int(task is not None and (task.cancel_requested or task.state.status == "cancelled"))
        if sent.kind in _MESSAGES:
            return sum(
                (one.kind in _MESSAGES[sent.kind] and one.author == sent.actor and one.text_hash == sent.text_hash)
                for one in self._messages[sent.task_id]
            )
        wanted = (sent.decision_version, _VERDICTS[sent.kind], sent.actor)
        return sum((one.decision_version, one.verdict, one.actor) == wanted for one in self._decisions[sent.task_id])

    def nothing_unasked(self) -> Iterator[Finding]:
        """Every message and every decision comes from an operation."""
        texts = {(one.sent.task_id, one.sent.actor, one.sent.text_hash) for one in self._journal.operations}
        decided = {
            (one.sent.task_id, one.sent.actor, one.sent.decision_version, _VERDICTS[one.sent.kind])
            for one in self._journal.operations
            if one.sent.kind in _VERDICTS
        }
        for message in self._facts.messages:
            if (message.task_id, message.author, message.text_hash) not in texts:
                what = f"message {message.message_id} was asked for by nobody"
                yield Finding(rule="exactly_once", task_id=message.task_id, what=what)
        for one in self._facts.decisions:
            if (one.task_id, one.actor, one.decision_version, one.verdict) not in decided:
                what = f"decision {one.decision_id} was asked for by nobody"
                yield Finding(rule="exactly_once", task_id=one.task_id, what=what)

    def one_decision(self) -> Iterator[Finding]:
        """At most one decision stands for a draft, and it is carried out once."""
        standing = Counter((one.task_id, one.decision_version) for one in self._facts.decisions if not one.voided)
        for (task_id, version), count in standing.items():
            if count > 1:
                what = f"{count} decisions of draft {version} are in effect"
                yield Finding(rule="one_decision", task_id=task_id, what=what)
        for task_id, rows in self._audit.items():
            ends = Counter(
                row.detail.get("decision_version")
                for row in rows
                if row.event == "task_moved" and row.detail.get("to") == "completed"
            )
            for version, count in ends.items():
                if count > 1:
                    what = f"draft {version} was completed {count} times"
                    yield Finding(rule="one_decision", task_id=task_id, what=what)

    def fields_kept(self) -> Iterator[Finding]:
        """What was shown as confirmed, or was confirmed by a person, is there still or was replaced by a person."""
        expected: dict[tuple[TaskId, FieldName, FieldValue], None] = {}
        for seen in self._journal.sights:
            for name, value in seen.confirmed.items():
                expected[seen.task_id, name, value] = None
        merged = {(one.task_id, one.author, one.text_hash) for one in self._facts.messages if one.merged}
        for operation in self._journal.operations:
            sent = operation.sent
            if operation.answer == "acknowledged" and (sent.task_id, sent.actor, sent.text_hash) in merged:
                for name, value in sent.confirmations.items():
                    expected[sent.task_id, name, value] = None
        for task_id, name, value in expected:
            if not self._knows(task_id, name, value):
                what = f"{name} was confirmed and is gone"
                yield Finding(rule="fields_kept", task_id=task_id, what=what)

    def _knows(self, task_id: TaskId, name: FieldName, value: FieldValue) -> bool:
        task = self._tasks.get(task_id)
        if task is None:
            return False
        known = [task.state.confirmed[name].value] if name in task.state.confirmed else []
        known += [one.old.value for one in task.state.replaced if one.field == name]
        return any(same_value(name, value, one) for one in known)

    def audit_complete(self) -> Iterator[Finding]:
        """One row for each act and for each move, and no row for anything that is not there."""
        for task_id in {*self._tasks, *self._audit}:
            for what in self._audit_faults(task_id):
                yield Finding(rule="audit_complete", task_id=task_id, what=what)

    def _audit_faults(self, task_id: TaskId) -> Iterator[str]:
        rows, task = self._audit[task_id], self._tasks.get(task_id)
        if task is None:
            if any(row.event in _ACTS for row in rows):
                yield "the audit tells of a task that is not there"
            return
        counts = Counter(row.event for row in rows)
        if counts["task_started"] != 1:
            yield f"it was started {counts['task_started']} times"
        messages = [one.message_id for one in self._messages[task_id]]
        yield from _unmatched("message", messages, _named(rows, "message_recorded", "message_id"))
        decisions = [one.decision_id for one in self._decisions[task_id]]
        yield from _unmatched("decision", decisions, _named(rows, "decision_recorded", "decision_id"))
        if counts["cancel_requested"] != int(task.cancel_requested):
            yield f"a cancel was asked for {counts['cancel_requested']} times"
        yield from _move_faults(task, rows, counts)

    def settled(self) -> Iterator[Finding]:
        """Everything acknowledged was carried out, and nothing is under way any more."""
        for task_id, task in self._tasks.items():
            for what in self._unsettled(task_id, task):
                yield Finding(rule="settled", task_id=task_id, what=what)
        if self._facts.undelivered:
            yield Finding(rule="settled", task_id="", what=f"{self._facts.undelivered} notices were not delivered")

    def _unsettled(self, task_id: TaskId, task: TaskFact) -> Iterator[str]:
        status = task.state.status
        if status not in RESTS | CLOSED:
            yield f"it is still {status}"
        if task.cancel_requested and status != "cancelled":
            yield f"a cancel was acknowledged and it is {status}"
        is_dead = status in ("cancelled", "failed")
        waiting = sum(not one.merged for one in self._messages[task_id])
        if waiting and not is_dead:
            yield f"{waiting} messages were never merged"
        for one in self._decisions[task_id]:
            # A lost run ends a task whatever changes were asked for, but never one that was decided.
            if not one.applied and not one.voided and not (is_dead and one.verdict == "request_changes"):
                yield f"decision {one.decision_id} was never carried out"


def _allowed(answers: set[Answer]) -> tuple[int, int]:
    """The least and the most effects that an act with these answers may have."""
    if "acknowledged" in answers:
        return 1, 1
    return 0, int(answers != {"refused"})


def _told(answers: set[Answer]) -> str:
    return ", ".join(sorted(answers))


def _named(rows: Sequence[AuditFact], event: str, key: str) -> list[str]:
    return [str(row.detail.get(key)) for row in rows if row.event == event]


def _unmatched(what: str, stored: Sequence[str], audited: Sequence[str]) -> Iterator[str]:
    have, told = Counter(stored), Counter(audited)
    for name in sorted({*have, *told}):
        if have[name] != told[name]:
            yield f"{what} {name} is stored {have[name]} times and audited {told[name]} times"


def _move_faults(task: TaskFact, rows: Sequence[AuditFact], counts: Counter[str]) -> Iterator[str]:
    moves = [row.detail for row in rows if row.event == "task_moved"]
    status, revision = "created", 1
    for move in moves:
        # A step that is done after a retry is told of as itself.
        if move.get("from") != status and status != "retrying":
            yield f"it moved from {move.get('from')} while it was {status}"
        if int(move.get("revision", 0)) <= revision:
            yield f"revision {move.get('revision')} was written after revision {revision}"
        status, revision = str(move.get("to")), int(move.get("revision", 0))
    if status != task.state.status:
        yield f"the audit ends at {status} and it is {task.state.status}"
    raised = counts["run_restarted"] + counts["task_reopened"]
    if task.state.revision != 1 + len(moves) + raised:
        yield f"revision {task.state.revision} is told of by {len(moves) + raised} rows"
    if task.state.run_epoch != 1 + raised:
        yield f"run {task.state.run_epoch} is told of by {raised} rows"
    if task.events != 1 + len(moves):
        yield f"its timeline has {task.events} entries for {len(moves)} moves"
