"""Numbers, units, durations and money as values: `1,200`, `1.200`, `１２００` and 一千二百 can be the same number.

A number written `1.200` has two readings, because a German and an English writer mean different things by it; two
numbers are equal when they share a reading. Digits inside part numbers and grades are no numbers.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from models.folding import fold, folded_pattern

# Ordered: the first form that matches at a place is the unit.
_UNITS: tuple[tuple[str, str], ...] = (
    (
        "working_day",
        r"(?:个|個)?(?:工作天|工作日|营业日|营业天|稼働日|平日|上班日|上班天)|영업일"
        r"|(?:full )?(?:business|working|work|bank(?:ing)?)[\s-]?days?\b|workdays?\b|[wb]\.?d\.?(?![a-z])"
        r"|(?:arbeits|werk|bankarbeits"
        r"|geschäfts)tag(?:en?|s)?\b|at(?=\s*(?:[.;,)]|$|nach\b|ab\b))"
        r"|jours? (?:ouvr[ée]s?|ouvrables?)\b|días? (?:h[áa]biles|laborables)\b",
    ),
    ("hour", r"(?:个)?小时|钟头|时间|시간|hours?\b|hrs?\b|h\b|stunden?\b|heures?\b|horas?\b"),
    ("minute", r"分钟|分间|minutes?\b|mins?\b|minuten?\b"),
    ("week", r"(?:个)?(?:周间|星期|礼拜|周)|周|주(?:일|간)?|weeks?\b|wks?\b|wochen?\b|semaines?\b|semanas?\b"),
    ("month", r"(?:个|箇|ヶ|ケ|か|カ|ヵ)月|개월|months?\b|mths?\b|monat(?:en?|s)?\b|mois\b|meses\b|mes\b"),
    (
        "day",
        r"(?:个)?(?:日历天|日历日|自然日|历日)|日间|日|天|일|(?:calendar[\s-]?)?days?\b|(?:kalender)?tag(?:en?|s)?\b"
        r"|jours?\b|días?\b|d\b",
    ),
    ("year", r"年间|年|년|years?\b|yrs?\b|jahr(?:en?|es)?\b|ans?\b|años?\b"),
    ("percent", r"%|percent\b|per cent\b|prozent\b|パーセント|趴|퍼센트"),
    ("mm", r"mm\b|毫米|公厘"),
    ("cm", r"cm\b|厘米|公分"),
    ("um", r"[uµμ]m\b|微米|微メートル"),
    ("kg", r"kgs?\b|公斤|千克"),
    ("g", r"g\b|公克"),
    ("money:TWD", r"(?:元)?(?:新台币|台币)|twd\b|ntd\b|nt\$"),
    ("money:USD", r"美元|美金|usd\b|us\$|us dollars?\b|dollars?\b"),
    ("money:EUR", r"欧元|ユーロ|eur\b|euros?\b|€"),
    ("money:JPY", r"日元|日圆|円|jpy\b|yen\b"),
    ("money:CNY", r"人民币|rmb\b|cny\b|yuan\b"),
    ("money:元", r"元|块|圆"),
    (
        "piece",
        r"件|个|支|片|只|颗|粒|枚|本|台|套|组|点|개|pcs?\b\.?|pieces?\b|units?\b|ea\b|parts?\b|stücke?n?\b|stk\b\.?"
        r"|st\b\.?|teilen?\b"
        r"|pi[èe]ces?\b|piezas?\b|unidades\b|sets?\b",
    ),
    ("box", r"箱|盒|cartons?\b|box(?:es)?\b|kartons?\b"),
)
_MONEY_BEFORE = r"nt\$|us\$|\$|€|£|¥|usd|eur|twd|ntd|rmb|cny|jpy|新台币|人民币|美元|美金|欧元"
_MONEY_NAMES = {
    "nt$": "TWD",
    "us$": "USD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "usd": "USD",
    "eur": "EUR",
    "twd": "TWD",
    "ntd": "TWD",
    "rmb": "CNY",
    "cny": "CNY",
    "jpy": "JPY",
    "新台币": "TWD",
    "人民币": "CNY",
    "美元": "USD",
    "美金": "USD",
    "欧元": "EUR",
}
TIME_UNITS = frozenset({"hour", "day", "working_day", "week", "month", "year"})
_LENGTHS = frozenset({"mm", "cm", "um"})

_UNIT = "|".join(f"(?P<u{index}>{form})" for index, (_, form) in enumerate(_UNITS))
_UNIT_AGAIN = "|".join(f"(?P<v{index}>{form})" for index, (_, form) in enumerate(_UNITS))
_AFTER_NUMBER = folded_pattern(
    rf"(?:\s{{0,2}}\([^()\n]{{1,24}}\))?(?:\s{{0,2}}|-)(?:(?:full|whole|volle|整)\s?)?(?:{_UNIT})"
)
_BEFORE_NUMBER = folded_pattern(rf"(?:{_MONEY_BEFORE})\s?$")
# The label of a column may carry the unit of its values: `Lead time (days): 15`, `交期[天]：15`.
_LABEL_BEFORE = folded_pattern(
    rf"(?:[(\[]\s?(?:in |单位\s?[:：]?\s?)?(?:{_UNIT})\s?[)\]]|\bin (?:{_UNIT_AGAIN}))\s?[:：]\s?"
    r"(?:[\d.,]{1,12}\s?(?:-|~|至|到|to|bis)\s?)?$"
)
_DIGITS = re.compile(
    r"(?<![a-z0-9_第])(?<![a-z]-)(?:\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?)"
)
_MULTIPLIER = re.compile(r"\s?(万|千|百|亿|億|k(?![a-z]))")
_MULTIPLIERS = {"万": 10_000, "千": 1000, "百": 100, "亿": 100_000_000, "億": 100_000_000, "k": 1000}
_HAN_NUMBER = re.compile(
    r"(?<![第十〇零一二三四五六七八九])(?<!星期)(?<!礼拜)[〇零一二三四五六七八九十百千万两弐参半]+"
)
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "弐": 2,
    "参": 3,
}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_RANGE_JOIN = re.compile(r"\s*(?:-|~|～|〜|至|到|から|bis(?: zu)?|to|and|und|or|oder|through|à|乃至)\s*$")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands in a text: its possible readings, its unit if it has one, its half-open place."""

    readings: frozenset[Fraction]
    unit: str | None
    start: int
    end: int

    def equals(self, other: "Number") -> bool:
        """Whether both can mean the same amount of the same unit."""
        return self.unit == other.unit and not self.readings.isdisjoint(other.readings)


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount or a range of one unit (`low` equals `high` for an amount), with its half-open place in the text."""

    low: Fraction
    high: Fraction
    unit: str
    start: int
    end: int

    @property
    def comparable(self) -> tuple[str, Fraction, Fraction]:
        """The same for equal values: weeks as days, years as months, lengths in micrometres."""
        unit, factor = _BASE_UNITS.get(self.unit, (self.unit, Fraction(1)))
        return unit, self.low * factor, self.high * factor


_BASE_UNITS: dict[str, tuple[str, Fraction]] = {
    "hour": ("day", Fraction(1, 24)),
    "week": ("day", Fraction(7)),
    "year": ("month", Fraction(12)),
    "mm": ("um", Fraction(1000)),
    "cm": ("um", Fraction(10_000)),
    "kg": ("g", Fraction(1000)),
}


@functools.lru_cache(maxsize=4096)
def numbers_in(text: str) -> tuple[Number, ...]:
    """The numbers of `text` in order; the first number of a range takes the unit of the second."""
    folded = fold(text)
    found = sorted((*_digit_numbers(folded), *_han_numbers(folded), *_word_numbers(folded)), key=lambda one: one.start)
    plain: list[Number] = []
    for one in found:
        if plain and one.start < plain[-1].end:
            continue
        plain.append(one)
    return tuple(_with_range_units(folded, plain))


def quantities_in(text: str) -> tuple[Quantity, ...]:
    """The numbers of `text` that have a unit, ranges taken as one; of two readings the likelier one."""
    folded = fold(text)
    found: list[Quantity] = []
    last: Number | None = None
    for number in numbers_in(text):
        if number.unit is None:
            last = None
            continue
        value = _likely(number)
        joined = last is not None and last.unit == number.unit and _RANGE_JOIN.match(folded, last.end, number.start)
        bare = last is not None and not _AFTER_NUMBER.match(folded, last.end)
        if joined and found and (bare or folded[last.end if last else 0 : number.start].strip()[:1] in tuple("-~至到")):
            previous = found.pop()
            found.append(Quantity(previous.low, max(previous.low, value), number.unit, previous.start, number.end))
        else:
            found.append(Quantity(value, value, number.unit, number.start, number.end))
        last = number
    return tuple(found)


def durations_in(text: str) -> tuple[Quantity, ...]:
    """The spans of time that `text` states; a calendar date or a year is none."""
    return tuple(one for one in quantities_in(text) if one.unit in TIME_UNITS)


def money_in(text: str) -> tuple[Quantity, ...]:
    """The sums of money that `text` states."""
    return tuple(one for one in quantities_in(text) if one.unit.startswith("money:"))


def measures_in(text: str) -> tuple[Quantity, ...]:
    """The lengths that `text` states."""
    return tuple(one for one in quantities_in(text) if one.unit in _LENGTHS)


def _likely(number: Number) -> Fraction:
    """Three digits behind the only mark are thousands for countable things, a fraction for a length."""
    return min(number.readings) if number.unit in _LENGTHS else max(number.readings)


def _digit_numbers(folded: str) -> Iterator[Number]:
    for found in _DIGITS.finditer(folded):
        if _inside_date_or_code(folded, found.start(), found.end()):
            continue
        readings = _readings(found[0])
        end = found.end()
        if multiplier := _MULTIPLIER.match(folded, end):
            factor = _MULTIPLIERS[multiplier[1]]
            readings = frozenset(one * factor for one in readings)
            end = multiplier.end()
        unit, unit_end = _unit_after(folded, end)
        if unit is None and end < len(folded) and folded[end].isascii() and folded[end].isalpha():
            continue
        start = found.start()
        if unit is None and (label := _LABEL_BEFORE.search(folded, max(0, start - 40), start)):
            unit = _unit_of_label(label)
        if unit is None and (money := _BEFORE_NUMBER.search(folded, max(0, start - 6), start)):
            unit = f"money:{_MONEY_NAMES[money[0].strip()]}"
            start = money.start()
        yield Number(readings, _no_year(unit, readings), start, unit_end)


def _no_year(unit: str | None, readings: frozenset[Fraction]) -> str | None:
    """2025 年 names a year and is no span of time."""
    return "calendar_year" if unit == "year" and max(readings) >= 1900 else unit


_DATE_AROUND = re.compile(
    r"(?:(?:\d{4}\s?年\s?)?\d{1,2}\s?月\s?\d{1,2}\s?[日号]|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    r"|\d{1,2}\.\d{1,2}\.\d{4})"
)
_CODE_BEFORE = re.compile(r"[a-z][a-z0-9._/]*(?:-[a-z0-9._/]+)*[-./]$")
_CODE_AFTER = re.compile(r"-?[a-z]+\d|-[a-z]{1,3}\b")


def _inside_date_or_code(folded: str, start: int, end: int) -> bool:
    for date in _DATE_AROUND.finditer(folded, max(0, start - 12), min(len(folded), end + 12)):
        if date.start() <= start and end <= date.end():
            return True
    if _CODE_BEFORE.search(folded, max(0, start - 40), start):
        return True
    unit, _ = _unit_after(folded, end)
    return unit is None and _CODE_AFTER.match(folded, end) is not None


def _readings(raw: str) -> frozenset[Fraction]:
    marks = [char for char in raw if not char.isdigit()]
    if not marks:
        return frozenset({Fraction(int(raw))})
    whole = re.sub(r"\D", "", raw)
    last = marks[-1]
    head, tail = raw.rsplit(last, 1)
    decimal = Fraction(int(re.sub(r"\D", "", head) + tail), 10 ** len(tail))
    if len(marks) == 1:
        grouped = len(tail) == 3 and 1 <= len(head) <= 3 and head != "0"
        if last not in ".,":
            return frozenset({Fraction(int(whole))})
        return frozenset({decimal, Fraction(int(whole))} if grouped else {decimal})
    return frozenset({Fraction(int(whole)) if len(set(marks)) == 1 else decimal})


def _unit_after(folded: str, end: int) -> tuple[str | None, int]:
    found = _AFTER_NUMBER.match(folded, end)
    if found is None or found.lastgroup is None:
        return None, end
    return _UNITS[int(found.lastgroup[1:])][0], found.end()


def _unit_of_label(label: re.Match[str]) -> str | None:
    named = next((name for name, text in label.groupdict().items() if text is not None), None)
    return None if named is None else _UNITS[int(named[1:])][0]


def _han_numbers(folded: str) -> Iterator[Number]:
    for found in _HAN_NUMBER.finditer(folded):
        if folded[found.start() - 1 : found.start()].isdigit():
            continue
        value = _han_value(found[0])
        unit, end = _unit_after(folded, found.end())
        ranged = _AFTER_HAN_RANGE.match(folded, found.end())
        if value is None or (unit is None and ranged is None):
            continue
        yield Number(frozenset({value}), unit, found.start(), end)


_AFTER_HAN_RANGE = re.compile(r"\s*(?:-|~|至|到)\s*[〇零一二三四五六七八九十百千万两]")


def _han_value(raw: str) -> Fraction | None:
    if raw == "半":
        return Fraction(1, 2)
    if "半" in raw:
        return None
    if all(char in _HAN_DIGITS for char in raw):
        return Fraction(int("".join(str(_HAN_DIGITS[char]) for char in raw)))
    total = section = digit = 0
    for char in raw:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _HAN_SCALES[char], 0
    return Fraction(total + section + digit)


def _word_numbers(folded: str) -> Iterator[Number]:
    for found in _number_word_form().finditer(folded):
        unit, end = _unit_after(folded, found.end())
        ranged = _WORD_RANGE.match(folded, found.end())
        if unit is None and ranged is None:
            continue
        yield Number(frozenset({Fraction(_number_words()[re.sub(r"[\s-]", "", found[0])])}), unit, found.start(), end)


_WORD_RANGE = re.compile(r"\s(?:to|or|bis|oder)\s[a-zäöüß]+[\s-]")


@functools.cache
def _number_words() -> dict[str, int]:
    small = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    words = {word: value for value, word in enumerate(f"{small} seventeen eighteen nineteen".split(), 1)}
    english = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    for ten, word in enumerate(english, 2):
        words[word] = ten * 10
        words |= {f"{word}{one}": ten * 10 + value for one, value in list(words.items())[:9]}
    ones = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
    german = {"eine": 1, "einem": 1, "einen": 1, "einer": 1, "zehn": 10, "elf": 11, "zwölf": 12}
    german |= {"sechzehn": 16, "siebzehn": 17}
    german |= {word: value for value, word in enumerate(ones, 1)}
    german |= {f"{word}zehn": value + 10 for value, word in enumerate(ones, 1) if value in {3, 4, 5, 8, 9}}
    for ten, word in enumerate(
        ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"], 2
    ):
        german[word.replace("ß", "ss")] = german[word] = ten * 10
        german |= {f"{one}und{word}": ten * 10 + value for value, one in enumerate(ones, 1)}
    return words | german


@functools.cache
def _number_word_form() -> re.Pattern[str]:
    words = sorted(_number_words(), key=len, reverse=True)
    tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    ones = "one|two|three|four|five|six|seven|eight|nine"
    return re.compile(rf"\b(?:(?:{tens})[\s-](?:{ones})|{'|'.join(words)})\b")


def _with_range_units(folded: str, found: list[Number]) -> Iterator[Number]:
    for index, one in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        unit = one.unit
        if unit is None and following is not None and _RANGE_JOIN.match(folded, one.end, following.start):
            unit = following.unit
        yield Number(one.readings, unit, one.start, one.end)
