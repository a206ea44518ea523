"""Office files for tests, as the usual libraries write them, and packages whose parts a test writes itself."""

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO

import docx
import openpyxl
from docx.document import Document
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
WORD_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SHEET_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"


def saved(document: "Document | Workbook") -> bytes:
    """The bytes of a document of either library."""
    target = BytesIO()
    document.save(target)
    return target.getvalue()


def new_docx(*paragraphs: str) -> Document:
    """A document of these paragraphs, without the words that the library's template describes itself with."""
    document = docx.Document()
    document.core_properties.title = document.core_properties.comments = ""
    for text in paragraphs:
        document.add_paragraph(text)
    return document


def add_docx_table(document: Document, *rows: Sequence[str]) -> None:
    """A table of these rows at the end."""
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text


def new_xlsx(title: str, *rows: Sequence[object]) -> tuple[Workbook, Worksheet]:
    """A workbook of one sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    return book, sheet


def word_package(
    body: str,
    *,
    links: str = "",
    package_links: str = "",
    parts: Mapping[str, str | bytes] | None = None,
    types: str = "",
) -> bytes:
    """A DOCX whose body is this XML; `links` are relationships of the document, `types` more content types."""
    return package(
        {
            "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body>{body}</w:body></w:document>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELS}">{links}</Relationships>',
            **(parts or {}),
        },
        main="word/document.xml",
        main_type=WORD_MAIN,
        package_links=package_links,
        types=types,
    )


def sheet_package(cells: str, *, before: str = "", after: str = "", workbook: str = "", **parts: str) -> bytes:
    """An XLSX of one sheet `S` whose rows are this XML; `parts` replace `styles` or `strings`."""
    named = {"styles": "xl/styles.xml", "strings": "xl/sharedStrings.xml"}
    links = "".join(
        f'<Relationship Id="p{name}" Type="{R}/{"sharedStrings" if name == "strings" else name}"'
        f' Target="/{named[name]}"/>'
        for name in parts
    )
    return package(
        {
            "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}">{workbook}<sheets>'
            '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="r1" Type="{R}/worksheet"'
            f' Target="worksheets/sheet1.xml"/>{links}</Relationships>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{S}">{before}<sheetData>{cells}</sheetData>{after}'
            "</worksheet>",
            **{named[name]: text for name, text in parts.items()},
        },
        main="xl/workbook.xml",
        main_type=SHEET_MAIN,
    )


def package(
    parts: Mapping[str, str | bytes], *, main: str, main_type: str, package_links: str = "", types: str = ""
) -> bytes:
    """A package of these parts with its content types and its main relationship."""
    head = {
        "[Content_Types].xml": f'<Types xmlns="{_TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{main}" ContentType="{main_type}"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="r1" Type="{R}/officeDocument"'
        f' Target="{main}"/>{package_links}</Relationships>',
    }
    return zipped({**head, **parts})


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP of these entries."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def paragraph(text: str, properties: str = "", run: str = "") -> str:
    """A paragraph of one run."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"
