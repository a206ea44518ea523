"""Words out of mail headers: encoded words (RFC 2047), names in parameters (RFC 2231 and what mailers make of it).

The grammar of the newer email policy is slow on hostile headers, so these are linear expressions over bounded texts.
"""

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from email.message import Message
from typing import Final, TypeAlias
from urllib.parse import unquote_to_bytes

from models.cleaning import canonical_text
from services.parsing_mail_charsets import mail_text

MAX_HEADER: Final = 20_000
MAX_NAME: Final = 200

MailMessage: TypeAlias = "Message[str, str]"

# Blanks inside a word are against the standard and common; a charset may carry a language (RFC 2231, 5).
_WORD: Final = re.compile(r"=\?([!-<>@-~]{1,60})\?([bBqQ])\?([^?\r\n]{0,2000})\?=")
_PARAMETER: Final = re.compile(
    r";\s*([A-Za-z0-9_-]{1,40})(?:\*(\d{1,3}))?(\*)?\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;]*)", re.DOTALL
)
_EXTENDED: Final = re.compile(r"([^'%]{0,40})'[^']{0,40}'(.*)", re.DOTALL)


def raw_header(message: MailMessage, name: str) -> str:
    """The first header of that name as it stands, or nothing; never parsed."""
    return next((str(value) for key, value in message.raw_items() if key.lower() == name), "")[:MAX_HEADER]


def decoded_header(raw: str) -> str:
    """A header with its encoded words decoded; unknown character sets and broken words never raise."""
    return _decoded_words(re.sub(r"\r?\n(?=[ \t])", "", _eight_bit(raw)))


def file_name(part: MailMessage) -> str:
    """The last component of the name that a part gives itself, cleaned; empty when it has none."""
    for header, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        raw = _eight_bit(raw_header(part, header))
        name = clean_name(_named(raw, parameter) or "")
        if name:
            return name
    return ""


def clean_name(raw: str) -> str:
    """A name as a name only: no folders, no controls, bounded."""
    name = canonical_text(raw)[0]
    return " ".join(re.split(r"[\\/]", name)[-1].split())[:MAX_NAME]


def _eight_bit(raw: str) -> str:
    """Bytes beyond ASCII, which the parser keeps as surrogates, as text."""
    raw = raw[:MAX_HEADER]
    if any("\udc80" <= char <= "\udcff" for char in raw):
        return mail_text(raw.encode("utf-8", "surrogateescape"), None)
    return raw


def _decoded_words(text: str) -> str:
    """Words that follow each other in one character set are joined as bytes first: mailers cut inside a character."""
    pieces: list[str] = []
    waiting, charset, end = b"", "", 0
    for word in _WORD.finditer(text):
        between = text[end : word.start()]
        data, named = _word_bytes(word), word[1].split("*")[0].lower()
        if pieces or waiting:
            between = "" if not between.strip() else between
        if waiting and not between and named == charset:
            waiting += data
        else:
            pieces += (mail_text(waiting, charset) if waiting else "", between)
            waiting, charset = data, named
        end = word.end()
    pieces += (mail_text(waiting, charset) if waiting else "", text[end:])
    return "".join(pieces)


def _word_bytes(word: re.Match[str]) -> bytes:
    body = word[3].encode("ascii", "ignore")
    if word[2] in "qQ":
        return a2b_qp(body.replace(b" ", b"_"), header=True)
    body = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    try:
        return a2b_base64(body + b"=" * (-len(body) % 4))
    except Base64Error:
        return a2b_base64(body[: len(body) - len(body) % 4])


def _named(raw: str, parameter: str) -> str | None:
    """The value of a parameter: extended and continued pieces joined in the order of their numbers."""
    plain: str | None = None
    pieces: dict[int, tuple[bool, str]] = {}
    for found in _PARAMETER.finditer(re.sub(r"\r?\n(?=[ \t])", "", raw)):
        if found[1].lower() != parameter:
            continue
        value = _unquoted(found[4])
        if found[2] is None and found[3] is None:
            plain = value if plain is None else plain
        else:
            pieces.setdefault(int(found[2] or 0), (found[3] is not None, value))
    if not pieces:
        return None if plain is None else _decoded_words(plain)
    return _joined([pieces[number] for number in sorted(pieces)])


def _joined(pieces: list[tuple[bool, str]]) -> str:
    extended, first = pieces[0]
    marked = _EXTENDED.match(first) if extended else None
    charset, first = (marked[1], marked[2]) if marked else ("", first)
    data = b"".join(
        unquote_to_bytes(value) if is_extended else value.encode("utf-8", "surrogateescape")
        for is_extended, value in [(extended, first), *pieces[1:]]
    )
    # Some mailers put encoded words where percent signs belong.
    return _decoded_words(mail_text(data, charset or None))


def _unquoted(value: str) -> str:
    value = value.strip()
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        return re.sub(r"\\(.)", r"\1", value[1:-1]) if "\\" in value and ":\\" not in value else value[1:-1]
    return value.strip('"') if value.startswith('"') else value
