"""An input of several lines as one input for each line, and what is said of several lines as one answer.

Why it is so: what holds for a line (a part's own lead time, a limit by quantity) is judged as if the line were alone,
by the rules for a task of one line. A message's words on another line are no words on this one. What comes out the same
for every line is said once, what differs says for which lines it holds.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from models.evidence import Evidence
from models.fields import FIELD_NAMES
from models.ids import EvidenceId
from models.line_items import open_lines
from models.memory import Claim, DecisionStatus, MemoryDecision, MemoryInput
from models.tasks import LineItem

Key = TypeVar("Key", bound=Hashable)


def line_inputs(memory_input: MemoryInput) -> tuple[tuple[int, MemoryInput], ...]:
    """The open lines of an input by their numbers, each as an input of one line; empty for a task of one line."""
    quoted = open_lines(memory_input.lines)
    spans = {one.line: _span(one) for one in memory_input.lines}
    return tuple(
        (
            one.line,
            memory_input.model_copy(
                update={
                    "confirmed": one.confirmed,
                    "replaced": one.replaced,
                    "lines": (),
                    "evidence": _of_line(memory_input.evidence, one.line, spans),
                }
            ),
        )
        for one in quoted
    )


def whole_inputs(memory_input: MemoryInput) -> tuple[MemoryInput, ...]:
    """The inputs to be judged: one of each open line, or the input itself."""
    return tuple(one for _, one in line_inputs(memory_input)) if memory_input.lines else (memory_input,)


def joined_decision(memory_input: MemoryInput, decided: Sequence[tuple[int, MemoryDecision]]) -> MemoryDecision:
    """The decisions on the lines as one: the strictest status, and each claim with the lines that it holds for."""
    statuses: set[DecisionStatus] = {one.status for _, one in decided}
    ready = statuses == {"ready_for_review"}
    claims = shared((line, (claim.text, claim.evidence_ids)) for line, one in decided for claim in one.claims)
    missing = {name for _, one in decided for name in one.missing_fields}
    return MemoryDecision(
        task_id=memory_input.task_id,
        state_revision=memory_input.state_revision,
        status=_strictest(statuses),
        claims=tuple(
            Claim(text=text, evidence_ids=ids, lines=for_lines(lines, len(decided)))
            for (text, ids), lines in (claims if ready else ())
        ),
        missing_fields=tuple(name for name in FIELD_NAMES if name in missing),
        proposed_next_action="human_review" if ready else "request_information",
    )


def _strictest(statuses: set[DecisionStatus]) -> DecisionStatus:
    if "source_conflict" in statuses:
        return "source_conflict"
    return "ready_for_review" if statuses == {"ready_for_review"} else "insufficient_evidence"


def shared(said: Iterable[tuple[int, Key]]) -> list[tuple[Key, tuple[int, ...]]]:
    """What is said of lines, each thing once with its lines, in the order in which it was first said."""
    lines: dict[Key, list[int]] = {}
    for line, what in said:
        lines.setdefault(what, []).append(line)
    return [(what, tuple(dict.fromkeys(of))) for what, of in lines.items()]


def for_lines(lines: Sequence[int], of: int) -> tuple[int, ...]:
    """The lines that something holds for; empty when it holds for all `of` them."""
    return () if len(lines) == of else tuple(sorted(lines))


def _span(line: LineItem) -> tuple[str, int, int] | None:
    source = line.source
    if source.char_start is None or source.char_end is None:
        return None
    return source.message_id, source.char_start, source.char_end


def _of_line(
    evidence: Sequence[Evidence], line: int, spans: dict[int, tuple[str, int, int] | None]
) -> tuple[Evidence, ...]:
    own = spans.get(line)
    others = [span for number, span in spans.items() if number != line and span is not None]
    by_message: dict[str, list[tuple[str, int, int]]] = {}
    for span in others:
        by_message.setdefault(span[0], []).append(span)
    taken: set[EvidenceId] = {
        one.evidence_id
        for one in evidence
        if one.source == "message"
        and any(_touches(one, span) for span in by_message.get(one.document_id, ()))
        and not (own is not None and _touches(one, own))
    }
    return tuple(one for one in evidence if one.evidence_id not in taken)


def _touches(piece: Evidence, span: tuple[str, int, int]) -> bool:
    message, start, end = span
    return piece.document_id == message and piece.locator.char_start < end and start < piece.locator.char_end
