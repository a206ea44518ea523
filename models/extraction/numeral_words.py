"""Number words: Chinese characters, English words, German compounds."""

SCALES_HAN = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000, "拾": 10, "佰": 100, "仟": 1_000}
DIGITS_HAN = {one: at % 10 for at, one in enumerate("〇一二三四五六七八九")} | {
    one: at % 10 for at, one in enumerate("零壹贰叁肆伍陆柒捌玖")
} | {"两": 2}  # fmt: skip

_UNITS_EN = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS_EN = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL_EN = dict(zip(_UNITS_EN, range(20), strict=True)) | dict(zip(_TENS_EN, range(20, 100, 10), strict=True))
_SCALES_EN = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12, "score": 20}
WORDS_EN = (*_SMALL_EN, *_SCALES_EN)

_UNITS_DE = [
    "null",
    "ein",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]
_TENS_DE = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_SMALL_DE = dict(zip(_UNITS_DE, range(20), strict=True)) | {"eins": 1, "zwo": 2}
_TEN_DE = dict(zip(_TENS_DE, range(20, 100, 10), strict=True))


def han_value(word: str, *, spoken_short: bool) -> int | None:
    """What a number in (simplified) Chinese characters means; None for a word that is no well-formed number.

    `spoken_short`: 一千二 is 1,200, as Chinese speakers shorten it; elsewhere it has no single meaning.
    """
    if not any(one in SCALES_HAN for one in word):
        digits = "".join(str(DIGITS_HAN[one]) for one in word)
        return int(digits) if len(digits) == 1 or (len(digits) > 2 and digits[0] != "0") else None
    total = section = digit = last_scale = 0
    pending = False
    for one in word:
        if one in DIGITS_HAN:
            if pending and digit:
                return None
            digit, pending = DIGITS_HAN[one], True
            last_scale = last_scale if digit else 1
            continue
        scale = SCALES_HAN[one]
        if scale >= 10_000:
            total, section = max(total + section + digit, 1) * scale, 0
        else:
            section += (digit or 1) * scale
        digit, pending, last_scale = 0, False, scale
    if digit and last_scale >= 100:
        if not spoken_short:
            return None
        digit *= last_scale // 10
    return total + section + digit


def english_value(words: list[str]) -> int:
    """What a row of English number words means; "a" and "and" are left out before."""
    total = current = 0
    for word in words:
        scale = _SCALES_EN.get(word)
        if scale is None:
            current += _SMALL_EN.get(word, 0)
        elif scale >= 1_000:
            total, current = total + max(current, 1) * scale, 0
        else:
            current = max(current, 1) * scale
    return total + current


def german_value(word: str) -> int | None:
    """What one German number word in lower case means; None for any other word."""
    for name, scale in (("tausend", 1_000), ("hundert", 100)):
        left, found, right = word.partition(name)
        if found:
            above = german_value(left) if left else 1
            below = german_value(right.removeprefix("und")) if right else 0
            return None if above is None or below is None else above * scale + below
    if word in _SMALL_DE:
        return _SMALL_DE[word]
    if word in _TEN_DE:
        return _TEN_DE[word]
    one, _, ten = word.partition("und")
    return _SMALL_DE[one] + _TEN_DE[ten] if one in _SMALL_DE and ten in _TEN_DE else None
