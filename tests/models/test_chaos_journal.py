"""The journal keeps what was asked and what came back; what cannot be read in it is no proof."""

import pytest

from models.chaos_journal import Answer, Answered, JournalLine, Sent, Struck, folded, parse_journal
from models.errors import InvalidInput
from models.ids import Subject, TaskId


def sent(name: str = "one", at: float = 1.0) -> Sent:
    return Sent(operation_id=name, kind="start", task_id=TaskId("Q1"), actor=Subject("ana"), arguments_hash="h", at=at)


def answered(answer: Answer, name: str = "one", reference: str = "") -> Answered:
    return Answered(operation_id=name, answer=answer, reference=reference, at=2.0)


def test_lines_are_read_back_as_they_were_written() -> None:
    lines: list[JournalLine] = [sent(), answered("acknowledged", reference="row"), Struck(what="kill", at=3.0)]
    journal = parse_journal(line.model_dump_json() + "\n" for line in lines)
    assert journal == folded(lines)
    assert journal.operations[0].references == ("row",)
    assert journal.operations[0].answered_at == 2.0
    assert [one.what for one in journal.strikes] == ["kill"]


def test_a_last_line_that_was_cut_off_is_no_line_and_any_other_fault_is_told() -> None:
    whole = sent().model_dump_json()
    assert len(parse_journal([whole + "\n", whole[:20]]).operations) == 1
    for broken in ([whole[:20] + "\n", whole + "\n"], [whole[:20] + "\n"], ["{}\n"]):
        with pytest.raises(InvalidInput, match="line 1"):
            parse_journal(broken)


def test_an_answer_to_nothing_is_no_journal() -> None:
    with pytest.raises(InvalidInput, match="never sent"):
        folded([answered("acknowledged")])


@pytest.mark.parametrize(
    ("attempts", "answers", "expected"),
    [
        (1, [], "unknown"),
        (1, ["acknowledged"], "acknowledged"),
        (1, ["refused"], "refused"),
        (1, ["failed"], "failed"),
        (2, ["failed", "acknowledged"], "acknowledged"),
        (2, ["failed", "failed"], "failed"),
        (2, ["acknowledged"], "acknowledged"),
        # The first attempt may have done it: "decided already" is then the echo of one's own deed.
        (2, ["refused"], "unknown"),
        (2, ["failed", "refused"], "unknown"),
        (2, ["failed"], "failed"),
    ],
)
def test_the_strongest_answer_counts_and_an_open_attempt_stays_open(
    attempts: int, answers: list[Answer], expected: Answer
) -> None:
    lines: list[JournalLine] = [sent() for _ in range(attempts)]
    (operation,) = folded([*lines, *(answered(one) for one in answers)]).operations
    assert (operation.answer, operation.attempts) == (expected, attempts)


def test_the_same_act_is_told_apart_from_another() -> None:
    first, again, other = folded(
        [sent("one"), sent("two"), sent("three").model_copy(update={"arguments_hash": "other"})]
    ).operations
    assert first.act == again.act
    assert first.act != other.act


def test_a_cancel_by_somebody_else_is_the_same_act() -> None:
    one = sent("one").model_copy(update={"kind": "cancel"})
    other = one.model_copy(update={"operation_id": "two", "actor": Subject("bob")})
    first, second = folded([one, other]).operations
    assert first.act == second.act
