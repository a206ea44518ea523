"""The review of a draft: each citation and each risk is checked anew, from the originals and nothing else.

It shares no code with the analysis that proposes claims and knows nothing of its reasons. What it finds names places
and ids, never texts, so that findings can be logged and handed back.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from models.contract import Contract, text_hash
from models.drafts import Draft, HistoryItem
from models.evidence import Evidence
from models.fields import FIELD_NAMES, FieldName
from models.ids import EvidenceId
from models.instructions import is_instruction
from models.memory import Claim
from models.promises import is_commitment, says_done_outside
from models.review_lines import claim_faults, line_faults
from models.review_wording import numbers_of, shares_value, sum_is_right, wording_faults
from models.tasks import ConfirmedValue, ConflictSide, LineItem
from models.topics import all_labels

FindingCode = Literal[
    "foreign_evidence",
    "check_failed",
    "not_effective",
    "quote_mismatch",
    "joined_quote",
    "number_mismatch",
    "unit_mismatch",
    "negation_mismatch",
    "unsupported_text",
    "source_mismatch",
    "wrong_sum",
    "commitment",
    "outside_action",
    "history_as_current",
    "inference_as_fact",
    "instruction_as_evidence",
    "no_evidence",
    "field_mismatch",
    "line_mismatch",
]
OriginalKey = tuple[Literal["document", "message"], str, int]

_SOURCE = re.compile(r"\s*[（(]([^（）()]*)[)）]\s*[。.]?\s*$")
_NAMED = re.compile(r"(?P<document>[A-Za-z0-9._-]{1,64})(?:\s+v(?P<version>[0-9]{1,9}))?")
_BETWEEN_NAMES = re.compile(r"[、,，;；]\s*")
_LABEL = re.compile(r"^([^:：]{1,60})[:：]\s*")
_QUOTE_MARKS = '「」『』“”„‟"«»'


class Finding(Contract):
    """One reason to refuse a draft; `claim_index` counts from 0."""

    code: FindingCode
    message: str
    claim_index: int | None = None
    evidence_id: EvidenceId | None = None


@dataclass(frozen=True, slots=True)
class _Desk:
    """What one review compares with."""

    draft: Draft
    originals: Mapping[OriginalKey, str]
    allowed: Collection[EvidenceId]
    now: datetime
    pieces: Mapping[EvidenceId, Evidence]


def review_draft(
    draft: Draft,
    *,
    originals: Mapping[OriginalKey, str],
    confirmed: Mapping[FieldName, ConfirmedValue],
    allowed: Collection[EvidenceId],
    now: datetime,
    lines: Sequence[LineItem] = (),
) -> tuple[Finding, ...]:
    """Everything that forbids to show `draft` to an approver; empty when nothing does.

    `originals`: the canonical text of each cited document version and message, read again by the caller; a missing one
    counts as changed. `confirmed` and `lines`: the fields and lines as the state holds them. `allowed`: the evidence of
    this retrieval.
    """
    desk = _Desk(draft, originals, allowed, now, {one.evidence_id: one for one in draft.evidence})
    return (
        *_field_findings(draft, confirmed),
        *_line_findings(desk, lines),
        *_evidence_findings(desk),
        *_reference_findings(desk),
        *(finding for index, claim in enumerate(draft.claims) for finding in _claim_findings(desk, index, claim)),
        *_shown_findings(desk),
    )


def _field_findings(draft: Draft, confirmed: Mapping[FieldName, ConfirmedValue]) -> Iterator[Finding]:
    shown = Counter(one.field for one in draft.fields)
    held = {one.field: one.value for one in draft.fields}
    for field in FIELD_NAMES:
        if shown[field] != (field in confirmed) or held.get(field) != confirmed.get(field):
            yield Finding(code="field_mismatch", message=f"the draft's {field} is not what is confirmed")


def _line_findings(desk: _Desk, lines: Sequence[LineItem]) -> Iterator[Finding]:
    """What is wrong with the lines of the draft, or with the lines that something is said of."""
    for fault in line_faults(desk.draft, lines):
        yield Finding(code="field_mismatch", message=fault)
    for index, claim in enumerate(desk.draft.claims):
        for fault in claim_faults(claim.lines, claim.evidence_ids, desk.pieces, lines):
            yield _of_claim(index, "line_mismatch", fault)
    for item in desk.draft.awaiting_confirmation:
        for fault in claim_faults(item.lines, item.evidence_ids, desk.pieces, lines):
            yield Finding(code="line_mismatch", message=fault)


def _evidence_findings(desk: _Desk) -> Iterator[Finding]:
    ids = Counter(one.evidence_id for one in desk.draft.evidence)
    for piece in desk.draft.evidence:
        key = piece.evidence_id
        if key not in desk.allowed or ids[key] > 1:
            yield _about(piece, "foreign_evidence", "evidence that is not of this retrieval")
        if not piece.checks.passed:
            yield _about(piece, "check_failed", "evidence that failed a check")
        if not _in_force(piece, desk.now):
            yield _about(piece, "not_effective", "evidence that is not in force now")
        yield from _place_findings(desk, piece)


def _in_force(piece: Evidence, now: datetime) -> bool:
    started = piece.effective_from is None or piece.effective_from <= now
    return started and (piece.effective_to is None or now < piece.effective_to)


def _place_findings(desk: _Desk, piece: Evidence) -> Iterator[Finding]:
    original = desk.originals.get((piece.source, piece.document_id, piece.version))
    if original is None:
        yield _about(piece, "quote_mismatch", "the original of this evidence is not there")
        return
    place = piece.locator
    at_place = original[place.char_start : place.char_end]
    if piece.quote and at_place == piece.quote and place.char_end <= len(original):
        hashes = text_hash(original) == piece.content_hash and text_hash(piece.quote) == piece.span_hash
        if not hashes:
            yield _about(piece, "quote_mismatch", "the hashes of this evidence are not those of its original")
        return
    if piece.quote not in original and _patched(piece.quote, original):
        yield _about(piece, "joined_quote", "this quote joins words that stand apart in the original")
        return
    yield _about(piece, "quote_mismatch", "this quote does not stand at its place in the original")


def _patched(quote: str, original: str) -> bool:
    """Whether `quote` is made of runs that the original has, each long enough to mean something."""
    marks = re.split(r"\s*(?:…|\.{3}|\[\.{3}\])\s*", quote)
    if len(marks) > 1:
        return all(part in original for part in marks)
    return any(
        quote[:cut].strip() in original and quote[cut:].strip() in original
        for cut in range(4, len(quote) - 3)
        if quote[:cut].strip() and quote[cut:].strip()
    )


def _reference_findings(desk: _Desk) -> Iterator[Finding]:
    draft = desk.draft
    named: list[tuple[int | None, EvidenceId]] = [
        *((index, one) for index, claim in enumerate(draft.claims) for one in claim.evidence_ids),
        *((None, one) for item in draft.awaiting_confirmation for one in item.evidence_ids),
        *((None, item.evidence_id) for item in draft.history),
        *((None, side.evidence_id) for side in draft.conflicts),
    ]
    for index, evidence_id in named:
        if evidence_id not in desk.allowed or evidence_id not in desk.pieces:
            yield Finding(
                code="foreign_evidence",
                message="it names evidence that is not of this retrieval",
                claim_index=index,
                evidence_id=evidence_id,
            )


def _claim_findings(desk: _Desk, index: int, claim: Claim) -> Iterator[Finding]:
    if not claim.evidence_ids:
        yield _of_claim(index, "no_evidence", "this claim cites nothing")
        return
    cited = [desk.pieces[one] for one in claim.evidence_ids if one in desk.pieces]
    for piece in cited:
        yield from _kind_findings(index, piece)
    said, source_fault = _said(claim.text, cited)
    if source_fault:
        yield _of_claim(index, "source_mismatch", "this claim names a source that it does not cite")
    texts = [piece.quote for piece in cited]
    if is_commitment(claim.text):
        yield _of_claim(index, "commitment", "this claim commits the company; a person does that")
    if says_done_outside(claim.text):
        yield _of_claim(index, "outside_action", "this claim says that something was done outside")
    yield from _wording_findings(desk, index, said, texts)


def _kind_findings(index: int, piece: Evidence) -> Iterator[Finding]:
    if piece.kind == "historical_event":
        yield _of_claim(index, "history_as_current", "this claim rests on an old record", piece)
    if piece.kind == "inference":
        yield _of_claim(index, "inference_as_fact", "this claim rests on an inference", piece)
    if is_instruction(piece.quote, from_customer=piece.source == "message"):
        yield _of_claim(index, "instruction_as_evidence", "this claim rests on a sentence that gives commands", piece)


def _said(text: str, cited: Iterable[Evidence]) -> tuple[str, bool]:
    """The claim without its label and the name of its source, and whether that name is a wrong one."""
    pieces = list(cited)
    fault = False
    source = _SOURCE.search(text)
    messages = {piece.document_id for piece in pieces if piece.source == "message"}
    names = _names(source[1], messages) if source is not None else None
    if source is not None and names is not None:
        documents = {(piece.document_id, piece.version) for piece in pieces}
        fault = any(name not in documents and name[0] not in messages for name in names)
        text = text[: source.start()]
    label = _LABEL.match(text)
    if label is not None and label[1].strip() in all_labels():
        text = text[label.end() :]
    return text.strip().strip(_QUOTE_MARKS), fault


def _names(inside: str, messages: Collection[str]) -> list[tuple[str, int | None]] | None:
    """The documents (`SOP v2`) and cited messages that a pair of brackets names, or None when it says something."""
    found: list[tuple[str, int | None]] = []
    for part in _BETWEEN_NAMES.split(inside.strip()):
        name = _NAMED.fullmatch(part.strip())
        if name is None or (name["version"] is None and name["document"] not in messages):
            return None
        found.append((name["document"], int(name["version"]) if name["version"] else None))
    return found


def _wording_findings(desk: _Desk, index: int, said: str, texts: list[str]) -> Iterator[Finding]:
    right = sum_is_right(said, texts)
    if right is not None:
        if not right:
            yield _of_claim(index, "wrong_sum", "this sum is wrong, or a part of it is not cited")
        return
    faults = wording_faults(said, texts)
    if faults & {"number_mismatch", "unit_mismatch"} and _from_history(desk, said, texts):
        yield _of_claim(index, "history_as_current", "this claim takes a value from an old record")
    for fault in sorted(faults):
        yield _of_claim(index, fault, "this claim differs from what it cites")


def _from_history(desk: _Desk, said: str, texts: list[str]) -> bool:
    past = [number for item in desk.draft.history for number in numbers_of(item.quote)]
    cited = [number for text in texts for number in numbers_of(text)]
    return any(shares_value(one, past) and not shares_value(one, cited) for one in numbers_of(said))


def _shown_findings(desk: _Desk) -> Iterator[Finding]:
    """What the draft shows beside its claims must be what its evidence says, under its right heading."""
    for item in (*desk.draft.history, *desk.draft.conflicts):
        piece = desk.pieces.get(item.evidence_id)
        if piece is None:
            continue
        if item.quote not in piece.quote or not item.quote:
            yield _about(piece, "quote_mismatch", "a quote beside the claims is not that of its evidence")
        if (item.document_id, item.version) != (piece.document_id, piece.version):
            yield _about(piece, "source_mismatch", "a quote beside the claims names another source")
        yield from _heading_findings(item, piece)


def _heading_findings(item: HistoryItem | ConflictSide, piece: Evidence) -> Iterator[Finding]:
    old = piece.kind in ("historical_event", "inference")
    if isinstance(item, ConflictSide) and old:
        yield _about(piece, "history_as_current", "an old record is no side of a contradiction")
    if isinstance(item, HistoryItem) and not old:
        yield _about(piece, "source_mismatch", "a record that holds now is listed as history")
    if is_instruction(piece.quote, from_customer=piece.source == "message"):
        yield _about(piece, "instruction_as_evidence", "a sentence that gives commands is shown")


def _about(piece: Evidence, code: FindingCode, message: str) -> Finding:
    return Finding(code=code, message=message, evidence_id=piece.evidence_id)


def _of_claim(index: int, code: FindingCode, message: str, piece: Evidence | None = None) -> Finding:
    return Finding(
        code=code, message=message, claim_index=index, evidence_id=None if piece is None else piece.evidence_id
    )
