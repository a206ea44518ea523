"""Numbers, units and spans of time as values, whatever language, width or locale writes them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values import durations_in, money_in, numbers_in, quantities_in

ONE = [
    ("標準交期 15 日", 15, "day"),
    ("１５日", 15, "day"),
    ("十五日", 15, "day"),
    ("15 天", 15, "day"),
    ("10 個工作天", 10, "working_day"),
    ("10个工作日", 10, "working_day"),
    ("十五個工作天", 15, "working_day"),
    ("15営業日", 15, "working_day"),
    ("二十営業日", 20, "working_day"),
    ("fifteen working days", 15, "working_day"),
    ("15-day lead time", 15, "day"),
    ("twenty-one business days", 21, "working_day"),
    ("a lead time of six weeks", 6, "week"),
    ("三週", 3, "week"),
    ("两周", 2, "week"),
    ("３週間", 3, "week"),
    ("2 ヶ月", 2, "month"),
    ("24 個月", 24, "month"),
    ("zwölf Arbeitstage", 12, "working_day"),
    ("drei Wochen", 3, "week"),
    ("einundzwanzig Werktage", 21, "working_day"),
    ("48 h", 48, "hour"),
]


@pytest.mark.parametrize(("text", "amount", "unit"), ONE)
def test_a_span_of_time_is_read(text: str, amount: int, unit: str) -> None:
    assert [(one.low, one.high, one.unit) for one in durations_in(text)] == [(amount, amount, unit)]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("10-15 天", 10, 15, "day"),
        ("10～15日", 10, 15, "day"),
        ("10 至 15 個工作天", 10, 15, "working_day"),
        ("ten to twelve business days", 10, 12, "working_day"),
        ("2 bis 3 Wochen", 2, 3, "week"),
        ("三至四週", 3, 4, "week"),
    ],
)
def test_a_range_is_one_value(text: str, low: int, high: int, unit: str) -> None:
    assert [(one.low, one.high, one.unit) for one in durations_in(text)] == [(low, high, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-15",
        "2026 年 3 月 15 日",
        "3月15日",
        "15.03.2026",
        "2025 年",
        "Part BRK-010-A",
        "一律",
        "統一",
        "ISO 2768-mK",
        "A6061-T6",
    ],
)
def test_a_date_or_a_code_is_no_span_of_time(text: str) -> None:
    assert durations_in(text) == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1,200 件", "1.200 Stück"),
        ("1,200 件", "１２００ pcs"),
        ("1.2 萬件", "12,000 pcs"),
        ("三万件", "30000 個"),
        ("15 個工作天", "fifteen working days"),
        ("15 営業日", "15 Arbeitstage"),
        ("0.05 mm", "0,05 mm"),
    ],
)
def test_other_writings_are_equal_values(left: str, right: str) -> None:
    assert numbers_in(left)[0].equals(numbers_in(right)[0])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("15 日", "15 個工作天"),
        ("15 日", "16 日"),
        ("1,200 件", "1,201 件"),
        ("USD 5", "EUR 5"),
        ("5 mm", "5 cm"),
        ("2 weeks", "2 working days"),
    ],
)
def test_another_amount_or_unit_is_another_value(left: str, right: str) -> None:
    assert not numbers_in(left)[0].equals(numbers_in(right)[0])


def test_weeks_compare_as_days_and_years_as_months() -> None:
    assert quantities_in("2 weeks")[0].comparable == quantities_in("14 days")[0].comparable
    assert quantities_in("1 year")[0].comparable == quantities_in("12 months")[0].comparable
    assert quantities_in("2 weeks")[0].comparable != quantities_in("10 working days")[0].comparable


@pytest.mark.parametrize(
    ("text", "unit", "amount"),
    [
        ("NT$38", "money:TWD", Fraction(38)),
        ("USD 14.20", "money:USD", Fraction(1420, 100)),
        ("3,85 EUR", "money:EUR", Fraction(385, 100)),
        ("1,200円", "money:JPY", Fraction(1200)),
    ],
)
def test_money_is_read_with_its_currency(text: str, unit: str, amount: Fraction) -> None:
    assert [(one.unit, one.high) for one in money_in(text)] == [(unit, amount)]


@given(st.integers(1, 999), st.sampled_from(["日", " days", " Arbeitstage", "營業日", " weeks", "個月"]))
def test_every_whole_number_is_read_back(amount: int, unit: str) -> None:
    plain = durations_in(f"約 {amount}{unit}")
    wide = durations_in(f"約 {amount}{unit}".translate(str.maketrans("0123456789", "０１２３４５６７８９")))
    assert [(one.low, one.unit) for one in plain] == [(one.low, one.unit) for one in wide]
    assert [one.low for one in plain] == [amount]


@given(st.text(max_size=200))
def test_any_text_is_read_without_failing(text: str) -> None:
    for one in numbers_in(text):
        assert 0 <= one.start < one.end <= len(text)
