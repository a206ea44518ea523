"""`evidence@1`: a quote from one original at one place. Trust comes from the checks, never from similarity."""

from datetime import datetime
from typing import Literal

from models.canonical import Locator
from models.contract import Contract
from models.ids import EvidenceId

EvidenceKind = Literal["formal_fact", "historical_event", "inference", "message"]


class Checks(Contract):
    """What was verified against the original at the moment of reading."""

    version: bool
    permission: bool
    validity: bool
    hash: bool
    span: bool

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return self.version and self.permission and self.validity and self.hash and self.span


class Evidence(Contract):
    """A verified quote; `quote` equals the canonical text of the original at the locator, byte for byte."""

    schema_version: Literal["evidence@1"] = "evidence@1"
    evidence_id: EvidenceId
    source: Literal["document", "message"]
    document_id: str
    version: int
    kind: EvidenceKind
    title: str
    quote: str
    locator: Locator
    content_hash: str
    span_hash: str
    effective_from: datetime | None
    effective_to: datetime | None
    index_version: str | None
    checks: Checks
