"""The reference machine: what becomes of seven acts in any order."""

from itertools import permutations

import pytest

from models.chaos_journal import Answer
from models.chaos_orders import MOVES, Ending, Move, ended, played

YES: Answer = "acknowledged"
NO: Answer = "refused"


@pytest.mark.parametrize(
    ("order", "answers", "version", "status", "outcome"),
    [
        ((), (), 1, "awaiting_approval", None),
        (("approve_v1",), (YES,), 1, "completed", "approved"),
        (("reject_v1", "approve_v1"), (YES, NO), 1, "completed", "rejected"),
        (("approve_v1", "late_approve_v1"), (YES, NO), 1, "completed", "approved"),
        (("supplement", "approve_v1", "approve_v2"), (YES, NO, YES), 2, "completed", "approved"),
        (("request_changes_v1", "late_approve_v1", "approve_v2"), (YES, NO, YES), 2, "completed", "approved"),
        (("approve_v2", "approve_v1"), (NO, YES), 1, "completed", "approved"),
        (("cancel", "supplement", "approve_v1"), (YES, NO, NO), 1, "cancelled", "cancelled"),
        (("approve_v1", "cancel"), (YES, NO), 1, "completed", "approved"),
        (("approve_v1", "supplement", "cancel"), (YES, YES, YES), 2, "cancelled", "cancelled"),
        (("reject_v1", "supplement", "approve_v2"), (YES, YES, YES), 2, "completed", "approved"),
        (("supplement", "request_changes_v1", "reject_v1"), (YES, NO, NO), 2, "awaiting_approval", None),
        (("request_changes_v1", "supplement", "approve_v2"), (YES, YES, NO), 3, "awaiting_approval", None),
    ],
)
def test_what_becomes_of_an_order(
    order: tuple[Move, ...], answers: tuple[Answer, ...], version: int, status: str, outcome: str | None
) -> None:
    end = played(order)
    assert end.answers == answers
    assert end.decision_version == version
    assert (end.ending.status, end.ending.outcome) == (status, outcome)


def test_in_all_orders_one_decision_stands_for_a_draft_and_a_cancel_is_the_end() -> None:
    for order in permutations(MOVES):
        end = played(order)
        versions = [version for version, _ in end.ending.decisions]
        assert len(versions) == len(set(versions))
        taken: list[Move] = [move for move, answer in zip(order, end.answers, strict=True) if answer == YES]
        if "cancel" in taken:
            assert taken[-1] == "cancel"
            assert end.ending.status == "cancelled"
        assert end.ending == ended(taken), order


def test_where_acts_that_raced_end() -> None:
    assert ended([]) == Ending(status="awaiting_approval", outcome=None, decisions=())
    reopened = ended(["reject_v1", "supplement"])
    assert reopened == Ending(status="awaiting_approval", outcome=None, decisions=((1, "reject"),))
    assert ended(["supplement", "approve_v2"]).outcome == "approved"
