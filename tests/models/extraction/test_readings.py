"""Single rules of the extraction, each in the words of several languages."""

import pytest

from models.extraction import detect_language, extract_fields
from models.extraction.numeral_words import english_value, german_value, han_value
from models.extraction.numerals import digits_value


def _settled(text: str) -> dict[str, object]:
    return {name: one.value for name, one in extract_fields(text).settled.items()}


@pytest.mark.parametrize(
    ("token", "language", "value"),
    [
        ("1,200", "en", 1200),
        ("1.200", "en", None),
        ("1.200", "de", 1200),
        ("1,200", "de", None),
        ("1,5", "de", 1.5),
        ("1,5", "zh-TW", None),
        ("1.5", "zh-TW", 1.5),
        ("1 200", "en", 1200),
        ("1'200", "de", 1200),
        ("1,00,000", "en", None),
        ("1.000,00", "de", 1000),
        ("1.000,00", "en", None),
        ("0,200", "en", None),
        ("12.345.678", "de", 12_345_678),
    ],
)
def test_the_language_decides_what_a_separator_means(token: str, language: str, value: float | None) -> None:
    got = digits_value(token, language)  # pyright: ignore[reportArgumentType]
    assert (None if got is None else float(got)) == value


def test_number_words() -> None:
    assert han_value("一千二百", spoken_short=True) == 1200
    assert han_value("一千二", spoken_short=True) == 1200
    assert han_value("千二", spoken_short=False) is None
    assert han_value("百二十", spoken_short=False) == 120
    assert han_value("两万零五十", spoken_short=True) == 20_050
    assert english_value(["three", "hundred", "fifty", "two"]) == 352
    assert german_value("zweitausenddreihundertvierundfünfzig") == 2354
    assert german_value("haus") is None


@pytest.mark.parametrize(
    "text", ["1.200 pcs of POM", "1,5 Stück aus POM", "Wir brauchen 1,200 Stück POM", "1,00,000 pcs POM"]
)
def test_an_ambiguous_number_is_asked(text: str) -> None:
    fields = extract_fields(text)
    assert "quantity" not in fields.settled
    assert "quantity" in fields.undecided


def test_an_ambiguous_reply_does_not_fall_back_on_the_quoted_number() -> None:
    assert "quantity" not in _settled("Make it 1.200 pcs, please.\n> 500 pcs of POM")


@pytest.mark.parametrize(
    "text",
    [
        "請來電 04-2312-8890 分機 22",
        "Call +44 20 7946 0018",
        "Ø40 x 120 mm, ±0.05",
        "Zielpreis 3,20 Euro",
        "单价 38 元",
        "PO 4500017781",
        "統編 24536789",
        "M8x1.25 thread",
        "HRC 58",
        "yearly demand 20,000 pcs",
        "年用量 20 萬個",
        "Jahresbedarf 9.000 Stück",
        "交期 30 天",
        "in 3 weeks",
        "每箱 50 個",
        "MOQ 500 pcs",
        "兩個方案",
        "3 個月",
        "庫存 40 件",
    ],
)
def test_what_is_no_quantity(text: str) -> None:
    assert "quantity" not in _settled(text)


@pytest.mark.parametrize(
    "text", ["詢價：SUS304，9 件", "Anfrage: SUS304, 9 Stück", "訂單：SUS304，9 件", "RFQ SUS304, 9 pcs"]
)
def test_a_material_behind_a_word_for_an_order_is_no_order_number(text: str) -> None:
    assert _settled(text)["material"] == "SUS304"


@pytest.mark.parametrize(
    "text", ["RFQ-20261133", "quotation Q20260917", "訂單 PO-66120", "Angebot Nr. AN-4432", "注番 A-4471"]
)
def test_an_order_or_quotation_number_is_no_part_number(text: str) -> None:
    assert "part_number" not in _settled(text)


def test_a_code_is_kept_as_written_and_one_with_a_look_alike_letter_is_asked() -> None:
    read = extract_fields("30 pcs of BRK-О10-A")
    assert "part_number" not in read.settled
    span = read.undecided["part_number"]
    assert "30 pcs of BRK-О10-A"[span.start : span.end] == "BRK-О10-A"
    assert _settled("30 pcs of BRK-010-A")["part_number"] == "BRK-010-A"


def test_names_of_one_grade_are_one_material_and_two_grades_are_a_conflict() -> None:
    assert _settled("SUS304 (1.4301), 20 pcs")["material"] == "SUS304"
    assert "material" in extract_fields("SUS304 or SUS316, 20 pcs").conflicts


def test_dates_need_day_month_and_year_without_doubt() -> None:
    assert _settled("Liefertermin 05.04.2027")["wanted_date"] == "2027-04-05"
    assert "wanted_date" not in _settled("Deliver by 04/05/2027")
    assert _settled("Deliver by 25/05/2027")["wanted_date"] == "2027-05-25"
    assert "wanted_date" not in _settled("Deliver by 2027-02-30")
    assert "wanted_date" not in _settled("your quotation of 2026-11-02")
    assert "wanted_date" not in _settled("交期改到 3 月底\n> 2027/02/01 交")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("需要特殊檢驗", True),
        ("不需要特殊檢驗", False),
        ("No special inspection.", False),
        ("特別検査が必要です", True),
        ("keine Sonderprüfung", False),
        ("Bitte Messprotokoll beilegen", True),
        ("検査成績書は不要です", False),
        ("Standard inspection is enough", None),
        ("Do you offer CMM inspection?", None),
    ],
)
def test_an_inspection_is_asked_for_declined_or_not_spoken_of(text: str, value: bool | None) -> None:
    assert _settled(text).get("special_inspection") is value


@pytest.mark.parametrize(
    "text",
    [
        "特殊檢驗尚未確認",
        "If it is cheap, add a CMM report",
        "evtl. mit Röntgenprüfung",
        "We may need X-ray inspection",
        "探傷検査をするかどうか確認中",
        "Ob eine Röntgenprüfung nötig ist, ist noch offen",
        "是否需要三坐标报告等客户回复",
    ],
)
def test_an_open_inspection_is_never_confirmed(text: str) -> None:
    fields = extract_fields(text)
    assert "special_inspection" in fields.undecided
    assert "special_inspection" not in fields.settled


def test_an_inspection_wanted_and_declined_is_a_conflict() -> None:
    assert "special_inspection" in extract_fields("Special inspection is required. No special inspection.").conflicts


def test_what_a_reply_takes_back_does_not_come_back_from_the_quoted_mail() -> None:
    assert "quantity" not in _settled("It is not 500 pcs any more.\n> 500 pcs of POM")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("請報價", "zh-TW"),
        ("请报价", "zh-CN"),
        ("お見積りください", "ja"),
        ("Bitte um Angebot", "de"),
        ("Please quote", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_message(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("No need for plating, 9 pcs", "none"),
        ("Ohne Oberflächenbehandlung", "none"),
        ("不要鍍鉻，改成鍍鋅", "plating"),
        ("bead blasted and anodised", "anodizing"),
        ("硬質アルマイト", "hard_anodizing"),
        ("喷塑", "painting"),
        ("brüniert", "other"),
    ],
)
def test_surface_treatments_and_their_refusal(text: str, value: str) -> None:
    assert _settled(text)["surface_treatment"] == value


def test_a_treatment_or_none_side_by_side_is_a_conflict() -> None:
    assert "surface_treatment" in extract_fields("鍍鎳或者不處理都報一下，20件").conflicts
