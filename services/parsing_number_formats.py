"""How a spreadsheet shows a number: by the format code of its cell (ECMA-376 part 1, 18.8.31).

Dates are written as ISO 8601, because `3/4/2026` means two days; all else stands as its reader sees it.
"""

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

BUILT_IN: Final[dict[int, str]] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
    41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
    48: "0.0E+0", 49: "@",
}  # fmt: skip
_BUILT_IN_DATES: Final = frozenset((14, 15, 16, 17, *range(27, 32), 36, 50, *range(51, 59)))
_MAX_SERIAL: Final = 2_958_466
_MAX_CODE: Final = 255
_TOO_LARGE: Final = Decimal(10) ** 20
_PART: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<pad>.)|\*(?P<fill>.)|\[\$(?P<money>[^\]\-]*)(?:-[^\]]*)?\]'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[(?P<bracket>[^\]]*)\]|(?P<number>[0#?][0#?.,]*|\.[0#?]+)(?P<power>E[+-][0#?]+)?"
    r"|(?P<percent>%)|(?P<slash>/[ ?#0-9]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_DATE_LETTERS: Final = re.compile(r"[ymdhse]|AM/PM|g{1,3}", re.IGNORECASE)
_GENERAL: Final = re.compile(r"general", re.IGNORECASE)


def format_of(format_id: int, custom: dict[int, str]) -> str:
    """The format code of an id: a custom one of the workbook, or a built-in one."""
    if format_id in custom:
        return custom[format_id]
    return "yyyy-mm-dd" if format_id in _BUILT_IN_DATES else BUILT_IN.get(format_id, "General")


def shown_number(raw: str, code: str, *, date1904: bool) -> str:
    """`raw` as a reader of the sheet sees it; the number itself for a code that this does not know."""
    try:
        value = Decimal(raw.strip())
    except InvalidOperation:
        return raw
    if not value.is_finite() or abs(value) >= _TOO_LARGE:
        return raw.strip()
    section, value = _section(code, value)
    if section is None:
        return ""
    if _GENERAL.fullmatch(section.strip()) or section.strip() == "@":
        return _general(value)
    if kind := _date_parts(section):
        return _moment(value, kind, date1904=date1904) or _general(value)
    return _number(value, section)


def hides_text(code: str) -> bool:
    """Whether the code shows nothing of a text."""
    sections = _sections(code)
    return len(sections) == 4 and not sections[3].strip()


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[str, ...]:
    found: list[str] = [""]
    for part in _PART.finditer(code[:_MAX_CODE]):
        if part.lastgroup == "other" and part.group() == ";":
            found.append("")
        else:
            found[-1] += part.group()
    return tuple(found[:4])


def _section(code: str, value: Decimal) -> tuple[str | None, Decimal]:
    """The section that `value` is shown by, and what of it that section shows; None where it shows nothing."""
    first, *others = _sections(code)
    if value < 0 and others:
        # The section for negative numbers writes its own sign.
        return (others[0] or None), -value
    if value == 0 and len(others) > 1:
        return (others[1] or None), value
    return (first or None), value


@lru_cache(maxsize=512)
def _date_parts(section: str) -> str:
    """The letters of a date or time that the section shows, `[h]` for a span of time; empty for a number."""
    letters = ""
    for part in _PART.finditer(section):
        if part["elapsed"]:
            letters += "E"
        elif part["number"] is not None and part["number"].strip("0.,"):
            return ""
        elif part["other"] is not None and _DATE_LETTERS.match(part["other"]):
            letters += part["other"].lower().replace("e", "y").replace("g", "")
    return letters


