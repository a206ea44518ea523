"""What persons settled, as the draft shows it: the program adds it, whatever agent proposed the claims."""

from collections.abc import Iterable

from models.conflicts import MAX_SIDES, read_input, shown_sides
from models.drafts import Draft
from models.evidence import Evidence
from models.ids import EvidenceId
from models.line_inputs import whole_inputs
from models.memory import MemoryInput


def with_settled(draft: Draft, memory_input: MemoryInput) -> Draft:
    """`draft` with the sources that were chosen between, by whom and when, and every side of those contradictions."""
    readings = [read_input(one) for one in whole_inputs(memory_input)] if memory_input.choices else []
    settled = tuple(dict.fromkeys(choice for reading in readings for choice in reading.settled))
    if not settled:
        return draft
    sides = tuple(dict.fromkeys(side for reading in readings for side in shown_sides(reading)))[:MAX_SIDES]
    evidence = _cited(draft, memory_input, (side.evidence_id for side in sides))
    return draft.model_copy(update={"choices": settled, "conflicts": sides, "evidence": evidence})


def _cited(draft: Draft, memory_input: MemoryInput, more: Iterable[EvidenceId]) -> tuple[Evidence, ...]:
    ids = {one.evidence_id for one in draft.evidence} | set(more)
    return tuple(one for one in memory_input.evidence if one.evidence_id in ids)
