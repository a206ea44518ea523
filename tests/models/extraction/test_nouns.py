"""A number before a plain noun: goods are counted, time and features of the part are not."""

import pytest

from models.extraction import extract_fields


def _quantity(text: str) -> object:
    fields = extract_fields(text)
    return fields.settled["quantity"].value if "quantity" in fields.settled else [*fields.undecided, *fields.conflicts]


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("Could you price 55 cable clamps in 304L for us?", 55),
        ("How much would 90 of those be in nylon?", 90),
        ("Ok, we'll take 45 then.", 45),
        ("Wir benötigen 70 Abdeckungen aus POM.", 70),
        ("Dann bitte 30 statt 20 Stück.", 30),
        ("We need 20 pcs, each with 4 holes and 2 slots.", 20),
        ("We need it in 3 weeks, 2 colours, 5 axis work.", []),
        ("Lieferung in 3 Wochen, 4 Bohrungen, 2 Varianten.", []),
        ("Let's take it from the 2 options you sent.", []),
        ("Please quote 100 and 250.", ["quantity"]),
        ("零件如附圖，請報價。", []),
        ("See the 3 attached models.", []),
        ("2 lots of 40, total 80 pcs.", 80),
        ("Total 5 items on the list, 300 pcs of each.", ["quantity"]),
        ("120 pcs, perhaps 200.", ["quantity"]),
    ],
)
def test_only_goods_are_counted_by_a_plain_number(text: str, quantity: object) -> None:
    assert _quantity(text) == quantity


@pytest.mark.parametrize(
    "text",
    [
        "Could you do electropolishing?",
        "Are you able to passivate?",
        "Do you offer powder coating?",
        "請問能否做鍍鎳",
        "你們會做陽極嗎？",
        "可以做发黑吗？",
        "黒染めはできますか。",
        "Bieten Sie auch Pulverbeschichtung an?",
    ],
)
def test_asking_whether_the_shop_can_do_a_treatment_settles_none(text: str) -> None:
    fields = extract_fields(text)
    assert "surface_treatment" not in {**fields.settled, **fields.conflicts}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Can you quote 50 pcs, hard anodized?", "hard_anodizing"),
        ("可以報 20 件鍍鎳的價格嗎？", "plating"),
        ("陽極的 30 件可以報嗎？", "anodizing"),
        ("Können Sie 40 Stück verzinkt anbieten?", "plating"),
    ],
)
def test_a_polite_request_with_a_treatment_settles_it(text: str, kind: str) -> None:
    assert extract_fields(text).settled["surface_treatment"].value == kind


@pytest.mark.parametrize(
    "text", ["Zinc or nickel plating, 10 pcs.", "鍍鋅或鍍鎳，10 件", "亜鉛またはニッケルめっき、10個"]
)
def test_two_platings_side_by_side_are_shown_by_their_own_words(text: str) -> None:
    sides = extract_fields(text).conflicts["surface_treatment"]
    assert len({text[one.start : one.end] for one in sides}) == 2


@pytest.mark.parametrize(
    "line",
    [
        "On 4 Nov 2026, Jane Doe wrote:",
        "Am 04.11.2026 um 09:12 schrieb Vertrieb:",
        "2026年11月4日(水) 9:12 営業 田中:",
        "在 2026年11月4日，陳先生 寫道：",
    ],
)
def test_the_day_an_older_mail_was_sent_is_no_wanted_day(line: str) -> None:
    fields = extract_fields(f"OK.\n\n{line}\n> 20 pcs, POM")
    assert "wanted_date" not in fields.settled
    assert fields.settled["quantity"].value == 20
