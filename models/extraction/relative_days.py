"""Days that are named by how far off they are, or only in part: "next Friday", 月底前, "KW 12", "end of March".

Why it is so: such words mean a day only together with the day on which they were written, and that is not known for
certain: what counts here is when the message arrived. So none of them is ever a value. The field is asked, and what
was understood is shown beside the question: one day to agree to, or the first and last day that the words can mean.
"Next Friday" is two days in English and German; 下週五 is one, because a Chinese and a Japanese week begins on Monday
(GB/T 7408, JIS X 0301, ISO 8601). Holidays and working days depend on a calendar that nobody gave: they stay words.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from models.extraction.calendar_words import COUNTS, MONTH_NAMES, RELATIVE_DAYS, WEEKDAYS, WEEKDAYS_HAN
from models.extraction.relative_day_forms import RULES
from models.extraction.scripts import Language
from models.extraction.views import SourceText, enclosing, sentences

MAX_UNDERSTOOD = 5
MAX_LOOKED_AT = 100  # of one form: a message that names more days names none


class Days(NamedTuple):
    """The first and the last day that some words can mean, with their place in the views."""

    start: int
    end: int
    first: date
    last: date


_WANTED = re.compile(
    r"交|到|要|需|出货|发货|送|给我|收|纳|着|届|必要|希望|期限|急|能出|能好|deliver|need|want|due|ship|arriv|require|"
    r"have (?:them|it)|\bby\b|before|until|latest|turn(?:ed)? (?:it |them )?around|ready|termin|liefer|benötig|brauch|"
    r"\bbis\b|spätestens|super|\beilt|fertig|fertigung|asap",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"回复|回覆|回答|回信|报价|估价|见积(?!もり)|图确|开会|会议|拜访|参观|来电|打样图|有效|下单|订购|付款|月结|支払|払|締|确认|讨论|"
    r"\bquot\w*|\boffer|\breply|\brespond|\banswer|\bmeeting|\bcall\b|\bvisit|\bconfirm\w*|\bvalid|\border(?:ed)?\b|"
    r"\bpay\w*|\bnet\b|\bdiscuss|angebot\b|antwort|rückmeldung|besprech\w*|gültig|bestell\w*|zahl\w*|netto|anruf|melden",
    re.IGNORECASE,
)
_DATED_BEFORE = re.compile(
    r"(?:\b(?:by|on|before|until|due|bis|am|zum|spätestens)|交期|交货|交货日|到货|纳期|需求日|希望|最晚|ship|deliver(?:y|ed)?)"
    r"[:： は]{0,3}\Z",
    re.IGNORECASE,
)
_DATED_AFTER = re.compile(
    r" ?[(（]?[一二三四五六日月火水木金土]?[)）]? ?(?:之?前|以前|まで|要|交|到|出|收|送|着|纳|必|希望)"
)
_BESIDE = 16


def find_relative_days(source: SourceText, language: Language, received: date) -> list[Days]:
    """What the words for a wanted day mean for a message that arrived on `received`; the longest words of a place."""
    folded = source.folded
    pieces = sentences(folded)
    found = sorted(_all(folded, language, received), key=lambda one: (one.start, -one.end))
    kept: list[Days] = []
    for one in found:
        if kept and one.start < kept[-1].end:
            continue
        if one.last >= received and _is_wanted(folded, one, enclosing(pieces, one.start)):
            kept.append(one)
    return list({(one.first, one.last): one for one in reversed(kept)}.values())[::-1][:MAX_UNDERSTOOD]


def _is_wanted(folded: str, one: Days, sentence: tuple[int, int]) -> bool:
    """Whether the sentence speaks of getting goods, and the words beside it of nothing else that has a day."""
    start, end = sentence
    beside = folded[max(start, one.start - _BESIDE) : min(end, one.end + _BESIDE)]
    return _OTHER.search(beside) is None and _WANTED.search(folded, start, end) is not None


def _all(folded: str, language: Language, received: date) -> Iterator[Days]:
    for name, pattern in RULES:
        for match in islice(pattern.finditer(folded), MAX_LOOKED_AT):
            if name == "dotted" and language != "de":
                continue
            try:
                days = _MEANINGS[name](match, received, language)
            except (ValueError, OverflowError):
                continue
            if days is not None:
                yield Days(*match.span(), *days)


_Meaning = Callable[[re.Match[str], date, Language], "tuple[date, date] | None"]


def _named(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    word = match["word"].lower()
    if word == "morgen" and (language != "de" or match["word"] != "morgen"):
        return None  # "Guten Morgen" is no day
    return _one(received + timedelta(days=RELATIVE_DAYS[word]))


def _han_week(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    ahead = {"下下": 2, "再来": 2, "下": 1, "来": 1}.get(match["which"], 0)
    monday = received - timedelta(days=received.weekday()) + timedelta(weeks=ahead)
    if match["day"] is None:
        return max(monday, received), monday + timedelta(days=6)
    if match["day"] == "末":
        return monday + timedelta(days=5), monday + timedelta(days=6)
    return _one(monday + timedelta(days=WEEKDAYS_HAN[match["day"]]))


def _weekday(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    return _one(_coming(received, WEEKDAYS_HAN[match["day"]]))


def _week(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    which = " ".join(filter(None, (match["which"], match["again"]))).lower()
    if match["day"] is None:
        ahead = 0 if match["which2"].lower().startswith(("this", "diese")) else 1
        monday = received - timedelta(days=received.weekday()) + timedelta(weeks=ahead)
        return max(monday, received), monday + timedelta(days=6)
    coming = _coming(received, WEEKDAYS[match["day"].lower()])
    if "next" in which or "nächste" in which:
        return coming, coming + timedelta(weeks=1)
    return _one(coming)


def _month_end(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    ahead = {"下下": 2, "下": 1, "来": 1}.get(match["which"] or "", 0)
    first = _months_later(received.replace(day=1), ahead)
    return _one(_last_of(first))


def _year_end(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    return _one(date(received.year + (1 if match["which"] else 0), 12, 31))


def _han_part(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    words = match["m"]
    month = int(words) if words.isdigit() else {"十": 10, "十一": 11, "十二": 12}.get(words) or COUNTS[words]
    return _in_month(match["y"], month, match["part"], received)


def _han_day(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    if match["y"] and match["y"].isdigit():
        return None  # a full date is read as one
    return _one(_dated(_year_of(match["y"], received), int(match["m"]), int(match["d"]), received))


def _han_month(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    return _in_month(match["y"], int(match["m"]), "", received)


def _slash(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    """Month first in the East; in English both readings of two small numbers. "Nylon 6/6" and "1/2" are no days."""
    if not _DATED_BEFORE.search(match.string, max(0, match.start() - 16), match.start()) and not _DATED_AFTER.match(
        match.string, match.end()
    ):
        return None
    month, day = int(match["m"]), int(match["d"])
    first = _dated(None, month, day, received)
    if language in ("en", "de") and day <= 12 and day != month:
        other = _dated(None, day, month, received)
        return min(first, other), max(first, other)
    return _one(first)


def _dotted(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    return _one(_dated(None, int(match["m"]), int(match["d"]), received))


def _week_no(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    week = int(match["w"] or match["w2"] or match["w3"])
    year = int(match["y"]) if match["y"] else received.year
    monday = date.fromisocalendar(year, week, 1)
    if not match["y"] and monday + timedelta(days=6) < received:
        monday = date.fromisocalendar(year + 1, week, 1)
    return monday, monday + timedelta(days=6)


def _quarter(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    words = match["q"] or match["q2"] or match["q3"]
    number = int(words) if words.isdigit() else COUNTS[words]
    given = match["y"] or match["y2"]
    year = int(given) if given else received.year
    first = date(year, 3 * number - 2, 1)
    if not given and _last_of(_months_later(first, 2)) < received:
        first = first.replace(year=year + 1)
    return first, _last_of(_months_later(first, 2))


def _month_part(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    return _in_month(match["y"], MONTH_NAMES[match["m"].lower()], match["part"].lower(), received)


def _month_day(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    month = MONTH_NAMES[(match["m"] or match["m2"]).lower()]
    return _one(_dated(None, month, int(match["d"] or match["d2"]), received))


def _span(match: re.Match[str], received: date, language: Language) -> tuple[date, date] | None:
    words, unit = match["n"].lower(), match["unit"].lower()
    count = int(words) if words.isdigit() else COUNTS[words]
    if unit.startswith(("month", "monat")) or "月" in unit:
        return _one(_months_later(received, count))
    weeks = unit.startswith(("week", "woche")) or unit[0] in "周星礼"
    return _one(received + timedelta(weeks=count if weeks else 0, days=0 if weeks else count))


def _in_month(year: str | None, month: int, part: str, received: date) -> tuple[date, date]:
    """The days of a part of a month: of ten days each, and its last one for its end."""
    first = date(_year_of(year, received) or received.year, month, 1)
    if year is None and _last_of(first) < received:
        first = first.replace(year=first.year + 1)
    last = _last_of(first)
    if re.match(r"底|末|end", part):
        return _one(last)
    if re.match(r"初|上旬|头|early|beginning|start|anfang", part):
        return first, first.replace(day=10)
    if re.match(r"中|mid|mitte", part):
        return first.replace(day=11), first.replace(day=20)
    if re.match(r"下旬|late", part):
        return first.replace(day=21), last
    if part.startswith("第"):
        number = int(part[1]) if part[1].isdigit() else COUNTS[part[1]]
        return first.replace(day=7 * number - 6), first.replace(day=7 * number)
    return first, last


def _year_of(words: str | None, received: date) -> int | None:
    if words is None:
        return None
    return int(words) if words.isdigit() else received.year + {"今": 0, "本": 0, "明": 1, "来": 1, "后": 2}[words]


def _dated(year: int | None, month: int, day: int, received: date) -> date:
    """The day of a year, or the first such day that is not before `received`."""
    if year is not None:
        return date(year, month, day)
    this = date(received.year, month, day)
    return this if this >= received else date(received.year + 1, month, day)


def _coming(received: date, weekday: int) -> date:
    return received + timedelta(days=(weekday - received.weekday()) % 7)


def _months_later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last one."""
    whole = day.year * 12 + day.month - 1 + months
    first = date(whole // 12, whole % 12 + 1, 1)
    return first.replace(day=min(day.day, _last_of(first).day))


def _last_of(day: date) -> date:
    """The last day of a month."""
    following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return following - timedelta(days=1)


def _one(day: date) -> tuple[date, date]:
    return day, day


_MEANINGS: dict[str, _Meaning] = {
    "named": _named,
    "han_week": _han_week,
    "weekday": _weekday,
    "month_end": _month_end,
    "year_end": _year_end,
    "han_part": _han_part,
    "han_day": _han_day,
    "han_month": _han_month,
    "slash": _slash,
    "dotted": _dotted,
    "week_no": _week_no,
    "quarter": _quarter,
    "week": _week,
    "month_part": _month_part,
    "month_day": _month_day,
    "span": _span,
}
