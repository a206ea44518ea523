"""A mail: its subject, the text of its bodies and of the attachments that can be read, each under its part's address.

The text holds no From, To or Date: they prove nothing about who wrote, and a date of sending is not a wanted date. A
mail inside the mail stands behind a line that marks it as older words; an attachment, or a second version of a body
that says other things, behind a line that marks it as words of the same day. The parser runs under the `compat32`
policy: the newer one parses every header by a grammar that hostile headers make slow.
"""

import base64
import re
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32
from typing import Final, cast

from models.errors import UnreadableReason
from services.parsing_mail_attachments import SIDE_BY_SIDE, AttachmentReader, ReadPart
from services.parsing_mail_headers import MailMessage, decoded_header, file_name, raw_header
from services.parsing_mail_text import body_text, says_more
from services.parsing_mail_tnef import is_container, unpack
from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable
from services.parsing_types import looks_like_mail

PARSER_VERSION: Final = "2"
MAX_LISTED: Final = 100
MAX_SUBJECT: Final = 1000
OLDER_MAIL: Final = "---------- Forwarded message ----------"

_ENCRYPTED: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_MAILS: Final = frozenset({"message/rfc822", "message/global", "message/partial"})
_CONTAINERS: Final = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
_BODIES: Final = frozenset({"text/plain", "text/html"})
_SAYS_NOTHING: Final = frozenset({"application/octet-stream", "application/x-download", "application/force-download"})
_BLANKS: Final = re.compile(r"\s+")


