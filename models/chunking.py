"""Cutting canonical text into sentences and chunks by its structure.

Deterministic, and every non-blank character is covered. Sizes are counted in half-width cells, so that one bound
serves both scripts: 1,000 cells are 500 Han characters or 1,000 Latin letters.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from models.canonical import Segment
from models.cleaning import CELL_GAP
from models.contract import Contract

CHUNKER_VERSION = "structure@1"
CHUNK_CELLS_MIN = 800
CHUNK_CELLS_MAX = 1000

Span = tuple[int, int]

_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003ffff]"
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_CLOSING = "」』”’\"')）】〕》〉]}"
_ENDS = re.compile(r"[。｡！？!?…]+|[.．]+")
_ENDS_WITH_CLAUSES = re.compile(r"[。｡！？!?…]+|[.．]+|[;；]")
_ALWAYS_ENDS = frozenset("。｡！？")
# A line that begins like this is an item of its own, whatever the line before looks like.
_ITEM_START = re.compile(
    r"[^\S\n]*(?:[-*+•‧·●○■□◆▪–—※]\s|#{1,6}\s|\||(?:-{3,}|={3,})\s*$|\(?\d{1,3}(?:\.\d{1,3})*[.)、．）]?\s"
    r"|[（(]?[一二三四五六七八九十]{1,3}[、.．)）]|第[一二三四五六七八九十百\d]{1,4}[條条章節节項项款]"
    r"|[A-Za-z][.)]\s|[^\s:：]{1,24}(?: [^\s:：]{1,16}){0,2}[:：](?!//))"
)
_ITEM_END = re.compile(r"^[^\S\n]*(?:#{1,6}\s|\|)|[:：]\s*$")
_QUOTE_DEPTH = re.compile(r"[\s>]*")
_WRAPPED_LINE_CELLS = 40
# Words whose full stop ends nothing in German or English; the second set only when a number follows.
_ABBREVIATION = re.compile(
    r"abb|abs|adr|allg|bspw|bzw|ca|dgl|dr|evtl|exkl|fa|ggf|gem|hr|hrn|inkl|incl|insb|lfd|max|mfg|min|mio|mr|mrs|ms"
    r"|mwst|nr|nrn|pos|prof|resp|rev|sog|spez|std|str|tel|vgl|vs|zzgl|zzt|approx|appr|cf|co|dept|dia|ed|eg|eq|est|esp"
    r"|excl|fig|figs|ie|mfr|mtg|qty|ref|sr|thk|kap|lt|bzgl|einschl|zul|ziff|zust|ing|dipl|geb|gez"
)
_ABBREVIATION_BEFORE_NUMBER = re.compile(
    r"no|nos|art|p|pp|par|para|item|ch|app|ver|v|s|z|tab|sec|sect|vol|ext|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct"
    r"|okt|nov|dec|dez"
)
_LINE_MARKS = " \t#>*+-•·([（"
_SPACED_LETTERS = re.compile(r"(?:^|[^\w.])(?:[A-Za-z]\.\s?)+[A-Za-z]$")
_MONTHS = re.compile(
    r"(?:jan|feb|mär|maerz|mrz|apr|mai|jun|jul|aug|sep|okt|nov|dez|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*|\d+(?:\.\d+)*)$")
_SOFT_CUT = (re.compile(r"\n"), re.compile(r"[;；]"), re.compile(r"[，,、：:]"), re.compile(r"\s"))


class Chunk(Contract):
    """A half-open span of canonical text, in characters."""

    char_start: int
    char_end: int


def cells(text: str) -> int:
    """Width of `text` in half-width cells: 2 for a Han, kana, Hangul or full-width character, 1 for any other."""
    return len(text) if text.isascii() else len(text) + sum(1 for _ in _WIDE.finditer(text))


def sentences(text: str, *, clauses: bool = False) -> tuple[Span, ...]:
    """Spans of the sentences of `text` without surrounding blanks; with `clauses`, semicolons end one too.

    A number, an abbreviation or a line that merely wraps does not end a sentence; a heading, a table row, a list item
    and a `label: value` line is one by itself.
    """
    found: list[Span] = []
    for block in _blocks(text):
        for line_run in _line_runs(text, block):
            found.extend(_sentences_of_run(text, line_run, clauses=clauses))
    return tuple(found)


def chunk_text(text: str, segments: Sequence[Segment]) -> tuple[Chunk, ...]:
    """Chunks of at most 1,000 cells that end where sentences end and never cross a page, part or heading.

    Only a sentence longer than that is cut, at a line end, a clause mark or a blank where it has one.
    """
    chunks: list[Chunk] = []
    for start, end in _regions(text, segments):
        chunks.extend(Chunk(char_start=left, char_end=right) for left, right in _pack(text, start, end))
    return tuple(chunks)


def _trim(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _blocks(text: str) -> Iterator[Span]:
    start = 0
    for blank in _BLANK_LINE.finditer(text):
        yield start, blank.start()
        start = blank.end()
    yield start, len(text)


def _line_runs(text: str, block: Span) -> Iterator[Span]:
    """Runs of lines that read on as one: a line break inside a run is a wrap."""
    lines: list[Span] = []
    start, end = block
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        lines.append((start, stop))
        start = stop + 1
    widths = [cells(text[left:right].rstrip()) for left, right in lines]
    widest = max(widths, default=0)
    run_start = block[0]
    for index, ((left, right), (next_left, next_right)) in enumerate(pairwise(lines)):
        room = widest - widths[index]
        if _line_ends(text[left:right], text[next_left:next_right], room=room, widest=widest):
            yield run_start, right
            run_start = next_left
    if lines:
        yield run_start, block[1]


def _line_ends(line: str, following: str, *, room: int, widest: int) -> bool:
    """Whether the break is meant: the next word would still have fitted in the line, or an item begins or ends."""
    if _ITEM_START.match(following) or _ITEM_END.search(line) or widest < _WRAPPED_LINE_CELLS:
        return True
    if _depth(line) != _depth(following):
        return True
    first_word = following.split(maxsplit=1)[0] if following.strip() else ""
    # Han text wraps at any character, and a punctuation mark may hang over: three characters of slack.
    needed = 6 if first_word and _WIDE.match(first_word) else cells(first_word) + 1
    return room > needed


def _depth(line: str) -> int:
    opening = _QUOTE_DEPTH.match(line)
    return opening.group().count(">") if opening else 0


def _sentences_of_run(text: str, run: Span, *, clauses: bool) -> Iterator[Span]:
    start, end = run
    pattern = _ENDS_WITH_CLAUSES if clauses else _ENDS
    for mark in pattern.finditer(text, start, end):
        if mark.start() < start:
            continue
        stop = mark.end()
        while stop < end and text[stop] in _CLOSING:
            stop += 1
        if not _is_end(text, start, mark.start(), stop, end):
            continue
        if span := _trim(text, start, stop):
            yield span
        start = stop
    if span := _trim(text, start, end):
        yield span


def _is_end(text: str, start: int, mark: int, stop: int, end: int) -> bool:
    char = text[mark]
    if char in _ALWAYS_ENDS or char in ";；":
        return True
    following = text[stop : stop + 24].lstrip() if stop < end else ""
    spaced = stop >= end or text[stop].isspace()
    if char == "…":
        return not (following[:1].isalpha() and following[:1].islower())
    if char in "!?":
        return spaced or _WIDE.match(text, stop) is not None
    return _full_stop_ends(text, start, mark, stop=stop, following=following, spaced=spaced)


def _full_stop_ends(text: str, start: int, mark: int, *, stop: int, following: str, spaced: bool) -> bool:
    if text[mark] == "．":
        return not (mark > start and text[mark - 1].isdigit() and following[:1].isdigit())
    if not spaced:
        return mark > start and _WIDE.match(text, mark - 1) is not None and _WIDE.match(text, stop) is not None
    if not following:
        return True
    if following[0].isalpha() and following[0].islower():
        return False
    before = _WORD_BEFORE.search(text, max(start, mark - 24), mark)
    if before is None or text[mark : mark + 2] == "..":
        return True
    return not _is_abbreviation(text, start, before, following)


def _is_abbreviation(text: str, start: int, before: re.Match[str], following: str) -> bool:
    word = before.group().lower()
    if word[0].isdigit():
        # "2. Prüfung" at the start of a line is a list mark, "5. Mai" a date; "we need 12. Then" is an end.
        at_line_start = text[start : before.start()].strip(_LINE_MARKS) == "" and len(word) <= 8
        return at_line_start or (len(word) <= 2 and _MONTHS.match(following) is not None)
    last = word.rsplit(".", 1)[-1]
    if _ABBREVIATION.fullmatch(last):
        return True
    if following[0].isdigit() and _ABBREVIATION_BEFORE_NUMBER.fullmatch(last):
        return True
    if len(last) > 1 or not last.isascii():
        return False
    return (
        following[0].isalpha()
        or _SPACED_LETTERS.search(text, max(start, before.start() - 12), before.end()) is not None
    )


def _regions(text: str, segments: Sequence[Segment]) -> Iterator[Span]:
    """Neighbouring segments of one page, part and heading as one span; text outside any segment as spans of its own."""
    key: tuple[int | None, str | None, str | None] | None = None
    start = end = 0
    for segment in segments:
        this = (segment.page, segment.part, segment.heading)
        if key == this and not text[end : segment.char_start].replace(CELL_GAP, "").strip():
            end = segment.char_end
            continue
        if start < end:
            yield start, end
        if text[end : segment.char_start].strip():
            yield end, segment.char_start
        key, start, end = this, segment.char_start, segment.char_end
    if start < end:
        yield start, end
    if text[end:].strip():
        yield end, len(text)


def _pack(text: str, start: int, end: int) -> Iterator[Span]:
    open_start: int | None = None
    open_end = 0
    size = 0
    for left, right, opens_block in _pieces(text, start, end):
        width = cells(text[left:right])
        gap = 0 if open_start is None else cells(text[open_end:left])
        full = size + gap + width > CHUNK_CELLS_MAX or (opens_block and size >= CHUNK_CELLS_MIN)
        if open_start is not None and full:
            yield open_start, open_end
            open_start = None
        if open_start is None:
            open_start, size, gap = left, 0, 0
        size += gap + width
        open_end = right
    if open_start is not None:
        yield open_start, open_end


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Sentences, the too long ones cut, each with whether a paragraph begins with it."""
    previous_end: int | None = None
    for left, right in sentences(text[start:end]):
        for index, (cut_left, cut_right) in enumerate(_cut_long(text, start + left, start + right)):
            gap = "" if previous_end is None else text[previous_end:cut_left]
            yield cut_left, cut_right, index == 0 and gap.count("\n") > 1
            previous_end = cut_right


def _cut_long(text: str, start: int, end: int) -> Iterator[Span]:
    while (
        end - start > CHUNK_CELLS_MAX // 2
        and cells(text[start : min(end, start + CHUNK_CELLS_MAX + 1)]) > CHUNK_CELLS_MAX
    ):
        limit = _limit(text, start, end)
        cut = _best_cut(text, start, limit)
        if span := _trim(text, start, cut):
            yield span
        start = cut
    if span := _trim(text, start, end):
        yield span


def _limit(text: str, start: int, end: int) -> int:
    """The furthest position of which the text from `start` still fits in a chunk."""
    room = CHUNK_CELLS_MAX
    position = start
    while position < end and room > 0:
        room -= 2 if _WIDE.match(text, position) else 1
        position += 1
    return position if room >= 0 else position - 1


def _best_cut(text: str, start: int, limit: int) -> int:
    floor = start + (limit - start) // 2
    for pattern in _SOFT_CUT:
        cut = max((mark.end() for mark in pattern.finditer(text, floor, limit)), default=0)
        if cut:
            return cut
    return limit
