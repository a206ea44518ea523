"""The figures of field extraction, computed on messages whose reading is certain."""

import json

import pytest

from models.errors import InvalidInput
from services.evaluation.fields import evaluate_fields


def _line(text: str, **labels: object) -> str:
    return json.dumps({"id": "x", "lang": "en", "text": text, "fields": {}, "spans": {}} | labels)


def test_a_right_reading_scores_in_full_and_has_exactly_the_agreed_keys() -> None:
    report = evaluate_fields(
        [_line("Qty 40 pcs, SUS304", fields={"material": "sus 304", "quantity": 40, "quantity_unit": "PCS"})]
    )
    shown = report.model_dump()
    assert list(shown) == ["lines", "micro_f1", "fields", "conflicts", "undecided", "wrongly_confirmed"]
    assert (report.lines, report.micro_f1, report.wrongly_confirmed) == (1, 1.0, 0)
    assert set(report.fields) == {"material", "quantity", "quantity_unit"}
    assert shown["conflicts"] == {"precision": 1.0, "recall": 1.0}


def test_a_wrong_value_costs_precision_and_recall() -> None:
    report = evaluate_fields([_line("Qty 40 pcs", fields={"quantity": 50, "quantity_unit": "pcs"})])
    assert report.fields["quantity"].precision == report.fields["quantity"].recall == 0
    assert report.micro_f1 == 0.5


def test_a_value_for_an_open_field_is_wrongly_confirmed() -> None:
    report = evaluate_fields(
        [_line("Qty 40 pcs", undecided=["quantity"], conflicts=[], fields={"quantity_unit": "pcs"})]
    )
    assert report.wrongly_confirmed == 1
    assert report.undecided.recall == 0
    both = evaluate_fields([_line("Qty 40 pcs", conflicts=["quantity"], fields={"quantity_unit": "pcs"})])
    assert both.wrongly_confirmed == 1
    assert both.conflicts.recall == 0


def test_true_is_not_one() -> None:
    report = evaluate_fields([_line("We need a CMM report.", fields={"special_inspection": 1})])
    assert report.fields["special_inspection"].recall == 0


@pytest.mark.parametrize(
    "bad", ["{", "[]", '{"text": 1, "fields": {}}', '{"text": "a", "fields": {"price": 1}}', '{"fields": {}}']
)
def test_a_malformed_line_is_named(bad: str) -> None:
    with pytest.raises(InvalidInput, match="line 3"):
        evaluate_fields([_line("Qty 1 set"), "", bad])


def test_nothing_to_measure_is_no_division_by_zero() -> None:
    assert evaluate_fields([]).micro_f1 == 1.0
