"""How rows of a table become lines: with the labels of a head where there is one for certain."""

import pytest

from services.parsing_result import TextBuilder
from services.parsing_tables import Cell, add_table


def lines(*rows: str, bold: tuple[int, ...] = ()) -> list[str]:
    """The lines that rows of cells between bars become; `bold` names rows whose cells are marked as labels."""
    builder = TextBuilder(100_000)
    add_table(
        builder,
        (
            [
                Cell(text.strip(), column, {"row": number, "column": column}, number in bold)
                for column, text in enumerate(row.split("|"), start=1)
                if row
            ]
            for number, row in enumerate(rows, start=1)
        ),
    )
    return builder.text().split("\n\n")


@pytest.mark.parametrize(
    ("rows", "last"),
    [
        (("Material|Lead time|MOQ", "SUS304|15 days|100"), "Material: SUS304 | Lead time: 15 days | MOQ: 100"),
        (("材料|交期|數量", "鋁合金|十天|100"), "材料: 鋁合金 | 交期: 十天 | 數量: 100"),
        (("Price list|", "Material|Lead time|MOQ", "PEEK|9 days|5"), "Material: PEEK | Lead time: 9 days | MOQ: 5"),
        (("Material|Lead time", "SUS304|15 days", "AL6061|9 days"), "Material: AL6061 | Lead time: 9 days"),
        (("Material|Lead time|", "SUS304|15 days|"), "Material: SUS304 | Lead time: 15 days"),
        (("Lead time|15 days", "Packaging|carton"), "Packaging: carton"),
        (("Packaging|carton", "Lead time|15 days"), "Lead time: 15 days"),
        (("SUS304|15 days|100", "AL6061|9 days|50"), "AL6061 | 9 days | 50"),
        (
            ("Material|Lead time|MOQ", "SUS304|15 days|1", "", "PEEK|9 days|2"),
            "Material: PEEK | Lead time: 9 days | MOQ: 2",
        ),
        (("A|B|C", "1|2|3", "", "Process|Time|Unit", "polish|2|day"), "Process: polish | Time: 2 | Unit: day"),
        (("Material|Lead time|MOQ", "SUS304|15 days|1", "All times are from order."), "All times are from order."),
    ],
)
def test_a_row_reads_alone(rows: tuple[str, ...], last: str) -> None:
    assert lines(*rows)[-1] == last


def test_a_marked_row_is_a_head_though_nothing_else_shows_it() -> None:
    assert lines("Process|Time", "polish|short", bold=(1,))[-1] == "Process: polish | Time: short"
    assert lines("Process|Time", "polish|short")[-1] == "polish: short"


def test_a_head_stands_as_it_is_before_its_rows() -> None:
    assert lines("Material|Lead time|MOQ", "SUS304|15 days|100")[0] == "Material | Lead time | MOQ"


def test_each_cell_keeps_its_address() -> None:
    builder = TextBuilder(1000)
    rows = ("Part", "Time", "Lot"), ("X-1", "5 days", "10")
    add_table(
        builder,
        (
            [Cell(text, column, {"row": number, "column": column}) for column, text in enumerate(row, start=1)]
            for number, row in enumerate(rows, start=1)
        ),
    )
    text = builder.text()
    found = {text[int(str(one["char_start"])) : int(str(one["char_end"]))]: one for one in builder.segments}
    assert (found["Time: 5 days"]["row"], found["Time: 5 days"]["column"]) == (2, 2)


def test_a_table_that_arranges_a_page_is_no_row() -> None:
    long = "All parts are inspected before they leave the factory and packed in cartons. " * 8
    assert lines(f"Rules|{long}") == [f"Rules: {long.strip()}"]
    assert lines(f"One|Two|{long}", f"A|B|{long}")[:2] == ["One", "Two"]


def test_line_ends_inside_a_cell_do_not_break_the_row() -> None:
    assert (
        lines("Material|Lead time|MOQ", "SUS\n304|15\ndays|1")[-1] == "Material: SUS 304 | Lead time: 15 days | MOQ: 1"
    )
