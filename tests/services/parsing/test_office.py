"""What honest DOCX and XLSX files become: text as it is seen, with the address of each paragraph and cell."""

from datetime import date, datetime, timedelta

import pytest
from openpyxl.styles import Font

from models.canonical import Locator, ParsedDocument, locate
from services.parsing_number_formats import shown_number
from tests.services.parsing.office_files import (
    R,
    W,
    add_docx_table,
    new_docx,
    new_xlsx,
    paragraph,
    saved,
    sheet_package,
    word_package,
)
from tests.services.parsing.reading import read


def at(parsed: ParsedDocument, words: str) -> Locator:
    start = parsed.text.index(words)
    return locate(parsed.segments, start, start + len(words))


async def test_paragraphs_and_tables_of_a_document_have_their_numbers() -> None:
    document = new_docx()
    document.add_heading("交期", 1)
    document.add_paragraph("標準交期為 15 日。")
    document.add_paragraph("")
    document.add_heading("Surface", 2)
    add_docx_table(document, ("Process", "Time", "Lot"), ("Anodizing", "5 days", "100"))
    document.add_paragraph("End of terms.")
    parsed = await read(saved(document), "sop.docx")
    assert parsed.media_type.endswith("wordprocessingml.document")
    assert (parsed.parser_name, parsed.parser_version) == ("docx", "1")
    first = at(parsed, "標準交期")
    assert (first.paragraph, first.heading) == (2, "交期")
    assert (at(parsed, "End of terms").paragraph, at(parsed, "End of terms").heading) == (5, "Surface")
    row = at(parsed, "Process: Anodizing | Time: 5 days | Lot: 100")
    assert (row.table, row.row, row.column, row.paragraph, row.heading) == (1, 2, None, None, "Surface")
    assert at(parsed, "Time: 5 days").column == 2


async def test_a_cell_merged_downwards_stands_for_each_of_its_rows() -> None:
    document = new_docx()
    add_docx_table(document, ("Material", "Process", "Time"), ("SUS304", "A", "5 days"), ("", "B", "6 days"))
    table = document.tables[0]
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(1, 0).text = "SUS304"
    parsed = await read(saved(document), "a.docx")
    assert "Material: SUS304 | Process: B | Time: 6 days" in parsed.text


async def test_breaks_tabs_fields_and_notes_are_read_as_they_are_seen() -> None:
    body = (
        "<w:p><w:r><w:t>Lead</w:t><w:tab/><w:t>time</w:t><w:br/><w:t>15</w:t><w:noBreakHyphen/><w:t>20 days</w:t></w:r>"
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t> p. 7</w:t></w:r>'
        "<w:hyperlink><w:r><w:t> see annex</w:t></w:r></w:hyperlink></w:p>"
    )
    note = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
        f'<w:footnote w:id="2">{paragraph("Rush orders on request.")}</w:footnote></w:footnotes>'
    )
    links = f'<Relationship Id="n1" Type="{R}/footnotes" Target="footnotes.xml"/>'
    parsed = await read(word_package(body, links=links, parts={"word/footnotes.xml": note}), "a.docx")
    assert parsed.text == "Lead\ttime\n15-20 days p. 7 see annex\n\nRush orders on request."
    assert at(parsed, "Rush").part == "footnotes"


async def test_cells_are_addressed_by_sheet_and_cell_and_shown_as_formatted() -> None:
    book, sheet = new_xlsx("Lead times", ("Material", "Lead time", "Price", "Since"))
    sheet.append(["SUS304", 15, 1200.5, date(2026, 3, 4)])
    sheet["B2"].number_format = '0 "working days"'
    sheet["C2"].number_format = '"NT$"#,##0.00'
    parsed = await read(saved(book), "sop.xlsx")
    assert parsed.text.split("\n\n")[1] == (
        "Material: SUS304 | Lead time: 15 working days | Price: NT$1,200.50 | Since: 2026-03-04"
    )
    place = at(parsed, "Lead time: 15")
    assert (place.sheet, place.cell, place.heading) == ("Lead times", "B2", "Lead times")
    assert at(parsed, "Material: SUS304 | Lead time").cell == "A2:B2"


async def test_both_date_systems_of_excel_are_read() -> None:
    for epoch, value in ((False, 45292), (True, 43830)):
        flag = '<workbookPr date1904="1"/>' if epoch else "<workbookPr/>"
        styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
        cells = f'<row r="1"><c r="A1" s="1"><v>{value}</v></c></row>'
        parsed = await read(sheet_package(cells, workbook=flag, styles=styles), "a.xlsx")
        assert parsed.text == "2024-01-01"


