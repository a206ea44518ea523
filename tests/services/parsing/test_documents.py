"""What honest documents become: text, addresses, flags."""

from base64 import b64encode

import pytest

from models.canonical import locate
from services.fixtures import chinese_pdf
from tests.services.parsing.reading import read, refusal

HEAD = b"From: a@customer.example\r\nTo: b@factory.example\r\nMIME-Version: 1.0\r\n"


async def test_a_pdf_is_addressed_by_page() -> None:
    parsed = await read(chinese_pdf((("標準交期為 15 日。", "另行評估"), ("特殊檢驗",))), "sop.pdf", "application/pdf")
    assert parsed.text == "標準交期為 15 日。\n另行評估\n\n特殊檢驗"
    assert (parsed.media_type, parsed.parser_name) == ("application/pdf", "pdfium")
    assert parsed.parser_version.startswith("2+pdfium.")
    start = parsed.text.index("特殊檢驗")
    assert locate(parsed.segments, start, start + 4).page == 2
    assert locate(parsed.segments, 0, len(parsed.text)).page == 1


async def test_a_page_without_text_keeps_the_numbers_of_the_others() -> None:
    parsed = await read(chinese_pdf((("第一頁",), (), ("第三頁",))), "a.pdf")
    assert [segment.page for segment in parsed.segments] == [1, 3]


async def test_markdown_is_kept_as_written_and_addressed_by_heading() -> None:
    text = "intro\n# One\ntext\n```\n# no heading\n```\nTwo\n===\n| a | b |\n|---|---|\n## Three ##\nend"
    parsed = await read(text.encode(), "a.md")
    assert parsed.text == text
    assert [segment.heading for segment in parsed.segments] == [None, "One", "Two", "Three"]
    assert "".join(text[one.char_start : one.char_end] for one in parsed.segments) == text
    start = text.index("| a")
    assert locate(parsed.segments, start, start + 3).heading == "Two"


async def test_plain_text_has_one_place() -> None:
    parsed = await read("交期\r\n15 日".encode(), "a.txt", "text/plain; charset=utf-8")
    assert (parsed.media_type, parsed.text, len(parsed.segments)) == ("text/plain", "交期\n15 日", 1)


@pytest.mark.parametrize(
    ("data", "name", "declared", "media_type"),
    [
        (b"words here", None, None, "text/plain"),
        (b"words here", "a", "application/octet-stream", "text/plain"),
        (b"words here", "SOP v1.2", None, "text/plain"),
        (b"words here", "A.MD", None, "text/markdown"),
        (b"words here", "a.md", "text/plain", "text/markdown"),
        (b"words here", None, "text/x-markdown", "text/markdown"),
        (HEAD + b"\r\nwords here", None, None, "message/rfc822"),
        (HEAD + b"\r\nwords here", "mail.txt", None, "text/plain"),
        (b"<!DOCTYPE html><p>words here", None, None, "text/html"),
        (b"<p>words here", "a.htm", "text/html; charset=utf-8", "text/html"),
        (b"words,here", "a.csv", "application/vnd.ms-excel", "text/csv"),
        (b"words,here", "a.csv", "text/plain", "text/csv"),
        (b"From x@y Mon Jan 1\n" + HEAD + b"\r\nwords here", "a.eml", None, "message/rfc822"),
    ],
)
async def test_the_content_says_the_type_and_the_name_chooses_between_text_kinds(
    data: bytes, name: str | None, declared: str | None, media_type: str
) -> None:
    assert (await read(data, name, declared)).media_type == media_type


