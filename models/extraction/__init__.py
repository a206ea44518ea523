"""Reading the fields of a quote out of a message: rules of five languages, without a model.

Why it is so: a value that is confirmed wrongly costs a wrong quote, a value that is left open costs one question. So a
field gets a value only where the words leave one reading; two candidates are a conflict, "not decided" and numbers that
mean two things are asked. The rules are grammars (numbers, dates, grades, codes), cues beside a value, and clauses; no
sentence is known by heart. What a reply leaves untouched is taken from the mail it quotes.
"""

from collections.abc import Sequence
from datetime import date
from itertools import islice

from models.extraction.mail_layers import layers
from models.extraction.masks import Ranges
from models.extraction.relative_days import find_relative_days
from models.extraction.scripts import Language, detect_language, likely_language
from models.extraction.settling import Spoken, spoken
from models.extraction.views import source_text
from models.extraction.wanted_days import find_dates
from models.fields import FIELD_NAMES, FieldName, FieldReading, MessageFields, Span, UnderstoodDays
from models.rfq_text import structured_ranges

__all__ = ["MAX_READ", "Language", "asking_days", "detect_language", "extract_fields", "understood_days"]

MAX_READ = 200_000


def extract_fields(text: str) -> MessageFields:
    """What a message settles, leaves open, and contradicts, each with its span in `text`.

    Deterministic and never raising, for any text; of a longer one the first `MAX_READ` characters are read.
    """
    structured = structured_ranges(text)
    text = _blanked(text, structured)[:MAX_READ]
    whole = detect_language(text)
    said: list[Spoken] = []
    for ranges in layers(text):
        written = _outside(ranges, structured)
        own = likely_language("".join(text[start:end] for start, end in written))
        said.append(spoken(source_text(text, written), own or whole))
    return _merged(said)


def understood_days(text: str, received: date) -> tuple[UnderstoodDays, ...]:
    """What the words for a wanted day that are no full date can mean for a message that arrived on `received`.

    Of the newest layer alone: older mail was written on another day. Empty where a full date is given as well.
    """
    structured = structured_ranges(text)
    text = _blanked(text, structured)[:MAX_READ]
    whole = detect_language(text)
    for ranges in layers(text)[:1]:
        written = _outside(ranges, structured)
        source = source_text(text, written)
        language = likely_language("".join(text[start:end] for start, end in written)) or whole
        dates, spans, _ = find_dates(source, language)
        if dates:
            return ()
        taken = Ranges(spans, len(source.folded))
        return tuple(
            UnderstoodDays(
                start=source.span(one.start, one.end).start,
                end=source.span(one.start, one.end).end,
                first=one.first.isoformat(),
                last=one.last.isoformat(),
            )
            for one in find_relative_days(source, language, received)
            if not taken.touches(one.start, one.end)
        )
    return ()


def asking_days(fields: MessageFields, days: Sequence[UnderstoodDays]) -> MessageFields:
    """`fields` with the wanted day left open where only such words name it: it is asked, with what was understood."""
    if not days or "wanted_date" in (fields.settled.keys() | fields.undecided.keys() | fields.conflicts.keys()):
        return fields
    undecided = {**fields.undecided, "wanted_date": Span(start=days[0].start, end=days[0].end)}
    return fields.model_copy(update={"undecided": undecided})


def _blanked(text: str, structured: list[tuple[int, int]]) -> str:
    """`text` without its structured documents: their tags say what a value is (`models.rfq_reading`), no rule here."""
    pieces: list[str] = []
    at = 0
    for start, end in structured:
        pieces += [text[at:start], "\n", " " * (end - start - 1)]
        at = end
    return "".join([*pieces, text[at:]])


def _outside(ranges: Sequence[tuple[int, int]], structured: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts of `ranges` that lie outside all of `structured`; both are ordered and walked through once."""
    found: list[tuple[int, int]] = []
    following = 0
    for start, end in ranges:
        at = start
        while following < len(structured) and structured[following][1] <= at:
            following += 1
        for cut_start, cut_end in islice(structured, following, None):
            if cut_start >= end:
                break
            found.append((at, max(at, cut_start)))
            at = min(end, cut_end)
        found.append((at, end))
    return [one for one in found if one[0] < one[1]]


def _merged(said: list[Spoken]) -> MessageFields:
    """For every field the newest layer that speaks of it; what a newer one took back does not come back."""
    settled: dict[FieldName, FieldReading] = {}
    undecided: dict[FieldName, Span] = {}
    conflicts: dict[FieldName, tuple[FieldReading, ...]] = {}
    for name in FIELD_NAMES:
        gone: set[str] = set()
        for layer in said:
            if name in layer.settled and _key(layer.settled[name]) not in gone:
                settled[name] = layer.settled[name]
            elif name in layer.undecided:
                undecided[name] = layer.undecided[name]
            elif name in layer.conflicts:
                conflicts[name] = layer.conflicts[name]
            if layer.speaks_of(name):
                break
            gone |= layer.rejected.get(name, set())
    return MessageFields(settled=settled, undecided=undecided, conflicts=conflicts)


def _key(reading: FieldReading) -> str:
    return str(reading.value).casefold()
