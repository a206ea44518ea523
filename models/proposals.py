"""What the program asks of a model's decision: a model may be stricter than the rules, never laxer.

The rules (models/conflicts.py) decide beforehand whether there is enough and whether sources contradict; a model is
asked only then. What it may do is say it in fewer sentences, leave out, or refuse. That each claim is worded as its
source is the reviewer's question (models/review.py), not this one's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from models.conflicts import Reading, read_input, settled_by
from models.drafting import validate_decision
from models.errors import AgentFailed
from models.evidence import Evidence
from models.ids import EvidenceId
from models.instructions import is_instruction
from models.line_inputs import line_inputs, whole_inputs
from models.line_items import line_name, open_lines
from models.memory import Claim, MemoryDecision, MemoryInput
from models.review_wording import numbers_of, shares_value
from models.tasks import ConflictSide
from models.values import Number

MAX_QUOTE = 2_000
MAX_TITLE = 200
MAX_PIECES_OF_ONE = 60
# Of the characters for evidence, the share that one document may take: a flood of one source hides no other.
SHARE_OF_ONE = 0.4


def shown_evidence(memory_input: MemoryInput, characters: int) -> tuple[Evidence, ...]:
    """The evidence that a model is handed, in its order: within `characters`, no source more than its share.

    Left out is what failed a check, what gives commands, and what is longer than `MAX_QUOTE`; never cut, because half
    a sentence can say the opposite. Messages come first.
    """
    left = characters
    used: dict[tuple[str, int], tuple[int, int]] = {}
    chosen: set[EvidenceId] = set()
    ordered = sorted(memory_input.evidence, key=lambda one: one.kind != "message")
    for piece in ordered:
        key, size = (piece.document_id, piece.version), len(piece.quote) + len(piece.title[:MAX_TITLE]) + 200
        count, spent = used.get(key, (0, 0))
        if not _showable(piece) or size > left:
            continue
        if count >= MAX_PIECES_OF_ONE or spent + size > characters * SHARE_OF_ONE:
            continue
        used[key] = (count + 1, spent + size)
        left -= size
        chosen.add(piece.evidence_id)
    return tuple(one for one in memory_input.evidence if one.evidence_id in chosen)


def analysis_view(memory_input: MemoryInput, shown: Sequence[Evidence]) -> dict[str, Any]:
    """`memory-input@1` as a model is handed it: hashes, places and the names of persons are left out."""
    lines = [
        {
            "line": one.line,
            "label": line_name(one),
            "confirmed": {name: held.value for name, held in one.confirmed.items()},
        }
        for one in open_lines(memory_input.lines)
    ]
    wanted = dict.fromkeys(topic for one in whole_inputs(memory_input) for topic in read_input(one).wanted)
    return {
        **({"lines": lines} if lines else {}),
        "schema_version": memory_input.schema_version,
        "task_id": memory_input.task_id,
        "state_revision": memory_input.state_revision,
        "confirmed": {name: held.value for name, held in memory_input.confirmed.items()},
        "required_topics": list(memory_input.policy.required_topics),
        "wanted_topics": list(wanted),
        "evidence": [
            {
                "evidence_id": one.evidence_id,
                "kind": one.kind,
                "document_id": one.document_id,
                "version": one.version,
                "title": one.title[:MAX_TITLE],
                "quote": one.quote,
            }
            for one in shown
        ],
        "evidence_left_out": len(memory_input.evidence) - len(shown),
        "findings": list(memory_input.findings),
    }


def check_proposal(memory_input: MemoryInput, decision: MemoryDecision, shown: Sequence[Evidence]) -> None:
    """Refuses a model's decision that the rules do not bear out; AgentFailed names the rule, never a text.

    `shown`: the evidence that the model was handed.
    """
    validate_decision(memory_input, decision)
    known_fields = [set(one.confirmed) for one in whole_inputs(memory_input)]
    if any(all(name in held for held in known_fields) for name in decision.missing_fields):
        raise AgentFailed("the decision asks again for a field that is confirmed")
    known = {one.evidence_id: one for one in shown}
    if any(key not in known for claim in decision.claims for key in claim.evidence_ids):
        raise AgentFailed("a claim cites evidence that the model was not handed")
    if decision.status == "source_conflict" and len(_cited(decision)) < 2:
        raise AgentFailed("a contradiction of sources cites both sides")
    if decision.status != "ready_for_review":
        return
    if not memory_input.lines:
        _check_claims(memory_input, decision.claims, known)
    for line, one in line_inputs(memory_input):
        _check_claims(one, [claim for claim in decision.claims if not claim.lines or line in claim.lines], known)


def _check_claims(memory_input: MemoryInput, claims: Sequence[Claim], known: Mapping[EvidenceId, Evidence]) -> None:
    """The claims of one line: each holds for it, and each required topic that its sources settle is spoken of."""
    reading = read_input(memory_input)
    for claim in claims:
        _check_holds(reading, claim, [known[key] for key in claim.evidence_ids])
    cited = {key for claim in claims for key in claim.evidence_ids}
    for topic in reading.required:
        settling = {one.evidence.evidence_id for one in settled_by(reading, topic)}
        if settling and not settling & cited:
            raise AgentFailed(f"the decision is ready for review and says nothing of {topic}")


def proposed_sides(decision: MemoryDecision, shown: Iterable[Evidence]) -> tuple[ConflictSide, ...]:
    """The pieces that a model says contradict each other, for the person who decides between them."""
    return tuple(
        ConflictSide(document_id=one.document_id, version=one.version, quote=one.quote, evidence_id=one.evidence_id)
        for one in shown
        if one.evidence_id in _cited(decision) and one.source == "document"
    )


def _showable(piece: Evidence) -> bool:
    if not piece.checks.passed or len(piece.quote) > MAX_QUOTE:
        return False
    return not is_instruction(piece.quote, from_customer=piece.source == "message")


def _cited(decision: MemoryDecision) -> set[EvidenceId]:
    return {key for claim in decision.claims for key in claim.evidence_ids}


def _check_holds(reading: Reading, claim: Claim, cited: Sequence[Evidence]) -> None:
    """A fact about another part, customer or condition supports nothing here, though it is quoted letter for letter."""
    holding = {one.evidence.evidence_id for one in reading.holding}
    facts = [one for one in cited if one.kind == "formal_fact"]
    if any(one.evidence_id not in holding for one in facts):
        raise AgentFailed("a claim cites a fact that does not hold for this task")
    stated = list(_stated(reading, cited))
    said = numbers_of(claim.text.partition("=")[0])
    elsewhere = [number for one in facts for number in numbers_of(one.quote)]
    if any(shares_value(one, elsewhere) and not shares_value(one, stated) for one in said):
        raise AgentFailed("a claim takes a value from a clause that does not hold for this task")


def _stated(reading: Reading, cited: Sequence[Evidence]) -> Iterator[Number]:
    ids = {one.evidence_id for one in cited}
    for statement in reading.holding:
        if statement.evidence.evidence_id in ids:
            yield from numbers_of(statement.text)
    for one in cited:
        if one.kind == "message":
            yield from numbers_of(one.quote)
