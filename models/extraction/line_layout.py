"""How a message sets its items apart: by marks in front of them, line by line, or by the rhythm of parts and numbers.

Every function works on the folded view of one layer and gives half-open ranges in it. What is found is a proposal:
whether the pieces are lines of an RFQ is judged by what they say (`models.extraction.lines`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from models.extraction.line_words import HAN_DIGITS, MARK, number_of
from models.extraction.views import SourceText, enclosing, sentences

_HAN = "".join(HAN_DIGITS)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CIRCLED = re.compile("[\u2460-\u2473\u2776-\u277f\u2780-\u2793\u24f5-\u24fe]")
_START = r"(?P<indent>^[ \t]{0,16})"
# Weaker marks, strongest first; the first kind whose pieces are lines of an RFQ is taken.
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(f"{_START}{mark}", re.MULTILINE | re.IGNORECASE))
    for name, mark in (
        ("number", r"(?:no|nr)\.? ?(?P<number>\d{1,4})[.:)、 ]\s*|^[ \t]{0,16}#(?P<hash>\d{1,4})[.:) ]\s*"),
        ("dotted", r"(?P<number>\d{1,3})\.(?!\d)[ \t]*"),
        ("closed", r"(?P<number>\d{1,3})\)[ \t]*"),
        ("bracketed", r"\((?P<number>\d{1,3})\)[ \t]*"),
        ("listed", r"(?P<number>\d{1,3})(?:、|[:：](?!\d))[ \t]*"),
        ("han", rf"(?P<number>[{_HAN}]{{1,3}})[、.:：)][ \t]*"),
        ("bracketed han", rf"\((?P<number>[{_HAN}]{{1,3}})\)[ \t]*"),
        ("letter", r"\(?(?P<number>[a-h])[.)][ \t]+"),
        ("bullet", r"(?:[-*+][ \t]+|[•·・●○▪◦■□◆‧][ \t]*)"),
    )
)


# Marks inside a line, which must count up from one.
_INLINE = (
    re.compile(r"(?<!\w)\((?P<number>\d{1,2})\)[ \t]*"),
    re.compile(r"(?:^|(?<=[\s;,:：；，、。]))(?P<number>\d{1,2})(?:\)|、|\.(?!\d))[ \t]*"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a layer that may be an item: where it begins with its mark, its content, and its number if any."""

    mark: int
    start: int
    end: int
    position: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Pieces that one kind of mark sets apart; `named` marks say by a word that these are items."""

    pieces: tuple[Piece, ...]
    named: bool = False


def marked(source: SourceText, text: str) -> Iterable[Layout]:
    """The ways in which marks could divide a layer of `text` into items, the surest first; each has two at least."""
    folded = source.folded
    named = [
        Piece(found.start(), found.end(), found.end(), number_of(found["number"]))
        for found in MARK.finditer(folded)
        if _opens(folded, found.start())
    ]
    yield from _laid_out(folded, _by_indent(folded, named), named=True)
    yield from _laid_out(folded, _circled(source, text), named=False)
    for _, form in _KINDS:
        found = [
            Piece(one.end("indent") if one["indent"] is not None else one.start(), one.end(), one.end(), _number(one))
            for one in form.finditer(folded)
        ]
        yield from _laid_out(folded, _by_indent(folded, found), named=False)
    for form in _INLINE:
        yield from _laid_out(folded, _counted_up(form.finditer(folded)), named=False)


def physical_lines(folded: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The ranges between line ends, without them and without what is blank."""
    found: list[tuple[int, int]] = []
    at, last = start, len(folded) if end is None else end
    while at < last:
        stop = folded.find("\n", at, last)
        stop = last if stop < 0 else stop
        if folded[at:stop].strip():
            found.append((at, stop))
        at = stop + 1
    return found


def _counted_up(marks: Iterable[re.Match[str]]) -> list[Piece]:
    pieces: list[Piece] = []
    for found in marks:
        if int(found["number"]) == len(pieces) + 1:
            pieces.append(Piece(found.start(), found.end(), found.end(), number_of(found["number"])))
    return pieces


def _number(found: re.Match[str]) -> str | None:
    groups = found.groupdict()
    written = groups.get("number") or groups.get("hash")
    return None if written is None else number_of(written)


def _opens(folded: str, at: int) -> bool:
    """Whether a mark at this place begins something: a line, a sentence, a clause."""
    before = folded[max(0, at - 3) : at].rstrip(" \t*(【[")
    return at == 0 or not before or before[-1] in "\n;；。.,，、:："


def _by_indent(folded: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Only the outermost of marks that begin their lines; marks inside a line count as outermost."""

    def indent(piece: Piece) -> int:
        line = folded.rfind("\n", 0, piece.mark) + 1
        before = folded[line : piece.mark]
        return len(before) if not before.strip() else 0

    least = min((indent(one) for one in pieces), default=0)
    return [one for one in pieces if indent(one) <= least + 1]


def _circled(source: SourceText, text: str) -> list[Piece]:
    found: list[Piece] = []
    for at, (start, _) in enumerate(source.origins):
        if start < len(text) and _CIRCLED.match(text[start]) and (at == 0 or source.origins[at - 1][0] != start):
            end = at
            while end < len(source.origins) and source.origins[end][0] == start:
                end += 1
            found.append(Piece(at, end, end, source.folded[at:end]))
    return found


def _laid_out(folded: str, marks: Sequence[Piece], *, named: bool) -> Iterable[Layout]:
    if len(marks) < 2:
        return
    numbers = [int(one.position) for one in marks if one.position is not None and one.position.isdecimal()]
    if len(numbers) == len(marks) and any(left >= right for left, right in pairwise(numbers)):
        return
    pieces: list[Piece] = []
    spread = False
    for at, mark in enumerate(marks):
        last = at + 1 == len(marks)
        following = len(folded) if last else marks[at + 1].mark
        end = (
            _inline_end(folded, mark) if last and _inline(folded, mark) else _end(folded, mark, following, last, spread)
        )
        spread = spread or "\n" in folded[mark.start : end].rstrip()
        begin = mark.start + len(folded[mark.start : end]) - len(folded[mark.start : end].lstrip())
        pieces.append(replace(mark, start=min(begin, end), end=end))
    yield Layout(tuple(pieces), named)


def _inline(folded: str, mark: Piece) -> bool:
    """Whether a mark stands inside its line."""
    return bool(folded[folded.rfind("\n", 0, mark.mark) + 1 : mark.mark].strip())


def _inline_end(folded: str, mark: Piece) -> int:
    return enclosing(sentences(folded), mark.start)[1]


def _end(folded: str, mark: Piece, following: int, last: bool, spread: bool) -> int:
    """Where an item ends: at the next one, at a blank line before something that is not indented, or, for the last

    one, with its line, unless items before it went over several.
    """
    at = mark.start
    while at < following:
        stop = folded.find("\n", at, following)
        if stop < 0:
            return following
        rest = folded[stop + 1 : following]
        line = rest.split("\n", 1)[0]
        indented = bool(line.strip()) and line[0] in " \t"
        if not rest.strip():
            return following
        if not line.strip():
            after = rest.lstrip("\n \t")
            gap = rest[: len(rest) - len(after)]
            if not gap.endswith((" ", "\t")) and folded[mark.start : stop].strip():
                return stop
        elif last and not spread and not indented and folded[mark.start : stop].strip():
            return stop
        at = stop + 1
    return following
