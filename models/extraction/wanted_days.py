"""Full dates, and which of them is the day the goods are wanted."""

import re
from datetime import date

from models.extraction.calendar_words import MONTH, MONTH_NAMES
from models.extraction.scripts import Language
from models.extraction.views import Candidate, SourceText

_YEAR_FIRST = re.compile(
    r"(?<![\d.,/-])(?P<y>20\d\d) ?(?:(?P<s>[-/.]) ?(?P<m>\d{1,2}) ?(?P=s) ?(?P<d>\d{1,2})"
    r"|年 ?(?P<m2>\d{1,2}) ?月 ?(?P<d2>\d{1,2}) ?[日号]?)(?![\d/-]|\.\d)"
)
_ERA = re.compile(
    r"(?P<era>民国|令和) ?(?P<y>\d{1,3}|元) ?(?:年|[-/.]) ?(?P<m>\d{1,2}) ?(?:月|[-/.]) ?(?P<d>\d{1,2}) ?日?(?!\d)"
)
_DAY_FIRST = re.compile(
    rf"(?<![\d.,/-])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ -]?(?:of )?(?P<m>{MONTH})\.?,?[ -]?(?P<y>20\d\d)(?!\d)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(rf"\b(?P<m>{MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>20\d\d)(?!\d)", re.IGNORECASE)
_NUMERIC = re.compile(
    r"(?<![\d.,/±+-])(?P<a>0?[1-9]|[12]\d|3[01])(?P<s>[./-]) ?(?P<b>0?[1-9]|[12]\d|3[01])(?P=s)"
    r"(?: ?(?P<y>20\d\d)|(?P<short>\d\d))(?![\d/-]|\.\d)"
)
_TWO_DAYS = re.compile(r"(?:0?[1-9]|1[0-2])([./-]) ?(?:0?[1-9]|1[0-2])\1 ?20\d\d")
_ERA_START = {"民国": 1911, "令和": 2018}

_OTHER_DAY = re.compile(
    r"(?:订单|订购|下单|报价(?:单|日期)?|询价|来信|寄件|发件|发送|日期[:：]|图面|图纸|版|合同|签订|上次|有效(?:期)?|"
    r"发票|制图|"
    r"\bdated|\bsent|\bdate:|\bordered|\bquot(?:ed|ation)(?: of| from)?|\border (?:of|from)|\be-?mail (?:of|from)|"
    r"\binquiry of|\brev(?:ision)?\b[^,.;]{0,10}|\bvalid (?:until|till|to)|\bcall(?: of| from)?|\bmeeting|\bas of|"
    r"gesendet|"
    r"datum:|\bvom|\bstand|gültig bis|bestellt am|angebot bis|antwort bis|rückmeldung bis|\bquote (?:by|until|before)|"
    r"\breply (?:by|until|before)|\brespond by|\boffer by|送信|受信|作成|发行|回答期限|见积期限|前回|"
    r"去年)[^,。;!?\n]{0,14}\Z",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"(?:交|到货|需要|希望|纳期|纳|着|出货|入库|deliver|need|want|due|ship|arriv|require|termin|liefer|benötig|"
    r"brauch|spätestens)",
    re.IGNORECASE,
)
_OTHER_DAY_AFTER = re.compile(
    r" ?(?:之?前|まで(?:に)?)?(?:请)?(?:报价|回复|回覆|回答|回信|询价|下单|下的|的订单|的报价|的信|来信|写道|お?见积|"
    r"付け?の?(?:注文|见积|图面)|wrote|schrieb|版)|t\d{2}:\d{2}| \d{2}:\d{2}:\d{2}",
    re.IGNORECASE,
)
_LINK = re.compile(
    r" ?(?:或者?|或是|还是|和|与|、|/|,|~|\bor\b|\band\b|\boder\b|\bund\b|か|または|又は)(?: (?:on|am|by|bis))? ?",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"(?:交期|交货|交付|纳期|需求日|到货|delivery|due date|lead ?time|ship(?:ping|ment)? date|liefertermin|termin\b|"
    r"lieferdatum)",
    re.IGNORECASE,
)


def find_dates(
    source: SourceText, language: Language
) -> tuple[list[Candidate], list[tuple[int, int]], list[tuple[int, int]]]:
    """The days the goods are wanted, the ranges of all dates, and of those wanted whose day could be their month."""
    spans: list[tuple[int, int]] = []
    found: list[Candidate] = []
    two_days: list[tuple[int, int]] = []
    for start, end, day in sorted(_all_dates(source.folded, language), key=lambda one: (one[0], -one[1])):
        if spans and start < spans[-1][1]:
            continue
        spans.append((start, end))
        if day is None and _TWO_DAYS.fullmatch(source.folded, start, end) and _is_wanted(source.folded, start, end):
            two_days.append((start, end))
        if day is not None and _is_wanted(source.folded, start, end):
            linked = bool(found) and _LINK.fullmatch(source.folded, found[-1].end, start) is not None
            found.append(Candidate("wanted_date", day.isoformat(), start, end, linked, day.isoformat()))
    return found, spans, two_days


def speaks_of_date(folded: str) -> bool:
    """Whether the text names the day of delivery at all, with or without a full date."""
    return _TOPIC.search(folded) is not None


def _all_dates(folded: str, language: Language) -> list[tuple[int, int, date | None]]:
    found: list[tuple[int, int, date | None]] = []
    for one in _YEAR_FIRST.finditer(folded):
        found.append((*one.span(), _day(int(one["y"]), int(one["m"] or one["m2"]), int(one["d"] or one["d2"]))))
    for one in _ERA.finditer(folded):
        year = _ERA_START[one["era"]] + (1 if one["y"] == "元" else int(one["y"]))
        found.append((*one.span(), _day(year, int(one["m"]), int(one["d"]))))
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for one in pattern.finditer(folded):
            found.append((*one.span(), _day(int(one["y"]), MONTH_NAMES[one["m"].lower()], int(one["d"]))))
    found += [(*one.span(), _numeric(one, language)) for one in _NUMERIC.finditer(folded)]
    return found


def _numeric(one: re.Match[str], language: Language) -> date | None:
    first, second, year = int(one["a"]), int(one["b"]), int(one["y"] or one["short"])
    if one["short"]:
        if language != "de":
            return None
        year += 2000
    if language == "de" or first > 12 or first == second:
        return _day(year, second, first)
    return _day(year, first, second) if second > 12 else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _is_wanted(folded: str, start: int, end: int) -> bool:
    """A day is wanted unless the words around it say that something was sent, ordered, drawn or answered on it."""
    if _OTHER_DAY_AFTER.match(folded, end):
        return False
    match = _OTHER_DAY.search(folded, max(0, start - 40), start)
    return match is None or _WANTED.search(folded, match.start(), start) is not None
