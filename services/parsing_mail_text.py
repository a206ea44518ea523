"""The text of one mail body: paragraphs rejoined (RFC 3676), and two versions of one text held against each other."""

import re
from typing import Final, cast

from services.parsing_html import html_text
from services.parsing_mail_charsets import mail_text
from services.parsing_mail_headers import MailMessage

_QUOTES: Final = re.compile(r">+")
_ADDRESS: Final = re.compile(
    r"<?(?:https?|mailto|cid|ftp|tel):[^\s>)\]]*>?|\[(?:image|cid)[^\]\n]{0,200}\]", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_TOKEN: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\\W\\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}"
)
_MIN_TOKENS: Final = 8
_COMPARED: Final = 200_000


def body_text(part: MailMessage) -> tuple[str, bool]:
    """The text of a body as its reader sees it, and whether some of it was hidden and therefore left out."""
    payload: object = part.get_payload(decode=True)
    text = mail_text(payload, charset_of(part)) if isinstance(payload, bytes) else ""
    if part.get_content_type() == "text/html":
        return html_text(text)
    if _parameter(part, "format").lower() == "flowed":
        return unflowed(text, delete_space=_parameter(part, "delsp").lower() == "yes"), False
    return text, False


def charset_of(part: MailMessage) -> str | None:
    """The declared character set; None when there is none or it cannot be read."""
    return _parameter(part, "charset") or None


def unflowed(text: str, *, delete_space: bool) -> str:
    """Lines that end with a blank go on in the next one of the same quoting depth; a signature mark never does."""
    paragraphs: list[tuple[int, list[str]]] = []
    flowing = False
    for line in text.replace("\r\n", "\n").split("\n"):
        quotes = _QUOTES.match(line)
        depth = len(quotes[0]) if quotes else 0
        words = line[depth:].removeprefix(" ")
        mark = words == "-- "
        if flowing and not mark and paragraphs[-1][0] == depth:
            paragraphs[-1][1].append(words)
        else:
            paragraphs.append((depth, [words]))
        flowing = words.endswith(" ") and not mark
        if flowing and delete_space:
            paragraphs[-1][1][-1] = words[:-1]
    return "\n".join(f"{'>' * depth}{' ' if depth else ''}{''.join(words)}" for depth, words in paragraphs)


def says_more(seen: str, other: str) -> bool:
    """Whether `other`, a second version of the text `seen`, holds numbers or many words that `seen` does not."""
    seen, other = (_ADDRESS.sub(" ", one[:_COMPARED]) for one in (seen, other))
    if set(_NUMBER.findall(other)) - set(_NUMBER.findall(seen)):
        return True
    words = _TOKEN.findall(other.casefold())
    known = set(_TOKEN.findall(seen.casefold()))
    return len(words) >= _MIN_TOKENS and sum(word not in known for word in words) * 5 > len(words)


def _parameter(part: MailMessage, name: str) -> str:
    try:
        value: object = part.get_param(name, "")
    except (ValueError, LookupError, UnicodeError):
        return ""
    # An extended parameter comes as character set, language and value, whatever the stub says.
    return str(cast("tuple[object, ...]", value)[-1]) if isinstance(value, tuple) else str(value)
