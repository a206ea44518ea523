"""Evidence sentences read as statements: one clause, what it is about, what it states, and for whom it holds.

A sentence often says several things (`標準交期 15 日；鈍化另加 2 日`). Each is judged on its own, so that a part which
does not hold for a task never reaches its draft beside a part which does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from models.chunking import cells
from models.evidence import Evidence
from models.exceptions import denies_inspection, read_narrowing
from models.folding import fold
from models.instructions import is_instruction
from models.policies import Policy
from models.scopes import Scope, TaskScope, applies, concerns_other_part, narrowed, read_scope, scope_terms
from models.statement_words import (
    ANAPHOR,
    ASKS,
    BECOMES,
    CHANGED,
    CONTINUES,
    DATED,
    GOES_ON,
    HARD,
    LEAVES_OUT,
    NEARLY,
    OTHER_TIME,
    PAST,
    REPLACED,
    REPLACED_BY_NEXT,
    SOFT,
    STARTS_FROM,
    SURCHARGE,
    WHOM,
)
from models.titles import is_title, opens_section
from models.topics import topic_spans, topics_in, value_kind, weak_spans
from models.values import Quantity, durations_in, measures_in, money_in, quantities_in

_BARE = 14
_HEADER = 60
_VALUES = {"duration": durations_in, "money": money_in, "number": quantities_in, "measure": measures_in}


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause of an evidence sentence; `start` and `end` are its half-open place in the quote."""

    evidence: Evidence
    start: int
    end: int
    topics: frozenset[str]
    values: tuple[Quantity, ...]
    scope: Scope
    surcharge: bool
    asks: bool
    whom: str | None
    excluded: frozenset[str]

    @property
    def text(self) -> str:
        """The clause as it stands."""
        return self.evidence.quote[self.start : self.end]

    def settles(self, topic: str) -> bool:
        """Whether it states what `topic` asks for, on its own and not as an addition."""
        if topic not in self.topics or self.surcharge:
            return False
        return not self.asks if value_kind(topic) == "statement" else bool(self.values_of(topic))

    def values_of(self, topic: str) -> tuple[Quantity, ...]:
        """The values of the kind that `topic` asks for; of a mere statement, none."""
        kind = value_kind(topic)
        folded = fold(self.text)
        if kind == "statement" or (topic == "lead_time" and OTHER_TIME.search(folded)):
            return ()
        found = _VALUES[kind](self.text)
        if PAST.search(folded):
            return found[1:] if len(found) > 1 else ()
        return tuple(one for one in found if not _replaced(folded, one, last=one is found[-1]))

    @property
    def dated(self) -> bool:
        """Whether it holds from or until a date that it names."""
        return DATED.search(fold(self.text)) is not None

    def holds_for(self, task: TaskScope) -> bool:
        """Whether it is about the task."""
        return applies(self.scope, task, self.excluded)


def read_statements(evidence: Iterable[Evidence], task: TaskScope, policy: Policy) -> tuple[Statement, ...]:
    """The statements of all current formal facts among `evidence`, each document in its own order.

    Sentences that give commands, failed their checks or stand under the name of a look-alike part give none.
    """
    documents: dict[tuple[str, int], list[Evidence]] = {}
    for one in evidence:
        if one.kind == "formal_fact" and one.checks.passed and not concerns_other_part(one.title, task):
            documents.setdefault((one.document_id, one.version), []).append(one)
    return tuple(one for pieces in documents.values() for one in _believed(list(_of_document(pieces, policy)), pieces))


def clause_spans(text: str, policy: Policy) -> tuple[tuple[int, int], ...]:
    """Half-open spans of the clauses of one sentence that each say something of their own."""
    spans: list[tuple[int, int]] = []
    for start, end in _split(text, (0, len(text)), HARD):
        current: tuple[int, int] | None = None
        for left, right in _split(text, (start, end), SOFT):
            if current is not None and _opens(text[left:right], text[current[0] : current[1]], policy):
                spans.append(current)
                current = (left, right)
            else:
                current = (left if current is None else current[0], right)
        if current is not None:
            spans.append(current)
    return tuple(spans)


