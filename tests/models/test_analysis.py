"""The extractive analysis over golden inputs: synonyms, units, scopes, tiers, additions, commands."""

from collections.abc import Mapping
from typing import Any

import pytest

from models.review import review_draft
from tests.models.quote_inputs import NOW, originals, quote_input
from tests.models.review_drafts import lines
from tests.models.test_quote_variants import failures, outcome

CASES = lines("drafts_analysis.jsonl")


@pytest.mark.parametrize("line", CASES, ids=[one["id"] for one in CASES])
def test_golden_input_has_its_outcome(line: Mapping[str, Any]) -> None:
    decision, draft = outcome(line)
    assert tuple(failures(line["expect"], decision, draft)) == ()


@pytest.mark.parametrize("line", CASES, ids=[one["id"] for one in CASES])
def test_review_accepts_what_is_proposed(line: Mapping[str, Any]) -> None:
    given = quote_input(line)
    _, draft = outcome(line)
    allowed = {one.evidence_id for one in given.evidence}
    found = review_draft(draft, originals=originals(line), confirmed=given.confirmed, allowed=allowed, now=NOW)
    assert found == ()
