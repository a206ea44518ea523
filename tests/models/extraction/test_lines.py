"""Which parts of a message are line items, and what is no list of goods though it looks like one.

Capabilities: C-4.
"""

import time

import pytest

from models.extraction import extract_fields
from models.extraction.line_remarks import Known
from models.extraction.lines import read_lines, with_listed_parts
from models.fields import MessageFields
from models.line_items import MAX_LINES, LinesSaid

KNOWN = Known(("ab-100", "ab-200"), ("Flange", "Large shaft", "Small shaft"))


def said_of(text: str) -> LinesSaid:
    found = read_lines(text, several=False)
    assert found is not None, text
    return found


def values(fields: MessageFields) -> dict[str, object]:
    return {name: read.value for name, read in fields.settled.items()}


@pytest.mark.parametrize(
    "text",
    [
        "1. AB-100, SUS304, 200 pcs\n2. AB-200, S45C, 300 pcs",
        "a) AB-100, SUS304, 200 pcs\nb) AB-200, S45C, 300 pcs",
        "(1) AB-100 SUS304 200 pcs (2) AB-200 S45C 300 pcs",
        "①AB-100 SUS304 200個\n②AB-200 S45C 300個",
        "- AB-100\n  SUS304\n  200 pcs\n- AB-200\n  S45C\n  300 pcs",
        "Pos. 10\nArtikel: AB-100\nMenge: 200 Stück, SUS304\nPos. 20\nArtikel: AB-200\nMenge: 300 Stück, S45C",
        "品項一：AB-100，SUS304，200 件；品項二：AB-200，S45C，300 件。",
        "| Part | Material | Qty |\n|---|---|---|\n| AB-100 | SUS304 | 200 |\n| AB-200 | S45C | 300 |",
        "料號\t材質\t數量\nAB-100\tSUS304\t200\nAB-200\tS45C\t300",
        "Artikelnummer;Werkstoff;Menge\nAB-100;SUS304;200\nAB-200;S45C;300\nSumme;;500",
        "Part No   Material   Qty\nAB-100    SUS304     200\nAB-200    S45C       300",
        "AB-100 SUS304 200 件\nAB-200 S45C 300 件",
        "Part: AB-100\nQty: 200\nMaterial: SUS304\n\nPart: AB-200\nQty: 300\nMaterial: S45C",
        "Please quote 200 pcs of AB-100 in SUS304 and 300 pcs of AB-200 in S45C.",
        "Part AB-100 in SUS304, 200 pcs. Part AB-200 in S45C, 300 pcs.",
        "AB-100、SUS304、200個。AB-200、S45C、300個。",
    ],
)
def test_two_parts_are_two_lines_however_they_are_set_apart(text: str) -> None:
    found = said_of(text)
    assert [values(one.fields)["part_number"] for one in found.items] == ["AB-100", "AB-200"]
    assert [values(one.fields)["quantity"] for one in found.items] == [200, 300]
    assert [values(one.fields)["material"] for one in found.items] == ["SUS304", "S45C"]
    for one in found.items:
        assert all(str(read.value)[:2] in text[read.start : read.end] for read in one.fields.settled.values())


@pytest.mark.parametrize(
    "text",
    [
        "1. Part: AB-100\n2. Material: SUS304\n3. Quantity: 500 pcs\n4. Special inspection: none",
        "AB-100 in SUS304, price breaks:\n- 100 pcs\n- 500 pcs\n- 1000 pcs",
        "1. AB-100 100 pcs\n2. AB-100 500 pcs",
        "Option A: AB-100, 200 pcs\nOption B: AB-200, 300 pcs",
        "AB-100 or AB-200, 200 pcs",
        "1. AB-100, 200 pcs, or\n2. AB-200, 300 pcs",
        "Entweder\n- AB-100, 200 Stück\n- AB-200, 300 Stück",
        "1. Prototypes: 20 pcs\n2. Series: 500 pcs\nAB-100, SUS304",
        "1. Anna will call you.\n2. The drawing D-100 follows.\n3. We need 200 pcs of AB-100.",
        "",
        "1.\n2.\n3.",
        "| | |\n|---|---|\n| | |",
    ],
)
def test_requirements_breaks_and_alternatives_are_no_lines(text: str) -> None:
    assert read_lines(text, several=False) is None


