"""Hostile mails: bounded, flagged, and what a reader does not see is no text."""

import time
from base64 import b64encode

import pytest

from services.parsing import ParseLimits
from tests.services.parsing.reading import read, refusal

HEAD = b"From: Customer <a@customer.example>\r\nTo: b@factory.example\r\nSubject: RFQ\r\nMIME-Version: 1.0\r\n"


def mixed(*parts: bytes, boundary: bytes = b"b1") -> bytes:
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary, part) for part in parts)
    return b'Content-Type: multipart/mixed; boundary="%s"\r\n\r\n%s--%s--\r\n' % (boundary, body, boundary)


def plain(text: str) -> bytes:
    return b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()


def html(markup: str) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + markup.encode()


def attached(name: str) -> bytes:
    return b'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="%s"\r\n\r\nx' % name.encode()


@pytest.mark.parametrize(
    "markup",
    [
        '<div style="display:none">SECRET</div>',
        '<div style="DISPLAY : none !important">SECRET</div>',
        '<span style="font-size:0">SECRET</span>',
        '<span style="font-size:1px;line-height:1px">SECRET</span>',
        '<span style="visibility:hidden">SECRET</span>',
        '<span style="opacity:0">SECRET</span>',
        '<span style="color:#FFFFFF">SECRET</span>',
        '<span style="color: white">SECRET</span>',
        '<font color="white">SECRET</font>',
        '<p style="position:absolute;left:-9999px">SECRET</p>',
        '<p style="max-height:0;overflow:hidden">SECRET</p>',
        "<p hidden>SECRET</p>",
        '<p class="x y">SECRET</p>',
        '<p id="gone">SECRET</p>',
        '<div style="display:none"><p>a<b>SECRET</b></p></div>',
    ],
)
async def test_text_hidden_by_style_is_left_out_and_flagged(markup: str) -> None:
    sheet = "<style>p.y{display:none} #gone { visibility: hidden }</style>"
    parsed = await read(html(f"<html><head>{sheet}</head><body><p>Hello</p>{markup}<p>End</p></body></html>"), "a.eml")
    assert "SECRET" not in parsed.text
    assert "Hello" in parsed.text
    assert "End" in parsed.text
    assert "hidden_text" in parsed.flags


@pytest.mark.parametrize(
    "markup",
    [
        "<script>SECRET</script>",
        "<style>SECRET</style>",
        "<!-- SECRET -->",
        "<title>SECRET</title>",
        '<img alt="SECRET" src="https://x.example/">',
        '<a href="https://x.example/?q=SECRET">link</a>',
        "<template>SECRET</template>",
    ],
)
async def test_markup_is_no_text(markup: str) -> None:
    assert "SECRET" not in (await read(html(f"<p>Hello</p>{markup}"), "a.eml")).text


async def test_white_text_on_a_dark_cell_is_text() -> None:
    parsed = await read(
        html('<table><tr><td style="background:#003366;color:#fff">Lead time</td></tr></table>'), "a.eml"
    )
    assert "Lead time" in parsed.text
    assert parsed.flags == ()


@pytest.mark.timeout(30)
async def test_ten_thousand_attachments_are_listed_to_a_bound() -> None:
    parts = (plain("We need 1,200 pieces."), *(attached(f"f{number}.pdf") for number in range(10_000)))
    began = time.monotonic()
    parsed = await read(HEAD + mixed(*parts), "a.eml")
    assert time.monotonic() - began < 10
    assert parsed.text == "RFQ\n\nWe need 1,200 pieces."
    assert set(parsed.flags) == {"attachment_not_read", "truncated"}
    assert 0 < len(parsed.attachments) <= 100


@pytest.mark.parametrize("depth", [11, 200, 3000])
@pytest.mark.timeout(30)
async def test_deep_nesting_is_bounded(depth: int) -> None:
    body = plain("at the bottom")
    for level in range(depth):
        body = mixed(body, boundary=b"b%d" % level)
    outcome = await refusal(HEAD + body, "a.eml")
    assert outcome in ("parsed: RFQ", "unsafe_content", "too_much_memory", "too_slow")
    if depth == 11:
        assert "truncated" in (await read(HEAD + body, "a.eml")).flags


