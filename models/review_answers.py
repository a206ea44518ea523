"""`review-findings@1`: what the reviewing model may answer. It can only object; what it says in words is not kept."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from models.contract import Contract
from models.drafts import Draft
from models.errors import AgentFailed
from models.evidence import Evidence
from models.ids import EvidenceId
from models.review import Finding, FindingCode, OriginalKey

MAX_FINDINGS = 50
_AROUND = 300


class ModelFinding(Contract):
    """One objection; `claim_index` counts from 0."""

    code: FindingCode
    claim_index: int | None = None
    evidence_id: str | None = None
    message: str = Field(default="", max_length=2_000)


class ReviewFindings(Contract):
    """All objections; none means that the model found nothing."""

    schema_version: Literal["review-findings@1"] = "review-findings@1"
    findings: tuple[ModelFinding, ...] = Field(max_length=MAX_FINDINGS)


def review_view(draft: Draft, originals: Mapping[OriginalKey, str], characters: int) -> dict[str, Any]:
    """`draft@1` as the reviewing model is handed it, each cited piece with the words around it in its original.

    The surroundings are left out from the end on where they exceed `characters`; the draft itself never is.
    """
    left = characters - len(draft.model_dump_json(include={"claims", "fields", "history", "conflicts"}))
    pieces: list[dict[str, Any]] = []
    for one in draft.evidence:
        around = _surroundings(one, originals)
        left -= len(one.quote) + len(around) + 200
        pieces.append(
            {
                "evidence_id": one.evidence_id,
                "kind": one.kind,
                "document_id": one.document_id,
                "version": one.version,
                "quote": one.quote,
                "original": around if left > 0 else "",
            }
        )
    return {
        "schema_version": draft.schema_version,
        "fields": {one.field: one.value.value for one in draft.fields},
        "claims": [
            {"claim_index": index, "text": claim.text, "evidence_ids": list(claim.evidence_ids)}
            for index, claim in enumerate(draft.claims)
        ],
        "evidence": pieces,
        "awaiting_confirmation": [one.model_dump(mode="json") for one in draft.awaiting_confirmation],
        "history": [one.model_dump(mode="json") for one in draft.history],
        "conflicts": [one.model_dump(mode="json") for one in draft.conflicts],
    }


def findings_of_model(draft: Draft, answer: ReviewFindings) -> tuple[Finding, ...]:
    """The objections in the program's own words; AgentFailed for one about something that the draft does not have."""
    known = {one.evidence_id for one in draft.evidence}
    found: list[Finding] = []
    for one in answer.findings:
        key = None if one.evidence_id is None else EvidenceId(one.evidence_id)
        if key is not None and key not in known:
            raise AgentFailed("the reviewing model objects to evidence that the draft does not have")
        if one.claim_index is not None and not 0 <= one.claim_index < len(draft.claims):
            raise AgentFailed("the reviewing model objects to a claim that the draft does not have")
        where = "the draft" if one.claim_index is None else f"claim {one.claim_index + 1}"
        found.append(
            Finding(
                code=one.code,
                message=f"the reviewing model objects to {where}",
                claim_index=one.claim_index,
                evidence_id=key,
            )
        )
    return tuple(dict.fromkeys(found))


def _surroundings(piece: Evidence, originals: Mapping[OriginalKey, str]) -> str:
    original = originals.get((piece.source, piece.document_id, piece.version), "")
    place = piece.locator
    return original[max(0, place.char_start - _AROUND) : place.char_end + _AROUND]
