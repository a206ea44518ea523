"""The checker of chaos runs is quiet on a sound run and names each kind of damage."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from models.chaos_checks import LAST_OPERATIONS, Finding, check
from models.chaos_facts import AuditFact, DecisionFact, MessageFact, TaskFact, TenantFacts
from models.chaos_journal import Answer, Answered, Journal, JournalLine, OperationKind, Seen, Sent, folded
from models.contract import text_hash
from models.fields import FieldName, FieldValue
from models.ids import Subject, TaskId, TenantId
from models.tasks import ConfirmedValue, FieldSource, TaskState

TENANT = TenantId("T")
DECIDED = "11111111-1111-1111-1111-111111111111"
FACTS: dict[FieldName, FieldValue] = {"quantity": 40, "material": "SUS304"}
DAMAGE = Callable[[TenantFacts], TenantFacts]


def sent(task_id: str, kind: OperationKind, actor: str, text: str = "", version: int | None = None) -> Sent:
    return Sent(
        operation_id=f"{task_id}-{kind}-{text}",
        kind=kind,
        task_id=TaskId(task_id),
        actor=Subject(actor),
        arguments_hash=text_hash(f"{text}{version}"),
        text_hash=text_hash(text) if text else None,
        decision_version=version,
        confirmations={"quantity": 40} if kind == "supplement" else {},
        at=1.0,
    )


def answered(one: Sent, answer: Answer = "acknowledged", reference: str = "") -> Answered:
    return Answered(operation_id=one.operation_id, answer=answer, reference=reference, at=2.0)


def journal_lines(task_id: str = "Q1") -> list[JournalLine]:
    """A request, what was added to it, and its approval: each acknowledged."""
    start, more = sent(task_id, "start", "ana", "ask"), sent(task_id, "supplement", "ana", "more")
    approve = sent(task_id, "approve", "chief", version=2)
    sight = Seen(task_id=TaskId(task_id), revision=4, confirmed=FACTS, at=3.0)
    lines: list[JournalLine] = [start, answered(start), more, answered(more), sight, approve]
    return [*lines, answered(approve, reference=f"{task_id}/{DECIDED}")]


def moves(task_id: str, *path: str) -> list[AuditFact]:
    return [
        AuditFact(
            task_id=TaskId(task_id),
            event="task_moved",
            detail={"from": before, "to": after, "revision": number + 2, "decision_version": 2},
        )
        for number, (before, after) in enumerate(pairwise(path))
    ]


def rows(task_id: str, event: str, **detail: object) -> AuditFact:
    return AuditFact(task_id=TaskId(task_id), event=event, detail=dict(detail))


def message(task_id: str, name: str, kind: Any, text: str) -> MessageFact:
    return MessageFact(
        task_id=TaskId(task_id),
        message_id=name,
        kind=kind,
        author=Subject("ana"),
        text_hash=text_hash(text),
        merged=True,
    )


def facts_of(task_id: str = "Q1") -> TenantFacts:
    """What Postgres holds after `journal_lines`."""
    source = FieldSource(message_id="M1", author=Subject("ana"), confirmed_by="extraction")
    path = moves(task_id, "created", "restoring", "awaiting_approval", "restoring", "awaiting_approval", "completed")
    state = TaskState(
        tenant_id=TENANT,
        task_id=TaskId(task_id),
        revision=1 + len(path),
        status="completed",
        outcome="approved",
        decision_version=2,
        confirmed={name: ConfirmedValue(value=value, source=source) for name, value in FACTS.items()},
    )
    audit = [
        rows(task_id, "message_recorded", message_id="M1"),
        rows(task_id, "task_started"),
        rows(task_id, "message_recorded", message_id="M2"),
        rows(task_id, "decision_recorded", decision_id=f"{task_id}/{DECIDED}"),
        *path,
    ]
    decision = DecisionFact(
        task_id=TaskId(task_id),
        decision_version=2,
        decision_id=f"{task_id}/{DECIDED}",
        verdict="approve",
        actor=Subject("chief"),
        applied=True,
        voided=False,
    )
    return TenantFacts(
        tasks=(TaskFact(state=state, starter=Subject("ana"), cancel_requested=False, events=1 + len(path)),),
        messages=(message(task_id, "M1", "request", "ask"), message(task_id, "M2", "supplement", "more")),
        decisions=(decision,),
        drafts=(),
        audit=tuple(audit),
        undelivered=0,
    )


def both(tasks: int = 2) -> tuple[Journal, TenantFacts]:
    lines = [line for number in range(tasks) for line in journal_lines(f"Q{number}")]
    parts = [facts_of(f"Q{number}") for number in range(tasks)]
    whole = TenantFacts(
        tasks=tuple(one for part in parts for one in part.tasks),
        messages=tuple(one for part in parts for one in part.messages),
        decisions=tuple(one for part in parts for one in part.decisions),
        drafts=(),
        audit=tuple(one for part in parts for one in part.audit),
        undelivered=0,
    )
    return folded(lines), whole


def told(found: tuple[Finding, ...]) -> set[str]:
    return {one.rule for one in found}


def with_task(facts: TenantFacts, **changes: object) -> TenantFacts:
    first, *others = facts.tasks
    state = first.state.model_copy(update=changes)
    return facts.model_copy(update={"tasks": (first.model_copy(update={"state": state}), *others)})


def without(facts: TenantFacts, event: str) -> TenantFacts:
    place = next(number for number, row in enumerate(facts.audit) if row.event == event)
    return facts.model_copy(update={"audit": (*facts.audit[:place], *facts.audit[place + 1 :])})


def doubled(facts: TenantFacts, event: str) -> TenantFacts:
    row = next(row for row in facts.audit if row.event == event)
    return facts.model_copy(update={"audit": (*facts.audit, row)})


def second_decision(facts: TenantFacts) -> TenantFacts:
    other = facts.decisions[0].model_copy(update={"decision_id": "other", "actor": "deputy", "verdict": "reject"})
    return facts.model_copy(update={"decisions": (*facts.decisions, other)})


def without_field(facts: TenantFacts) -> TenantFacts:
    kept = {name: value for name, value in facts.tasks[0].state.confirmed.items() if name != "quantity"}
    return with_task(facts, confirmed=kept)


def other_value(facts: TenantFacts) -> TenantFacts:
    known = facts.tasks[0].state.confirmed
    return with_task(facts, confirmed={**known, "quantity": known["quantity"].model_copy(update={"value": 41})})


def unapplied(facts: TenantFacts) -> TenantFacts:
    return facts.model_copy(update={"decisions": (facts.decisions[0].model_copy(update={"applied": False}),)})


DAMAGES: dict[str, tuple[DAMAGE, str]] = {
    "a supplement is dropped": (
        lambda facts: facts.model_copy(update={"messages": (facts.messages[0], *facts.messages[2:])}),
        "exactly_once",
    ),
    "a supplement is stored twice": (
        lambda facts: facts.model_copy(update={"messages": (*facts.messages, facts.messages[1])}),
        "exactly_once",
    ),
    "a task is gone": (lambda facts: facts.model_copy(update={"tasks": facts.tasks[1:]}), "audit_complete"),
    "a decision is dropped": (lambda facts: facts.model_copy(update={"decisions": ()}), "exactly_once"),
    "a message of nobody": (
        lambda facts: facts.model_copy(
            update={"messages": (*facts.messages, facts.messages[0].model_copy(update={"text_hash": "else"}))}
        ),
        "exactly_once",
    ),
    "two decisions of one draft": (second_decision, "one_decision"),
    "a draft completed twice": (lambda facts: doubled(facts, "task_moved"), "audit_complete"),
    "a confirmed field is lost": (without_field, "fields_kept"),
    "a confirmed value is another one": (other_value, "fields_kept"),
    "a message is audited twice": (lambda facts: doubled(facts, "message_recorded"), "audit_complete"),
    "a decision is not audited": (lambda facts: without(facts, "decision_recorded"), "audit_complete"),
    "a start is not audited": (lambda facts: without(facts, "task_started"), "audit_complete"),
    "a move is not audited": (lambda facts: without(facts, "task_moved"), "audit_complete"),
    "a cancel of nobody": (
        lambda facts: facts.model_copy(
            update={"tasks": (facts.tasks[0].model_copy(update={"cancel_requested": True}), *facts.tasks[1:])}
        ),
        "audit_complete",
    ),
    "a timeline entry is lost": (
        lambda facts: facts.model_copy(
            update={"tasks": (facts.tasks[0].model_copy(update={"events": 5}), *facts.tasks[1:])}
        ),
        "audit_complete",
    ),
    "a revision nobody tells of": (lambda facts: with_task(facts, revision=9), "audit_complete"),
    "a run nobody tells of": (lambda facts: with_task(facts, run_epoch=2), "audit_complete"),
    "a task is still under way": (lambda facts: with_task(facts, status="analyzing"), "settled"),
    "a decision is never carried out": (unapplied, "settled"),
    "a supplement is never merged": (
        lambda facts: facts.model_copy(
            update={"messages": tuple(one.model_copy(update={"merged": False}) for one in facts.messages)}
        ),
        "settled",
    ),
    "a notice is never delivered": (lambda facts: facts.model_copy(update={"undelivered": 1}), "settled"),
}


def test_a_sound_run_has_no_finding() -> None:
    verdict = check(*both())
    assert verdict.findings == ()
    assert verdict.holds
    assert (verdict.operations, verdict.acknowledged, verdict.acknowledged_share) == (6, 6, 1.0)


@pytest.mark.parametrize("name", DAMAGES)
def test_each_kind_of_damage_is_named(name: str) -> None:
    damage, rule = DAMAGES[name]
    journal, facts = both()
    assert rule in told(check(journal, damage(facts)).findings)


@pytest.mark.parametrize(("verdict", "is_sound"), [("approve", False), ("request_changes", True)])
def test_a_decision_outlives_the_run_that_should_have_carried_it_out(verdict: Any, is_sound: bool) -> None:
    journal, facts = both()
    open_decision = facts.decisions[0].model_copy(update={"applied": False, "verdict": verdict})
    damaged = with_task(facts.model_copy(update={"decisions": (open_decision, facts.decisions[1])}), status="failed")
    assert ("settled" not in told(check(journal, damaged).findings)) == is_sound


def test_a_draft_that_was_completed_twice_has_two_effects() -> None:
    journal, facts = both()
    again = next(row for row in facts.audit if row.detail.get("to") == "completed")
    damaged = facts.model_copy(update={"audit": (*facts.audit, again)})
    assert "one_decision" in told(check(journal, damaged).findings)


def test_what_a_person_replaced_is_not_lost() -> None:
    journal, facts = both()
    known = facts.tasks[0].state.confirmed
    source = FieldSource(message_id="M2", author=Subject("ana"), confirmed_by="confirmation")
    replaced = ({"field": "quantity", "old": known["quantity"], "replaced_by": source},)
    state = TaskState.model_validate(
        {
            **facts.tasks[0].state.model_dump(),
            "confirmed": {**known, "quantity": ConfirmedValue(value=41, source=source)},
            "replaced": replaced,
        }
    )
    settled = facts.model_copy(update={"tasks": (facts.tasks[0].model_copy(update={"state": state}), *facts.tasks[1:])})
    assert check(journal, settled).findings == ()


@pytest.mark.parametrize(
    ("answer", "messages", "is_sound"),
    [
        ("refused", 1, False),
        ("refused", 0, True),
        ("unknown", 0, True),
        ("unknown", 1, True),
        ("unknown", 2, False),
        ("failed", 1, True),
        ("failed", 2, False),
        ("acknowledged", 0, False),
        ("acknowledged", 2, False),
    ],
)
def test_how_many_effects_an_answer_allows(answer: Answer, messages: int, is_sound: bool) -> None:
    lines = journal_lines()
    extra = sent("Q1", "supplement", "ana", "once more")
    journal = folded([extra, *([answered(extra, answer)] if answer != "unknown" else []), *lines])
    facts = facts_of()
    stored = [message("Q1", f"M{number + 3}", "supplement", "once more") for number in range(messages)]
    audit = [rows("Q1", "message_recorded", message_id=one.message_id) for one in stored]
    facts = facts.model_copy(update={"messages": (*facts.messages, *stored), "audit": (*audit, *facts.audit)})
    found = [one for one in check(journal, facts).findings if one.rule == "exactly_once"]
    assert (found == []) == is_sound


@pytest.mark.parametrize("answer", ["failed", "unknown", "refused"])
def test_what_is_asked_last_must_succeed(answer: Answer) -> None:
    journal, facts = both()
    last = journal.operations[-1].model_copy(update={"answer": answer})
    damaged = journal.model_copy(update={"operations": (*journal.operations[:-1], last)})
    assert "last_operations" in told(check(damaged, facts).findings)


def test_a_run_without_enough_operations_proves_nothing() -> None:
    journal, facts = both(1)
    assert len(journal.operations) < LAST_OPERATIONS
    assert told(check(journal, facts).findings) == {"last_operations"}


def test_a_run_in_which_hardly_anything_was_acknowledged_proves_nothing() -> None:
    lines = [line for number in range(2) for line in journal_lines(f"Q{number}")]
    lost = [sent(f"lost-{number}", "start", "ana", "ask") for number in range(2)]
    refused = sent("refused", "start", "ana", "ask")
    few = check(folded([*lost, refused, answered(refused, "refused"), *lines]), both()[1])
    assert told(few.findings) == {"acknowledged_share"}
    assert (few.acknowledged, few.refused, few.unknown, few.acknowledged_share) == (6, 1, 2, 0.75)
    assert check(folded([lost[0], refused, answered(refused, "refused"), *lines]), both()[1]).holds


def test_a_refusal_of_an_id_that_is_no_task_is_no_fault_of_the_audit() -> None:
    journal, facts = both()
    refusal = rows("nowhere", "task_start_refused", code="refused")
    assert check(journal, facts.model_copy(update={"audit": (*facts.audit, refusal)})).findings == ()
    stray = rows("nowhere", "task_moved", to="completed")
    assert not check(journal, facts.model_copy(update={"audit": (*facts.audit, stray)})).holds
