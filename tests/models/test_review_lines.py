"""The review of drafts of several lines: a value, a claim or a line in the wrong place is found.

Capabilities: C-4.
"""

from collections.abc import Callable
from typing import Any

import pytest

from models.analysis import analyze
from models.contract import canonical_json
from models.drafting import compose_draft, validate_decision
from models.drafts import Draft
from models.errors import AgentFailed
from models.fields import FieldName, FieldValue
from models.ids import Subject, TenantId
from models.memory import MemoryInput
from models.review import Finding, OriginalKey, review_draft
from models.tasks import ConfirmedValue, FieldSource, LineItem
from tests.models.quote_inputs import METADATA, NOW, quote_input

MESSAGE = "1. Bracket BK-310, SUS304, 250 pcs\n2. Shaft SH-42, S45C, 90 pcs, special inspection required\n"
SECOND = MESSAGE.index("2. Shaft")
STANDARD = "The standard lead time is 15 days."
SHAFT = "For part SH-42 the lead time is 28 days."


def source(start: int, end: int) -> FieldSource:
    return FieldSource(
        message_id="m-0", author=Subject("sales-1"), confirmed_by="extraction", char_start=start, char_end=end
    )


def line(number: int, start: int, end: int, values: dict[FieldName, FieldValue]) -> LineItem:
    confirmed: dict[FieldName, ConfirmedValue] = {}
    for name, value in values.items():
        confirmed[name] = ConfirmedValue(value=value, source=source(start, end))
    return LineItem(line=number, status="complete", source=source(start, end), confirmed=confirmed)


LINES = (
    line(1, 0, SECOND, {"part_number": "BK-310", "material": "SUS304", "quantity": 250, "special_inspection": False}),
    line(
        2,
        SECOND,
        len(MESSAGE),
        {"part_number": "SH-42", "material": "S45C", "quantity": 90, "special_inspection": True},
    ),
)


def handed() -> MemoryInput:
    told: dict[str, Any] = {
        "messages": [MESSAGE],
        "confirmed": {},
        "topics": ["lead_time"],
        "documents": [
            {"id": "SOP-1", "version": 1, "kind": "formal_fact", "title": "SOP-1", "text": STANDARD},
            {"id": "SOP-2", "version": 1, "kind": "formal_fact", "title": "SOP-2", "text": SHAFT},
        ],
    }
    return quote_input(told).model_copy(update={"lines": LINES})


ORIGINALS: dict[OriginalKey, str] = {
    ("document", "SOP-1", 1): STANDARD,
    ("document", "SOP-2", 1): SHAFT,
    ("message", "m-0", 1): MESSAGE,
}


def draft_of(given: MemoryInput) -> Draft:
    return compose_draft(given, analyze(given), tenant_id=TenantId("A"), run_metadata=METADATA)


def findings(draft: Draft) -> tuple[Finding, ...]:
    allowed = [one.evidence_id for one in handed().evidence]
    return review_draft(draft, originals=ORIGINALS, confirmed={}, allowed=allowed, now=NOW, lines=LINES)


def test_a_draft_of_two_lines_says_for_which_a_claim_holds_and_passes() -> None:
    draft = draft_of(handed())
    assert findings(draft) == ()
    told = {one.text: one.lines for one in draft.claims}
    assert {lines for text, lines in told.items() if "28 days" in text} == {(2,)}
    assert {lines for text, lines in told.items() if "15 days" in text} == {(1,)}
    assert [one.lines for one in draft.awaiting_confirmation if one.topic == "special_inspection"] == [(2,)]


def _values_swapped(draft: Draft) -> Draft:
    one, two = draft.lines
    return draft.model_copy(
        update={"lines": (one.model_copy(update={"fields": two.fields}), two.model_copy(update={"fields": one.fields}))}
    )


def _line_left_out(draft: Draft) -> Draft:
    return draft.model_copy(update={"lines": draft.lines[:1]})


def _line_twice(draft: Draft) -> Draft:
    return draft.model_copy(update={"lines": (*draft.lines, draft.lines[1])})


def _named_otherwise(draft: Draft) -> Draft:
    one, two = draft.lines
    return draft.model_copy(update={"lines": (one.model_copy(update={"label": "BK-311"}), two)})


def _withdrawn(draft: Draft) -> Draft:
    one, two = draft.lines
    return draft.model_copy(update={"lines": (one, two.model_copy(update={"status": "withdrawn"}))})


def _quantity_changed(draft: Draft) -> Draft:
    one, two = draft.lines
    changed = tuple(
        held.model_copy(update={"value": held.value.model_copy(update={"value": 900})})
        if held.field == "quantity"
        else held
        for held in two.fields
    )
    return draft.model_copy(update={"lines": (one, two.model_copy(update={"fields": changed}))})


def _claims_for(*lines: int) -> Callable[[Draft], Draft]:
    def mutate(draft: Draft) -> Draft:
        claims = tuple(
            one.model_copy(update={"lines": lines}) if "28 days" in one.text else one for one in draft.claims
        )
        return draft.model_copy(update={"claims": claims})

    return mutate


def _awaited_for_the_first(draft: Draft) -> Draft:
    awaited = tuple(one.model_copy(update={"lines": (1,)}) for one in draft.awaiting_confirmation)
    return draft.model_copy(update={"awaiting_confirmation": awaited})


@pytest.mark.parametrize(
    ("mutate", "code"),
    [
        (_values_swapped, "field_mismatch"),
        (_line_left_out, "field_mismatch"),
        (_line_twice, "field_mismatch"),
        (_named_otherwise, "field_mismatch"),
        (_withdrawn, "field_mismatch"),
        (_quantity_changed, "field_mismatch"),
        (_claims_for(1), "line_mismatch"),
        (_claims_for(), "line_mismatch"),
        (_claims_for(3), "line_mismatch"),
        (_claims_for(2, 2), "line_mismatch"),
        (_awaited_for_the_first, "line_mismatch"),
    ],
)
def test_each_exchange_between_lines_is_found(mutate: Callable[[Draft], Draft], code: str) -> None:
    assert code in {one.code for one in findings(mutate(draft_of(handed())))}


def test_a_decision_names_no_line_that_is_not_to_be_quoted() -> None:
    given = handed()
    decision = analyze(given)
    claims = tuple(one.model_copy(update={"lines": (7,)}) for one in decision.claims)
    with pytest.raises(AgentFailed, match="not to be quoted"):
        validate_decision(given, decision.model_copy(update={"claims": claims}))


def test_without_lines_drafts_claims_and_inputs_have_the_json_that_they_always_had() -> None:
    single = handed().model_copy(update={"lines": (), "confirmed": LINES[0].confirmed})
    assert '"lines"' not in canonical_json(single)
    assert '"lines"' not in canonical_json(draft_of(single))


def test_the_words_of_another_line_are_no_evidence_for_a_line() -> None:
    decision = analyze(handed())
    request = [one for one in decision.claims if "special inspection" in one.text.casefold() and "SOP" not in one.text]
    assert {one.lines for one in request} <= {(2,)}
