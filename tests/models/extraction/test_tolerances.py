"""Tolerances as written: their forms in five languages, what only looks like one, and several of them."""

import pytest

from models.extraction import extract_fields

FORMS = (
    "±0.05",
    "±0.05 mm",
    "±0,02mm",
    "± 0.1",
    "+/-0.1",
    "+/- .005 in",
    "+0.02/-0",
    "+0/-0.03",
    "+0.02/-0.01 mm",
    "0/-0.05",
    "+.002/-.000",
    "-0.01/-0.03",
    "H7",
    "h6",
    "JS7",
    "g6",
    "H7/g6",
    "H8/f7",
    "IT7",
    "IT 12",
    "ISO 2768-mK",
    "ISO 2768-m",
    "ISO 2768 mK",
    "ISO2768-1 f",
    "DIN ISO 2768 mittel",
    "DIN EN ISO 2768-mK",
    "DIN 7168 fein",
    "JIS B 0405-m",
    "JIS B 0405 中級",
    "GB/T 1804-m",
    "GB/T 1804-2000-f",
    "ISO 8062 CT8",
    "ISO 13920-A",
    "DIN 16742 TG6",
)


def tolerance(text: str) -> object:
    found = extract_fields(text).settled.get("tolerance")
    return None if found is None else found.value


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "sentence",
    [
        "SUS304 40 件，公差 {}，其他照圖。",
        "SUS304 40 件，公差{}",
        "General tolerance {}. 40 pcs of SUS304.",
        "40 pcs, SUS304 ({})",
        "公差は{}でお願いします。SUS304、40個。",
        "40 Stück SUS304, Toleranz {}, blank.",
    ],
)
def test_a_tolerance_is_read_as_it_is_written_and_disturbs_nothing(form: str, sentence: str) -> None:
    text = sentence.format(form)
    fields = extract_fields(text)
    values = {name: one.value for name, one in fields.settled.items()}
    assert values["tolerance"] == form
    assert (values["material"], values["quantity"]) == ("SUS304", 40)
    assert not fields.conflicts
    found = fields.settled["tolerance"]
    assert text[found.start : found.end] == form


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("外徑公差在 0.01 以內，30 件", "0.01"),
        ("tolerance of 0.1 mm is fine, 30 pcs", "0.1 mm"),
        ("Toleranz max. 0,05 mm, 30 Stück", "0,05 mm"),
        ("寸法公差は0.02mm以内で、30個", "0.02mm"),
        ("公差20μm，30件", "20μm"),
        ("軸徑 20h6，30 件", "h6"),
        ("Bohrung Ø20H7, 30 Stück", "H7"),
        ("孔配合 P9，30 件", "P9"),
        ("shaft d9, 30 pcs", "d9"),
        ("公差＋０．０２／－０，30 件", "+0.02/-0"),
    ],
)
def test_a_word_for_it_or_a_size_before_it_makes_one(text: str, value: str) -> None:
    assert tolerance(text) == value
    assert extract_fields(text).settled["quantity"].value == 30


@pytest.mark.parametrize(
    "text",
    [
        "M6 螺絲 30 件",
        "30 pcs M6x20 bolts, tapped M8",
        "quantity 500 ±5%",
        "500 pcs +/- 10 pcs",
        "delivery in 10 ±2 days",
        "H13 模仁 30 件",
        "30 punches in D2, S7 or P20 steel, see A4 sheet",
        "HRC 58±2",
        "58-62 HRC, 30 pcs",
        "call +886-2-2345-6789 / -6790",
        "平面度 0.02，粗糙度 Ra 0.8，30 件",
        "flatness 0.02, concentricity 0.01, 30 pcs",
        "公差看圖，30 件",
        "公差要求能做到多少？",
        "tolerances as per drawing ZX-4410",
        "IT department, 30 pcs",
        "IT2024 project",
        "part H7-2210, 30 pcs",
        "Rev h6-3, 30 pcs",
        "溫度 25±3℃",
        "ISO 9001 certified, 30 pcs",
        "-5/+60 °C",
        "room K5, gate G7x",
    ],
)
def test_what_is_none_gives_none(text: str) -> None:
    fields = extract_fields(text)
    assert "tolerance" not in fields.settled
    assert "tolerance" not in fields.conflicts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("內徑 H7、外徑 g6，30 件", "H7、外徑 g6"),
        ("ID +0.025/0, OD h9. 30 pcs", "+0.025/0, OD h9"),
        ("公差 ±0.1，未注 ISO 2768-m，30 件", "±0.1，未注 ISO 2768-m"),
        ("公差 ±0.05。另一面也是 ±0.05。", "±0.05"),
    ],
)
def test_those_of_several_features_hold_together(text: str, value: str) -> None:
    assert tolerance(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "公差 ±0.02 或 ±0.05 都請報",
        "±0.01 or ±0.02, whichever is cheaper",
        "h6 oder h7, beides anbieten",
        "公差は±0.01か±0.03で見積もってください",
    ],
)
def test_this_or_that_is_a_contradiction(text: str) -> None:
    fields = extract_fields(text)
    assert len(fields.conflicts["tolerance"]) == 2


def test_those_of_several_sentences_are_asked() -> None:
    fields = extract_fields("Outer diameter ±0.1. The bore must be H7. 30 pcs of SUS304.")
    assert "tolerance" in fields.undecided
    assert not fields.conflicts


@pytest.mark.parametrize(
    "text",
    ["公差還沒定，30 件", "公差待客戶確認", "Tolerance is still open, 30 pcs", "Toleranz noch offen", "公差は未定です"],
)
def test_an_open_tolerance_is_asked(text: str) -> None:
    assert "tolerance" in extract_fields(text).undecided


def test_a_corrected_tolerance_gives_the_new_one() -> None:
    assert tolerance("公差不是 ±0.05，是 ±0.02，30 件") == "±0.02"
    assert tolerance("Toleranz ±0,02 statt ±0,05, 30 Stück") == "±0,02"
    assert tolerance("±0.02 please\n\n> General tolerance ±0.05, 30 pcs of SUS304") == "±0.02"
