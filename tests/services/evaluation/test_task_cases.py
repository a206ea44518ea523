"""C-89: an evaluation that cannot fail would prove nothing, so each expectation is missed here once."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.errors import InvalidInput
from services.evaluation.task_cases import (
    Rest,
    TaskCase,
    TaskObservation,
    case_failures,
    read_cases,
    reasked_fields,
)


def _case(**expect: Any) -> TaskCase:
    return TaskCase.model_validate(
        {
            "case_id": "one",
            "principal": {"tenant": "A", "subject": "sales-1", "roles": ["requester"], "groups": ["sales"]},
            "policy": {"required_fields": ["material"]},
            "documents": [],
            "messages": [{"day": 0, "text": "RFQ"}],
            "expect": {"statuses": ["awaiting_approval"], **expect},
        }
    )


def _rest(status: str = "awaiting_approval", **values: Any) -> Rest:
    return Rest(
        status=status,
        confirmed=values.get("confirmed", {"material": "SUS304", "quantity": 40}),
        pending=values.get("pending", ()),
        conflicts=values.get("conflicts", ()),
        seconds=0.1,
    )


def _seen(**values: Any) -> TaskObservation:
    return TaskObservation.model_validate(
        {
            "rests": (_rest(),),
            "claims": ("Lead time: １５ working days",),
            "claim_lines": ((),),
            "cited": (("SOP", 2),),
            "blocked_reason": None,
            "conflict_sides": (),
            "missing_topics": (),
            "awaiting_confirmation": ("special_inspection",),
            "history": (("OLD", 1),),
            "flags": ("instruction_in_document",),
            "decision_version": 1,
            "shown": "Lead time: 15 working days",
            "citations": 1,
            "citations_correct": 1,
            **values,
        }
    )


HELD: dict[str, Any] = {
    "confirmed": {"material": "ｓｕｓ304", "quantity": 40},
    "must_cite": [["SOP", 2]],
    "must_not_cite": [["SOP", 1]],
    "claims_contain": [["15", "working days"]],
    "no_claim_contains": ["10 working"],
    "nowhere": ["10 working"],
    "history_lists": [["OLD", 1]],
    "flags": ["instruction_in_document"],
    "awaiting_confirmation_of": ["special_inspection"],
    "decision_version": 1,
}


def test_a_case_passes_when_everything_holds() -> None:
    assert case_failures(_case(**HELD), _seen()) == ()


@pytest.mark.parametrize(
    "expect",
    [
        {"statuses": ["blocked"]},
        {"confirmed": {"material": "SUS316"}},
        {"confirmed": {"quantity": True}},
        {"confirmed": {"wanted_date": "2027-01-01"}},
        {"pending": ["quantity"]},
        {"conflicts": ["quantity"]},
        {"conflict_seen": ["quantity"]},
        {"conflicts_or_pending": ["quantity"]},
        {"must_cite": [["SOP", 1]]},
        {"must_not_cite": [["SOP", 2]]},
        {"claims_contain": [["15", "calendar days"]]},
        {"no_claim_contains": ["１５ working"]},
        {"nowhere": ["Lead time"]},
        {"blocked_reason": "source_conflict"},
        {"conflict_lists": [["SOP", 2]]},
        {"missing_topics": ["lead_time"]},
        {"awaiting_confirmation_of": ["packaging"]},
        {"history_lists": [["OLD", 2]]},
        {"flags": ["hidden_text"]},
        {"decision_version": 2},
    ],
    ids="-".join,
)
def test_each_expectation_can_be_missed(expect: dict[str, Any]) -> None:
    assert len(case_failures(_case(**expect), _seen())) == 1


def test_a_citation_that_differs_from_the_case_is_a_failure() -> None:
    assert case_failures(_case(), _seen(citations_correct=0)) != ()


def test_a_confirmed_field_that_is_asked_for_again_is_counted() -> None:
    rests = (_rest("waiting_input", pending=("special_inspection",)), _rest("waiting_input", pending=("quantity",)))
    seen = _seen(rests=rests)
    assert reasked_fields(seen) == ("quantity",)
    case = _case(statuses=["waiting_input", "waiting_input"], never_asked_again=["quantity"])
    assert len(case_failures(case, seen)) == 1


def test_a_conflict_may_be_asked_about() -> None:
    rests = (_rest("waiting_input"), _rest("waiting_input", pending=("quantity",), conflicts=("quantity",)))
    assert reasked_fields(_seen(rests=rests)) == ()


@pytest.mark.parametrize(
    ("line", "named"), [("{", "line 2"), ("[]", "line 2"), ('{"case_id": "x"}', "principal"), ("1", "line 2")]
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(_case().model_dump(mode="json")) + "\n" + line + "\n")
    with pytest.raises(InvalidInput, match=named):
        read_cases(path)


def test_a_missing_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot read"):
        read_cases(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InvalidInput, match="holds no case"):
        read_cases(tmp_path / "empty.jsonl")
