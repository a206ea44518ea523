"""Quotes told in many ways: other words, orders, digits, widths and languages, and the outcome of each."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from models.analysis import analyze
from models.drafting import compose_draft, missing_topics, validate_decision
from models.drafts import Draft
from models.ids import TenantId
from models.memory import MemoryDecision
from models.review import Finding, review_draft
from tests.models.quote_inputs import METADATA, NOW, originals, quote_input
from tests.models.review_drafts import lines

VARIANTS = lines("quote_variants.jsonl")


@pytest.mark.parametrize("line", VARIANTS, ids=[one["id"] for one in VARIANTS])
def test_each_way_to_say_it_has_its_outcome(line: Mapping[str, Any]) -> None:
    decision, draft = outcome(line)
    assert tuple(failures(line["expect"], decision, draft)) == ()


@pytest.mark.parametrize("line", VARIANTS, ids=[one["id"] for one in VARIANTS])
def test_what_the_analysis_proposes_the_review_accepts(line: Mapping[str, Any]) -> None:
    assert reviewed(line, outcome(line)[1]) == ()


@pytest.mark.parametrize("line", VARIANTS, ids=[one["id"] for one in VARIANTS])
def test_a_changed_digit_or_a_promise_in_any_claim_is_refused(line: Mapping[str, Any]) -> None:
    _, draft = outcome(line)
    for index, claim in enumerate(draft.claims):
        for text in (*_other_digits(claim.text), f"We guarantee: {claim.text}", f"{claim.text}，報價已寄出"):
            changed = tuple(
                claim.model_copy(update={"text": text}) if at == index else one for at, one in enumerate(draft.claims)
            )
            assert reviewed(line, draft.model_copy(update={"claims": changed})) != (), text


def reviewed(line: Mapping[str, Any], draft: Draft) -> tuple[Finding, ...]:
    """What the review finds in a draft of a line."""
    given = quote_input(line)
    return review_draft(
        draft,
        originals=originals(line),
        confirmed=given.confirmed,
        allowed={one.evidence_id for one in given.evidence},
        now=NOW,
    )


def _other_digits(text: str) -> Iterable[str]:
    for place, char in enumerate(text):
        if char.isdecimal():
            yield f"{text[:place]}{(int(char) + 1) % 10}{text[place + 1 :]}"


def test_there_are_variants_of_every_language() -> None:
    assert len(VARIANTS) >= 80


def outcome(line: Mapping[str, Any]) -> tuple[MemoryDecision, Draft]:
    """What analysis and composition make of a line."""
    given = quote_input(line)
    decision = analyze(given)
    validate_decision(given, decision)
    return decision, compose_draft(given, decision, tenant_id=TenantId("A"), run_metadata=METADATA)


def failures(expect: Mapping[str, Any], decision: MemoryDecision, draft: Draft) -> Iterable[str]:
    """Every expectation that does not hold."""
    if decision.status != expect["status"]:
        yield f"status {decision.status}, claims {[one.text for one in decision.claims]}, {draft.missing_topics}"
    yield from _claim_failures(expect, draft)
    yield from _list_failures(expect, draft)
    shown = _wide(draft.model_dump_json())
    yield from (f"{text!r} is shown" for text in expect.get("nowhere", ()) if _wide(text) in shown)


def _claim_failures(expect: Mapping[str, Any], draft: Draft) -> Iterable[str]:
    texts = [_wide(one.text) for one in draft.claims]
    for wanted in expect.get("claims", ()):
        if not any(_wide(wanted) in text for text in texts):
            yield f"no claim holds {wanted!r}: {texts}"
    for unwanted in expect.get("no_claim", ()):
        if any(_wide(unwanted) in text for text in texts):
            yield f"a claim holds {unwanted!r}: {texts}"
    pieces = {one.evidence_id: one for one in draft.evidence}
    cited = {(pieces[key].document_id, pieces[key].version) for one in draft.claims for key in one.evidence_ids}
    yield from (f"{one} is not cited" for one in expect.get("cites", ()) if tuple(one) not in cited)
    yield from (f"{one} is cited" for one in expect.get("not_cites", ()) if tuple(one) in cited)


def _list_failures(expect: Mapping[str, Any], draft: Draft) -> Iterable[str]:
    sides = {(one.document_id, one.version) for one in draft.conflicts}
    yield from (f"{one} is no side" for one in expect.get("conflict", ()) if tuple(one) not in sides)
    if sides and "conflict" not in expect:
        yield f"conflicts: {sides}"
    if tuple(expect.get("missing", ())) != draft.missing_topics:
        yield f"missing {draft.missing_topics}"
    awaiting = [[one.topic, one.ask_whom] for one in draft.awaiting_confirmation]
    yield from (f"{one} is not awaited: {awaiting}" for one in expect.get("awaiting", ()) if one not in awaiting)
    if expect.get("no_awaiting") and awaiting:
        yield f"awaits {awaiting}"
    history = {(one.document_id, one.version) for one in draft.history}
    yield from (f"{one} is no history" for one in expect.get("history", ()) if tuple(one) not in history)
    flags = {one.flag for one in draft.flags}
    yield from (f"{one} is not flagged" for one in expect.get("flags", ()) if one not in flags)
    if expect.get("no_flags") and flags:
        yield f"flags {flags}"


def _wide(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def test_missing_topics_are_those_of_the_draft() -> None:
    for line in VARIANTS:
        assert missing_topics(quote_input(line)) == outcome(line)[1].missing_topics
