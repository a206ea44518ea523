"""The extractive Analysis Agent: claims are sentences of verified evidence, chosen by rules and never reworded.

Deterministic and without a model. What it cannot support it leaves out and says so by its status.
"""

from collections.abc import Iterable, Iterator, Sequence

from models.conflicts import Reading, additions_to, read_input, settled_by, sides_of, topics_missing
from models.evidence import Evidence
from models.fields import FieldName
from models.folding import fold
from models.ids import EvidenceId
from models.instructions import is_instruction
from models.line_inputs import joined_decision, line_inputs
from models.memory import Claim, DecisionStatus, MemoryDecision, MemoryInput
from models.policies import Policy
from models.promises import is_commitment, says_done_outside
from models.statements import Statement, phrase_spans
from models.tokens import language_hint
from models.topics import all_labels, topic_label, topic_spans, topics_in, value_kind

MAX_STATEMENTS = 3
MAX_CITED = 10
MAX_PHRASE = 500
_WIDE_LANGUAGES = frozenset({"zh-TW", "zh-CN", "ja"})


def analyze(memory_input: MemoryInput) -> MemoryDecision:
    """What can be said of this task from this evidence; claims only when it is enough and nothing contradicts."""
    if memory_input.lines:
        return joined_decision(memory_input, [(line, _decided(one)) for line, one in line_inputs(memory_input)])
    return _decided(memory_input)


def _decided(memory_input: MemoryInput) -> MemoryDecision:
    reading = read_input(memory_input)
    missing_fields: tuple[FieldName, ...] = tuple(
        name for name in memory_input.policy.required_fields if name not in memory_input.confirmed
    )
    status: DecisionStatus
    if sides_of(reading):
        status = "source_conflict"
    elif topics_missing(reading) or missing_fields:
        status = "insufficient_evidence"
    else:
        status = "ready_for_review"
    ready = status == "ready_for_review"
    return MemoryDecision(
        task_id=memory_input.task_id,
        state_revision=memory_input.state_revision,
        status=status,
        claims=tuple(_claims(memory_input, reading)) if ready else (),
        missing_fields=missing_fields,
        proposed_next_action="human_review" if ready else "request_information",
    )


def draft_language(memory_input: MemoryInput) -> str:
    """The language in which the task was asked, for the few words that a draft adds; English when there is none.

    The sentences in which the fields were said decide: a foreign sentence in the mail, or a quoted one, does not.
    """
    said = [one for one in memory_input.evidence if one.kind == "message"]
    said = [one for one in said if not is_instruction(one.quote, from_customer=True)] or said
    places = {(one.source.message_id, one.source.char_start) for one in memory_input.confirmed.values()}
    asking = [
        one
        for one in said
        if any(
            one.document_id == message_id
            and start is not None
            and one.locator.char_start <= start < one.locator.char_end
            for message_id, start in places
        )
    ]
    words = " ".join(one.quote for one in asking or said)
    return _spoken(words) if words else "en"


def _spoken(text: str) -> str:
    hint = language_hint(text)
    return hint if hint in {"zh-TW", "zh-CN", "ja", "de"} else "en"


def inspection_request(memory_input: MemoryInput) -> Evidence | None:
    """The sentence of the task's messages that asks for special inspection, the one its value was read from first."""
    held = memory_input.confirmed.get("special_inspection")
    if held is None or held.value is not True:
        return None
    source = held.source
    named = [
        one
        for one in memory_input.evidence
        if one.kind == "message"
        and one.checks.passed
        and topic_spans(one.quote, "special_inspection", memory_input.policy)
        and not is_instruction(one.quote, from_customer=True)
    ]
    for one in named:
        place = one.locator
        if one.document_id == source.message_id and place.char_start <= (source.char_start or 0) < place.char_end:
            return one
    same = [one for one in named if one.document_id == source.message_id]
    return (same or named or [None])[-1]


def _claims(memory_input: MemoryInput, reading: Reading) -> Iterator[Claim]:
    language = draft_language(memory_input)
    chosen: dict[tuple[EvidenceId, int], tuple[str, Statement, list[Statement]]] = {}
    for topic in reading.wanted:
        for first, same in _facts(reading, topic, language):
            chosen.setdefault((first.evidence.evidence_id, first.start), (topic, first, same))
    request = _request_claim(memory_input, language)
    if request is not None:
        yield request
    yield from _worded(chosen.values(), memory_input.policy, language)