def phrase_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open spans of the phrases between the marks of one sentence, each without its marks."""
    clauses = _split(text, (0, len(text)), HARD)
    return tuple(span for clause in clauses for span in _split(text, clause, SOFT))


def _believed(found: Sequence[Statement], pieces: Sequence[Evidence]) -> Iterator[Statement]:
    """Without what the sentence behind a command states otherwise than the rest of its document."""
    ordered = sorted(pieces, key=lambda one: one.locator.char_start)
    behind = {after.evidence_id for before, after in pairwise(ordered) if is_instruction(before.quote)}
    for one in found:
        doubtful = one.evidence.evidence_id in behind and any(
            one.settles(topic) and other.settles(topic) and other.evidence.evidence_id not in behind
            for topic in one.topics
            for other in found
        )
        if not doubtful:
            yield one


def _of_document(pieces: Sequence[Evidence], policy: Policy) -> Iterator[Statement]:
    subject, heading, named = Scope(), None, frozenset[str]()
    spoken = frozenset[str]()
    last: Statement | None = None
    for piece in sorted(pieces, key=lambda one: one.locator.char_start):
        if piece.locator.heading != heading:
            heading = piece.locator.heading
            subject = read_scope(heading or "")
            spoken = topics_in(heading or "", policy)
        if is_instruction(piece.quote):
            continue
        around, about = subject, _spoken_of(piece, spoken, policy)
        if last is not None and _goes_on(piece.quote, policy):
            around, about = replace(last.scope, tier=None, conditional=False), frozenset({"lead_time"})
        found = _one_topic(list(_of_sentence(piece, around, named, about, policy)))
        last = next((one for one in reversed(found) if one.settles("lead_time")), None)
        whole = read_scope(piece.quote)
        sets_subject = whole.names_subject and not any(one.values or one.asks for one in found)
        if sets_subject or (whole.parts and not subject.parts):
            subject = (
                whole if sets_subject else replace(subject, parts=whole.parts) if _talks_on(piece, pieces) else subject
            )
        named = named | scope_terms(whole)
        if _heads(piece.quote) and not any(one.values or one.asks for one in found):
            spoken = topics_in(piece.quote, policy) or (frozenset() if opens_section(piece.quote, policy) else spoken)
        if any(one.values or one.asks for one in found) or not is_title(piece.quote, policy):
            yield from found


def _one_topic(found: list[Statement]) -> list[Statement]:
    """Bare values of an enumeration are of the topic that its last clause names (`鋼 20 日、鋁 10 日で出荷する`)."""
    if not found or "lead_time" not in found[-1].topics:
        return found
    return [
        replace(one, topics=frozenset({"lead_time"})) if not one.topics and durations_in(one.text) else one
        for one in found
    ]


def _goes_on(sentence: str, policy: Policy) -> bool:
    """Whether a sentence gives another time for what the one before it spoke of (`Above 1,000 it is 25 days`)."""
    if topics_in(sentence, policy) or not durations_in(sentence):
        return False
    return read_scope(sentence).tier is not None or GOES_ON.search(fold(sentence)) is not None


def _talks_on(piece: Evidence, pieces: Sequence[Evidence]) -> bool:
    """Whether the next sentence goes on about the same part (`Its lead time …`)."""
    following = [one for one in pieces if one.locator.char_start >= piece.locator.char_end]
    return (
        bool(following)
        and ANAPHOR.match(fold(min(following, key=lambda one: one.locator.char_start).quote)) is not None
    )


def _of_sentence(
    piece: Evidence, around: Scope, named: frozenset[str], spoken: frozenset[str], policy: Policy
) -> Iterator[Statement]:
    """`spoken` is what a heading, a table's head or the title is about: it names the topic of a bare value."""
    topics_before = spoken
    scope_before = around
    for start, end in clause_spans(piece.quote, policy):
        text = piece.quote[start:end]
        own, excepted = read_narrowing(text)
        scope = narrowed(own, scope_before)
        values = tuple((*durations_in(text), *money_in(text), *measures_in(text)))
        folded = fold(text)
        adds = SURCHARGE.search(folded) is not None and CHANGED.search(folded) is None
        surcharge = adds or _only_adds(text, own)
        topics = _topics(text, topics_before, policy)
        if surcharge and scope.kinds and durations_in(text):
            topics = topics | {"lead_time"}
        if not own.inspection and denies_inspection(text):
            topics = topics - {"special_inspection"}
        asks = ASKS.search(folded) is not None
        yield Statement(
            evidence=piece,
            start=start,
            end=end,
            topics=topics,
            values=values,
            scope=scope,
            surcharge=surcharge,
            asks=asks,
            whom=_whom(folded) if asks else None,
            excluded=excepted or named | scope_terms(scope_before),
        )
        if own.names_subject and not own.treatments:
            scope_before = narrowed(own, around)
        topics_before = topics or topics_before


