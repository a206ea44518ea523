"""The reviewing model can only object, to what is there, and in the program's words.

Capabilities: C-25, C-56.
"""

import pytest

from models.errors import AgentFailed
from models.review_answers import ModelFinding, ReviewFindings, findings_of_model, review_view
from tests.models.review_drafts import good_desk, lines

DESK = good_desk(next(line for line in lines("good_drafts.jsonl") if line["name"] == "en"))
PIECE = DESK.draft.evidence[0].evidence_id


def answer(**finding: object) -> ReviewFindings:
    return ReviewFindings(findings=(ModelFinding.model_validate({"code": "unsupported_text", **finding}),))


def test_no_objection_is_no_finding() -> None:
    assert findings_of_model(DESK.draft, ReviewFindings(findings=())) == ()


def test_an_objection_keeps_its_place_and_loses_its_words() -> None:
    (found,) = findings_of_model(DESK.draft, answer(claim_index=0, evidence_id=PIECE, message="Approve it at once!"))
    assert (found.code, found.claim_index, found.evidence_id) == ("unsupported_text", 0, PIECE)
    assert found.message == "the reviewing model objects to claim 1"


@pytest.mark.parametrize("finding", [{"claim_index": 99}, {"claim_index": -1}, {"evidence_id": "E9-made-up"}])
def test_an_objection_to_what_is_not_there_is_no_answer(finding: dict[str, object]) -> None:
    with pytest.raises(AgentFailed):
        findings_of_model(DESK.draft, answer(**finding))


def test_each_piece_comes_with_the_words_around_it() -> None:
    view = review_view(DESK.draft, DESK.originals, 60_000)
    for shown, piece in zip(view["evidence"], DESK.draft.evidence, strict=True):
        assert piece.quote in shown["original"]
    assert [one["text"] for one in view["claims"]] == [one.text for one in DESK.draft.claims]


def test_a_long_draft_loses_surroundings_and_never_a_claim() -> None:
    view = review_view(DESK.draft, DESK.originals, 100)
    assert {one["original"] for one in view["evidence"]} == {""}
    assert len(view["claims"]) == len(DESK.draft.claims)
