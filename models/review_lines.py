"""The review of a draft of several lines: each line's numbers, and that no line is told what belongs to another.

As the rest of the review it works from the originals and the state, and shares nothing with the analysis.
"""

from collections.abc import Iterator, Mapping, Sequence

from models.drafts import Draft
from models.evidence import Evidence
from models.fields import FIELD_NAMES
from models.ids import EvidenceId
from models.line_items import CODE_FIELDS, line_name
from models.normalization import exact_terms, normalize_term
from models.tasks import LineItem


def line_faults(draft: Draft, lines: Sequence[LineItem]) -> Iterator[str]:
    """What a draft shows of its lines and is not as the state holds it, in words that name lines and fields alone."""
    shown = {one.line: one for one in draft.lines}
    if [one.line for one in draft.lines] != [one.line for one in lines]:
        yield "the lines of the draft are not the lines of the task"
    for held in lines:
        line = shown.get(held.line)
        if line is None:
            continue
        if (line.label, line.position) != (line_name(held), held.position):
            yield f"the draft's name of line {held.line} is not what is known"
        withdrawn = held.status == "withdrawn"
        if (line.status == "withdrawn") != withdrawn or (not withdrawn and held.status != "complete"):
            yield f"the draft's status of line {held.line} is not what is known"
        values = {one.field: one.value for one in line.fields}
        wanted = {} if withdrawn else held.confirmed
        if len(values) != len(line.fields):
            yield f"the draft shows a field of line {held.line} twice"
        for field in FIELD_NAMES:
            if values.get(field) != wanted.get(field):
                yield f"the draft's {field} of line {held.line} is not what is confirmed"


def claim_faults(
    told: Sequence[int], cited: Sequence[EvidenceId], pieces: Mapping[EvidenceId, Evidence], lines: Sequence[LineItem]
) -> Iterator[str]:
    """Why a claim for the lines `told` (none: for all) is not for them, judged by what it cites."""
    quoted = {one.line: one for one in lines if one.status != "withdrawn"}
    if not lines:
        if told:
            yield "this claim names a line, and the task has one"
        return
    if list(told) != sorted(set(told)) or not set(told) <= set(quoted):
        yield "this claim names lines that are not to be quoted"
        return
    own = [quoted[line] for line in told] if told else list(quoted.values())
    for key in cited:
        piece = pieces.get(key)
        if piece is None:
            continue
        for line in own:
            foreign = [one for one in quoted.values() if one.line != line.line]
            if _of_another(piece, line, foreign):
                yield f"this claim tells line {line.line} what is said of another"
                break


def _of_another(piece: Evidence, line: LineItem, others: Sequence[LineItem]) -> bool:
    """Whether a piece of evidence stands in, or names, another line and not this one."""
    if piece.source == "message":
        return not _stands_in(piece, line) and any(_stands_in(piece, one) for one in others)
    named = {term.term for term in exact_terms(f"{piece.title}\n{piece.quote}")}
    theirs = {code for one in others for code in _codes(one)}
    return bool(named & theirs) and not named & _codes(line)


def _stands_in(piece: Evidence, line: LineItem) -> bool:
    source, place = line.source, piece.locator
    if source.message_id != piece.document_id or source.char_start is None or source.char_end is None:
        return False
    return place.char_start < source.char_end and source.char_start < place.char_end


def _codes(line: LineItem) -> set[str]:
    return {normalize_term(str(held.value)) for name in CODE_FIELDS if (held := line.confirmed.get(name)) is not None}
