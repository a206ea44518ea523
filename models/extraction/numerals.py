"""Numbers as people of five languages write them, and which ones are better asked about than read.

Why it is so: "1.200" is twelve hundred to a German and one and a fifth to an Englishman. The language of the message
decides what a separator means; where it leaves two meanings, `value` is None and nobody guesses.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from models.extraction.masks import Ranges
from models.extraction.numeral_words import (
    DIGITS_HAN,
    SCALES_HAN,
    WORDS_EN,
    english_value,
    german_value,
    han_value,
)
from models.extraction.scripts import Language
from models.fields import MAX_QUANTITY


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number in the text; `value` is None where the writing is ambiguous or the number is no whole one.

    `counts` says that the words count by themselves ("two dozen"), `worded` that no digit is used.
    """

    start: int
    end: int
    value: int | None
    counts: bool = False
    worded: bool = False


_GROUPED = r"(?<![\d.,'])\d{1,3}(?:[ ']\d{3}){1,3}(?![\d'])(?![.,]\d)"
_PLAIN = r"\d[\d.,']{0,20}"
_DIGITS = re.compile(f"(?<![A-Za-zÄÖÜäöüß_])(?:{_GROUPED}|{_PLAIN})")
_SPACED = re.compile(r"[1-9]\d{0,2}([ '])\d{3}(?:\1\d{3}){0,2}")
_SCALE = re.compile(
    r" ?(?:(?P<han>[百千万亿佰仟])|(?P<k>k)(?![a-z])|(?P<thousand>thousand|tsd\.?|tausend)(?![a-zäöü])"
    r"|(?P<hundred>hundred|hundert)(?![a-zäöü])|(?P<million>million(?:en)?|mio\.?)(?![a-z])"
    r"|(?P<dozen>dozens?|dutzend|dz\.?|doz\.?|打(?!样)|ダース)(?![a-zäöü]))",
    re.IGNORECASE,
)
_SCALES = {"k": 1_000, "thousand": 1_000, "hundred": 100, "million": 1_000_000, "dozen": 12}
_REST = re.compile(r" ?(?P<digits>\d{1,4})(?P<scale>[百千])?(?![\d.,])")
_HAN = re.compile(f"[{''.join(DIGITS_HAN)}{''.join(SCALES_HAN)}]{{1,20}}")
_EN_WORD = "|".join(WORDS_EN)
_ENGLISH = re.compile(
    rf"\b(?:half a dozen|(?:a (?=dozen|hundred|thousand))?(?:{_EN_WORD})(?:(?:-| and | )(?:{_EN_WORD})){{0,8}})\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\b(?:(?:ein(?:und|hundert|tausend)|zwei|drei|vier|fünf|sech|sieb|acht|neun|zehn|elf|zwölf|zwan|hundert|tausend)"
    r"[a-zäöüß]{0,60}|dutzend)\b",
    re.IGNORECASE,
)
_GERMAN_DOZEN = re.compile(r" dutzend\b", re.IGNORECASE)


