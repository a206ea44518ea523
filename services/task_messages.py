"""Originals on their way into a task: read once, hashed, stored with what a person confirms beside them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from models.canonical import Segment
from models.cleaning import canonical_text
from models.contract import content_hash, text_hash
from models.errors import InvalidInput, UnreadableDocument
from models.fields import FieldValue
from models.ids import Subject, TaskId
from models.line_items import Confirmations, check_confirmations
from models.messages import MessageKind
from services.parsing import ParseLimits, parse_document
from store.document import original_insert
from store.message import MessageRow, NewMessage, message_insert
from store.pool import TenantTransaction

MAX_TEXT = 1_000_000
UNREADABLE = "unreadable:"
UNREAD = "unread:"
"""Marks the flag that names an attachment which was listed and not read, and why."""
MAX_UNREAD = 20


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file as it came in; name and type are claims of whoever sent it."""

    data: bytes
    file_name: str | None = None
    declared_type: str | None = None


@dataclass(frozen=True, slots=True)
class MessageContent:
    """What a message says: canonical text, the file it came from, and the confirmed fields."""

    text: str
    segments: tuple[Segment, ...]
    flags: tuple[str, ...]
    file: AttachedFile | None
    media_type: str
    confirmations: Mapping[str, FieldValue]
    answers: tuple[str, ...] = ()

    @property
    def original_hash(self) -> str | None:
        """SHA-256 of the file's bytes, or None for a text."""
        return None if self.file is None else hashlib.sha256(self.file.data).hexdigest()

    @property
    def identity(self) -> str:
        """The same content has the same identity, whoever sends it."""
        parts: list[object] = [text_hash(self.text), self.original_hash, dict(self.confirmations)]
        return content_hash([*parts, list(self.answers)] if self.answers else parts)


async def read_content(
    text: str | None, file: AttachedFile | None, confirmations: Confirmations | None
) -> MessageContent:
    """The content of a message. A file that cannot be read is kept as it is, with the reason as a flag.

    Raises InvalidInput when there is nothing in it, both a text and a file, or too much; InvalidField for a value that
    does not fit its field.
    """
    confirmed = check_confirmations(confirmations or {})
    if file is not None:
        if text:
            raise InvalidInput("give a text or a file, not both: send the other one as a supplement")
        return await _from_file(file, confirmed)
    if text is not None and len(text) > MAX_TEXT:
        raise InvalidInput(f"this text is longer than {MAX_TEXT} characters: send it as a file or in parts")
    cleaned, flags = canonical_text(text or "")
    if not cleaned.strip() and not confirmed:
        raise InvalidInput("there is nothing in this message: give a text, a file or a confirmation")
    return MessageContent(cleaned, (), tuple(flags), None, "text/plain", confirmed)


def unreadable_reason(message: MessageRow) -> str | None:
    """Why the file of a message could not be read, or None."""
    return next((flag.removeprefix(UNREADABLE) for flag in message.parse_flags if flag.startswith(UNREADABLE)), None)


async def store_message(
    tx: TenantTransaction,
    task_id: TaskId,
    content: MessageContent,
    *,
    ordinal: int,
    kind: MessageKind,
    author: Subject,
    idempotency_hash: str,
) -> str:
    """Stores a message, not merged yet, and the bytes of its file; gives its id."""
    message_id = f"M{ordinal}-{idempotency_hash[:8]}"
    if content.file is not None and content.original_hash is not None:
        await original_insert(tx, content.original_hash, content.media_type, content.file.data)
    await message_insert(
        tx,
        task_id,
        NewMessage(
            message_id=message_id,
            ordinal=ordinal,
            kind=kind,
            author=author,
            text=content.text,
            content_hash=text_hash(content.text),
            segments=content.segments,
            parse_flags=content.flags,
            file_name=None if content.file is None else _file_name(content.file),
            original_hash=content.original_hash,
            confirmations=content.confirmations,
            idempotency_hash=idempotency_hash,
            answers=content.answers,
        ),
    )
    return message_id


async def _from_file(file: AttachedFile, confirmed: Mapping[str, FieldValue]) -> MessageContent:
    try:
        parsed = await parse_document(
            file.data, file_name=file.file_name, declared_type=file.declared_type, limits=ParseLimits()
        )
    except UnreadableDocument as error:
        flags = (f"{UNREADABLE}{error.reason}",)
        return MessageContent("", (), flags, file, "application/octet-stream", confirmed)
    unread = (f"{UNREAD}{one.name}:{one.reason}" for one in parsed.unread[:MAX_UNREAD])
    return MessageContent(parsed.text, parsed.segments, (*parsed.flags, *unread), file, parsed.media_type, confirmed)


def _file_name(file: AttachedFile) -> str | None:
    return None if file.file_name is None else canonical_text(file.file_name)[0][:255]
