"""Tolerances as they are written: limits (±0.05 mm, +0.02/-0), fits (h7, H7/g6), grades (IT7) and general standards.

Sources of the forms: ISO 286-1 (fits, IT grades), ISO 2768, DIN 7168, JIS B 0405, GB/T 1804 (general tolerances),
ISO 8062 (castings), ISO 13920 (weldments), DIN 16742 (plastics). A form or a position tolerance (flatness 0.02) and a
roughness are another matter and no value of this field.

Why it is so: several tolerances for several features hold together, so those of one sentence are one value, cited as
it stands there; those of several sentences are asked, and only "this or that" is a contradiction.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from models.extraction.views import Candidate, SourceText, enclosing, sentences

MAX_JOINED = 80

_NUM = r"(?:\d{1,4}(?:[.,]\d{1,5})?|[.,]\d{1,5})"
_UNIT = r"(?: ?(?:mm|cm|[μu]m|microns?|mils?|thou|in(?:ch(?:es)?)?(?![A-Za-z])|\"|毫米|公厘|厘米|ミリ|条|丝))?"
_NO_LENGTH = (
    r"(?![\d.,]*\d)(?! ?(?:%|％|°|℃|pcs|pieces|ea\b|units|stück|stk|tage?\b|days?|weeks?|hrc|hv|hb|bar|mpa|kg|g\b|"
    r"[件个支片组套只颗本枚台天周日月年克度]))"
)
_SYMMETRIC = rf"(?:±|\+ ?/ ?-|\+-|正负) ?{_NUM}{_UNIT}{_NO_LENGTH}"
_SIDES = (
    rf"(?:\+ ?{_NUM}|- ?{_NUM}|(?<![\d.,])0(?:[.,]0{{1,4}})?){_UNIT} ?(?:/|~|,|、|;| ) ?"
    rf"(?:- ?{_NUM}|\+ ?{_NUM}|0(?:[.,]0{{1,4}})?(?![\d.,]*\d)){_UNIT}{_NO_LENGTH}"
)
_CLASS = (
    r"(?:[fmcv](?:[HKL](?:-?E)?)?(?![A-Za-z])|(?:mittel|fein|grob|medium|fine|coarse)(?![a-z])|"
    r"[精中粗](?:等)?级|[mfcv]级)"
)
_STANDARD = (
    rf"(?:(?:DIN[ -]?)?(?:EN[ -]?)?ISO[ -]?2768(?:[ -]?[12](?![\d]))?(?:[ -]{{0,3}}(?:\({_CLASS}\)|{_CLASS}))?|"
    rf"DIN[ -]?7168(?:[ -]{{1,3}}{_CLASS})?|JIS ?B ?0405(?:[ -]{{0,3}}{_CLASS})?|"
    rf"GB/?T? ?1804(?:-\d{{4}})?(?:[ -]{{0,3}}{_CLASS})?|GB/?T? ?1184(?:[ -]{{1,2}}[HKL])?|"
    r"(?:DIN )?(?:EN )?ISO[ -]?8062(?:-\d)?(?:[ -]{1,2}D?CTG? ?\d{1,2})?|"
    r"(?:DIN )?(?:EN )?ISO[ -]?13920(?:[ -]{1,2}[A-D][E-H]?)?|"
    r"DIN[ -]?(?:ISO[ -]?)?(?:16742|16901|20457)(?:[ -]{1,2}TG ?\d)?)"
    r"(?![A-Za-z0-9])"
)
_FIT = r"(?:[A-HJKNPR-VX-Z]|JS|ZA|ZB|CD|EF|[a-hjkmnpr-vx-z]|js|za|zb|cd|ef)(?:1[0-3]|[3-9])"
_COMMON_FIT = r"(?:H(?:1[01]|[5-9])|JS[5-9]|h(?:1[01]|[4-9])|[fg][5-8]|js[5-9]|k[56]|[np]6|[GKNP]7|[NP]9)"
_EDGE = r"(?<![A-Za-z0-9./+-])"
_BEHIND = r"(?![A-Za-z0-9]|-[A-Za-z0-9]|\.\d)"
_PATTERN = re.compile(
    rf"(?P<standard>(?<![A-Za-z0-9]){_STANDARD})|(?P<sides>(?<![A-Za-z0-9.,]){_SIDES})|(?P<symmetric>(?<![A-Za-z0-9.,]){_SYMMETRIC})"
    rf"|(?P<grade>(?<![A-Za-z0-9-])IT ?(?:1[0-8]|[1-9])(?!\d|[./-]\d|[A-Za-z]))"
    rf"|(?P<pair>{_EDGE}{_FIT} ?/ ?{_FIT}{_BEHIND})"
    rf"|(?P<common>{_EDGE}{_COMMON_FIT}{_BEHIND})"
    rf"|(?P<dimension>(?<=\d){_COMMON_FIT}{_BEHIND})"
    rf"|(?P<fit>{_EDGE}{_FIT}{_BEHIND})"
)
_CUE = re.compile(
    r"(?:公差|容差|允差|误差|精度|配合|はめあい|嵌合|内径|外径|孔径?|轴径?|穴径?|\btol(?:erances?|\.)?|\bfits?\b|\bbores?|"
    r"\bjournals?|\bi\.?d\b\.?|\bo\.?d\b\.?|\bshafts?|toleranz\w{0,8}|passung\w{0,4}|bohrung\w{0,2}|welle\w?|"
    r"ø ?\d[\d.,]*|φ ?\d[\d.,]*)[^。;!?\n,，、]{0,16}\Z",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"(?:公差|容差|允差|(?:尺寸|容许|加工)误差|\btolerances?|\btol\.|toleranz(?:en|feld)?)(?:带|值|范围|range|band)?"
    rf"[^\S\n]?(?:[:： ]|要求|必须|需要?|应|请|控制|保持|做到|按|为|是|在|到|は|を|が|within|of|is|are|to|at|von|"
    rf"beträgt|max\.?|max(?:imal)?|under|below|unter|内|最大|约){{0,6}} ?"
    rf"(?P<value>(?:\d{{1,2}}[.,]\d{{1,5}}{_UNIT}|\d{{1,3}} ?(?:mm|[μu]m)){_NO_LENGTH})",
    re.IGNORECASE,
)
_OR = re.compile(
    r"[^。;!?\n,，]{0,12}?(?:或者?|还是|或是|\bor\b|\boder\b|\bvs\.?|か|または|又は|もしくは)[^。;!?\n]{0,12}",
    re.IGNORECASE,
)
_THREAD = re.compile(r"(?:螺纹|牙|ねじ|タップ|thread|tapped|gewinde|screw|螺丝|螺栓|bolt|schraube)", re.IGNORECASE)


def find_tolerances(source: SourceText) -> list[Candidate]:
    """The tolerances named, in their order; two with "or" between them are marked `alternative`."""
    folded = source.folded
    found = [_candidate(source, *match.span()) for match in _PATTERN.finditer(folded) if _is_tolerance(folded, match)]
    for match in _NAMED.finditer(folded):
        start, end = match.span("value")
        if not any(one.start < end and start < one.end for one in found):
            found.append(_candidate(source, start, end))
    return _offered(folded, sorted(found, key=lambda one: one.start))


def together(folded: str, kept: Sequence[Candidate], source: SourceText) -> list[Candidate] | None:
    """What different tolerances are as values of the field: one, two that are offered, or None where they are asked."""
    distinct = list({one.key: one for one in reversed(kept)}.values())[::-1]
    if len(distinct) < 2 or any(one.alternative for one in distinct):
        return distinct
    first, last = distinct[0], distinct[-1]
    same = enclosing(sentences(folded), first.start) == enclosing(sentences(folded), last.start)
    if not same or last.end - first.start > MAX_JOINED:
        return None
    return [_candidate(source, first.start, last.end)]


def _is_tolerance(folded: str, match: re.Match[str]) -> bool:
    """A fit that could be a thread, a steel or a size needs a word for one before it; two sides need a fraction."""
    kind = match.lastgroup
    words = match.group()
    before = folded[max(0, match.start() - 28) : match.start()]
    if kind == "sides":
        return re.search(r"[.,]\d", words) is not None and re.search(r"[+-]", words) is not None
    if kind == "fit" or (kind == "pair" and not re.search(_COMMON_FIT, words)):
        cued = _CUE.search(before) is not None or re.search(r"/ ?\Z", before) is not None
        return cued and _THREAD.search(folded, max(0, match.start() - 8), match.end() + 8) is None
    return True


def _candidate(source: SourceText, start: int, end: int) -> Candidate:
    value = source.plain[start:end].rstrip(" .,")
    return Candidate("tolerance", value, start, start + len(value), key="".join(value.casefold().split()))


def _offered(folded: str, found: list[Candidate]) -> list[Candidate]:
    result = list(found)
    for index in range(len(result) - 1):
        one, other = result[index], result[index + 1]
        if _OR.fullmatch(folded, one.end, other.start):
            result[index], result[index + 1] = replace(one, alternative=True), replace(other, alternative=True)
    return result