async def test_merged_cells_hold_for_all_their_rows() -> None:
    book, sheet = new_xlsx("S", ("Material", "Process", "Days"), ("SUS304", "A", 5), (None, "B", 6))
    sheet.merge_cells("A2:A3")
    parsed = await read(saved(book), "a.xlsx")
    assert parsed.text.endswith("Material: SUS304 | Process: B | Days: 6")
    start = parsed.text.rindex("Material: SUS304")
    assert locate(parsed.segments, start, start + 8).cell == "A2:A3"


async def test_a_formula_is_its_stored_value_and_says_when_there_is_none() -> None:
    stored = '<row r="1"><c r="A1"><f>1+2</f><v>3</v></c><c r="B1" t="str"><f>"a"</f><v>days</v></c></row>'
    parsed = await read(sheet_package(stored), "a.xlsx")
    assert (parsed.text, parsed.flags) == ("3 | days", ())
    missing = '<row r="1"><c r="A1"><f>1+2</f></c><c r="B1" t="inlineStr"><is><t>days</t></is></c></row>'
    parsed = await read(sheet_package(missing), "a.xlsx")
    assert (parsed.text, parsed.flags) == ("days", ("value_missing",))


async def test_errors_booleans_rich_and_phonetic_text_are_read_as_shown() -> None:
    strings = (
        "<sst><si><r><t>Rush</t></r><r><t xml:space='preserve'> order</t></r></si>"
        "<si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si></sst>"
    )
    cells = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="b"><v>1</v></c>'
        '<c r="D1" t="e"><v>#N/A</v></c><c r="E1" t="s"><v>99</v></c></row>'
    )
    parsed = await read(sheet_package(cells, strings=strings), "a.xlsx")
    assert parsed.text == "Rush order | 東京 | TRUE | #N/A"


async def test_a_bold_row_is_the_head_of_a_sheet() -> None:
    book, sheet = new_xlsx("S", ("Process", "Place"), ("polish", "hall two"))
    assert (await read(saved(book), "a.xlsx")).text.endswith("polish: hall two")
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    assert (await read(saved(book), "a.xlsx")).text.endswith("Process: polish | Place: hall two")


@pytest.mark.parametrize(
    ("raw", "code", "shown"),
    [
        ("15", '0 "days"', "15 days"),
        ("0.125", "0.0%", "12.5%"),
        ("1234.5", '"$"#,##0.00_);\\("$"#,##0.00\\)', "$1,234.50"),
        ("-1234.5", '"$"#,##0.00_);\\("$"#,##0.00\\)', "($1,234.50)"),
        ("1234.5", "[$NT$-404]#,##0", "NT$1,235"),
        ("1.1500000000000001", "0.00", "1.15"),
        ("4711234567890", "General", "4711234567890"),
        ("0.1", "General", "0.1"),
        ("7", "000", "007"),
        ("45292.5", "m/d/yyyy h:mm", "2024-01-01 12:00"),
        ("45000", "mmm-yy", "2023-03"),
        ("0.75", "h:mm AM/PM", "18:00"),
        ("1.5", "[h]:mm", "36:00"),
        ("60", "yyyy-mm-dd", "1900-02-29"),
        ("59", "yyyy-mm-dd", "1900-02-28"),
        ("61", "yyyy-mm-dd", "1900-03-01"),
        ("44927", '[$-404]e"年"m"月"d"日"', "2023-01-01"),
        ("1500000", '0.0,,"M"', "1.5M"),
        ("5", ";;;", ""),
        ("0", "0;-0;;@", ""),
        ("1e300", "0.00", "1e300"),
        ("NaN", "0", "NaN"),
        ("-1", "yyyy-mm-dd", "-1"),
        ("no number", "0", "no number"),
    ],
)
def test_a_number_stands_as_its_reader_sees_it(raw: str, code: str, shown: str) -> None:
    assert shown_number(raw, code, date1904=False) == shown


def test_days_count_as_the_calendar_does() -> None:
    for days in range(0, 60_000, 997):
        wanted = (datetime(1899, 12, 30) + timedelta(days=days + 61)).date().isoformat()  # noqa: DTZ001 -- a day
        assert shown_number(str(days + 61), "yyyy-mm-dd", date1904=False) == wanted
