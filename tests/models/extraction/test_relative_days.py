"""Words for a day that are no full date: what they can mean, and that they are asked and never a value."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.extraction import asking_days, extract_fields, understood_days

TUESDAY = date(2026, 12, 1)


def meant(text: str, received: date = TUESDAY) -> list[tuple[str, str]]:
    return [(one.first, one.last) for one in understood_days(text, received)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("下週五要交貨", "2026-12-11", "2026-12-11"),
        ("下下星期一前到", "2026-12-14", "2026-12-14"),
        ("这周内要", "2026-12-01", "2026-12-06"),
        ("週五要", "2026-12-04", "2026-12-04"),
        ("下週末需要", "2026-12-12", "2026-12-13"),
        ("月底前交貨", "2026-12-31", "2026-12-31"),
        ("下個月底要", "2027-01-31", "2027-01-31"),
        ("3 月底到貨", "2027-03-31", "2027-03-31"),
        ("明年二月上旬交", "2027-02-01", "2027-02-10"),
        ("十一月中旬要", "2027-11-11", "2027-11-20"),
        ("12月下旬要", "2026-12-21", "2026-12-31"),
        ("12月3日要", "2026-12-03", "2026-12-03"),
        ("11月30號前要", "2027-11-30", "2027-11-30"),
        ("交期 1/15", "2027-01-15", "2027-01-15"),
        ("年底前要到", "2026-12-31", "2026-12-31"),
        ("兩週內到貨", "2026-12-15", "2026-12-15"),
        ("10 天內要", "2026-12-11", "2026-12-11"),
        ("3个月内交", "2027-03-01", "2027-03-01"),
        ("大後天要", "2026-12-04", "2026-12-04"),
        ("需求第1季度", "2027-01-01", "2027-03-31"),
        ("来週の水曜日までに納品希望", "2026-12-09", "2026-12-09"),
        ("再来週までに必要です", "2026-12-14", "2026-12-20"),
        ("来月末納品でお願いします", "2027-01-31", "2027-01-31"),
        ("1月上旬納期希望", "2027-01-01", "2027-01-10"),
        ("明後日必着です", "2026-12-03", "2026-12-03"),
        ("2週間以内に必要です", "2026-12-15", "2026-12-15"),
        ("we need them by next Friday", "2026-12-04", "2026-12-11"),
        ("needed by Friday", "2026-12-04", "2026-12-04"),
        ("deliver by the end of March", "2027-03-31", "2027-03-31"),
        ("due mid January", "2027-01-11", "2027-01-20"),
        ("delivery in early February 2028", "2028-02-01", "2028-02-10"),
        ("ship by March 15", "2027-03-15", "2027-03-15"),
        ("needed 15th of January", "2027-01-15", "2027-01-15"),
        ("we need it within ten days", "2026-12-11", "2026-12-11"),
        ("due in week 53", "2026-12-28", "2027-01-03"),
        ("deliver next week", "2026-12-07", "2026-12-13"),
        ("deliver by 3/4", "2027-03-04", "2027-04-03"),
        ("deliver by 12/20", "2026-12-20", "2026-12-20"),
        ("needed by month-end", "2026-12-31", "2026-12-31"),
        ("delivery Q2 2027", "2027-04-01", "2027-06-30"),
        ("Lieferung in KW 2", "2027-01-11", "2027-01-17"),
        ("Liefertermin KW 50", "2026-12-07", "2026-12-13"),
        ("Lieferung bis Ende März", "2027-03-31", "2027-03-31"),
        ("Liefertermin Anfang Februar", "2027-02-01", "2027-02-10"),
        ("bis kommenden Montag brauchen wir", "2026-12-07", "2026-12-07"),
        ("bis nächsten Montag brauchen wir", "2026-12-07", "2026-12-14"),
        ("übermorgen brauchen wir 4 Stück", "2026-12-03", "2026-12-03"),
        ("Lieferung bis 14.1. bitte", "2027-01-14", "2027-01-14"),
        ("benötigt bis 3. Mai", "2027-05-03", "2027-05-03"),
        ("Lieferung innerhalb von zwei Wochen", "2026-12-15", "2026-12-15"),
    ],
)
def test_words_mean_the_days_between_a_first_and_a_last(text: str, first: str, last: str) -> None:
    assert meant(text) == [(first, last)]
    (days,) = understood_days(text, TUESDAY)
    assert 0 <= days.start < days.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "Guten Morgen, 4 Stück bitte",
        "後天要圖確",
        "請於下週五前回覆報價",
        "明後日までに回答ください",
        "let me confirm on Monday, we need 5",
        "please quote by Friday",
        "Angebot bis Freitag bitte",
        "月結30天，要 5 件",
        "付款：月底結",
        "net 30 days, deliver to Leeds",
        "nylon 6/6, we need 5",
        "1/2 inch bars, deliver soon",
        "2027年3月15日要到，下週五前也可以",
        "春節前要",
        "5 個工作天內交",
        "as soon as possible, need 5",
        "日本向け、5個必要",
        "we may need 20",
        "Mai und Juni sind ruhig",
    ],
)
def test_other_days_no_days_and_a_full_date_beside_them_are_left(text: str) -> None:
    assert meant(text) == []


def test_a_day_is_counted_from_the_day_the_message_arrived() -> None:
    assert meant("月底前交貨", date(2027, 2, 3)) == [("2027-02-28", "2027-02-28")]
    assert meant("in one month we need it", date(2027, 1, 31)) == [("2027-02-28", "2027-02-28")]
    assert meant("deliver in week 1", date(2026, 12, 30)) == [("2027-01-04", "2027-01-10")]
    assert meant("needed by tomorrow", date.max) == []


def test_older_mail_names_no_day_of_this_one() -> None:
    text = "OK, 5 pcs.\n\n> please deliver by next Friday"
    assert meant(text) == []


def test_such_words_are_asked_and_never_a_value() -> None:
    text = "40 pcs of SUS304, deliver by Friday."
    fields = extract_fields(text)
    assert "wanted_date" not in fields.settled
    asked = asking_days(fields, understood_days(text, TUESDAY))
    span = asked.undecided["wanted_date"]
    assert text[span.start : span.end] == "by Friday"
    assert asked.settled == fields.settled
    dated = extract_fields("40 pcs, deliver 2027-03-15.")
    assert asking_days(dated, understood_days(text, TUESDAY)) == dated
    assert asking_days(fields, ()) == fields


@given(st.text(max_size=200), st.dates())
@settings(max_examples=200, deadline=None)
def test_any_text_on_any_day_is_read_without_an_error(text: str, received: date) -> None:
    for one in understood_days(text, received):
        assert 0 <= one.start < one.end <= len(text)
        assert one.first <= one.last
        assert one.last >= received.isoformat()


@pytest.mark.parametrize("unit", ["下週五", "6/6 ", "by next Friday ", "月", "三", "in 3 weeks ", "(", "日曜"])
def test_the_work_is_bounded(unit: str) -> None:
    started = time.process_time()
    understood_days(unit * (100_000 // len(unit)), TUESDAY)
    assert time.process_time() - started < 6
