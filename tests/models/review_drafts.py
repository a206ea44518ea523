"""Good drafts of the golden file, and what a mutation makes of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from models.canonical import Locator
from models.contract import text_hash
from models.drafts import AwaitingConfirmation, Draft, DraftField, HistoryItem, RunMetadata
from models.evidence import Checks, Evidence
from models.fields import FIELD_NAMES, FieldName
from models.ids import EvidenceId, Subject, TaskId, TenantId
from models.memory import Claim
from models.review import Finding, OriginalKey, review_draft
from models.tasks import ConfirmedValue, ConflictSide, FieldSource

GOLDEN = Path(__file__).parent.parent / "golden"
NOW = datetime(2026, 5, 1, tzinfo=UTC)
_METADATA = RunMetadata(
    prompts=(), embedding_model="none", dimension=1, chunker_version="c", index_version="i", policy_version=1
)


@dataclass(frozen=True)
class Desk:
    """What the reviewer is given."""

    draft: Draft
    originals: Mapping[OriginalKey, str]
    confirmed: Mapping[FieldName, ConfirmedValue]
    allowed: frozenset[EvidenceId]

    def codes(self) -> set[str]:
        return {one.code for one in self.findings()}

    def findings(self) -> tuple[Finding, ...]:
        return review_draft(
            self.draft, originals=self.originals, confirmed=self.confirmed, allowed=self.allowed, now=NOW
        )


def lines(name: str) -> list[dict[str, Any]]:
    """The objects of a golden file."""
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


def good_desk(line: Mapping[str, Any]) -> Desk:
    """A draft that is right in every respect."""
    pieces: dict[str, Evidence] = {label: _piece(label, told) for label, told in line["pieces"].items()}
    originals = {_key(pieces[label]): told["text"] for label, told in line["pieces"].items()}
    confirmed: dict[FieldName, ConfirmedValue] = {
        field: _confirmed(line["confirmed"][field]) for field in FIELD_NAMES if field in line["confirmed"]
    }
    draft = Draft(
        tenant_id=TenantId("A"),
        task_id=TaskId("Q"),
        revision=3,
        decision_version=1,
        fields=tuple(DraftField(field=field, value=value) for field, value in confirmed.items()),
        claims=tuple(Claim(text=text, evidence_ids=_ids(cites)) for text, cites in line["claims"]),
        evidence=tuple(pieces.values()),
        awaiting_confirmation=(
            AwaitingConfirmation(
                topic="special_inspection", ask_whom="engineering", evidence_ids=_ids(line["awaiting"])
            ),
        )
        if line["awaiting"]
        else (),
        history=tuple(_history(pieces[label]) for label in line["history"]),
        conflicts=(),
        missing_topics=(),
        flags=(),
        run_metadata=_METADATA,
    )
    return Desk(draft, originals, confirmed, frozenset(_ids(list(pieces))))


def mutated(desk: Desk, change: Mapping[str, Any]) -> Desk:
    """`desk` with every change of a golden line made."""
    for name, given in change.items():
        if name not in ("draft", "code"):
            desk = _CHANGES[name](desk, given)
    return desk


def with_claim(desk: Desk, index: int, claim: Claim) -> Desk:
    """`desk` with another claim at `index`."""
    claims = tuple(claim if at == index else one for at, one in enumerate(desk.draft.claims))
    return replace(desk, draft=desk.draft.model_copy(update={"claims": claims}))


def _piece(label: str, told: Mapping[str, Any]) -> Evidence:
    start = str(told["text"]).index(told["quote"])
    source: Literal["document", "message"] = "message" if told["kind"] == "message" else "document"
    return Evidence(
        evidence_id=_ids([label])[0],
        source=source,
        document_id=told["id"],
        version=told["version"],
        kind=told["kind"],
        title=told["id"],
        quote=told["quote"],
        locator=Locator(char_start=start, char_end=start + len(told["quote"])),
        content_hash=text_hash(told["text"]),
        span_hash=text_hash(told["quote"]),
        effective_from=None,
        effective_to=None,
        index_version=None,
        checks=Checks(version=True, permission=True, validity=True, hash=True, span=True),
    )


def _key(piece: Evidence) -> OriginalKey:
    return piece.source, piece.document_id, piece.version


def _ids(labels: list[str]) -> tuple[EvidenceId, ...]:
    return tuple(EvidenceId(f"E1-{label}") for label in labels)


def _confirmed(value: Any) -> ConfirmedValue:
    source = FieldSource(message_id="m-1", author=Subject("sales-1"), confirmed_by="extraction")
    return ConfirmedValue(value=value, source=source)


def _history(piece: Evidence) -> HistoryItem:
    return HistoryItem(
        document_id=piece.document_id, version=piece.version, evidence_id=piece.evidence_id, quote=piece.quote
    )


def _text(desk: Desk, given: Any) -> Desk:
    index, old, new = int(given[0]), str(given[1]), str(given[2])
    claim: Claim = desk.draft.claims[index]
    assert old in claim.text
    return with_claim(desk, index, claim.model_copy(update={"text": claim.text.replace(old, new, 1)}))


def _cite(desk: Desk, given: Any) -> Desk:
    index, labels = int(given[0]), list[str](given[1])
    claim: Claim = desk.draft.claims[index]
    return with_claim(desk, index, claim.model_copy(update={"evidence_ids": _ids(labels)}))


def _replace(desk: Desk, given: Any) -> Desk:
    index, text, labels = int(given[0]), str(given[1]), list[str](given[2])
    return with_claim(desk, index, Claim(text=text, evidence_ids=_ids(labels)))


def _with_piece(desk: Desk, label: str, update: Mapping[str, Any]) -> Desk:
    wanted = _ids([label])[0]
    assert any(one.evidence_id == wanted for one in desk.draft.evidence)
    pieces = tuple(
        Evidence.model_validate_json(one.model_copy(update=dict(update)).model_dump_json())
        if one.evidence_id == wanted
        else one
        for one in desk.draft.evidence
    )
    return replace(desk, draft=desk.draft.model_copy(update={"evidence": pieces}))


def _find(desk: Desk, label: str) -> Evidence:
    return next(one for one in desk.draft.evidence if one.evidence_id == _ids([label])[0])


def _set_piece(desk: Desk, given: Any) -> Desk:
    label, field, value = given
    update: dict[str, object] = {field: datetime.fromisoformat(value) if field.startswith("effective") else value}
    if field == "quote":
        update["span_hash"] = text_hash(value)
    return _with_piece(desk, label, update)


def _shift(desk: Desk, given: Any) -> Desk:
    label, by = given
    place = _find(desk, label).locator
    start = max(0, place.char_start + by)
    return _with_piece(desk, label, {"locator": Locator(char_start=start, char_end=place.char_end + by)})


def _check(desk: Desk, given: Any) -> Desk:
    label, failed = given
    return _with_piece(desk, label, {"checks": _find(desk, label).checks.model_copy(update={failed: False})})


def _disallow(desk: Desk, given: Any) -> Desk:
    return replace(desk, allowed=desk.allowed - set(_ids(given)))


def _original(desk: Desk, given: Any) -> Desk:
    label, text = given
    key = _key(_find(desk, label))
    rest = {one: kept for one, kept in desk.originals.items() if one != key}
    return replace(desk, originals=rest if text is None else rest | {key: text})


def _source(desk: Desk, given: Any) -> Desk:
    """Another original, honestly cited as a whole; other evidence of the same original gives way."""
    label, text = given
    key = _key(_find(desk, label))
    kept = tuple(one for one in desk.draft.evidence if _key(one) != key or one.evidence_id == _ids([label])[0])
    changed = replace(desk, draft=desk.draft.model_copy(update={"evidence": kept}))
    place = Locator(char_start=0, char_end=len(text))
    hashes = {"content_hash": text_hash(text), "span_hash": text_hash(text)}
    changed = _with_piece(changed, label, {"quote": text, "locator": place, **hashes})
    return replace(changed, originals={**desk.originals, key: text})


def _field(desk: Desk, given: Any) -> Desk:
    name, value = given
    fields = tuple(
        one.model_copy(update={"value": _confirmed(value)}) if one.field == name else one for one in desk.draft.fields
    )
    assert fields != desk.draft.fields
    return replace(desk, draft=desk.draft.model_copy(update={"fields": fields}))


def _drop_field(desk: Desk, given: Any) -> Desk:
    fields = tuple(one for one in desk.draft.fields if one.field != given)
    return replace(desk, draft=desk.draft.model_copy(update={"fields": fields}))


def _history_quote(desk: Desk, given: Any) -> Desk:
    _, quote = given
    history = tuple(one.model_copy(update={"quote": quote}) for one in desk.draft.history)
    return replace(desk, draft=desk.draft.model_copy(update={"history": history}))


def _as_history(desk: Desk, given: Any) -> Desk:
    history = (*desk.draft.history, _history(_find(desk, given)))
    return replace(desk, draft=desk.draft.model_copy(update={"history": history}))


def _history_from(desk: Desk, given: Any) -> Desk:
    history = tuple(one.model_copy(update={"document_id": str(given[1])}) for one in desk.draft.history)
    return replace(desk, draft=desk.draft.model_copy(update={"history": history}))


def _as_conflict(desk: Desk, given: Any) -> Desk:
    piece = _find(desk, given)
    side = ConflictSide(
        document_id=piece.document_id, version=piece.version, quote=piece.quote, evidence_id=piece.evidence_id
    )
    return replace(desk, draft=desk.draft.model_copy(update={"conflicts": (side,)}))


def _twice(desk: Desk, given: Any) -> Desk:
    evidence = (*desk.draft.evidence, _find(desk, given))
    return replace(desk, draft=desk.draft.model_copy(update={"evidence": evidence}))


_CHANGES = {
    "history_from": _history_from,
    "as_conflict": _as_conflict,
    "twice": _twice,
    "text": _text,
    "cite": _cite,
    "replace": _replace,
    "piece": _set_piece,
    "shift": _shift,
    "check": _check,
    "disallow": _disallow,
    "original": _original,
    "source": _source,
    "field": _field,
    "drop_field": _drop_field,
    "history": _history_quote,
    "as_history": _as_history,
}
