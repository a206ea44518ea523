"""What a message says outside its items, part by part: which lines each part names and what it does to them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.extraction.line_reading import Piece, Reader
from models.extraction.line_words import (
    EXCEPT,
    adds,
    names_label,
    numbers_named,
    only_withdraws,
    speaks_of_all,
    terms_named,
    withdraws,
)
from models.extraction.views import clauses, sentences
from models.fields import MessageFields
from models.line_items import CODE_FIELDS, NOTHING, Act, Remark
from models.normalization import normalize_term

MAX_REMARKS = 400
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Remarks:
    """The parts that name lines, and the ranges of those that name none: plain ones, and ones that follow a named."""

    remarks: tuple[Remark, ...]
    plain: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """How the lines of a task can be named: their codes in normal form, and the customer's words for them."""

    codes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def codes_in(self, plain: str) -> bool:
        """Whether a text gives the code of a line."""
        return bool(self.codes) and bool(set(terms_named(plain)) & set(self.codes))

    def labels_in(self, folded: str) -> tuple[str, ...]:
        """The labels that a folded text uses."""
        return tuple(dict.fromkeys(one for one in self.labels if names_label(folded, one)))


NAMELESS = Known()


def remarks_of(reader: Reader, ranges: Iterable[tuple[int, int]], known: Known) -> Remarks:
    """The remarks in some ranges of a layer.

    A code names a line when it is known, or is a part or a drawing by its words.
    """
    remarks: list[Remark] = []
    plain: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    for start, end in ranges:
        specific = False
        for first, last in _groups(reader, start, end, known):
            if _PARAGRAPH.search(reader.folded, max(start, first - 2), first):
                specific = False
            remark = _remark(reader, first, last, known) if len(remarks) < MAX_REMARKS else None
            if remark is None:
                (after if specific else plain).append((first, last))
                continue
            remarks.append(remark)
            specific = specific or not remark.everyone
    return Remarks(tuple(remarks), tuple(plain), tuple(after))


def _groups(reader: Reader, start: int, end: int, known: Known) -> Iterable[tuple[int, int]]:
    """Sentences, and within one the runs of clauses that speak of one line each."""
    whole = reader.folded[start:end]
    for left, right in sentences(whole):
        runs: list[tuple[int, int]] = []
        named, content = False, False
        for first, last in clauses(whole, left, right):
            names = _names_line(reader.source.plain[start + first : start + last], whole[first:last], known)
            if names and named and content:
                runs.append((first, last))
                named, content = True, _has_content(reader, start + first, start + last)
                continue
            runs = [*runs[:-1], (runs[-1][0], last)] if runs else [(first, last)]
            named = named or names
            content = content or (named and _has_content(reader, start + first, start + last))
        yield from ((start + first, start + last) for first, last in runs)


def _names_line(plain: str, folded: str, known: Known) -> bool:
    return bool(numbers_named(folded)) or known.codes_in(plain) or bool(known.labels_in(folded))


def _has_content(reader: Reader, start: int, end: int) -> bool:
    read = reader.remark(start, end)
    names = {*read.settled, *read.undecided, *read.conflicts} - {"part_number", "drawing_number"}
    return bool(names) or withdraws(reader.folded[start:end], declined=_declines(read))


def _remark(reader: Reader, start: int, end: int, known: Known) -> Remark | None:
    """What a part of the message says of lines that it names; None where it names none and is about no line."""
    folded, plain = reader.folded[start:end], reader.source.plain[start:end]
    if not folded.strip():
        return None
    terms = terms_named(plain)
    numbers, everyone = numbers_named(folded), speaks_of_all(folded)
    read = reader.remark(start, end)
    parts, labels = _parts(read), known.labels_in(folded)
    named = bool(numbers or labels) or known.codes_in(plain)
    taken_back, added = withdraws(folded, declined=_declines(read)), adds(folded) and bool(parts)
    if not (named or everyone or added or (parts and known.codes)):
        return None
    span = reader.source.span(start, end)
    act: Act = "states"
    if EXCEPT.search(folded):
        act = "asks"
    elif taken_back and not _only_of_fields(read):
        act = "withdraws" if only_withdraws(folded) else "may_withdraw"
    elif added:
        act = "adds"
    return Remark(
        start=span.start,
        end=span.end,
        numbers=numbers,
        parts=parts,
        terms=terms,
        everyone=everyone and not named,
        act=act,
        labels=labels,
        fields=read,
    )


def _parts(read: MessageFields) -> tuple[str, ...]:
    codes = [read.settled[name] for name in CODE_FIELDS if name in read.settled]
    codes += [one for name in CODE_FIELDS for one in read.conflicts.get(name, ())]
    return tuple(dict.fromkeys(normalize_term(str(one.value)) for one in codes))


def _declines(read: MessageFields) -> bool:
    inspection = read.settled.get("special_inspection")
    return inspection is not None and inspection.value is False


def _only_of_fields(read: MessageFields) -> bool:
    """Whether words that take something back are about a field (an inspection, a finish), not about a line."""
    names = {*read.settled, *read.undecided, *read.conflicts} - {"part_number", "drawing_number"}
    return bool(names) and not names & {"quantity", "quantity_unit", "material"}


def read_loose(reader: Reader, ranges: Sequence[tuple[int, int]]) -> MessageFields:
    """What the parts that name no line say together."""
    pieces: list[Piece] = [piece for start, end in ranges for piece in ((start, end), (start, "\n"))]
    return reader.fields(*pieces) if pieces else NOTHING