class _Unfolded(Compat32):
    """Headers without their line breaks: a boundary that was folded is still found."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, re.sub(r"\r?\n(?=[ \t])", "", value)


_UNFOLDED: Final = _Unfolded()


def parse_mail(data: bytes, bounds: Bounds, read: ReadPart | None = None) -> Parsed:
    """Subject (part `headers.subject`), bodies and readable attachments (parts `1`, `1.2`, …) of an RFC 5322 mail.

    `read` reads an attachment; without it attachments are listed only. What was not read is in `unread`.
    """
    mail = message_from_bytes(data.removeprefix(b"\xef\xbb\xbf").lstrip(), policy=_UNFOLDED)
    reader = _MailReader(bounds, AttachmentReader(read))
    reader.read(mail)
    builder = reader.builder
    if reader.encrypted and len(builder.segments) <= 1:
        raise unreadable("encrypted", "this mail is encrypted: save it decrypted, or send its text")
    return Parsed(
        "message/rfc822",
        "mail",
        PARSER_VERSION,
        builder.text(),
        builder.segments,
        builder.flags,
        reader.attachments,
        reader.unread,
    )


class _MailReader:
    """One pass over the parts of a mail, in order and within the bounds."""

    def __init__(self, bounds: Bounds, attached: AttachmentReader) -> None:
        self.builder = TextBuilder(bounds.text_bytes)
        self.attachments: list[str] = []
        self.unread: list[dict[str, object]] = []
        self.encrypted = False
        self._bounds = bounds
        self._attached = attached
        self._seen = 0
        self._second_versions: list[str] = []
        # Parts still to come: number, part, depth, and whether only its attachments are wanted.
        self._waiting: list[tuple[str, MailMessage, int, bool]] = []

    def read(self, mail: MailMessage) -> None:
        """Reads the mail and every mail inside it; stops, with a flag, at the bounds."""
        self._open(mail, "", 0)
        while self._waiting:
            number, part, depth, listed_only = self._waiting.pop()
            self._seen += 1
            if self._seen > self._bounds.mail_parts:
                self.builder.flags.add("truncated")
                return
            if depth > self._bounds.mail_depth:
                self.builder.flags.add("truncated")
                continue
            self._part(number, part, depth, listed_only=listed_only)

    def _open(self, mail: MailMessage, number: str, depth: int) -> None:
        prefix = f"{number}." if number else ""
        subject = " ".join(decoded_header(raw_header(mail, "subject"))[:MAX_SUBJECT].split())
        if number:
            self._add(f"{OLDER_MAIL}\n{subject}", part=f"{prefix}headers.subject")
        else:
            self.builder.add(subject, part="headers.subject")
        self._waiting.append((number if _children(mail) is not None else f"{prefix}1", mail, depth, False))

    def _part(self, number: str, part: MailMessage, depth: int, *, listed_only: bool) -> None:
        kind = part.get_content_type()
        self.encrypted = self.encrypted or kind in _ENCRYPTED
        if part.defects:
            self.builder.flags.add("broken_structure")
        children = _children(part)
        if children is not None:
            self._branch(number, children, depth, listed_only, alternative=kind == "multipart/alternative")
        elif listed_only and kind in _BODIES and not file_name(part):
            return
        elif kind in _MAILS and (inner := _inner_mail(part)) is not None:
            self._list(file_name(part))
            self._open(inner, number, depth + 1)
        elif _is_body(part):
            self._body(number, part)
            self._list(file_name(part))
        else:
            self._attachment(number, part, depth)

    def _branch(
        self, number: str, children: list[MailMessage], depth: int, listed_only: bool, *, alternative: bool
    ) -> None:
        prefix = f"{number}." if number else ""
        numbered = [(f"{prefix}{index}", child) for index, child in enumerate(children, start=1)]
        chosen = self._chosen(numbered) if alternative and not listed_only else {name for name, _ in numbered}
        self._waiting.extend(
            (name, child, depth + 1, listed_only or name not in chosen) for name, child in reversed(numbered)
        )

    def _chosen(self, numbered: list[tuple[str, MailMessage]]) -> set[str]:
        """Of alternatives the plain one; the richest where that says nothing, both where they do not say the same."""
        plain = next(
            ((name, text) for name, one in numbered if _is_plain(one) and (text := body_text(one)[0]).strip()), None
        )
        # The last alternative is the richest (RFC 2046, 5.1.4).
        rich = next(
            ((name, text) for name, one in reversed(numbered) if (text := self._rich_text(one)) is not None), None
        )
        if plain is None:
            return {numbered[-1][0] if rich is None else rich[0]} if numbered else set()
        if rich is None:
            return {plain[0]}
        hides = says_more(rich[1], plain[1])
        if hides:
            # Mail programs show the richest version: this is what their readers do not see.
            self.builder.flags.add("hidden_text")
        if not hides and not says_more(plain[1], rich[1]):
            return {plain[0]}
        self._second_versions.append(rich[0])
        return {plain[0], rich[0]}

    def _rich_text(self, part: MailMessage) -> str | None:
        """The visible text of an HTML alternative, which may stand first in a multipart with its images."""
        for _ in range(3):
            children = _children(part)
            if children is None:
                break
            part = children[0] if children else part
        if part.get_content_type() != "text/html" or not _is_body(part):
            return None
        text, hid_text = body_text(part)
        if hid_text:
            self.builder.flags.add("hidden_text")
        return text

    def _body(self, number: str, part: MailMessage) -> None:
        text, hid_text = body_text(part)
        if hid_text:
            self.builder.flags.add("hidden_text")
        if any(number == one or number.startswith(f"{one}.") for one in self._second_versions):
            self._add_beside(text, number)
        else:
            self._add(text, part=number)

    def _add_beside(self, text: str, number: str) -> None:
        if text.strip():
            self.builder.add(SIDE_BY_SIDE, part=number)
        self._add(text, part=number)

    def _add(self, text: str, *, part: str) -> None:
        builder = self.builder
        if "\ufffd" in text:
            builder.flags.add("characters_replaced")
        room = (builder.text_bytes - builder.size) // 4
        if len(text) > room and len(text.encode("utf-8", "surrogatepass")) > builder.text_bytes - builder.size - 2:
            # Endless quotes at the end of a mail are cut; what its writer wrote stands before them.
            builder.flags.add("truncated")
            text = text[: max(room - 1, 0)]
        builder.add(text, part=part)

    def _attachment(self, number: str, part: MailMessage, depth: int) -> None:
        kind = part.get_content_type()
        payload: object = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        name = file_name(part)
        if is_container(data) and (kind in _CONTAINERS or name.lower() == "winmail.dat" or kind in _SAYS_NOTHING):
            self._container(number, data, name)
            return
        if name.lower().endswith(".eml") and looks_like_mail(data, needed=1):
            self._list(name)
            self._open(message_from_bytes(data, policy=_UNFOLDED), number, depth + 1)
            return
        self._read_attachment(number, data, name=name, kind=kind)

    def _read_attachment(self, number: str, data: bytes, *, name: str, kind: str) -> None:
        shown = name or f"part {number} ({kind[:80]})"
        self._list(shown)
        declared = "" if kind in _SAYS_NOTHING else kind
        reason: UnreadableReason | None = "unsupported_type"
        if data or not kind.startswith("message/"):  # a report or a reference in blocks of headers has no bytes
            reason = self._attached.add(self.builder, data, name=name, declared=declared, part=number)
        if reason is not None:
            self._unread(shown, number, reason)

    def _container(self, number: str, data: bytes, name: str) -> None:
        unpacked = self._attached.guarded(lambda: unpack(data))
        if isinstance(unpacked, str):
            shown = name or f"part {number} (winmail.dat)"
            self._list(shown)
            self._unread(shown, number, unpacked)
            return
        if unpacked.hid_text:
            self.builder.flags.add("hidden_text")
        said = _BLANKS.sub("", "".join(self.builder.pieces))
        if _BLANKS.sub("", unpacked.text) not in said:
            self._add_beside(unpacked.text, number)
        for index, (inner, content) in enumerate(unpacked.attachments, start=1):
            self._seen += 1
            if self._seen > self._bounds.mail_parts:
                self.builder.flags.add("truncated")
                return
            self._read_attachment(f"{number}.{index}", content, name=inner, kind="application/octet-stream")

    def _list(self, name: str) -> None:
        if name and len(self.attachments) < MAX_LISTED:
            self.attachments.append(name)

    def _unread(self, name: str, number: str, reason: UnreadableReason) -> None:
        self.builder.flags.add("attachment_not_read")
        if len(self.unread) < MAX_LISTED:
            self.unread.append({"name": name, "part": number, "reason": reason})


def _children(part: MailMessage) -> list[MailMessage] | None:
    """The parts of a multipart; None for a leaf."""
    payload: object = part.get_payload()
    if part.get_content_maintype() != "multipart" or not isinstance(payload, list):
        return None
    return [child for child in cast("list[object]", payload) if isinstance(child, Message)]


def _inner_mail(part: MailMessage) -> "MailMessage | None":
    """The mail that a part carries; one that was encoded against the standard is decoded first."""
    payload: object = part.get_payload()
    inner = cast("list[object]", payload)[0] if isinstance(payload, list) and payload else None
    if not isinstance(inner, Message):
        return None
    mail = cast("MailMessage", inner)
    if raw_header(part, "content-transfer-encoding").strip().lower() == "base64" and not mail.keys():
        text: object = mail.get_payload()
        try:
            mail = message_from_bytes(base64.b64decode(str(text)), policy=_UNFOLDED)
        except ValueError:
            return None
    return mail if mail.keys() or mail.get_payload() else None


def _is_plain(part: MailMessage) -> bool:
    return part.get_content_type() == "text/plain" and _is_body(part)


def _is_body(part: MailMessage) -> bool:
    """A text that stands in the mail itself; a name alone makes no attachment of it, its disposition does."""
    disposition = part.get_content_disposition()
    if disposition == "attachment" or part.get_content_type() not in _BODIES:
        return False
    return disposition is None or not file_name(part)
