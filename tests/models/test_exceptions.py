"""Clauses that leave something out, restate a value, replace one, or share the topic of their enumeration."""

import pytest

from models.analysis import analyze
from tests.models.quote_inputs import quote_input

PLAIN = "SUS304 300 件，不需要特殊檢驗，交期？"
INSPECTED = "SUS304 300 件，需要特殊檢驗，交期？"


def claims(message: str, text: str) -> str:
    """What is claimed about SUS304 when this is all that the documents say; the status where nothing is."""
    confirmed = {"material": "SUS304", "quantity": 300, "special_inspection": message == INSPECTED}
    document = {"id": "D", "version": 1, "text": text, "kind": "formal_fact", "title": "D"}
    decision = analyze(
        quote_input({"messages": [message], "confirmed": confirmed, "topics": ["lead_time"], "documents": [document]})
    )
    return "\n".join(claim.text for claim in decision.claims) or decision.status


@pytest.mark.parametrize(
    ("text", "held", "left_out"),
    [
        ("SUS304 以外材質交期 18 天；SUS304 交期 10 天。", "10 天", "18 天"),
        ("除 SUS316L 外，標準交期 14 天；SUS316L 交期 33 天。", "14 天", "33 天"),
        (
            "The lead time for all materials except SUS304 is 18 days. SUS304 has a lead time of 10 days.",
            "10 d",
            "18 d",
        ),
        ("Die Lieferzeit beträgt 20 Tage, außer SUS316L: 35 Tage.", "20 Tage", "35 Tage"),
        ("SUS304を除く材料の納期は18日。SUS304の納期は10日。", "10日", "18日"),
        ("ステンレス品は20営業日、アルミ品は12営業日で出荷します。", "20営業日", "12営業日"),
        ("若需特殊檢驗，交期為 25 天；若不需特殊檢驗，交期為 15 天。", "15 天", "25 天"),
        ("Die Lieferzeit wurde von 11 auf 16 Arbeitstage verlängert.", "16 Arbeitstage", "completed"),
        ("Lead times: standard 16 working days / express 4 working days.", "16 working days", "express"),
        ("The lead time is 15 working days (3 weeks).", "15 working days", "conflict"),
        ("Innerhalb von vier Wochen nach Auftragseingang liefern wir Standardteile aus.", "vier Wochen", "completed"),
        ("Lieferzeit 15 Tage, für Eloxieren zuzüglich 4 Tage, für Verzinken zuzüglich 6 Tage.", "15 Tage", "6 Tage"),
    ],
)
def test_a_clause_holds_for_what_it_does_not_leave_out(text: str, held: str, left_out: str) -> None:
    claimed = claims(PLAIN, text)
    assert held in claimed
    assert left_out not in claimed


def test_a_time_without_inspection_is_none_for_a_task_with_one() -> None:
    claimed = claims(INSPECTED, "若需特殊檢驗，交期為 25 天；若不需特殊檢驗，交期為 14 天。")
    assert "25 天" in claimed
    assert "14 天" not in claimed


def test_a_material_that_alone_is_left_out_has_no_lead_time() -> None:
    assert claims(PLAIN, "SUS304 以外的材質，標準交期 18 天。") == "insufficient_evidence"