def _moment(value: Decimal, letters: str, *, date1904: bool) -> str:
    seconds = int((value * 86_400).to_integral_value(ROUND_HALF_UP))
    if "E" in letters:
        hours, rest = divmod(abs(seconds), 3600)
        return f"{'-' if value < 0 else ''}{hours}:{rest // 60:02}" + (f":{rest % 60:02}" if "s" in letters else "")
    days, clock = divmod(seconds, 86_400)
    time = f"{clock // 3600:02}:{clock // 60 % 60:02}" + (f":{clock % 60:02}" if "s" in letters else "")
    has_time = "h" in letters or "s" in letters
    if not set(letters) & set("yd") and has_time:
        return time
    day = _day(days, date1904=date1904)
    if day is None:
        return ""
    date = day[:7] if "d" not in letters and "y" in letters else day
    return f"{date} {time}" if has_time else date


def _day(serial: int, *, date1904: bool) -> str | None:
    """The ISO date of a serial day. The 1900 system counts a 29 February 1900 that never was."""
    if not 0 <= serial < _MAX_SERIAL:
        return None
    if date1904:
        return (datetime(1904, 1, 1) + timedelta(days=serial)).date().isoformat()  # noqa: DTZ001 -- a day, no moment
    if serial == 60:
        return "1900-02-29"
    start = datetime(1899, 12, 31) if serial < 60 else datetime(1899, 12, 30)  # noqa: DTZ001 -- a day, no moment
    return (start + timedelta(days=serial)).date().isoformat()


def _number(value: Decimal, section: str) -> str:
    parts = list(_PART.finditer(section))
    numbers = [part for part in parts if part["number"] is not None]
    if len(numbers) != 1 or any(part["slash"] for part in parts):
        literal = "".join(map(_literal, parts)).strip()
        return literal if not numbers else _general(value)
    core = numbers[0]
    scaled = value * 100 ** sum(part["percent"] is not None for part in parts)
    shown = _power(scaled, core) if core["power"] else _fixed(scaled, core["number"])
    text = "".join(shown if part is core else _literal(part) for part in parts)
    return " ".join(text.split())


def _literal(part: re.Match[str]) -> str:
    if part["pad"] is not None or part["fill"] is not None or part["bracket"] is not None:
        return ""
    for name in ("quoted", "escaped", "money", "percent", "other"):
        if part[name] is not None:
            return part[name]
    return ""


def _fixed(value: Decimal, pattern: str) -> str:
    whole, _, fraction = pattern.partition(".")
    thousands = whole.rstrip(",") if "." not in pattern else whole
    scale = len(whole) - len(thousands) + len(fraction) - len(fraction.rstrip(","))
    digits = fraction.rstrip(",")
    rounded = _plain(value / 1000**scale).quantize(Decimal(1).scaleb(-len(digits)), ROUND_HALF_UP)
    text = f"{rounded:,f}" if "," in thousands else f"{rounded:f}"
    least = len(digits.rstrip("#?"))
    head, _, tail = text.partition(".")
    tail = tail[:least] + tail[least:].rstrip("0")
    wanted = sum(char == "0" for char in thousands)
    sign, head = ("-", head[1:]) if head.startswith("-") else ("", head)
    if head == "0" and wanted == 0 and tail:
        head = ""
    return f"{sign}{head.rjust(wanted, '0')}{'.' if tail else ''}{tail}"


def _power(value: Decimal, core: re.Match[str]) -> str:
    digits = len(core["number"].partition(".")[2])
    mantissa, _, exponent = f"{value:.{digits}E}".partition("E")
    return f"{mantissa}E{exponent[0]}{exponent[1:].rjust(len(core['power']) - 2, '0')}"


def _general(value: Decimal) -> str:
    """As many digits as a cell shows; whole numbers whole, because they may be article numbers."""
    if value == value.to_integral_value() and abs(value) < Decimal(10) ** 16:
        return f"{int(value)}"
    rounded = Decimal(f"{value:.11g}")
    if Decimal("1e-9") <= abs(rounded) < Decimal("1e16"):
        text = f"{rounded:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{rounded:.6G}"


def _plain(value: Decimal) -> Decimal:
    """Without the last digits of a binary fraction: 1.1500000000000001 is 1.15."""
    return Decimal(f"{value:.15g}")
