"""Tables of items in a message: Markdown, tabs, semicolons, commas or columns held apart by blanks, under a header."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from models.extraction.line_layout import physical_lines
from models.extraction.line_words import TOTAL
from models.extraction.views import SourceText

Column = Literal[
    "part_number",
    "drawing_number",
    "material",
    "quantity",
    "quantity_unit",
    "surface_treatment",
    "tolerance",
    "special_inspection",
    "wanted_date",
    "label",
    "position",
    "remarks",
    "other",
]
Cell = tuple[int, int]

_WORDS: tuple[tuple[Column, str], ...] = (
    (
        "position",
        r"pos(?:ition)?(?:s?-?(?:nr|no))?|no|nr|#|item(?: (?:no|number|#))?|line(?: (?:no|number|item))?|序号?|项次|"
        r"项目|"
        r"品项|项|行|lfd\.? ?nr|№|番|番号|明细",
    ),
    (
        "drawing_number",
        r"(?:图号|图面|图番|图纸(?:号|编号)?|图面番号)(?:/版次)?|drawing(?:[- ]?(?:no|number|nr|#))?|"
        r"dwg(?:[. ]*(?:no|#|number))?|"
        r"zeichnung(?:s-?(?:nr|nummer))?|zchn?g(?:[.-]*nr)?",
    ),
    (
        "part_number",
        r"(?:料号|品号|件号|零件(?:编?号)|部品番号|品番|部番|型番|型号|物料(?:编?号|编码)|产品编号|产品料号|"
        r"客户料号)|(?:part|article|item)[- ]?(?:no|"
        r"number|nr|#|num|code|id)|part|p/?n|parts?[- ]?(?:no|number)|sku|artikel(?:-?(?:nr|nummer))?|teile?-?(?:nr|"
        r"nummer)|sach-?(?:nr|nummer)|mpn|customer part(?: no)?",
    ),
    ("material", r"材质|材料|材种|钢种|素材|material(?: grade)?|grade|werkstoff|alloy|matl"),
    ("quantity_unit", r"单位|unit|uom|u/m|einheit|me|数量单位"),
    (
        "quantity",
        r"(?:需求|订购|采购|询价|报价)?(?:数量|件数|个数|台数|本数|枚数|量)|q'?ty|quantity|quantities|menge|"
        r"stückzahl|anzahl|stk|stück|pcs|"
        r"pieces|order qty|req(?:uired)?\.? qty",
    ),
    (
        "surface_treatment",
        r"表面(?:处理)?|表面処理|处理|镀层|涂装|surface(?: (?:treatment|finish))?|finish|treatment|coating|"
        r"oberfläche(?:nbehandlung)?|beschichtung",
    ),
    ("tolerance", r"公差|tolerance|tol|toleranz"),
    (
        "special_inspection",
        r"(?:特殊|特别)?(?:检验|检查|检测)(?:要求)?|特检|special (?:inspection|test)|inspection|sonderprüfung|prüfung",
    ),
    (
        "wanted_date",
        r"(?:希望|需求|要求)?(?:交期|交货期|交货日期?|纳期|需求日|交货日)|希望纳期|(?:wanted|due|delivery|required|"
        r"need(?:ed)?[- ]by|"
        r"req(?:uested)?)(?: (?:date|by))?|liefertermin|wunschtermin|termin|date",
    ),
    (
        "label",
        r"品名|名称|品目|产品(?:名称)?|零件(?:名称)?|部品名?|描述|说明|规格|description|desc|designation|name|"
        r"product|bezeichnung|"
        r"benennung|beschreibung|artikelbezeichnung|part name|spec(?:ification)?",
    ),
    ("remarks", r"备考|备注|remarks?|notes?|comments?|bemerkung(?:en)?|hinweise?|anmerkung(?:en)?"),
)
_HEADERS: tuple[tuple[Column, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"\W*(?:{words})\W*(?:\([^()]*\))?\W*", re.IGNORECASE)) for name, words in _WORDS
)
_IDENTITY: frozenset[Column] = frozenset({"part_number", "drawing_number", "label", "material"})
_RULE = re.compile(r"[\s|:+=-]+")
_GAP = re.compile(r"[ \t]{2,}")
_SEPARATORS = ("|", "\t", ";", ",")
MAX_COLUMNS = 40


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a header and the rows below it; a row of `None` has other cells than the header names."""

    start: int
    end: int
    columns: tuple[Column, ...]
    rows: tuple[tuple[tuple[int, int], tuple[Cell, ...] | None], ...]


