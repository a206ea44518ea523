"""Reading the fields of a quote out of a message: rules of five languages, without a model.

Why it is so: a value that is confirmed wrongly costs a wrong quote, a value that is left open costs one question. So a
field gets a value only where the words leave one reading; two candidates are a conflict, "not decided" and numbers that
mean two things are asked. The rules are grammars (numbers, dates, grades, codes), cues beside a value, and clauses; no
sentence is known by heart. What a reply leaves untouched is taken from the mail it quotes.
"""

from collections.abc import Sequence
from itertools import islice

from models.extraction.mail_layers import layers
from models.extraction.scripts import Language, detect_language, likely_language
from models.extraction.settling import Spoken, spoken
from models.extraction.views import source_text
from models.fields import FIELD_NAMES, FieldName, FieldReading, MessageFields, Span
from models.rfq_text import structured_ranges

__all__ = ["MAX_READ", "Language", "detect_language", "extract_fields"]

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