def find_numbers(folded: str, language: Language, taken: Ranges) -> list[Number]:
    """Every number of a folded text that begins outside `taken`, in its order, whatever it counts."""
    digits = [one for one in _DIGITS.finditer(folded) if not taken.touches(one.start(), one.start() + 1)]
    found = [_digits(folded, match, language) for match in digits]
    found += [one for match in _HAN.finditer(folded) if (one := _han(folded, match, language)) is not None]
    found += [_english(match) for match in _ENGLISH.finditer(folded)]
    if language == "de":
        found += [one for match in _GERMAN.finditer(folded) if (one := _german(folded, match)) is not None]
    kept: list[Number] = []
    for one in sorted(found, key=lambda number: (number.start, -number.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def digits_value(token: str, language: Language) -> Fraction | None:
    """What digits with separators mean in a language; None where they have two meanings or none."""
    if token.isdecimal():
        return Fraction(int(token)) if len(token) <= 12 else None
    if " " in token or "'" in token:
        return Fraction(int(re.sub(r"[ ']", "", token))) if _SPACED.fullmatch(token) else None
    grouping, decimal = (".", ",") if language == "de" else (",", ".")
    whole, _, fraction = token.partition(decimal)
    if "." in token and "," in token:
        well_formed = _is_grouped(whole, grouping) and fraction.isdecimal()
        return Fraction(f"{whole.replace(grouping, '')}.{fraction}") if well_formed else None
    if grouping in token:
        return Fraction(int(token.replace(grouping, ""))) if _is_grouped(token, grouping) else None
    if not whole.isdecimal() or not fraction.isdecimal() or len(fraction) == 3:
        return None
    return Fraction(f"{whole}.{fraction}")


def _is_grouped(token: str, grouping: str) -> bool:
    first, *rest = token.split(grouping)
    return (
        first.isdecimal()
        and 1 <= len(first) <= 3
        and first[0] != "0"
        and all(len(one) == 3 and one.isdecimal() for one in rest)
    )


def _whole(value: Fraction | int | None) -> int | None:
    if value is None or value.denominator != 1 or not 1 <= value <= MAX_QUANTITY:
        return None
    return int(value)


def _digits(folded: str, match: re.Match[str], language: Language) -> Number:
    token = match.group().rstrip(".,'")
    end = match.start() + len(token)
    value = digits_value(token, language)
    counts = False
    while (scale := _SCALE.match(folded, end)) is not None:
        kind = scale.lastgroup or "k"
        factor = SCALES_HAN[scale["han"]] if kind == "han" else _SCALES[kind]
        counts = counts or kind == "dozen"
        value = None if value is None else value * factor
        end = scale.end()
        rest = _REST.match(folded, end) if kind == "han" else None
        if rest is not None:
            value = None if value is None else value + _rest(rest, factor)
            end = rest.end()
    return Number(match.start(), end, _whole(value), counts)


def _rest(rest: re.Match[str], factor: int) -> int:
    """The part after 萬 in "1 萬 2 千" or "2萬5000"; one digit alone is spoken short for the next scale."""
    digits, scale = int(rest["digits"]), rest["scale"]
    if scale is not None:
        return digits * SCALES_HAN[scale]
    return digits if len(rest["digits"]) > 1 else digits * factor // 10


def _han(folded: str, match: re.Match[str], language: Language) -> Number | None:
    first = match.group()[0]
    if match.group() in "零〇":  # 零件 is a part, not "no pieces"
        return None
    if match.group() == "一" and folded[match.end() : match.end() + 1] in set("样致定般共起并律旦直些次点概切向度"):
        return None
    if first in "百千万亿" and re.search(r"\d ?\Z", folded[max(0, match.start() - 2) : match.start()]):
        return None
    value, end, counts = han_value(match.group(), spoken_short=language != "ja"), match.end(), False
    dozen = _SCALE.match(folded, end)
    if dozen is not None and dozen.lastgroup == "dozen" and value is not None:
        value, end, counts = value * 12, dozen.end(), True
    return Number(match.start(), end, _whole(value), counts, worded=True)


def _english(match: re.Match[str]) -> Number:
    words = [word for word in re.split(r"[ -]", match.group().lower()) if word not in ("and", "a")]
    value = 6 if words[0] == "half" else english_value(words)
    return Number(match.start(), match.end(), _whole(value), "dozen" in words, worded=True)


def _german(folded: str, match: re.Match[str]) -> Number | None:
    word = match.group().lower()
    value = 12 if word == "dutzend" else german_value(word)
    if value is None:
        return None
    end, counts = match.end(), word == "dutzend"
    dozen = _GERMAN_DOZEN.match(folded, end)
    if dozen is not None:
        value, end, counts = value * 12, dozen.end(), True
    return Number(match.start(), end, _whole(value), counts, worded=True)
