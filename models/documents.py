"""Governed knowledge: documents, their versions, statuses and effective ranges."""

from datetime import datetime
from typing import Literal

from models.contract import Contract
from models.errors import Conflict, InvalidInput
from models.ids import DocumentId, Subject, TenantId

Kind = Literal["formal_fact", "historical_event", "inference"]
VersionStatus = Literal["draft", "submitted", "approved", "published", "withdrawn"]

VERSION_TRANSITIONS: dict[VersionStatus, frozenset[VersionStatus]] = {
    "draft": frozenset({"submitted", "withdrawn"}),
    "submitted": frozenset({"approved", "draft", "withdrawn"}),
    "approved": frozenset({"published", "withdrawn"}),
    "published": frozenset({"withdrawn"}),
    "withdrawn": frozenset(),
}


class EffectiveRange(Contract):
    """Half-open in UTC: `effective_from` belongs to it, `effective_to` does not; an open end is None."""

    effective_from: datetime
    effective_to: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether `now` lies in the range."""
        return self.effective_from <= now and (self.effective_to is None or now < self.effective_to)


class DocumentVersion(Contract):
    """One version of an original without its text; hashes bind it to bytes and canonical text."""

    tenant_id: TenantId
    document_id: DocumentId
    version: int
    kind: Kind
    status: VersionStatus
    title: str
    acl: tuple[str, ...]
    effective: EffectiveRange | None
    original_hash: str
    content_hash: str
    media_type: str
    file_name: str | None
    created_by: Subject
    revision: int


def check_range(effective: EffectiveRange) -> EffectiveRange:
    """The range, or InvalidInput when a bound has no time zone or the end is not after the start."""
    bounds = (effective.effective_from, effective.effective_to)
    if any(bound is not None and bound.tzinfo is None for bound in bounds):
        raise InvalidInput("an effective range needs a time zone: write it as 2026-12-01T00:00:00+08:00")
    if effective.effective_to is not None and effective.effective_to <= effective.effective_from:
        raise InvalidInput("the effective range ends before it starts: give an end after the start, or none")
    return effective


def check_version_transition(current: VersionStatus, target: VersionStatus) -> None:
    """Raise Conflict unless a version may go from `current` to `target`."""
    if target not in VERSION_TRANSITIONS[current]:
        allowed = ", ".join(sorted(VERSION_TRANSITIONS[current])) or "nothing further"
        raise Conflict(f"a version that is {current} cannot become {target}; possible: {allowed}")