@pytest.mark.timeout(30)
async def test_megabytes_of_nested_quotes_are_cut_behind_the_words() -> None:
    quotes = "".join(f"{'>' * (1 + turn % 50)} old words {turn}\n" for turn in range(200_000))
    began = time.monotonic()
    parsed = await read(HEAD + plain("We need 1,200 pieces.\n\n" + quotes), "a.eml")
    assert time.monotonic() - began < 10
    assert parsed.text.startswith("RFQ\n\nWe need 1,200 pieces.")
    assert "truncated" in parsed.flags
    assert len(parsed.text.encode()) <= 5 * 1024 * 1024


@pytest.mark.parametrize(
    "markup", ["<div>" * 100_000, "<p" * 200_000, "<!--" * 200_000, "</x>" * 200_000, "&" * 500_000]
)
@pytest.mark.timeout(30)
async def test_html_built_to_be_slow_is_bounded(markup: str) -> None:
    began = time.monotonic()
    limits = ParseLimits(cpu_seconds=2, wall_seconds=4.0)
    outcome = await refusal(html(f"<p>Hello</p>{markup}"), "a.eml", limits=limits)
    assert outcome.startswith("parsed") or outcome in ("too_slow", "too_large", "unsafe_content")
    assert time.monotonic() - began < 6


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: multipart/mixed\r\n\r\nno boundary at all",
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nnever closed',
        b"Content-Type: text/plain; charset=x-unknown\r\n\r\nsome words",
        b"Content-Type: text/plain; charset=utf-16\r\n\r\nodd",
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!not base64!!!!",
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nbroken =ZZ =",
        b"Content-Type: ;;;===\r\n\r\nsome words",
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644\r\nxx",
        b"Content-Type: text/plain; charset*0*=utf-8''\xff; name*1*=\xfe\r\n\r\nsome words",
        b"Subject: =?utf-8?B?////?= =?nope?Q?x?= =?utf-8?Q?=?=\r\n\r\nsome words",
        b"Subject: \xff\xfe\xfd\r\n\r\nsome words",
    ],
)
async def test_broken_mime_is_read_as_far_as_it_goes(body: bytes) -> None:
    parsed = await read(HEAD + body, "a.eml")
    assert parsed.text.startswith("RFQ")


async def test_the_header_flood_ends() -> None:
    began = time.monotonic()
    flood = b"".join(b"X-%d: %s\r\n" % (number, b"(" * 500) for number in range(5000))
    assert await refusal(HEAD + flood + b"\r\nwords", "a.eml") == "parsed: RFQ\n\nwords"
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (b"text/calendar", "unsupported_type"),
        (b"text/vcard", "unsupported_type"),
        (b"application/ms-tnef", "unsupported_type"),
        (b"application/x-msdownload", "unsupported_type"),
        (b"application/pdf", "type_mismatch"),
        (b"image/png", "unsupported_type"),
        (b"message/delivery-status", "unsupported_type"),
        (b'message/external-body; access-type=URL; url="https://x.example/"', "unsupported_type"),
    ],
)
async def test_other_payloads_are_listed_with_the_reason_why_they_were_not_read(kind: bytes, reason: str) -> None:
    part = b"Content-Type: %s\r\nContent-Transfer-Encoding: base64\r\n\r\n%s" % (kind, b64encode(b"SECRET words"))
    parsed = await read(HEAD + mixed(plain("see attached"), part), "a.eml")
    assert parsed.text == "RFQ\n\nsee attached"
    assert parsed.flags == ("attachment_not_read",)
    assert [one.reason for one in parsed.unread] == [reason]
    assert parsed.attachments == (parsed.unread[0].name,)


@pytest.mark.parametrize("data", [b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", b"BEGIN:VCARD\r\n", b"\x78\x9f\x3e\x22xxxx"])
async def test_calendar_contact_and_tnef_files_are_refused(data: bytes) -> None:
    assert await refusal(data) == "unsupported_type"
    assert await refusal(data, "a.eml") == "type_mismatch"


async def test_an_encrypted_mail_says_so() -> None:
    parts = (b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1", attached("encrypted.asc"))
    sealed = mixed(*parts).replace(b"multipart/mixed", b"multipart/encrypted")
    assert await refusal(HEAD + sealed, "a.eml") == "encrypted"


async def test_names_of_attachments_are_names_only() -> None:
    parsed = await read(HEAD + mixed(plain("see attached"), attached("../../etc/pass\u202ewd.pdf")), "a.eml")
    assert parsed.attachments == ("pass\u202ewd.pdf",)
    assert "pass" not in parsed.text