def test_breaks_of_one_part_among_others_are_one_line_in_conflict() -> None:
    found = said_of("1. AB-100 100 pcs\n2. AB-100 500 pcs\n3. AB-200 40 pcs")
    assert len(found.items) == 2
    assert [one.value for one in found.items[0].fields.conflicts["quantity"]] == [100, 500]


def test_what_is_said_once_is_said_of_all_and_a_total_says_nothing_new() -> None:
    found = said_of("All in SUS304, by 2027-03-01:\n1. AB-100 200 pcs\n2. AB-200 300 pcs\nTotal 500 pcs")
    spread = {**values(found.everywhere), **{k: v for one in found.remarks for k, v in values(one.fields).items()}}
    assert spread == {"material": "SUS304", "wanted_date": "2027-03-01"}
    assert "quantity" not in found.everywhere.undecided


def test_a_number_beside_the_list_that_is_no_sum_is_asked() -> None:
    found = said_of("1. AB-100 200 pcs\n2. AB-200 300 pcs\nTotal 900 pcs")
    assert "quantity" in found.everywhere.undecided


def test_a_row_with_other_cells_than_its_header_asks_for_its_number() -> None:
    found = said_of("Part,Qty,Material\nAB-100,1,200,SUS304\nAB-200,300,S45C")
    assert "quantity" in found.items[0].fields.undecided
    assert values(found.items[1].fields)["quantity"] == 300


def test_parts_listed_with_one_number_leave_open_which_is_meant() -> None:
    text = "料號 MN-301、MN-302 共 240 件，材質 SUS304"
    assert read_lines(text, several=False) is None
    read = with_listed_parts(text, extract_fields(text))
    assert "part_number" not in read.settled
    assert [one.value for one in read.conflicts["part_number"]] == ["MN-301", "MN-302"]


@pytest.mark.parametrize(
    ("text", "numbers", "parts", "act"),
    [
        ("AB-200 is 350 pcs now", (), "ab-200", "states"),
        ("Pos. 2: 350 Stück", ("2",), None, "states"),
        ("第二項數量為 350 件", ("2",), None, "states"),
        ("2番目の数量は350個です", ("2",), None, "states"),
        ("Please cancel item 2.", ("2",), None, "withdraws"),
        ("Position 2 entfällt.", ("2",), None, "withdraws"),
        ("請取消 AB-200。", (), "ab-200", "withdraws"),
        ("AB-200は不要になりました。", (), "ab-200", "withdraws"),
        ("Should we cancel item 2?", ("2",), None, "may_withdraw"),
        ("Cancel item 2 if it is too dear.", ("2",), None, "may_withdraw"),
        ("Item 2 is not cancelled.", ("2",), None, "may_withdraw"),
        ("AB-200 的特殊檢驗取消", (), "ab-200", "states"),
        ("All in SUS304 except item 2", ("2",), None, "asks"),
    ],
)
def test_a_remark_names_its_line_and_what_becomes_of_it(
    text: str, numbers: tuple[str, ...], parts: str | None, act: str
) -> None:
    found = read_lines(text, several=True, known=KNOWN)
    assert found is not None
    (remark,) = found.remarks
    assert (remark.numbers, remark.act) == (numbers, act)
    assert parts is None or parts in {*remark.parts, *remark.terms}


def test_a_label_names_a_line_only_with_all_its_words() -> None:
    found = read_lines("The small shaft: 300 pcs. The shaft in black.", several=True, known=KNOWN)
    assert found is not None
    assert [one.labels for one in found.remarks] == [("Small shaft",)]


def test_what_follows_words_on_one_line_is_unclear() -> None:
    found = read_lines("For AB-100 the quantity is 250. Special inspection is required.", several=True, known=KNOWN)
    assert found is not None
    assert "special_inspection" in found.unclear.settled
    assert not found.everywhere.settled


def test_a_flood_of_items_is_read_in_bounded_time_and_no_farther_than_one_too_many() -> None:
    """Hostile 11."""
    text = "\n".join(f"{at}. PX-{1000 + at}, SUS304, {at + 10} pcs" for at in range(1, 5_000))
    began = time.process_time()
    assert len(said_of(text).items) == MAX_LINES + 1
    assert time.process_time() - began < 10
    assert read_lines("\n".join("- word" for _ in range(20_000)), several=False) is None
    assert read_lines("1. " * 60_000, several=False) is None
