"""Codes of parts and drawings: told apart by the words beside them or a revision.

Why it is so: no shape of a code says what it names. A word before it (
    "drawing", 圖號) or after it (這張圖) decides; so does
a revision, which drawings carry; without any, a code is taken for the part. Look-alike letters of other scripts stay
inside a code, so that half of it is never taken for another one.
"""

import re
from dataclasses import replace
from typing import Literal

from models.extraction.masks import Ranges
from models.extraction.views import Candidate, SourceText, enclosing, sentences
from models.fields import FieldValue

_LETTER = r"A-ZÄÖÜ\u0391-\u03a9\u0410-\u042f"
_CODE = re.compile(
    rf"(?<![{_LETTER}a-zäöüß0-9\u0430-\u044f@#/.-])(?=[{_LETTER}0-9/._-]{{0,40}}\d)(?=[0-9/._-]{{0,40}}[{_LETTER}])"
    rf"[{_LETTER}0-9]{{1,20}}(?:[-_./][{_LETTER}0-9]{{1,16}}){{0,6}}(?![{_LETTER}a-zäöüß0-9\u0430-\u044f])"
)
_NUMERIC = re.compile(r"(?<![\w@#/.,-])\d{2,12}(?:[-_./]\d{1,10}){0,5}(?!\w)(?![.,-]\d)")
_REVISION = re.compile(
    r"(?: ?,? ?(?:rev(?:ision)?\.?|index|issue|iss\.|ind\.|ver\.?|version|版本|版次|改订|ausgabe|stand"
    r"|änderungsstand)"
    r"[ .:]{0,2}(?:[A-Z]{1,2}\d?|\d{1,3}[A-Z]?)| ?[A-Z]\d? ?版)(?![\w.-]?\d|[a-z])",
    re.IGNORECASE,
)
_TAIL = r"[.:： #=(（「]{0,4}\Z"
_DRAWING_BEFORE = re.compile(
    r"(?:图号|图面|图纸|图档|附图|图番|设计图|工程图|蓝图|图(?:是|为)?|\bdrawings?|\bdwgs?|\bprint|\bblueprint|"
    r"\bsketch|\bdrg|"
    r"zeichnung(?:en)?|zeichnungs-?(?:nr|nummer)|zchn?g|zg|skizze|\bplan)"
    r"\.?(?: ?(?:号码|编号|番号|号|no|number|nr|nummer|num|#|is|ist|为|是|は|见|请见|请参|如|用|to|"
    r"is either|will be|entweder|ist entweder|"
    r"per|gemäß|laut|"
    r"nach|"
    r"attached|enclosed|anbei|beiliegend|liegt bei|附上|附件|添付))?\.?" + _TAIL,
    re.IGNORECASE,
)
_PART_BEFORE = re.compile(
    r"(?:料号|品号|件号|零件号|零件|产品编号|品番|部番|部品番号|部品|型番|型号|物料号|物料|品名|工件|编号|\bparts?|"
    r"\bp/?n|\bitem|"
    r"\barticle|\bsku|\bmodel|\bcomponent|\bteile?|teile-?(?:nr|nummer)|artikel(?:-?(?:nr|nummer))?|art\.-?nr|"
    r"sach-?(?:nr|nummer)|material-?(?:nr|nummer)|bauteil)"
    r"\.?(?: ?(?:号码|编号|番号|号|no|number|numbers|nr|nummer|num|#|is|ist|为|是|は))?\.?" + _TAIL,
    re.IGNORECASE,
)
_DRAWING_AFTER = re.compile(
    r"[)）」]? ?(?:这张|那张|这份|的|の|此)?(?:图(?!片)|drawing|dwg|zeichnung)|\.(?:dwg|dxf|pdf|stp|step|igs)\b",
    re.IGNORECASE,
)
_NO_PART = re.compile(
    r"(?:订单|订购单|报价单?|报价编号|询价单?|询价编号|合同|合约|发票|采购单|工单|案号|案件|统编|税号|注番|"
    r"注文(?:番号|书)?|"
    r"见积(?:番号|书)?|机台|设备|批号|\border|\bp\.?o\.?|\bquot(?:e|ation)|\brfq|\binvoice|\bcontract|\boffer"
    r"|\bticket|"
    r"\bref(?:erence)?|\bour ref|\byour ref|\bproject|\blot|\bbatch|\bserial|\bmachine|\bestimate|\benquiry"
    r"|\binquiry|"
    r"bestellung|bestell-?nr|auftrag|auftrags-?nr|angebot|angebots-?nr|anfrage-?nr|anfrage (?:nr|nummer)|rechnung|"
    r"rahmenvertrag|"
    r"vertrag|projekt|vorgang|charge|\broom|\bbuilding|\bgate|\bdock)"
    r"\.?(?: ?(?:号码|编号|单号|番号|号|no|number|nr|nummer|#))?\.?" + _TAIL,
    re.IGNORECASE,
)
_QUOTE_VERB = re.compile(r"(?:请报价|\b(?:please|to|can you|could you|pls) quote)[:： ]{0,2}\Z", re.IGNORECASE)
_LOOK_AT = re.compile(r"(?:请看|请参(?:照|阅|考|见)|参见|\bsee|\brefer to|\bsiehe|参照)[:： ]{0,2}\Z", re.IGNORECASE)
_EITHER = re.compile(r" ?(?:或者?|还是|,|、|/|\bor\b|\boder\b|か|または|又は) ?", re.IGNORECASE)
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]")
_ORDER_SHAPE = re.compile(r"(?:PO|SO|RFQ|QUO|QT|INV|PR|WO)-?\d{3,12}(?:-\d{1,6})*\Z")
_NO_CODE = re.compile(
    r"(?:\d+[KMX]?|[A-Z]|\d{1,4}(?:MM|CM|KG|PCS|PC|EA|SETS?|H|D|G|M|V|W|A|ST|ND|RD|TH|%)|(?:19|20)\d{2}[A-Z]?|"
    r"Q[1-4](?:[-/ ]?20\d\d)?|20\d\dQ[1-4]|[KC]W ?\d{1,2}|ISO\d*|RAL\d*|HRC\d*|HV\d*|HB\d*|IT\d+|IP\d+|RA\d.*|"
    r"M\d{1,3}(?:X[\d.]+)*|"
    r"[CR]\d{0,2}\.\d{1,2}|"
    r"[A-Z]\d{1,2}|\d{1,2}[A-Z]|[HJKG]\d/[A-Z]\d|A[0-5]|3D|2D|24/7|AS9102|UTF-?8|(?:\d+[X*])+\d+.*|CO2|NI\d*|"
    r"H(?:900|925|1025|1075|1100|1150)M?|ZN\d{1,2}|CR[36]|"
    r"EN10204.*|\d+[GC]F\d*|[GC]F\d+)\Z"
)
# Words of goods and orders, of which a sentence that names a part without saying so has one.
_GOODS = re.compile(
    r"\d ?(?:pcs|pieces?|units?|sets?|ea\b|stk|stück|件|个|支|片|只|套|组|本|枚|台|块|颗|条|pos)|\b(?:quot"
    r"|offer|order|need|want|price|cost"
    r"|request|rfq|part|piece|deliver|ship|suppl|produc|manufactur|machin|quantit|qty|material|spare|sample"
    r"|batch|lot\b|repeat|reorder"
    r"|replace|same as|instead|also for|for the|drawing|item|article|bracket|housing|shaft|plate|angebot"
    r"|bestell|auftrag|brauch|benötig"
    r"|preis|liefer|menge|stück|teil|muster|werkstoff|fertig|zeichnung|anfrage|artikel)|报价|询价|订|需|要|价"
    r"|购|买|交|货|料|件|样|批|量|数"
    r"|图|做|加工|生产|制作|规格|型|产品|零件|见积|注文|发注|纳|品|个|材质|希望|お愿い|依赖|制作|制造",
    re.IGNORECASE,
)
_MAX_LABEL = 24


