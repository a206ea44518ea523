"""From a decision to a draft: the program's gate behind every binding, and everything beside the claims by rule.

The gate trusts no agent: whatever model answered, each id is of this retrieval, verified and of a kind that may support
a claim. What waits for a person, what is history and what is flagged is read from the evidence, never from an agent.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from models.analysis import inspection_request
from models.conflicts import MAX_SIDES, Reading, conflict_sides, missing_topics, read_input, sides_of, topics_missing
from models.drafts import AwaitingConfirmation, Draft, DraftField, DraftFlag, DraftLine, HistoryItem, RunMetadata
from models.errors import AgentFailed
from models.evidence import Evidence
from models.fields import FIELD_NAMES, FieldName
from models.ids import EvidenceId, TenantId
from models.instructions import is_instruction
from models.line_inputs import for_lines, line_inputs, shared
from models.line_items import line_name, open_lines
from models.memory import Claim, MemoryDecision, MemoryInput
from models.scopes import concerns_other_part, names_task, read_scope
from models.statements import Statement
from models.tasks import ConfirmedValue, LineItem
from models.topics import topics_in

__all__ = ["compose_draft", "conflict_sides", "missing_topics", "validate_decision"]

MAX_CLAIMS = 50
CLAIMS_OF_A_LINE = 10
MAX_CLAIM_TEXT = 2000
MAX_CLAIM_EVIDENCE = 20
MAX_HISTORY = 10
MAX_HISTORY_OF_ONE = 3
MAX_FLAGS = 50
DEFAULT_WHOM = "engineering"


def validate_decision(memory_input: MemoryInput, decision: MemoryDecision) -> None:
    """Refuses an answer that is not of this input; AgentFailed names the rule, never a text."""
    if (decision.task_id, decision.state_revision) != (memory_input.task_id, memory_input.state_revision):
        raise AgentFailed("the decision is about another task or revision than it was asked about")
    most = MAX_CLAIMS + CLAIMS_OF_A_LINE * len(memory_input.lines)
    if len(decision.claims) > most:
        raise AgentFailed(f"a decision holds at most {most} claims")
    if decision.status == "ready_for_review" and not decision.claims:
        raise AgentFailed("a decision that is ready for review makes at least one claim")
    if not set(decision.missing_fields) <= set(FIELD_NAMES):
        raise AgentFailed("a decision names a field that does not exist")
    if (decision.status == "ready_for_review") != (decision.proposed_next_action == "human_review"):
        raise AgentFailed("only a decision that is ready for review goes to a person for review")
    known = {one.evidence_id: one for one in memory_input.evidence}
    quoted = {one.line for one in open_lines(memory_input.lines)}
    for claim in decision.claims:
        _validate_claim(claim, known)
        if not set(claim.lines) <= quoted:
            raise AgentFailed("a claim names a line that is not to be quoted")


def compose_draft(
    memory_input: MemoryInput,
    decision: MemoryDecision,
    *,
    tenant_id: TenantId,
    run_metadata: RunMetadata,
    flags: Sequence[DraftFlag] = (),
) -> Draft:
    """The draft that an approver is shown; `flags` are what the caller knows of the sources.

    Its evidence is only what it refers to. Raises AgentFailed as validate_decision does.
    """
    validate_decision(memory_input, decision)
    read = [(line, one, read_input(one)) for line, one in _inputs(memory_input)]
    awaiting = tuple(_all_awaiting(read))
    history = tuple(_all_history(read))
    conflicts = tuple(dict.fromkeys(side for _, _, reading in read for side in sides_of(reading)))[:MAX_SIDES]
    referred = {one for claim in decision.claims for one in claim.evidence_ids}
    referred.update(one for item in awaiting for one in item.evidence_ids)
    referred.update(item.evidence_id for item in history)
    referred.update(side.evidence_id for side in conflicts)
    return Draft(
        tenant_id=tenant_id,
        task_id=memory_input.task_id,
        revision=memory_input.state_revision,
        decision_version=memory_input.decision_version,
        fields=_fields(memory_input.confirmed),
        lines=tuple(_line(one) for one in memory_input.lines),
        claims=decision.claims,
        evidence=tuple(one for one in memory_input.evidence if one.evidence_id in referred),
        awaiting_confirmation=awaiting,
        history=history,
        conflicts=conflicts,
        missing_topics=tuple(dict.fromkeys(topic for _, _, reading in read for topic in topics_missing(reading))),
        flags=tuple(dict.fromkeys((*flags, *_instruction_flags(memory_input.evidence))))[:MAX_FLAGS],
        run_metadata=run_metadata,
    )


def _inputs(memory_input: MemoryInput) -> Sequence[tuple[int, MemoryInput]]:
    return line_inputs(memory_input) if memory_input.lines else ((0, memory_input),)


def _fields(confirmed: Mapping[FieldName, ConfirmedValue]) -> tuple[DraftField, ...]:
    return tuple(DraftField(field=name, value=confirmed[name]) for name in FIELD_NAMES if name in confirmed)


def _line(line: LineItem) -> DraftLine:
    withdrawn = line.status == "withdrawn"
    return DraftLine(
        line=line.line,
        label=line_name(line),
        position=line.position,
        status="withdrawn" if withdrawn else "complete",
        fields=() if withdrawn else _fields(line.confirmed),
    )


def _all_awaiting(read: Sequence[tuple[int, MemoryInput, Reading]]) -> Iterator[AwaitingConfirmation]:
    said = ((line, item) for line, one, reading in read for item in _awaiting(one, reading))
    for item, lines in shared((line, (one.topic, one.ask_whom, one.evidence_ids)) for line, one in said):
        topic, whom, ids = item
        yield AwaitingConfirmation(topic=topic, ask_whom=whom, evidence_ids=ids, lines=for_lines(lines, len(read)))


def _all_history(read: Sequence[tuple[int, MemoryInput, Reading]]) -> Iterator[HistoryItem]:
    """Each old record once; of many, as few as a task of one line shows of its own."""
    found = dict.fromkeys(item for _, one, reading in read for item in _history(one, reading))
    yield from islice(found, MAX_HISTORY)


def _validate_claim(claim: Claim, known: dict[EvidenceId, Evidence]) -> None:
    if not claim.text.strip() or len(claim.text) > MAX_CLAIM_TEXT:
        raise AgentFailed(f"a claim is a text of 1 to {MAX_CLAIM_TEXT} characters")
    if not 1 <= len(claim.evidence_ids) <= MAX_CLAIM_EVIDENCE:
        raise AgentFailed(f"a claim cites 1 to {MAX_CLAIM_EVIDENCE} pieces of evidence")
    for evidence_id in claim.evidence_ids:
        piece = known.get(evidence_id)
        if piece is None:
            raise AgentFailed("a claim cites evidence that is not of this retrieval")
        if not piece.checks.passed:
            raise AgentFailed("a claim cites evidence that failed a check")
        if piece.kind not in ("formal_fact", "message"):
            raise AgentFailed("a claim cites history or an inference, which support none")
        if is_instruction(piece.quote, from_customer=piece.source == "message"):
            raise AgentFailed("a claim cites a sentence that gives commands")


def _awaiting(memory_input: MemoryInput, reading: Reading) -> Iterator[AwaitingConfirmation]:
    asking: dict[str, list[Statement]] = {}
    for one in reading.holding:
        topic = _asked_topic(one, reading)
        if topic is not None:
            asking.setdefault(topic, []).append(one)
    if reading.task.inspection:
        spoken = asking.pop("special_inspection", [])
        about = [one for one in reading.holding if one.scope.inspection]
        request = inspection_request(memory_input)
        cited = [*([request] if request is not None else []), *(one.evidence for one in (*spoken, *about))]
        whom = next((one.whom for one in spoken if one.whom is not None), DEFAULT_WHOM)
        yield _item("special_inspection", whom, cited)
        if "lead_time" in reading.wanted:
            yield _item("total_lead_time", whom, cited)
    for topic, statements in asking.items():
        whom = next((one.whom for one in statements if one.whom is not None), DEFAULT_WHOM)
        yield _item(topic, whom, [one.evidence for one in statements])


def _asked_topic(statement: Statement, reading: Reading) -> str | None:
    """The topic that a person must still confirm by this statement, when the task is concerned with it."""
    if not statement.asks:
        return None
    if statement.scope.inspection:
        return "special_inspection"
    if statement.scope.treatments:
        return "surface_treatment"
    return next((topic for topic in reading.wanted if topic in statement.topics), None)


def _item(topic: str, whom: str, cited: Sequence[Evidence]) -> AwaitingConfirmation:
    ids = tuple(dict.fromkeys(one.evidence_id for one in cited))
    return AwaitingConfirmation(topic=topic, ask_whom=whom, evidence_ids=ids[:MAX_CLAIM_EVIDENCE])


def _history(memory_input: MemoryInput, reading: Reading) -> Iterator[HistoryItem]:
    """Old records of the same topics, part or material, a few of each document."""
    shown: dict[tuple[str, int], int] = {}
    for one in memory_input.evidence:
        if one.kind != "historical_event" or not one.checks.passed or is_instruction(one.quote):
            continue
        key = (one.document_id, one.version)
        if shown.get(key, 0) >= MAX_HISTORY_OF_ONE or sum(shown.values()) >= MAX_HISTORY:
            continue
        if _related(one, memory_input, reading):
            shown[key] = shown.get(key, 0) + 1
            yield HistoryItem(
                document_id=one.document_id, version=one.version, evidence_id=one.evidence_id, quote=one.quote
            )


def _related(piece: Evidence, memory_input: MemoryInput, reading: Reading) -> bool:
    task = reading.task
    other_parts = read_scope(piece.quote).parts - task.parts
    if concerns_other_part(piece.title, task) or (other_parts and task.parts and not names_task(piece.quote, task)):
        return False
    if names_task(f"{piece.title} {piece.quote}", task):
        return True
    return bool(topics_in(piece.quote, memory_input.policy) & set(reading.wanted))


def _instruction_flags(evidence: Sequence[Evidence]) -> Iterator[DraftFlag]:
    for one in evidence:
        if is_instruction(one.quote, from_customer=one.source == "message"):
            yield DraftFlag(flag="instruction_in_document", document_id=one.document_id, version=one.version)