def _facts(reading: Reading, topic: str, language: str) -> Iterator[tuple[Statement, list[Statement]]]:
    """Each fact of `topic` once, in the draft's language where a source has it, with every statement of the same."""
    if topic == "special_inspection":
        about = [one for one in reading.holding if one.scope.inspection or topic in one.topics]
    else:
        about = [*settled_by(reading, topic), *additions_to(reading, topic)]
    groups: dict[object, list[Statement]] = {}
    for one in about:
        values = tuple(value.comparable for value in one.values_of(topic))
        same = (one.surcharge, one.scope.classes, one.scope.treatments if one.surcharge else None, values)
        groups.setdefault(same if values else fold(one.text), []).append(one)
    limit = MAX_STATEMENTS if value_kind(topic) == "statement" else 2 * MAX_STATEMENTS
    for group in list(groups.values())[:limit]:
        spoken = [one for one in group if _spoken(one.text) == language]
        yield (spoken or group)[0], group


def _worded(chosen: Iterable[tuple[str, Statement, list[Statement]]], policy: Policy, language: str) -> Iterator[Claim]:
    """Clauses that follow each other in one sentence become one claim when nothing stands between them."""
    facts = list(chosen)
    by_sentence: dict[EvidenceId, list[tuple[str, Statement, list[Statement]]]] = {}
    for fact in facts:
        by_sentence.setdefault(fact[1].evidence.evidence_id, []).append(fact)
    for parts in by_sentence.values():
        parts.sort(key=lambda part: part[1].start)
        piece = parts[0][1].evidence
        whole = _whole(piece, [part[1] for part in parts])
        if whole is not None and not _forbidden(whole):
            cited = [piece, *(one.evidence for part in parts for one in part[2])]
            yield _claim(_labelled(parts[0][0], whole, policy, language), cited, language)
            continue
        for topic, first, same in parts:
            text = first.text if not _forbidden(first.text) else _value_alone(first, topic, policy)
            if text is not None:
                yield _claim(_labelled(topic, text, policy, language), [one.evidence for one in same], language)


def _whole(piece: Evidence, parts: Sequence[Statement]) -> str | None:
    """The whole sentence when its clauses are all used, else None."""
    used = sum(len(fold(part.text).replace(" ", "")) for part in parts)
    rest = [char for char in piece.quote if not char.isspace() and char not in ",，、;；。.:："]
    said = [char for part in parts for char in part.text if not char.isspace() and char not in ",，、;；。.:："]
    return piece.quote if used and len(rest) == len(said) else None


def _forbidden(text: str) -> bool:
    return is_commitment(text) or says_done_outside(text)


def _value_alone(statement: Statement, topic: str, policy: Policy) -> str | None:
    """The shortest run from the topic's words to its value, for a clause that also promises something."""
    values = statement.values_of(topic)
    if not values:
        return None
    named = topic_spans(statement.text, topic, policy)
    starts = [start for start, _ in named if start < values[0].start]
    text = statement.text[starts[-1] if starts else values[0].start : values[0].end]
    return None if _forbidden(text) else text


def _request_claim(memory_input: MemoryInput, language: str) -> Claim | None:
    piece = inspection_request(memory_input)
    if piece is None:
        return None
    policy = memory_input.policy
    parts = [
        piece.quote[start:end]
        for start, end in phrase_spans(piece.quote)
        if "special_inspection" in topics_in(piece.quote[start:end], policy)
    ]
    usable = [part for part in parts if len(part) <= MAX_PHRASE and not _forbidden(part)]
    if not usable:
        return None
    colon = "：" if language in _WIDE_LANGUAGES else ": "
    text = f"{topic_label('special_inspection', language)}{colon}{usable[0]}"
    return Claim(text=text, evidence_ids=(piece.evidence_id,))


def _labelled(topic: str, text: str, policy: Policy, language: str) -> str:
    """`text` behind the name of its topic where it does not name it itself (a table's row, a list's item)."""
    label = topic_label(topic, language)
    if topic in topics_in(text, policy) or label not in all_labels():
        return text
    return f"{label}{'：' if language in _WIDE_LANGUAGES else ': '}{text}"


def _claim(text: str, cited: Sequence[Evidence], language: str) -> Claim:
    wide = language in _WIDE_LANGUAGES
    shown = list({one.evidence_id: one for one in cited}.values())[:MAX_CITED]
    named = ("、" if wide else ", ").join(dict.fromkeys(f"{one.document_id} v{one.version}" for one in shown))
    source = f"（{named}）" if wide else f" ({named})"
    return Claim(text=f"{text.rstrip('。.')}{source}", evidence_ids=tuple(one.evidence_id for one in shown))
