"""Merging what arrives into what is known: nothing confirmed is overwritten, lost, or asked for again.

Why it is so: a text is somebody's wording and was read by a program, a structured confirmation is a person's word for a
field. So a text may fill what is empty and may contradict; only a confirmation replaces or settles. "The quantity is
not fixed after all" contradicts a confirmed quantity as much as another number does: it opens a conflict with one
candidate and the message that doubts it, so that it is asked, neither kept in silence nor dropped. An RFQ of several
lines is merged line by line under the same rules.
"""

from collections.abc import Iterable, Sequence

from models.field_merging import Arrival, FieldMerge, Reading, ReadValue, readings_of, same_value
from models.fields import FieldName
from models.line_items import open_lines
from models.line_merging import LineMerge
from models.tasks import TaskState

__all__ = ["Arrival", "ReadValue", "Reading", "merge_arrivals", "needs_input", "readings_of", "same_value"]


def merge_arrivals(state: TaskState, arrivals: Iterable[Arrival], required: Sequence[FieldName]) -> TaskState:
    """`state` with the arrivals merged in their order; merging one twice changes nothing more.

    Only `confirmed`, `pending`, `conflicts`, `replaced` and `lines` differ afterwards. `pending` lists what is required
    or was said to be open, and is not confirmed. Raises InvalidInput when the task would have more than MAX_LINES.
    """
    work = FieldMerge(
        confirmed=state.confirmed, pending=state.pending, conflicts=state.conflicts, replaced=state.replaced
    )
    lines = LineMerge(state.lines)
    for arrival in arrivals:
        if not lines.several and not lines.begins(work, arrival):
            _merge_whole(work, arrival)
            continue
        lines.merge(arrival)
    if lines.several:
        return lines.result(state, work.replaced, required)
    return state.model_copy(
        update={
            "confirmed": work.confirmed,
            "pending": work.pending(required),
            "conflicts": work.conflicts,
            "replaced": work.replaced,
        }
    )


def needs_input(state: TaskState, required: Sequence[FieldName]) -> bool:
    """Whether the task must ask: a required field has no value, or some field has more than one, in any open line."""
    if not state.lines:
        return bool(state.conflicts) or any(name not in state.confirmed for name in required)
    quoted = open_lines(state.lines)
    return not quoted or any(one.status == "waiting" for one in quoted)


def _merge_whole(work: FieldMerge, arrival: Arrival) -> None:
    for reading in arrival.readings:
        if reading.field not in arrival.confirmations:
            work.read(reading, arrival)
    for name, value in arrival.confirmations.items():
        work.confirm(name, value, arrival.confirmation())
