"""Honest mails in the character sets, containers and versions that offices send."""

from base64 import b64encode

import pytest

from models.canonical import locate
from tests.services.parsing.reading import read

HEAD = b"From: a@customer.example\r\nTo: b@factory.example\r\nSubject: RFQ\r\nMIME-Version: 1.0\r\n"
CHINESE = "您好：我們需要不鏽鋼支架，數量 1,200 件，請於下週回覆交期與報價。"
SIMPLE = "您好：我们需要不锈钢支架，数量 1,200 件，请于下周回复交期与报价。"
LONG_NAME = "我們的詢價單與加工圖面.txt"
JAPANESE = "お世話になっております。取付板を850個お見積りください。"


def body(label: str, data: bytes) -> bytes:
    head = f"Content-Type: text/plain; charset={label}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
    return HEAD + head + b64encode(data)


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("big5", CHINESE.encode("cp950"), CHINESE),
        ("gb18030", SIMPLE.encode("gb18030"), SIMPLE),
        ("iso-2022-jp", JAPANESE.encode("iso2022_jp"), JAPANESE),
        ("us-ascii", JAPANESE.encode("iso2022_jp"), JAPANESE),
        ("shift_jis", JAPANESE.encode("cp932"), JAPANESE),
        ("windows-1251", "Цена за 40 штук".encode("cp1251"), "Цена за 40 штук"),
        ("iso-8859-1", "Preis 40 € – „netto“".encode("cp1252"), "Preis 40 € – „netto“"),
        ("big5", CHINESE.encode(), CHINESE),
        ("iso-8859-1", CHINESE.encode(), CHINESE),
        ("gb2312", CHINESE.encode("cp950"), CHINESE),
        ("utf-8", SIMPLE.encode("gb18030"), SIMPLE),
        ("x-unknown", CHINESE.encode("cp950"), CHINESE),
        ("unicode_escape", b"\\x41 as it stands", "\\x41 as it stands"),
        ("3dutf-8", CHINESE.encode(), CHINESE),
        ("utf-16", "40 Stück".encode("utf-16"), "40 Stück"),
    ],
)
async def test_a_body_is_decoded_by_its_label_unless_its_bytes_say_otherwise(
    label: str, data: bytes, text: str
) -> None:
    assert (await read(body(label, data), "a.eml")).text == f"RFQ\n\n{text}"


async def test_circled_digits_of_the_vendors_are_read_from_iso_2022_jp() -> None:
    data = b"\x1b$B-!G<4|\x1b(B 15"
    assert (await read(body("iso-2022-jp", data), "a.eml")).text == "RFQ\n\n①納期 15"


def attached(disposition: bytes, kind: bytes = b"text/plain", content: bytes = b"Quantity: 40 pcs") -> bytes:
    head = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'
    head += b"Content-Type: text/plain\r\n\r\nsee attached\r\n--b\r\n"
    return (
        HEAD
        + head
        + b"Content-Type: %s\r\nContent-Disposition: %s\r\n\r\n%s\r\n--b--\r\n" % (kind, disposition, content)
    )


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (b"attachment; filename*=utf-8''%E5%9C%96.txt", "圖.txt"),
        (b"attachment; filename*0*=utf-8''%E5%9C%96; filename*1*=%E9%9D%A2; filename*2=.txt", "圖面.txt"),
        (b'attachment; filename="=?big5?B?' + b64encode("圖面.txt".encode("big5")) + b'?="', "圖面.txt"),
        (b'attachment; filename="' + LONG_NAME.encode("big5") + b'"', LONG_NAME),
        (b"attachment; filename=order form.txt", "order form.txt"),
        (b'attachment; filename="a;b.txt"', "a;b.txt"),
        (b"attachment; filename*=iso-2022-jp''%1B%24B%3F%5E%1B%28B.txt", "図.txt"),
    ],
)
async def test_names_of_attachments_are_read_in_every_spelling(disposition: bytes, name: str) -> None:
    parsed = await read(attached(disposition), "a.eml")
    assert parsed.attachments == (name,)


async def test_an_attachment_is_read_under_its_part() -> None:
    parsed = await read(attached(b"attachment; filename=order.txt"), "a.eml")
    start = parsed.text.index("Quantity")
    assert locate(parsed.segments, start, start + 8).part == "2"
    assert parsed.unread == ()
    assert parsed.flags == ()


async def test_a_mail_inside_the_mail_is_read_as_older_words() -> None:
    inner = b"Subject: Re: old\r\nContent-Type: text/plain\r\n\r\n20 pcs\r\n"
    parsed = await read(attached(b"attachment", b"message/rfc822", inner), "a.eml")
    assert "---------- Forwarded message ----------\nRe: old\n\n20 pcs" in parsed.text
    assert [one.part for one in parsed.segments] == ["headers.subject", "1", "2.headers.subject", "2.1"]


async def test_flowed_lines_are_one_paragraph() -> None:
    text = b"we need 1,200 \r\npieces\r\n> old words \r\n> go on\r\n-- \r\nAnn"
    parsed = await read(HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + text, "a.eml")
    assert parsed.text == "RFQ\n\nwe need 1,200 pieces\n> old words go on\n-- \nAnn"


def versions(plain: str, markup: str) -> bytes:
    parts = (
        f"--i\r\nContent-Type: text/plain\r\n\r\n{plain}\r\n--i\r\nContent-Type: text/html\r\n\r\n{markup}\r\n--i--\r\n"
    )
    return HEAD + b'Content-Type: multipart/alternative; boundary="i"\r\n\r\n' + parts.encode()


async def test_versions_that_agree_are_read_once() -> None:
    parsed = await read(versions("We need 40 pcs", "<p>We need <b>40</b> pcs</p>"), "a.eml")
    assert (parsed.text, parsed.flags) == ("RFQ\n\nWe need 40 pcs", ())


async def test_versions_that_differ_are_both_read_and_what_is_not_shown_is_flagged() -> None:
    parsed = await read(versions("We need 90 pcs", "<p>We need 40 pcs</p>"), "a.eml")
    assert "90 pcs" in parsed.text
    assert "40 pcs" in parsed.text
    assert parsed.flags == ("hidden_text",)
    parsed = await read(versions("Please use a newer program.", "<p>We need 40 pcs of SUS304</p>"), "a.eml")
    assert "40 pcs" in parsed.text
