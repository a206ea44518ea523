"""Numbers, units and spans of time read as values in every way that people write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values import durations_in, measures_in, money_in, numbers_in, quantities_in

DURATIONS = [
    ("標準交期 15 日", 15, 15, "day"),
    ("１５個工作天", 15, 15, "working_day"),
    ("十五個工作日", 15, 15, "working_day"),
    ("二十一天", 21, 21, "day"),
    ("一百二十天", 120, 120, "day"),
    ("兩週內", 2, 2, "week"),
    ("常规货期三周", 3, 3, "week"),
    ("三至四週", 3, 4, "week"),
    ("10日至15日", 10, 15, "day"),
    ("15～20 工作天", 15, 20, "working_day"),
    ("リードタイムは10営業日", 10, 10, "working_day"),
    ("約 2 ヶ月", 2, 2, "month"),
    ("3週間", 3, 3, "week"),
    ("ten to fifteen business days", 10, 15, "working_day"),
    ("twenty-one days", 21, 21, "day"),
    ("a 15-day lead time", 15, 15, "day"),
    ("fifteen (15) working days", 15, 15, "working_day"),
    ("15 (fifteen) working days", 15, 15, "working_day"),
    ("between 10 and 15 days", 10, 15, "day"),
    ("10 bis 12 Werktage", 10, 12, "working_day"),
    ("einundzwanzig Arbeitstage", 21, 21, "working_day"),
    ("drei Wochen", 3, 3, "week"),
    ("15 jours ouvrés", 15, 15, "working_day"),
    ("15 días hábiles", 15, 15, "working_day"),
    ("48h", 48, 48, "hour"),
    ("15 WD", 15, 15, "working_day"),
]
NO_DURATION = [
    "2026-03-15",
    "3月15日",
    "2025 年對同一客戶",
    "統一包裝",
    "第3天",
    "Part BRK-015-D",
    "SUS304",
    "一般品",
    "Day",
]


@pytest.mark.parametrize(("text", "low", "high", "unit"), DURATIONS)
def test_a_span_of_time_is_read(text: str, low: int, high: int, unit: str) -> None:
    (found,) = durations_in(text)
    assert (found.low, found.high, found.unit) == (low, high, unit)


@pytest.mark.parametrize("text", NO_DURATION)
def test_what_is_no_span_of_time_gives_none(text: str) -> None:
    assert durations_in(text) == ()


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1.200 Stück", {Fraction(6, 5), Fraction(1200)}),
        ("1,200 pcs", {Fraction(6, 5), Fraction(1200)}),
        ("1,200.50 USD", {Fraction(2401, 2)}),
        ("1.200,50 EUR", {Fraction(2401, 2)}),
        ("0.050 mm", {Fraction(1, 20)}),
        ("1.2萬件", {Fraction(12000)}),
        ("１２００件", {Fraction(1200)}),
        ("1’200 Stück", {Fraction(1200)}),
    ],
)
def test_a_number_has_the_readings_that_its_marks_allow(text: str, readings: set[Fraction]) -> None:
    (found,) = numbers_in(text)
    assert found.readings == readings


def test_digits_of_codes_are_no_numbers() -> None:
    assert numbers_in("Part BRK-010-A of A6061-T6 to ISO9001") == ()
    assert [one.unit for one in numbers_in("SUS304 200 件")] == ["piece"]


def test_money_names_its_currency() -> None:
    assert [one.unit for one in money_in("NT$38 or 4.50 EUR or USD 5")] == ["money:TWD", "money:EUR", "money:USD"]


def test_equal_values_compare_equal() -> None:
    (weeks,), (days,), (working,) = (durations_in(one) for one in ("2 weeks", "14 日", "14 個工作天"))
    assert weeks.comparable == days.comparable
    assert days.comparable != working.comparable
    (years,), (months,) = durations_in("two years"), durations_in("24 個月")
    assert years.comparable == months.comparable
    (mm,), (um,) = measures_in("0.05 mm"), measures_in("50 µm")
    assert mm.comparable == um.comparable


@given(st.integers(min_value=1, max_value=999), st.sampled_from(["日", " days", " Tage", "天"]))
def test_a_plain_amount_is_read_as_it_is(amount: int, unit: str) -> None:
    (found,) = durations_in(f"交期 {amount}{unit}")
    assert (found.low, found.unit) == (amount, "day")


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error_and_in_place(text: str) -> None:
    for one in (*numbers_in(text), *quantities_in(text)):
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("Lead time (days): 15", 15, 15, "day"),
        ("標準交期（天）：15", 15, 15, "day"),
        ("交期[工作天]：10-15", 10, 15, "working_day"),
        ("Lieferzeit (Wochen): 3", 3, 3, "week"),
        ("Lead time in weeks: 3", 3, 3, "week"),
        ("Lead time (days): 2 weeks", 2, 2, "week"),
    ],
)
def test_the_label_of_a_column_may_carry_the_unit(text: str, low: int, high: int, unit: str) -> None:
    (found,) = durations_in(text)
    assert (found.low, found.high, found.unit) == (low, high, unit)


def test_a_number_in_brackets_is_no_unit() -> None:
    assert [one.unit for one in numbers_in("see note (3): 15")] == [None, None]
