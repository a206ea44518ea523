"""From candidates to what one layer of a message says of each field."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from models.extraction.alloys import find_materials
from models.extraction.codes import find_codes, foreign_letters
from models.extraction.corrections import standing
from models.extraction.finishes import coat, find_surfaces
from models.extraction.inspections import find_inspections
from models.extraction.masks import Ranges, masked_ranges
from models.extraction.openness import find_open
from models.extraction.pieces import find_quantities
from models.extraction.scripts import Language
from models.extraction.tolerances import find_tolerances, together
from models.extraction.views import Candidate, SourceText
from models.extraction.wanted_days import find_dates, speaks_of_date
from models.fields import FIELD_NAMES, FieldName, FieldReading, Span

MAX_CANDIDATES = 100  # of one field: more name no value that anybody could mean

_MATERIAL_PAPER = re.compile(
    r"材证|(?:材质|材料)(?:的)?(?:报告|证明)|(?:mill|material) cert|ミルシート|werkszeugnis|\bmtr\b"
)


@dataclass(slots=True)
class Spoken:
    """What one layer says; `silent` fields are spoken of without a value that could be read."""

    settled: dict[FieldName, FieldReading] = field(default_factory=dict[FieldName, FieldReading])
    undecided: dict[FieldName, Span] = field(default_factory=dict[FieldName, Span])
    conflicts: dict[FieldName, tuple[FieldReading, ...]] = field(
        default_factory=dict[FieldName, tuple[FieldReading, ...]]
    )
    silent: set[FieldName] = field(default_factory=set[FieldName])
    rejected: dict[FieldName, set[str]] = field(default_factory=dict[FieldName, set[str]])

    def speaks_of(self, name: FieldName) -> bool:
        """Whether older layers have nothing more to say on the field."""
        return name in self.settled or name in self.undecided or name in self.conflicts or name in self.silent


def spoken(source: SourceText, language: Language) -> Spoken:
    """What the text of one layer says of every field."""
    found, ambiguous, two_days = _candidates(source, language)
    said = Spoken()
    for name, (start, end) in find_open(source.folded, found).items():
        said.undecided[name] = source.span(start, end)
    for name in FIELD_NAMES:
        named = [one for one in found if one.field == name][:MAX_CANDIDATES]
        kept, out = (named, []) if name == "special_inspection" else standing(source.folded, named)
        said.rejected[name] = {one.key for one in out}
        if name in said.undecided:
            continue
        values = together(source.folded, kept, source) if name == "tolerance" else _distinct(name, kept)
        if values is None:
            said.undecided[name] = source.span(kept[0].start, kept[-1].end)
        else:
            _settle(said, name, values, source)
    if ambiguous and "quantity" not in said.conflicts:
        # A number with two meanings stands beside whatever else was read: it is asked, nothing is guessed.
        said.settled.pop("quantity", None)
        said.undecided.setdefault("quantity", source.span(*ambiguous[0]))
    for name in ("part_number", "drawing_number"):
        code = said.settled.get(name)
        if code is not None and foreign_letters(str(code.value)):
            said.undecided[name] = Span(start=code.start, end=code.end)
            del said.settled[name]
    if two_days and not {"wanted_date"} & (said.settled.keys() | said.conflicts.keys()):
        said.undecided.setdefault("wanted_date", source.span(*two_days[0]))
    if speaks_of_date(source.folded):
        said.silent.add("wanted_date")
    return said


def _candidates(
    source: SourceText, language: Language
) -> tuple[list[Candidate], list[tuple[int, int]], list[tuple[int, int]]]:
    """Everything that could be a value. What is recognised first is no longer read as something else."""
    dates, date_spans, two_days = find_dates(source, language)
    taken = Ranges([*date_spans, *masked_ranges(source.folded)], len(source.folded))
    only_dates = Ranges(date_spans, len(source.folded))
    tolerances = [one for one in find_tolerances(source) if not only_dates.touches(one.start, one.end)]
    for one in tolerances:
        taken.add(one.start, one.end)
    surfaces = find_surfaces(source, only_dates)
    materials = find_materials(source, taken)
    for one in materials:
        taken.add(one.start, one.end)
    codes = find_codes(source, taken)
    for one in codes:
        taken.add(one.start, one.end)
    counted = find_quantities(source, language, taken)
    inspections = find_inspections(source)
    found = [*materials, *codes, *surfaces, *tolerances, *dates, *inspections, *counted.quantities, *counted.units]
    return found, counted.ambiguous, two_days


def _settle(said: Spoken, name: FieldName, kept: Sequence[Candidate], source: SourceText) -> None:
    if len(kept) == 1:
        said.settled[name] = kept[0].reading(source)
    elif kept and name != "quantity_unit":
        said.conflicts[name] = tuple(one.reading(source) for one in kept)


def _distinct(name: FieldName, kept: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that differ in what they say of the field, first ones first."""
    if name == "special_inspection":
        return _distinct_inspections(kept)
    if name == "drawing_number":
        kept = [
            one for one in kept if not any(other.key.startswith(one.key) and other.key != one.key for other in kept)
        ]
    if name == "part_number" and any(not one.alternative for one in kept):
        kept = [one for one in kept if not one.alternative]
    if name == "surface_treatment" and not any(one.alternative for one in kept):
        first = {coat(one): one for one in reversed(kept)}
        if len(first) > 1 and any(name != "plating" and name.startswith("plating") for name in first):
            first.pop("plating", None)
        return list(first.values())[::-1]
    return list({one.key: one for one in reversed(kept)}.values())[::-1]


def _distinct_inspections(kept: Sequence[Candidate]) -> list[Candidate]:
    """A wanted inspection beside a declined other one is wanted; one both wanted and declined is a contradiction."""
    asked = [one for one in kept if one.value is True]
    declined = [one for one in kept if one.value is False]
    if declined:  # a paper on the material is no inspection that outweighs a declined one
        asked = [one for one in asked if not _MATERIAL_PAPER.search(one.key)]
    if asked and declined:
        subjects = {one.key for one in asked} & {one.key for one in declined}
        if subjects or "general" in {one.key for one in declined}:
            return [asked[0], declined[0]]
    return (asked or declined)[:1]
