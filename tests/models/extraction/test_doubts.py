"""Doubts that are asked instead of settled: provisional words, choices still to come, shares of a lot, odd letters."""

import pytest

from models.extraction import extract_fields
from models.fields import FieldName


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("鍍層先按鍍鎳報，最終由業主定。70 件", "surface_treatment"),
        ("暫定發黑，70 件", "surface_treatment"),
        ("We lean nowhere yet, leaning towards zinc plating though. 70 pcs", "surface_treatment"),
        ("Vorläufig vernickelt, 70 Stück", "surface_treatment"),
        ("とりあえずアルマイトでお見積ください。70個", "surface_treatment"),
        ("70 pcs nickel plated for now", "surface_treatment"),
        ("鍍鎳先這樣報，70 件", "surface_treatment"),
        ("先報鍍鎳，之後可能會改，70 件", "surface_treatment"),
        ("Verzinkt geplant, Änderung vorbehalten, 70 Stück", "surface_treatment"),
        ("材質先按 S45C 報，客戶可能改 S50C。70 件", "material"),
        ("Assume S45C for now, the customer may switch to S50C. 70 pcs", "material"),
        ("CMM report optional, 70 pcs", "special_inspection"),
        ("X光檢測看情況，70 件", "special_inspection"),
        ("如客戶同意加價就做全檢，70 件", "special_inspection"),
        ("全檢費用另外報，業主再決定做不做，70 件", "special_inspection"),
        ("Wunschtermin 13.06.2027, noch nicht bestätigt, 70 Stück", "wanted_date"),
        ("納期は2027年6月13日ですが、まだ確定していません。70個", "wanted_date"),
        ("We are leaning towards 700 pcs of 6061-T6.", "quantity"),
        ("POM or PEEK, the client chooses in May. 70 pcs", "material"),
        ("數量 70 件，終端可能會增加到 90 件，還沒敲定", "quantity"),
        ("發黑或鍍鋅二選一，等老闆挑。70 件", "surface_treatment"),
        ("Vernickelt oder lackiert – das klärt unser Kunde noch. 70 Stück", "surface_treatment"),
        ("C45 oder C60, der Endkunde legt sich erst im Juni fest. 70 Stück", "material"),
        ("The drawing is either ZQ-310 or ZQ-311; we'll confirm. 70 pcs", "drawing_number"),
        ("三次元量測？客戶說下個月才能回覆。70 件", "special_inspection"),
        ("測定が必要な場合は後日ご連絡します。70個", "special_inspection"),
        ("非破壊検査が必要な場合はご連絡します。70個", "special_inspection"),
        ("Delivery by 03/06/2027, 70 pcs", "wanted_date"),
        ("料號 ZQ-\u041010，70 件", "part_number"),
    ],
)
def test_what_may_still_change_is_asked(text: str, field: FieldName) -> None:
    read = extract_fields(text)
    assert field in read.undecided
    assert field not in read.settled
    assert field not in read.conflicts


@pytest.mark.parametrize(
    "text",
    [
        "900 件，其中 300 件 鍍鉻，600 件 鍍鎳",
        "Half of them nickel plated, the rest zinc plated, 900 pcs",
        "鍍鉻 300 件、鍍鎳 600 件",
        "300 Stück verzinkt, 600 Stück vernickelt",
        "Sales prefers nickel plating, engineering prefers zinc plating. 900 pcs",
    ],
)
def test_two_platings_for_shares_of_a_lot_are_a_conflict(text: str) -> None:
    read = extract_fields(text)
    assert "surface_treatment" in read.conflicts
    assert "surface_treatment" not in read.settled


@pytest.mark.parametrize("text", ["900 件，其中 300 件 鍍鉻，600 件 鍍鎳", "900 pcs, of which 300 pcs are urgent"])
def test_shares_of_a_lot_leave_the_lot_its_size(text: str) -> None:
    assert extract_fields(text).settled["quantity"].value == 900


@pytest.mark.parametrize(
    "text",
    ["Stückzahl 700 oder 1.200, C45", "Qty 700 or 900, SUS304", "請就 700、900 各報一個價", "700 跟 900 各報一個價"],
)
def test_two_bare_quantities_are_a_conflict_of_just_these(text: str) -> None:
    first, second = extract_fields(text).conflicts["quantity"]
    assert first.value == 700
    assert second.value in (900, 1200)