def find_codes(source: SourceText, taken: Ranges) -> list[Candidate]:
    """Part and drawing numbers outside `taken`, a drawing's revision included; order and quotation numbers are none.

    A part that no word names as one is marked `alternative`.
    """
    folded = source.folded
    found: list[Candidate] = []
    for match in _CODE.finditer(folded):
        end = match.start() + len(match.group().rstrip("-_./"))
        one = None if taken.touches(match.start(), end) else _candidate(source, match.start(), end)
        if one is not None:
            found.append(one)
    named = Ranges([(one.start, one.end) for one in found], len(folded))
    for match in _NUMERIC.finditer(folded):
        before = folded[max(0, match.start() - 40) : match.start()]
        if taken.touches(*match.span()) or named.touches(*match.span()):
            continue
        if _DRAWING_BEFORE.search(before):
            found.append(_drawing(source, *match.span()))
        elif re.search(r"\d{4}|\d[-_./]\d", match.group()) and _PART_BEFORE.search(before):
            found.append(_code("part_number", source, *match.span()))
    return _beside_drawings(folded, sorted(_of_goods(folded, found), key=lambda one: one.start))


def _of_goods(folded: str, found: list[Candidate]) -> list[Candidate]:
    """Without the codes that no word names and whose sentence speaks of no goods: a formula, a version, a virus."""
    if not any(one.field == "part_number" and one.alternative for one in found):
        return found
    ranges = sentences(folded)
    kept: list[Candidate] = []
    for one in found:
        start, end = enclosing(ranges, one.start)
        alone = len(folded[start:end].strip()) - (one.end - one.start) <= _MAX_LABEL
        if one.field != "part_number" or not one.alternative or alone or _GOODS.search(folded, start, end):
            kept.append(one)
    return kept


