"""Publishing: what it does to the versions beside it, and in what form a version is described."""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from models.canonical import Segment
from models.contract import Contract
from models.documents import EffectiveRange, Kind, check_range
from models.errors import Conflict, InvalidInput
from models.ids import DocumentId, TenantId, parse_name

MAX_TITLE = 200
MAX_REASON = 500
MAX_GROUPS = 100
MAX_VERSION = 1_000_000
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class OriginalText(Contract):
    """A published version opened again: its canonical text, which a citation is compared with byte for byte."""

    tenant_id: TenantId
    document_id: DocumentId
    version: int
    kind: Kind
    title: str
    effective: EffectiveRange
    media_type: str
    file_name: str | None
    original_hash: str
    content_hash: str
    text: str
    segments: tuple[Segment, ...]


def utc_range(effective_from: datetime, effective_to: datetime | None) -> EffectiveRange:
    """The half-open range in UTC, or InvalidInput when a bound has no time zone or the end is not after the start."""
    given = check_range(EffectiveRange(effective_from=effective_from, effective_to=effective_to))
    try:
        return EffectiveRange(
            effective_from=given.effective_from.astimezone(UTC),
            effective_to=None if given.effective_to is None else given.effective_to.astimezone(UTC),
        )
    except OverflowError:
        raise InvalidInput("an effective range lies between the years 1 and 9999: leave the end open instead") from None


def closed_by(
    version: int, effective: EffectiveRange, published: Mapping[int, EffectiveRange]
) -> dict[int, EffectiveRange]:
    """The ranges of `published` versions that end where `version` takes over; the others stay as they are.

    Two published versions never overlap: a lower version whose range reaches into the new one is closed at its start.
    Raises Conflict, naming the version, where that would leave nothing of its range, and where a higher version is
    already effective in the new range.
    """
    closed: dict[int, EffectiveRange] = {}
    for other, held in sorted(published.items()):
        if not _overlap(held, effective):
            continue
        if other > version:
            raise Conflict(
                f"version {other} is newer and effective from {held.effective_from.isoformat()}: "
                f"end version {version} at or before that, or withdraw version {other} first"
            )
        if held.effective_from >= effective.effective_from:
            raise Conflict(
                f"nothing of version {other}, effective from {held.effective_from.isoformat()}, would be left: "
                f"withdraw it first, or let version {version} start later"
            )
        closed[other] = EffectiveRange(effective_from=held.effective_from, effective_to=effective.effective_from)
    return closed


def check_acl(groups: Sequence[str]) -> tuple[str, ...]:
    """The groups that may read, sorted; an empty list is nobody. InvalidInput for a wildcard or a bad name."""
    for group in groups:
        if any(sign in group for sign in "*?%"):
            raise InvalidInput(f"{group[:80]!r} is a wildcard: name each group that may read")
    if len(groups) > MAX_GROUPS:
        raise InvalidInput(f"an access list holds at most {MAX_GROUPS} groups")
    return tuple(sorted({parse_name(group, "group") for group in groups}))


def check_title(raw: str) -> str:
    """The title in one line, or InvalidInput: 1 to 200 characters, all of them visible."""
    return _checked_line(raw, "title", MAX_TITLE)


def check_reason(raw: str) -> str:
    """A person's reason in one line, or InvalidInput: 1 to 500 characters, all of them visible."""
    return _checked_line(raw, "reason", MAX_REASON)


def check_version(version: int) -> int:
    """The version number, or InvalidInput."""
    if not 1 <= version <= MAX_VERSION:
        raise InvalidInput(f"a version is a number from 1 to {MAX_VERSION}")
    return version


def plain_file_name(raw: str | None) -> str | None:
    """The last part of a path without anything invisible, at most 200 characters; None when nothing is left."""
    last = (raw or "").replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if unicodedata.category(char) not in _HIDDEN).strip()[-200:] or None


def _checked_line(raw: str, what: str, most: int) -> str:
    line = raw.strip()
    if not 1 <= len(line) <= most:
        raise InvalidInput(f"a {what} has 1 to {most} characters")
    if any(unicodedata.category(char) in _HIDDEN for char in line):
        raise InvalidInput(f"the {what} holds control or invisible characters: type it anew")
    return line


def _overlap(one: EffectiveRange, other: EffectiveRange) -> bool:
    return _ends_after(one, other.effective_from) and _ends_after(other, one.effective_from)


def _ends_after(effective: EffectiveRange, moment: datetime) -> bool:
    return effective.effective_to is None or effective.effective_to > moment
