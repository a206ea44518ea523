"""Answers of forms, of questions and of polite Japanese to whether a special inspection is wanted."""

import pytest

from models.extraction import extract_fields


@pytest.mark.parametrize(
    "text",
    [
        "Sonderprüfung: nein",
        "Special inspection: none",
        "Special inspection? No.",
        "特殊檢驗：無",
        "特殊檢驗:否，數量 500 件",
        "特殊檢驗（客戶表示不需要）",
        "沒必要做特殊檢驗",
        "客戶未要求特殊檢驗",
        "特殊檢驗可省",
        "特別検査：無し",
        "特別検査は要りません。",
        "特別検査は希望しません。",
        "特殊検査は必要ございません。",
    ],
)
def test_a_declined_inspection_is_declined(text: str) -> None:
    assert extract_fields(text).settled["special_inspection"].value is False


@pytest.mark.parametrize(
    "text",
    [
        "Special inspection: yes",
        "Special inspection: no visual marks",
        "Sonderprüfung ja",
        "特殊檢驗：是",
        "需要特殊檢驗（三次元量測）",
        "特別検査：あり、300個",
    ],
)
def test_a_wanted_inspection_is_wanted(text: str) -> None:
    assert extract_fields(text).settled["special_inspection"].value is True


@pytest.mark.parametrize(
    "text", ["Special inspection: tbd", "特殊檢驗：待確認", "特別検査はまだ決まっていません", "Sonderprüfung: offen"]
)
def test_an_open_inspection_stays_open(text: str) -> None:
    read = extract_fields(text)
    assert "special_inspection" not in read.settled
    assert "special_inspection" in read.undecided


@pytest.mark.parametrize(
    ("text", "grade"),
    [("SUS440C 20 pcs", "SUS440C"), ("A356 200 pcs", "A356"), ("A5052P 80枚", "A5052P"), ("AZ91D 200 pcs", "AZ91D")],
)
def test_a_cast_or_hard_grade_is_a_material(text: str, grade: str) -> None:
    assert extract_fields(text).settled["material"].value == grade