def foreign_letters(code: str) -> bool:
    """Whether a code holds letters that only look Latin: which part they mean is asked."""
    return _OTHER_SCRIPT.search(code) is not None


def _beside_drawings(folded: str, found: list[Candidate]) -> list[Candidate]:
    """Takes a code that no word names for a drawing where "or" or "see" puts it beside one, or in its place."""
    result = list(found)
    drawn = {_stem(one.value) for one in found if one.field == "drawing_number"}
    for at, one in enumerate(found):
        if one.field != "part_number" or not one.alternative:
            continue
        before = result[at - 1] if at else None
        linked = before is not None and before.field == "drawing_number"
        linked = linked and before is not None and _EITHER.fullmatch(folded, before.end, one.start) is not None
        seen = _LOOK_AT.search(folded, max(0, one.start - 16), one.start) is not None
        if linked or (seen and (not drawn or _stem(one.value) in drawn)):
            result[at] = replace(one, field="drawing_number", alternative=False)
    return result


def _stem(code: FieldValue) -> str:
    return re.sub(r"\d", "0", str(code)).casefold()


def _candidate(source: SourceText, start: int, end: int) -> Candidate | None:
    folded, code = source.folded, source.folded[start:end]
    before = folded[max(0, start - 40) : start]
    drawn = _DRAWING_BEFORE.search(before) is not None
    drawing = drawn or _DRAWING_AFTER.match(folded, end) is not None
    part = _PART_BEFORE.search(before) is not None
    if not drawing and not part and _names_order(before, code):
        return None
    if _NO_CODE.match(code) and (len(code) < 3 or not (drawing or part)):
        return None
    if part and not drawn:
        return _code("part_number", source, start, end)
    if drawing or (_REVISION.match(folded, end) is not None and not part):
        return _drawing(source, start, end)
    return _code("part_number", source, start, end, alternative=True) if len(code) >= 4 else None


def _names_order(before: str, code: str) -> bool:
    if _ORDER_SHAPE.match(code):
        return True
    return _NO_PART.search(before) is not None and _QUOTE_VERB.search(before) is None


def _drawing(source: SourceText, start: int, end: int) -> Candidate:
    revision = _REVISION.match(source.folded, end)
    return _code("drawing_number", source, start, end if revision is None else revision.end())


def _code(
    field: Literal["part_number", "drawing_number"],
    source: SourceText,
    start: int,
    end: int,
    *,
    alternative: bool = False,
) -> Candidate:
    key = "".join(source.folded[start:end].casefold().split())
    return Candidate(field, source.plain[start:end], start, end, alternative, key)