def _topics(text: str, before: frozenset[str], policy: Policy) -> frozenset[str]:
    named = topics_in(STARTS_FROM.sub(" ", fold(text)), policy)
    if durations_in(text) and not named - {"surface_treatment", "special_inspection", "packaging", "tolerance"}:
        weak = {topic for topic in ("lead_time",) if weak_spans(text, topic)}
        named = named | weak
        if not weak and ("lead_time" in before or _adds_time(text)):
            named = named | {"lead_time"}
    if named:
        return named
    return before


def _heads(sentence: str) -> bool:
    """Whether a line is a title or the head of a table: short, and no sentence by its end."""
    return len(sentence) <= _HEADER and sentence.rstrip()[-1:] not in "。.!?！？；;"


def _spoken_of(piece: Evidence, spoken: frozenset[str], policy: Policy) -> frozenset[str]:
    """The topics that stand above a sentence: of any statement under a title, of a bare value under them all."""
    if _bare(piece.quote):
        return spoken or topics_in(piece.title, policy)
    return frozenset(topic for topic in spoken if value_kind(topic) == "statement")


def _bare(sentence: str) -> bool:
    """Whether a sentence is little more than a subject and a value, so that its topic must stand elsewhere."""
    own = read_scope(sentence)
    return bool(own.names_subject or own.classes or own.tier or own.general or own.others) or _rest(sentence) <= _BARE


def _rest(sentence: str) -> int:
    """The width in cells of what a sentence says beside its spans of time."""
    return cells(sentence) - sum(cells(sentence[one.start : one.end]) for one in durations_in(sentence))


def _adds_time(text: str) -> bool:
    """Whether a treatment or an inspection is said to take time on top."""
    own = read_scope(text)
    return bool(own.treatments or own.inspection) and SURCHARGE.search(fold(text)) is not None


def _only_adds(text: str, own: Scope) -> bool:
    """Whether a treatment or an inspection is given a time of its own without the words for the whole (`鈍化 2 日`)."""
    if not (own.treatments or own.inspection) or own.parts or own.materials:
        return False
    return (
        bool(durations_in(text)) and not topic_spans(text, "lead_time", Policy()) and not weak_spans(text, "lead_time")
    )


def _replaced(folded: str, value: Quantity, *, last: bool) -> bool:
    """Whether a value is denied, or is the old one of `from 10 to 15 days`."""
    before = folded[max(0, value.start - 24) : value.start]
    if REPLACED.search(before) is not None:
        return True
    return not last and REPLACED_BY_NEXT.search(before) is not None and BECOMES.match(folded, value.end) is not None


def _whom(folded: str) -> str | None:
    return next((name for name, words in WHOM if words.search(folded)), None)


def _split(text: str, span: tuple[int, int], marks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    folded = fold(text)
    start, end = span
    at = start
    for mark in marks.finditer(folded, start, end):
        # Before a bracket or `另加` a phrase ends only when it has stated something already.
        if mark.start() == mark.end() and not durations_in(text[at : mark.start()]):
            continue
        if trimmed := _trimmed(text, at, mark.start()):
            yield trimmed
        at = mark.end()
    if trimmed := _trimmed(text, at, end):
        yield trimmed


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and (text[start].isspace() or text[start] in ",，、;；"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",，、;；"):
        end -= 1
    return (start, end) if start < end else None


def _restates(piece: str) -> bool:
    """Whether a phrase is only one more span of time, as `(3 weeks)` is behind `15 working days`."""
    found = durations_in(piece)
    if len(found) != 1:
        return False
    rest = NEARLY.sub("", fold(f"{piece[: found[0].start]} {piece[found[0].end :]}"))
    return not any(char.isalnum() for char in rest)


def _opens(piece: str, current: str, policy: Policy) -> bool:
    """Whether `piece` says something of its own beside what `current` has already said."""
    folded = fold(piece)
    other_case = LEAVES_OUT.match(folded) is not None and bool(durations_in(piece))
    if _restates(piece) or (CONTINUES.match(folded) and not other_case):
        return False
    counted = "minimum_order" in topics_in(current, policy) and bool(quantities_in(current))
    stated = bool(durations_in(current) or money_in(current) or measures_in(current)) or counted
    if not stated and ASKS.search(fold(current)) is None:
        return False
    if durations_in(piece) or money_in(piece):
        return True
    return bool(topics_in(piece, policy) - topics_in(current, policy)) and not topic_spans(
        current, "special_inspection", policy
    )
