"""Outlook's container winmail.dat (TNEF): its body and its attachments, through tnefparse.

The library slices and loops by counts that the file itself states, so it runs only under the attachment clock.
"""

import logging
from dataclasses import dataclass
from typing import Any, Final

from tnefparse import TNEF

from models.errors import UnreadableDocument
from services.parsing_html import html_text
from services.parsing_mail_charsets import mail_text
from services.parsing_mail_headers import clean_name
from services.parsing_result import unreadable

SIGNATURE: Final = b"\x78\x9f\x3e\x22"
MAX_BYTES: Final = 16 * 1024 * 1024
MAX_OBJECTS: Final = 20_000
_HEADER: Final = 6
_OBJECT_HEAD: Final = 9
_OBJECT_FRAME: Final = 11


@dataclass(frozen=True)
class Unpacked:
    """What a container holds; `hid_text` as for an HTML body."""

    text: str
    hid_text: bool
    attachments: tuple[tuple[str, bytes], ...]


def is_container(data: bytes) -> bool:
    """Whether `data` begins as a TNEF container does."""
    return data.startswith(SIGNATURE)


def unpack(data: bytes) -> Unpacked:
    """The body (of HTML its visible text) and the attachments with their names; UnreadableDocument when damaged."""
    if len(data) > MAX_BYTES or _objects(data) > MAX_OBJECTS:
        raise unreadable("too_large", "this winmail.dat is too large: send its attachments as they are")
    logging.getLogger("tnefparse").disabled = True  # the library logs what the file says
    try:
        found: Any = TNEF(data, do_checksum=False)
        named = tuple((clean_name(_text(one.long_filename())), _bytes(one.data)) for one in found.attachments)
        text, hid_text = _body(found)
    except UnreadableDocument:
        raise
    except Exception:  # noqa: BLE001 -- the library raises whatever its arithmetic meets
        raise unreadable("corrupt", "this winmail.dat is damaged: send its attachments as they are") from None
    return Unpacked(text, hid_text, named)


def _objects(data: bytes) -> int:
    """How many objects the container states: the library copies the rest of the file for each."""
    count, position = 0, _HEADER
    while position + _OBJECT_HEAD <= len(data) and count <= MAX_OBJECTS:
        position += int.from_bytes(data[position + 5 : position + _OBJECT_HEAD], "little") + _OBJECT_FRAME
        count += 1
    return count


def _body(found: Any) -> tuple[str, bool]:
    plain = _text(found.body).strip()
    if plain:
        return plain, False
    return html_text(_text(found.htmlbody)) if found.htmlbody else ("", False)


def _text(value: object) -> str:
    raw = mail_text(value, None) if isinstance(value, bytes) else value if isinstance(value, str) else ""
    return raw.replace("\x00", "")


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""