@pytest.mark.parametrize("text", ["6082 支架 70 个", "6082 支座 70 件"])
def test_goods_that_begin_like_a_unit_make_no_count_of_a_grade(text: str) -> None:
    read = extract_fields(text)
    assert (read.settled["material"].value, read.settled["quantity"].value) == ("6082", 70)


def test_a_dozen_is_a_unit_of_its_own_beside_the_goods() -> None:
    read = extract_fields("We need half a dozen prototypes of POM.")
    assert read.settled["quantity"].value == 6
    assert "quantity_unit" not in read.settled


@pytest.mark.parametrize("text", ["圖 ZQ-310 作廢，請看 ZQ-311，70 件", "Please refer to ZQ-311, 70 pcs"])
def test_what_one_is_to_look_at_is_a_drawing(text: str) -> None:
    assert extract_fields(text).settled["drawing_number"].value == "ZQ-311"


def test_a_pressure_to_hold_is_no_inspection_but_a_test_of_it_is() -> None:
    assert "special_inspection" not in extract_fields("70 pcs, they hold 12 bars of pressure").settled
    assert extract_fields("70 pcs, pressure tested at 12 bar").settled["special_inspection"].value is True


@pytest.mark.parametrize(
    "text", ["Anodized? No. 70 pcs", "陽極：不用，70 件", "Plating: none, 70 pcs", "Verzinkt? Nein. 70 Stück"]
)
def test_a_treatment_answered_with_no_is_declined(text: str) -> None:
    assert extract_fields(text).settled["surface_treatment"].value == "none"


@pytest.mark.parametrize(
    "text",
    ["The customer picks up. Zinc plated, 70 pcs", "客戶選用鍍鋅，70 件", "Zinc plating: no visible marks, 70 pcs"],
)
def test_words_that_only_look_like_a_doubt_open_nothing(text: str) -> None:
    assert extract_fields(text).settled["surface_treatment"].value == "plating"


@pytest.mark.parametrize(
    ("text", "day"), [("Delivery by 13/06/2027", "2027-06-13"), ("Termin 03.06.2027", "2027-06-03")]
)
def test_a_day_that_can_be_no_month_is_settled(text: str, day: str) -> None:
    assert extract_fields(f"{text}, 70 Stück").settled["wanted_date"].value == day


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("S45C 70 件，特殊檢驗尚未確認，等客戶回覆。", "special_inspection"),
        ("S45C, nickel plated (tbc), 70 pcs", "surface_treatment"),
        ("Powder coating, but nothing has been decided. 70 pcs", "surface_treatment"),
        ("鍍鎳，但還沒定案，700 件", "surface_treatment"),
        ("S45C，70 件（待確認），鍍鎳", "quantity"),
        ("材質 S45C（暫定，待客戶確認），70 件", "material"),
        ("ニッケルメッキ（未定）、70個", "surface_treatment"),
        ("vernickelt, noch nicht sicher, 70 Stück", "surface_treatment"),
        ("roughly 70 pcs, exact number to be confirmed", "quantity"),
        ("ZQ-310（待確認），70 件", "part_number"),
    ],
)
def test_a_bare_doubt_behind_a_value_opens_that_value_alone(text: str, field: FieldName) -> None:
    read = extract_fields(text)
    assert list(read.undecided) == [field]
    assert field not in read.settled


@pytest.mark.parametrize(
    "text",
    [
        "鍍鎳改成鍍鋅，70 件",
        "Nickel plating was a mistake, zinc plating please. 70 pcs",
        "鍍鋅，70 件\n> 請報鍍鎳 70 件",
        "Plating please, best zinc plated, 70 pcs",
    ],
)
def test_a_metal_put_in_place_of_another_is_no_conflict(text: str) -> None:
    assert extract_fields(text).settled["surface_treatment"].value == "plating"


@pytest.mark.parametrize(
    "text",
    [
        "S45C，70 件，包裝未定",
        "S45C 70 件，圖面還沒好，等客戶回覆",
        "70 件 S45C，圖面還在等客戶",
        "S45C, 70 pcs, shipping address to follow",
    ],
)
def test_a_doubt_about_something_else_opens_no_value(text: str) -> None:
    read = extract_fields(text)
    assert (read.settled["material"].value, read.settled["quantity"].value) == ("S45C", 70)


@pytest.mark.parametrize("text", ["先做 70 件，之後再說。SUS304", "先打樣 70 件，量產另議"])
def test_more_to_come_later_opens_nothing(text: str) -> None:
    read = extract_fields(text)
    assert read.settled["quantity"].value == 70
    assert not read.undecided