def tables(source: SourceText) -> Iterable[Table]:
    """The tables of items in a layer, in order."""
    folded = _with_tabs(source)
    lines = physical_lines(folded)
    at = 0
    while at < len(lines):
        found = _table(folded, lines, at)
        if found is None:
            at += 1
            continue
        yield found
        while at < len(lines) and lines[at][0] < found.end:
            at += 1


def _with_tabs(source: SourceText) -> str:
    """The folded view with its tabs, which hold columns apart."""
    return "".join("\t" if one == "\t" else other for one, other in zip(source.plain, source.folded, strict=True))


def _table(folded: str, lines: Sequence[tuple[int, int]], at: int) -> Table | None:
    for separator in (*_SEPARATORS, ""):
        cells = _cells(folded, lines[at], separator)
        columns: tuple[Column, ...] = tuple(_column(folded[start:end]) for start, end in cells)
        known = [one for one in columns if one not in ("other", "position")]
        if len(known) < 2 or not _IDENTITY & set(known) or len(cells) > MAX_COLUMNS:
            continue
        if "quantity" not in known and len(known) < 3:
            continue
        rows = list(_rows(folded, lines[at + 1 :], separator, len(cells)))
        if rows:
            return Table(lines[at][0], rows[-1][0][1], columns, tuple(rows))
    return None


def _rows(
    folded: str, lines: Sequence[tuple[int, int]], separator: str, width: int
) -> Iterable[tuple[tuple[int, int], tuple[Cell, ...] | None]]:
    before: int | None = None
    for line in lines:
        if before is not None and "\n" in folded[before : line[0]].strip(" \t")[1:]:
            return  # a blank line ends the table
        before = line[1]
        if _RULE.fullmatch(folded, *line):
            continue
        cells = _cells(folded, line, separator)
        if len(cells) < 2:
            return
        if TOTAL.search(folded, line[0], cells[0][1] if cells[0][1] > cells[0][0] else cells[1][1]):
            continue
        yield line, tuple(cells) if len(cells) == width else None


def _cells(folded: str, line: tuple[int, int], separator: str) -> list[Cell]:
    start, end = line
    if not separator:
        return [_stripped(folded, *one) for one in _split_gaps(folded, start, end)]
    if separator == "|":
        start, end = _stripped(folded, start, end)
        start += folded[start : start + 1] == "|"
        end -= end > start and folded[end - 1] == "|"
    found: list[Cell] = []
    first, quoted = start, False
    for at in range(start, end):
        char = folded[at]
        if char == '"':
            quoted = not quoted
        elif char == separator and not quoted:
            found.append(_stripped(folded, first, at))
            first = at + 1
    return [*found, _stripped(folded, first, end)]


def _split_gaps(folded: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    start, end = _stripped(folded, start, end)
    first = start
    for gap in _GAP.finditer(folded, start, end):
        yield first, gap.start()
        first = gap.end()
    yield first, end


def _stripped(folded: str, start: int, end: int) -> Cell:
    while start < end and folded[start] in ' \t*"`':
        start += 1
    while end > start and folded[end - 1] in ' \t*"`\r':
        end -= 1
    return start, end


def _column(head: str) -> Column:
    for name, form in _HEADERS:
        if form.fullmatch(head):
            return name
    return "other"
