"""Evidence sentences read as statements: one clause, what it is about, what it states, and for whom it holds.

A sentence often says several things (`標準交期 15 日；鈍化另加 2 日`). Each is judged on its own, so that a part which
does not hold for a task never reaches its draft beside a part which does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from models.evidence import Evidence
from models.folding import fold, folded_pattern
from models.instructions import is_instruction
from models.policies import Policy
from models.scopes import Scope, TaskScope, applies, concerns_other_part, narrowed, read_scope, scope_terms
from models.topics import topic_spans, topics_in, value_kind, weak_spans
from models.values import Quantity, durations_in, measures_in, money_in, quantities_in

_HARD = re.compile(r"[;；]")
_SOFT = folded_pattern(
    r"、|,(?!(?<=\d,)\d{3}(?!\d))|\s(?:and|und|plus|with an?|zuzüglich|zzgl\.?|sowie|while|whereas|but|aber)\s"
    r"|(?=[(（])"
    r"|(?=另加|外加|再加|追加で)|[:：](?=.*[:：])"
)
_CONTINUES = folded_pattern(
    r"\s*[(（]?\s*(?:不?含|不?包含|不?包括|除|即|约|或|including|excluding|incl|excl|inkl|exkl|without|ohne|i\.e\."
    r"|e\.g\.|z\.\s?b\.|ab |from |after |counted)"
)
_SURCHARGE = folded_pattern(
    r"另加|外加|再加|加收|加(?=\s*\d)|追加|加算|增加|延长|延長|多(?=\s*\d)|需多|プラス|上乗せ|顺延"
    r"|\bplus\b|\badditional(?:ly)?\b|\bextra\b|\badds?\b|\badded\b|\bsurcharges?\b|\bon top\b|\bfurther\b"
    r"|\blonger\b|\bextend\w*"
    r"|zuzüglich|\bzzgl\b|\bzusätzlich\w*|aufschlag\w*|\bverlänger\w*|\berhöh\w*|\bmehr\b|\+\s*\d|\ben plus\b"
    r"|\badicional\w*"
)
_ASKS = folded_pattern(
    r"(?:需|须|应|要|由|经|待|请|得)[^。；;]{0,16}?(?:确认|评估|审核|核定|判定|核准|审查|同意|签核)|另(?:行"
    r"|案)?(?:评估|确认|议|报价|计算|案)|(?:个案|个别|逐案|单独)(?:评估|确认|处理)"
    r"|別途[^。]{0,10}?(?:確認|見積|協議|相談|評価|連絡)|個別[^。]{0,6}?(?:確認|見積|協議|対応)|(?:確認|承認|評価"
    r"|判断|許可)(?:を|が)(?:要|必要|受け|得)|要(?:確認|相談|協議)|要問合せ"
    r"|\b(?:needs?|requires?|must|should|shall|has to|have to|is to|are to|subject to|pending|awaits?"
    r"|depends? on)\b[^.;]{0,50}?\b(?:confirm\w*|approv\w*|assess\w*|review\w*|clearance|agree\w*|evaluat\w*)\b"
    r"|\b(?:assessed|evaluated|confirmed|agreed|quoted|reviewed|determined|clarified) (?:separately|individually"
    r"|case by case|by|with)\b|\bto be (?:confirmed|agreed|assessed|determined)\b|\bcase[\s-]by[\s-]case\b"
    r"|\bon request\b"
    r"|\b(?:gesondert|separat|einzeln|individuell)\b[^.;]{0,30}?(?:geprüft|bewertet|bestätigt|vereinbart|geklärt"
    r"|beurteilt|zu klären)|\b(?:muss|müssen|ist|sind|bedarf|bedürfen|erfordert|erfordern"
    r"|benötigt)\b[^.;]{0,50}?(?:bestätig\w*|freigabe|freigegeben|zustimmung|bewertung|zu klären|zu prüfen|geprüft"
    r"|abgestimmt)|\b(?:nach absprache|auf anfrage)\b"
)
_WHOM: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, folded_pattern(words))
    for name, words in (
        (
            "engineering",
            r"工程|技术|技術|设计部|設計|エンジニア|\bengineer\w*|\btechnical\b|\bkonstruktion\w*|\btechnik\w*"
            r"|\btechnisch\w*",
        ),
        ("quality", r"品保|品管|质量部|质检|质保部|品質(?:保証|管理)?部|\bquality\b|\bqa\b|\bqc\b|\bqualität\w*"),
        ("procurement", r"采购|购买|購買|資材|\bpurchasing\b|\bprocurement\b|\beinkauf\w*"),
        (
            "production",
            r"生管|生产|製造部|生産|\bproduction\b|\bmanufacturing\b|\bplanning\b|\bfertigung\w*|\bproduktion\w*",
        ),
        ("finance", r"财务|会计|経理|財務|\bfinance\b|\baccounting\b|\bbuchhaltung\w*"),
        ("logistics", r"物流|仓管|船务|\blogistics\b|\bwarehouse\b|\blogistik\w*"),
        ("sales", r"业务|营销|営業(?!日)|\bsales\b|\bvertrieb\w*"),
        (
            "management",
            r"主管|经理|总经理|管理层|上長|部長|\bmanagement\b|\bmanager\b|\bgeschäfts(?:führung|leitung)\b",
        ),
        ("customer", r"客户|顾客|お客様|顧客|客先|\bcustomers?\b|\bkunden?\b"),
    )
)
# A time to answer in, to be late by or to announce a change in is no lead time.
_OTHER_TIME = folded_pattern(
    r"[回答][复覆]|告知|通知|回报|提供报价|延误|延迟|逾期|迟延|违约|罚|提前|不再适用|已(?:废止|失效|停用)|原(?:为"
    r"|本|先)"
    r"|回答|連絡|返答|遅延|遅れ|お知らせ|以前は|かつて|従来は"
    r"|\b(?:repl(?:y|ies|ied)|respon(?:d|se)\w*|answer\w*|notif\w+|inform\w*|communicat\w+|announc\w+|advis\w+"
    r"|quoted? within"
    r"|late|delay\w*|overdue|penalt\w+|exceed\w*|no longer|formerly|previously|used to be|in advance)\b"
    r"|\b(?:be|is|are|get|gets) (?:\w+ )?(?:confirmed|reviewed|checked|stated) (?:with)?in\b|\bconfirms? (?:the|our"
    r"|your)\b"
    r"|\b(?:rückmeldung|antwort\w*|mitgeteilt|mitteil\w*|informier\w*|benachrichtig\w*|verzug\w*|verspät\w*"
    r"|überschr\w+"
    r"|vertragsstrafe\w*|nicht mehr|früher|ehemals|im voraus)\b|\binnerhalb [^,;]{0,30}bestätigt\b"
    r"|(?:日|天)内(?:确认|审核)|以内に(?:確認|ご確認)"
)
# A time to answer in is no time to make something in.
_REPLY = folded_pattern(
    r"(?:日|天|时|周|週間|間)(?:之|以)?内(?:に)?[^。,，；;]{0,6}?(?:回复|回覆|答复|答覆|回答|告知|通知|确认|提供报价"
    r"|报价|連絡|返答|返信|見積)"
    r"|\b(?:confirmed|communicated|quoted|answered|advised|announced|notified|informed|replied to"
    r"|provided) (?:to \w+ )?(?:within|in)\b"
    r"|\b(?:repl(?:y|ies)|responses?|answers?|confirm(?:ation)?s?|quotations?|quotes?)\b[^.;,]{0,30}?\bwithin\b"
    r"|\bwithin\b[^.;,]{0,30}?\b(?:we|you|sales|our team)\b[^.;,]{0,20}?\b(?:reply|answer|confirm|respond|quote)\b"
    r"|\binnerhalb\b[^.;,]{0,30}?\b(?:bestätigt|mitgeteilt|genannt|beantwortet|angeboten|geantwortet)\b"
    r"|\b(?:antwort|rückmeldung|bestätigung|angebot)\w*\b[^.;,]{0,30}?\binnerhalb\b"
)
_ANAPHOR = folded_pattern(
    r"(?:其|该|此|上述|本(?:件|品|产品|零件|料号)|この|その|当該|\b(?:its|their|this|these|the (?:part|item"
    r"|material)'s?|for (?:this|these|it))\b|\b(?:deren|dessen|diese[rsn]?|dafür|hierfür)\b)"
)
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
        if topic == "lead_time" and _OTHER_TIME.search(fold(self.text)):
            return ()
        return () if kind == "statement" else _VALUES[kind](self.text)

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
    return tuple(statement for pieces in documents.values() for statement in _of_document(pieces, policy))


def clause_spans(text: str, policy: Policy) -> tuple[tuple[int, int], ...]:
    """Half-open spans of the clauses of one sentence that each say something of their own."""
    spans: list[tuple[int, int]] = []
    for start, end in _split(text, (0, len(text)), _HARD):
        current: tuple[int, int] | None = None
        for left, right in _split(text, (start, end), _SOFT):
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
    clauses = _split(text, (0, len(text)), _HARD)
    return tuple(span for clause in clauses for span in _split(text, clause, _SOFT))


def _of_document(pieces: Sequence[Evidence], policy: Policy) -> Iterator[Statement]:
    subject, heading, named = Scope(), None, frozenset[str]()
    for piece in sorted(pieces, key=lambda one: one.locator.char_start):
        if piece.locator.heading != heading:
            heading = piece.locator.heading
            subject = read_scope(heading or "")
        if is_instruction(piece.quote):
            continue
        found = list(_of_sentence(piece, subject, named, policy))
        whole = read_scope(piece.quote)
        sets_subject = whole.names_subject and not any(one.values or one.asks for one in found)
        if sets_subject or (whole.parts and not subject.parts):
            subject = (
                whole if sets_subject else replace(subject, parts=whole.parts) if _talks_on(piece, pieces) else subject
            )
        named = named | scope_terms(whole)
        yield from found


def _talks_on(piece: Evidence, pieces: Sequence[Evidence]) -> bool:
    """Whether the next sentence goes on about the same part (`Its lead time …`)."""
    following = [one for one in pieces if one.locator.char_start >= piece.locator.char_end]
    return (
        bool(following)
        and _ANAPHOR.match(fold(min(following, key=lambda one: one.locator.char_start).quote)) is not None
    )


def _of_sentence(piece: Evidence, around: Scope, named: frozenset[str], policy: Policy) -> Iterator[Statement]:
    topics_before = topics_in(piece.locator.heading or "", policy)
    scope_before = around
    for start, end in clause_spans(piece.quote, policy):
        text = piece.quote[start:end]
        own = read_scope(text)
        scope = narrowed(own, scope_before)
        values = tuple((*durations_in(text), *money_in(text), *measures_in(text)))
        folded = fold(text)
        surcharge = _SURCHARGE.search(folded) is not None or _only_adds(text, own)
        topics = _topics(text, topics_before, policy)
        if surcharge and scope.kinds and durations_in(text):
            topics = topics | {"lead_time"}
        if _REPLY.search(folded):
            topics = topics - {"lead_time"}
        asks = _ASKS.search(folded) is not None
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
            excluded=named | scope_terms(scope_before),
        )
        if own.names_subject and not own.treatments:
            scope_before = narrowed(own, around)
        topics_before = topics or topics_before


def _topics(text: str, before: frozenset[str], policy: Policy) -> frozenset[str]:
    named = topics_in(text, policy)
    if durations_in(text) and not named - {"surface_treatment", "special_inspection", "packaging", "tolerance"}:
        weak = {topic for topic in ("lead_time",) if weak_spans(text, topic)}
        named = named | weak
        if not weak and ("lead_time" in before or _adds_time(text)):
            named = named | {"lead_time"}
    if named:
        return named
    return before


def _adds_time(text: str) -> bool:
    """Whether a treatment or an inspection is said to take time on top."""
    own = read_scope(text)
    return bool(own.treatments or own.inspection) and _SURCHARGE.search(fold(text)) is not None


def _only_adds(text: str, own: Scope) -> bool:
    """Whether a treatment or an inspection is given a time of its own without the words for the whole (`鈍化 2"
    " 日`)."""
    if not (own.treatments or own.inspection) or own.parts or own.materials:
        return False
    return (
        bool(durations_in(text)) and not topic_spans(text, "lead_time", Policy()) and not weak_spans(text, "lead_time")
    )


def _whom(folded: str) -> str | None:
    return next((name for name, words in _WHOM if words.search(folded)), None)


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


def _opens(piece: str, current: str, policy: Policy) -> bool:
    """Whether `piece` says something of its own beside what `current` has already said."""
    folded = fold(piece)
    if _CONTINUES.match(folded):
        return False
    said = bool(quantities_in(current)) or _ASKS.search(fold(current)) is not None
    if not said:
        return False
    if durations_in(piece) or money_in(piece):
        return True
    return bool(topics_in(piece, policy) - topics_in(current, policy)) and not topic_spans(
        current, "special_inspection", policy
    )
