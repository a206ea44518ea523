"""Every mutated draft is refused for what was done to it; the good ones pass.

Capabilities: C-22, C-25, C-56.
"""

from typing import Any

import pytest

from models.memory import Claim
from models.values import numbers_in
from tests.models.review_drafts import Desk, good_desk, lines, mutated, with_claim

GOOD = {line["name"]: good_desk(line) for line in lines("good_drafts.jsonl")}
MUTATED = lines("mutated_drafts.jsonl")
CLAIMS = [(name, index) for name, desk in GOOD.items() for index in range(len(desk.draft.claims))]


@pytest.mark.parametrize("name", GOOD)
def test_a_good_draft_passes(name: str) -> None:
    assert GOOD[name].findings() == ()


@pytest.mark.parametrize("change", MUTATED, ids=[f"{i}-{one['draft']}-{one['code']}" for i, one in enumerate(MUTATED)])
def test_a_mutated_draft_is_refused_for_its_fault(change: dict[str, Any]) -> None:
    assert change["code"] in mutated(GOOD[change["draft"]], change).codes()


def test_there_are_mutations_of_every_kind() -> None:
    assert len(MUTATED) >= 80
    assert {one["draft"] for one in MUTATED} == set(GOOD)


@pytest.mark.parametrize(("name", "index"), CLAIMS)
def test_any_other_digit_in_a_claim_is_refused(name: str, index: int) -> None:
    desk = GOOD[name]
    claim = desk.draft.claims[index]
    for place, char in enumerate(claim.text):
        if not char.isdigit():
            continue
        for digit in "0123456789":
            if digit != char:
                other = claim.text[:place] + digit + claim.text[place + 1 :]
                assert _with_text(desk, index, claim, other).codes(), other


@pytest.mark.parametrize(("name", "index"), CLAIMS)
def test_a_claim_loses_no_word_inside(name: str, index: int) -> None:
    """Any run of letters cut out of the middle leaves something that the source does not say."""
    desk = GOOD[name]
    claim = desk.draft.claims[index]
    core = claim.text.index("：" if "：" in claim.text else ":") + 2
    end = max(claim.text.rfind("（"), claim.text.rfind("(")) - 1
    units = {place for number in numbers_in(claim.text) for place in range(number.start, number.end)}
    for cut in range(core + 2, end - 4):
        if cut in units:  # a shorter name of the same unit says the same
            continue
        if claim.text[cut : cut + 3].isalpha() and claim.text[cut - 1] != claim.text[cut + 2]:
            other = claim.text[:cut] + claim.text[cut + 3 :]
            assert _with_text(desk, index, claim, other).codes(), other


def test_findings_carry_no_text_of_a_draft() -> None:
    for change in MUTATED:
        desk = mutated(GOOD[change["draft"]], change)
        for finding in desk.findings():
            assert not any(one.quote in finding.message for one in desk.draft.evidence)


def test_a_claim_index_and_an_evidence_id_say_where() -> None:
    wrong = mutated(GOOD["en"], {"text": [1, "0.050", "0.051"]})
    assert {finding.claim_index for finding in wrong.findings()} == {1}
    shifted = mutated(GOOD["en"], {"shift": ["tol", -1]})
    assert {finding.evidence_id for finding in shifted.findings()} == {"E1-tol"}


def test_equal_values_in_other_writing_pass() -> None:
    for name, old, new in [
        ("zh-TW", "18", "十八"),
        ("zh-TW", "18 個工作天", "１８ 個工作日"),
        ("zh-CN", "30,000 件", "3 万件"),
        ("en", "3 weeks", "three weeks"),
        ("de", "1200", "1.200"),
        ("de", "12 Arbeitstage", "zwölf Arbeitstage"),
    ]:
        assert mutated(GOOD[name], {"text": [0, old, new]}).findings() == (), (name, new)


def _with_text(desk: Desk, index: int, claim: Claim, text: str) -> Desk:
    return with_claim(desk, index, claim.model_copy(update={"text": text}))
