"""What persons settled, as the draft shows it: the program adds it, whatever agent proposed the claims."""

from collections.abc import Iterable, Iterator

from models.answers import TOTAL, answers_topic
from models.conflicts import MAX_SIDES, read_input, shown_sides
from models.drafts import Draft
from models.evidence import Evidence
from models.ids import EvidenceId
from models.instructions import is_instruction
from models.line_inputs import whole_inputs
from models.memory import Claim, MemoryInput
from models.promises import is_commitment, says_done_outside
from models.tasks import TopicAnswer
from models.topics import topic_spans

MAX_SENTENCES = 3


def with_settled(draft: Draft, memory_input: MemoryInput) -> Draft:
    """`draft` with the sources that persons chose between and the open points that they answered.

    A choice shows every side of its contradiction, and who made it when. An answer is a claim that cites its message;
    its point is open no more. A message that says nothing usable of a point leaves it open.
    """
    return _answered(_chosen(draft, memory_input), memory_input)


def _chosen(draft: Draft, memory_input: MemoryInput) -> Draft:
    readings = [read_input(one) for one in whole_inputs(memory_input)] if memory_input.choices else []
    settled = tuple(dict.fromkeys(choice for reading in readings for choice in reading.settled))
    if not settled:
        return draft
    sides = tuple(dict.fromkeys(side for reading in readings for side in shown_sides(reading)))[:MAX_SIDES]
    evidence = _cited(draft, memory_input, (side.evidence_id for side in sides))
    return draft.model_copy(update={"choices": settled, "conflicts": sides, "evidence": evidence})


def _answered(draft: Draft, memory_input: MemoryInput) -> Draft:
    given = {one.topic: one for one in memory_input.answers}
    claims: dict[str, tuple[Claim, ...]] = {}
    for item in draft.awaiting_confirmation:
        # A point of some lines alone stays open: a message does not say which of them it answers.
        if item.topic in given and not item.lines:
            claims[item.topic] = tuple(_claims(given[item.topic], memory_input))
    closed = {topic for topic, made in claims.items() if made}
    if not closed:
        return draft
    made = tuple(dict.fromkeys(claim for topic in claims for claim in claims[topic]))
    evidence = _cited(draft, memory_input, (one for claim in made for one in claim.evidence_ids))
    return draft.model_copy(
        update={
            "claims": (*draft.claims, *(one for one in made if one not in draft.claims)),
            "answers": tuple(given[topic] for topic in claims if topic in closed),
            "awaiting_confirmation": tuple(one for one in draft.awaiting_confirmation if one.topic not in closed),
            "evidence": evidence,
        }
    )


def _claims(answer: TopicAnswer, memory_input: MemoryInput) -> Iterator[Claim]:
    """The sentences of the answer that speak of its topic, word for word; those that name it alone where some do."""
    said = [one for one in memory_input.evidence if _is_usable(one, answer, memory_input)]
    topic = answer.topic.removeprefix(TOTAL)
    named = [one for one in said if topic_spans(one.quote, topic, memory_input.policy)]
    for one in (named or said)[:MAX_SENTENCES]:
        yield Claim(text=one.quote, evidence_ids=(one.evidence_id,))


def _is_usable(piece: Evidence, answer: TopicAnswer, memory_input: MemoryInput) -> bool:
    return (
        piece.source == "message"
        and piece.document_id == answer.message_id
        and piece.checks.passed
        and answers_topic(piece.quote, answer.topic, memory_input.policy)
        and not is_instruction(piece.quote, from_customer=True)
        and not is_commitment(piece.quote)
        and not says_done_outside(piece.quote)
    )


def _cited(draft: Draft, memory_input: MemoryInput, more: Iterable[EvidenceId]) -> tuple[Evidence, ...]:
    ids = {one.evidence_id for one in draft.evidence} | set(more)
    return tuple(one for one in memory_input.evidence if one.evidence_id in ids)
