"""Whole messages: the golden set, and what must hold for any text."""

import json
import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models.extraction import MAX_READ, detect_language, extract_fields, understood_days
from models.fields import MessageFields
from services.evaluation.fields import evaluate_fields

GOLDEN = Path(__file__).parents[2] / "golden"
LINES = [
    line
    for name in ("fields_own.jsonl", "fields_unseen.jsonl", "fields_doubts.jsonl", "fields_wide.jsonl")
    for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()
]
PARTS = (
    "SUS304",
    "1,200",
    "1.200",
    "５００",
    "，",
    "、",
    " 件",
    " pcs",
    "Stück",
    "個",
    "不是",
    "not ",
    "statt ",
    "\n> ",
    "\n",
    "。",
    "二千",
    "zwölf ",
    "圖號 D-12",
    "rev C",
    "2027-01-02",
    "CMM report",
    "未定",
    "if ",
    "noch offen",
    "か",
    "ｶﾞ",
    "\ud800",
    "\x00",
    "㎜",
    "½",
    "陽極",
    "-----Original Message-----\n",
)


def _values(fields: MessageFields) -> object:
    return (
        {name: one.value for name, one in fields.settled.items()},
        set(fields.undecided),
        {name: [one.value for one in values] for name, values in fields.conflicts.items()},
    )


@pytest.mark.parametrize("line", LINES, ids=[json.loads(line)["id"] for line in LINES])
def test_the_golden_messages_are_read_as_a_careful_person_reads_them(line: str) -> None:
    wanted = json.loads(line)
    got = extract_fields(wanted["text"])
    assert {name: one.value for name, one in got.settled.items()} == wanted["fields"]
    assert set(got.undecided) == set(wanted["undecided"])
    assert set(got.conflicts) == set(wanted["conflicts"])
    assert detect_language(wanted["text"]) == wanted["lang"]


@pytest.mark.parametrize("line", [one for one in LINES if '"received"' in one])
def test_the_golden_days_are_understood_from_the_day_a_message_arrived(line: str) -> None:
    wanted = json.loads(line)
    days = understood_days(wanted["text"], date.fromisoformat(wanted["received"]))
    assert [[one.first, one.last] for one in days] == [wanted["understood"]]


def test_the_golden_set_is_wide_enough_and_confirms_nothing_wrongly() -> None:
    report = evaluate_fields(LINES)
    assert report.lines >= 200
    assert report.wrongly_confirmed == 0
    assert {json.loads(line)["lang"] for line in LINES} == {"zh-TW", "zh-CN", "en", "ja", "de"}


@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(PARTS), max_size=25).map("".join)))
@example("\ud800 12 件 \x00")
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_an_error_and_spans_lie_in_it(text: str) -> None:
    fields = extract_fields(text)
    spans = [(one.start, one.end) for one in fields.settled.values()]
    spans += [(one.start, one.end) for one in fields.undecided.values()]
    spans += [(one.start, one.end) for values in fields.conflicts.values() for one in values]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert not (set(fields.settled) & (set(fields.undecided) | set(fields.conflicts)))
    assert all(len(values) > 1 for values in fields.conflicts.values())
    assert fields == extract_fields(text)


@given(
    st.lists(st.sampled_from([part for part in PARTS if part.isascii() or part.strip() in "件個"]), max_size=12).map(
        "".join
    )
)
@settings(max_examples=200, deadline=None)
def test_full_width_digits_and_letters_give_the_same_values(text: str) -> None:
    wide = "".join(chr(ord(one) + 0xFEE0) if one.isascii() and one.isalnum() else one for one in text)
    assert _values(extract_fields(wide)) == _values(extract_fields(text))


def test_spans_show_the_value_in_the_original() -> None:
    text = "請報 ＳＵＳ３０４ 共 １，０５０ 件"
    fields = extract_fields(text).settled
    shown = {name: text[one.start : one.end] for name, one in fields.items()}
    assert shown == {"material": "ＳＵＳ３０４", "quantity": "１，０５０", "quantity_unit": "件"}


@pytest.mark.parametrize(
    "piece",
    [
        "1,200 pcs or ",
        "SUS304、",
        "A-1-",
        "未定，",
        "> ",
        "if not ",
        "1 ",
        "不",
        "(",
        "Zeichnung ",
        "二",
        "6061 or ",
        "SUS304未定，",
        "圖號 A-12、",
    ],
)
def test_a_long_text_is_read_in_linear_time(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    started = time.process_time()
    extract_fields(text)
    assert time.process_time() - started < 10


def test_what_stands_behind_the_cap_is_not_read() -> None:
    assert "material" in extract_fields("x" * 100 + " SUS304").settled
    assert extract_fields("x" * MAX_READ + " SUS304").settled == {}