@pytest.mark.parametrize(
    ("data", "name", "declared", "reason"),
    [
        (b"PK\x03\x04rest", None, None, "corrupt"),
        (b"PK\x03\x04rest", "a.docx", None, "corrupt"),
        (b"PK\x03\x04rest", "a.md", None, "type_mismatch"),
        (b"words here", "a.docx", None, "type_mismatch"),
        (b"words here", "a.xlsx", None, "type_mismatch"),
        (b"words here", "a.rtf", None, "unsupported_type"),
        (b"words here", "a.pdf.exe", None, "unsupported_type"),
        (b"words here", "a.eml", None, "type_mismatch"),
        (b"words here", "a.txt", "message/rfc822", "type_mismatch"),
        (b"words here", None, "image/png", "unsupported_type"),
        (b"<!DOCTYPE html><p>words", "a.csv", None, "type_mismatch"),
        (b"<!DOCTYPE html><p>words", "a.txt", None, "type_mismatch"),
        (b"<svg xmlns='x'><text>words</text></svg>", "a.html", None, "type_mismatch"),
        (b"<svg xmlns='x'><text>words</text></svg>", None, None, "unsupported_type"),
        (b"<?xml version='1.0'?><a/>", "a.txt", None, "type_mismatch"),
        (b"\x89PNG\r\n\x1a\n", "a.png", None, "unsupported_type"),
    ],
)
async def test_other_types_are_refused(data: bytes, name: str | None, declared: str | None, reason: str) -> None:
    assert await refusal(data, name, declared) == reason


async def test_a_mail_is_its_subject_and_its_text_with_the_address_of_each_part() -> None:
    body = (
        b'Content-Type: multipart/mixed; boundary="o"\r\n\r\n--o\r\n'
        b'Content-Type: multipart/alternative; boundary="i"\r\n\r\n--i\r\n'
        b"Content-Type: text/plain; charset=big5\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + b64encode("交期".encode("big5"))
        + b"\r\n--i\r\n"
        b"Content-Type: text/html\r\n\r\n<p>other words</p>\r\n--i--\r\n--o\r\n"
        b"Content-Type: text/plain\r\nContent-Disposition: inline\r\n\r\nsecond part\r\n--o\r\n"
        b"Content-Type: application/pdf\r\n"
        b"Content-Disposition: attachment; filename*=utf-8''%E5%9C%96%E9%9D%A2.pdf\r\n\r\nx\r\n--o--\r\n"
    )
    word = b"=?big5?B?" + b64encode("詢價".encode("big5")) + b"?="
    parsed = await read(HEAD + b"Subject: " + word + b"\r\n =?utf-8?Q?_1=2C200_=E4=BB=B6?=\r\n" + body, "a.eml")
    assert parsed.text == "詢價 1,200 件\n\n交期\n\nsecond part"
    assert [segment.part for segment in parsed.segments] == ["headers.subject", "1.1", "2"]
    assert parsed.attachments == ("圖面.pdf",)
    assert parsed.flags == ("attachment_not_read",)


async def test_a_mail_of_html_alone_reads_in_lines() -> None:
    markup = b"<p>Dear&nbsp;all,<br>we need<ul><li>1,200 pcs<li>SUS304</ul><table><tr><td>a</td><td>b</td></tr></table>"
    parsed = await read(HEAD + b"Content-Type: text/html\r\n\r\n" + markup, "a.eml")
    assert parsed.text == "Dear all,\nwe need\n\n- 1,200 pcs\n- SUS304\n\na b"
    assert parsed.flags == ()


async def test_an_empty_plain_alternative_gives_way_to_html() -> None:
    body = (
        b'Content-Type: multipart/alternative; boundary="i"\r\n\r\n--i\r\nContent-Type: text/plain\r\n\r\n \r\n--i\r\n'
        b"Content-Type: text/html\r\n\r\n<p>the words</p>\r\n--i--\r\n"
    )
    parsed = await read(HEAD + body, "a.eml")
    assert (parsed.text, parsed.segments[0].part) == ("the words", "2")


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        (
            b"charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable",
            b"Gr=FC=DFe, 5 St=FCck=\r\n!",
            "Grüße, 5 Stück!",
        ),
        (b"charset=gb2312", "交期请尽快回复".encode("gb18030"), "交期请尽快回复"),
        (b"charset=us-ascii", "交期 15 日".encode(), "交期 15 日"),
        (b"charset=shift_jis", "①納期".encode("cp932"), "①納期"),
    ],
)
async def test_bodies_are_decoded_as_declared_or_as_they_are(header: bytes, body: bytes, expected: str) -> None:
    assert (await read(HEAD + b"Content-Type: text/plain; " + header + b"\r\n\r\n" + body, "a.eml")).text == expected


async def test_reading_twice_gives_the_same() -> None:
    data = chinese_pdf((("標準交期為 15 日。",),))
    assert await read(data, "a.pdf") == await read(data, "a.pdf")
