"""A mail: its subject and the text of its bodies, each part under its own address. Attachments are listed, not read.

The text holds no From, To or Date: they prove nothing about who wrote, and a date of sending is not a wanted date.
The parser runs under the `compat32` policy: the newer one parses every header by a grammar that hostile headers
make slow.
"""

import re
from binascii import Error as Base64Error
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.policy import compat32
from typing import Final, TypeAlias, cast

from models.cleaning import canonical_text
from models.errors import UnreadableDocument
from services.parsing_html import html_text
from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable
from services.parsing_text import decode_text

PARSER_VERSION: Final = "1"
MAX_LISTED: Final = 100
MAX_SUBJECT: Final = 1000
MAX_NAME: Final = 200

_ENCRYPTED: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_ALIASES: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "ks_c_5601-1987": "cp949",
}

MailMessage: TypeAlias = "Message[str, str]"
Part: TypeAlias = "tuple[str, MailMessage]"


def parse_mail(data: bytes, bounds: Bounds) -> Parsed:
    """Subject (part `headers.subject`) and text bodies (parts `1`, `1.2`, …) of an RFC 5322 mail."""
    mail = message_from_bytes(data.removeprefix(b"\xef\xbb\xbf").lstrip(), policy=compat32)
    builder = TextBuilder(bounds.text_bytes)
    subject = decoded_header(_raw_header(mail, "subject"))[:MAX_SUBJECT]
    builder.add(" ".join(subject.split()), part="headers.subject")
    attachments: list[str] = []
    encrypted = mail.get_content_type() in _ENCRYPTED
    for number, part in _leaves(mail, bounds, builder.flags):
        encrypted = encrypted or part.get_content_type() in _ENCRYPTED
        if part.defects:
            builder.flags.add("broken_structure")
        if _is_body(part):
            _add_body(builder, number, part)
        else:
            builder.flags.add("attachment_not_read")
            if len(attachments) < MAX_LISTED:
                attachments.append(_attachment_name(number, part))
    if mail.defects:
        builder.flags.add("broken_structure")
    if encrypted and len(builder.segments) <= 1:
        raise unreadable("encrypted", "this mail is encrypted: save it decrypted, or send its text")
    return Parsed(
        "message/rfc822", "mail", PARSER_VERSION, builder.text(), builder.segments, builder.flags, attachments
    )


def decoded_header(raw: str) -> str:
    """A header with its encoded words decoded; unknown character sets and broken words never raise."""
    if any("\udc80" <= char <= "\udcff" for char in raw):
        raw = _decoded(raw.encode("utf-8", "surrogateescape"), None)
    unfolded = re.sub(r"\r?\n(?=[ \t])", "", raw)
    try:
        pieces = decode_header(unfolded)
    except (MessageError, Base64Error, ValueError):
        return unfolded
    return "".join(piece if isinstance(piece, str) else _decoded(piece, charset) for piece, charset in pieces)


def _raw_header(message: MailMessage, name: str) -> str:
    return next((str(value) for key, value in message.raw_items() if key.lower() == name), "")


def _leaves(mail: MailMessage, bounds: Bounds, flags: set[str]) -> Iterator[Part]:
    """Parts to read or to list, in order; of alternatives the plain one. Stops, with a flag, at the bounds."""
    waiting: list[tuple[str, MailMessage, int]] = [("", mail, 0)]
    seen = 0
    while waiting:
        number, part, depth = waiting.pop()
        seen += 1
        if seen > bounds.mail_parts or depth > bounds.mail_depth:
            flags.add("truncated")
            if seen > bounds.mail_parts:
                return
            continue
        children = _children(part)
        if children is None:
            yield number or "1", part
            continue
        prefix = f"{number}." if number else ""
        numbered = [(f"{prefix}{index}", child, depth + 1) for index, child in enumerate(children, start=1)]
        if part.get_content_type() == "multipart/alternative":
            numbered = _preferred(numbered)
        waiting.extend(reversed(numbered))


def _children(part: MailMessage) -> list[MailMessage] | None:
    """The parts of a multipart; None for a leaf. A forwarded mail is an attachment and is not opened."""
    payload: object = part.get_payload()
    if part.get_content_maintype() != "multipart" or not isinstance(payload, list):
        return None
    return [child for child in cast("list[object]", payload) if isinstance(child, Message)]


def _preferred(alternatives: list[tuple[str, MailMessage, int]]) -> list[tuple[str, MailMessage, int]]:
    plain = [one for one in alternatives if one[1].get_content_type() == "text/plain" and _body_text(one[1])[0].strip()]
    if plain:
        return plain[:1]
    # The last alternative is the richest (RFC 2046, 5.1.4).
    return alternatives[-1:]


def _is_body(part: MailMessage) -> bool:
    if part.get_content_disposition() == "attachment" or part.get_content_type() not in ("text/plain", "text/html"):
        return False
    return part.get_content_disposition() is None or part.get_filename() is None


def _add_body(builder: TextBuilder, number: str, part: MailMessage) -> None:
    text, hid_text = _body_text(part)
    if hid_text:
        builder.flags.add("hidden_text")
    if "\ufffd" in text:
        builder.flags.add("characters_replaced")
    room = (builder.text_bytes - builder.size) // 4
    if len(text) > room and len(text.encode("utf-8", "surrogatepass")) > builder.text_bytes - builder.size - 2:
        # Endless quotes at the end of a mail are cut; what its writer wrote stands before them.
        builder.flags.add("truncated")
        text = text[: max(room - 1, 0)]
    builder.add(text, part=number)


def _body_text(part: MailMessage) -> tuple[str, bool]:
    payload: object = part.get_payload(decode=True)
    text = _decoded(payload, part.get_content_charset()) if isinstance(payload, bytes) else ""
    return html_text(text) if part.get_content_type() == "text/html" else (text, False)


def _decoded(data: bytes, charset: str | None) -> str:
    """`data` by its declared character set, else by the rules for text files, else with U+FFFD for what is none."""
    name = (charset or "utf-8").lower()
    try:
        return data.decode(_ALIASES.get(name, name))
    except (UnicodeDecodeError, LookupError, ValueError):
        pass
    try:
        return decode_text(data)
    except UnreadableDocument:
        return data.decode("utf-8", "replace")


def _file_name(part: MailMessage) -> str | None:
    """The name of a part; a header with bytes beyond ASCII is decoded first, else the library blots it out."""
    probe: MailMessage = Message()
    for name in ("content-disposition", "content-type"):
        raw = _raw_header(part, name)
        if any("\udc80" <= char <= "\udcff" for char in raw):
            raw = _decoded(raw.encode("utf-8", "surrogateescape"), None)
        if raw:
            probe[name] = raw
    return probe.get_filename()


def _attachment_name(number: str, part: MailMessage) -> str:
    name = canonical_text(decoded_header(_file_name(part) or ""))[0]
    shown = " ".join(re.split(r"[\\/]", name)[-1].split())[:MAX_NAME]
    return shown or f"part {number} ({part.get_content_type()[:80]})"
