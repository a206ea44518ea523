"""Quantities: numbers that count pieces, alone or in a list of alternatives, with the unit as written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.extraction.masks import Ranges
from models.extraction.nouns import closes, counts_goods, in_place_of, taken_alone
from models.extraction.numerals import Number, find_numbers
from models.extraction.scripts import Language
from models.extraction.views import Candidate, SourceText

_ABSTRACT = (
    r"月|星期|礼拜|级|档|规格|区间|种|款|样式|批次|小?时|工作|营业|日(?!本)|方案|案|版|问题|选|料号|品号|品项|项目|"
    r"图|尺寸|孔|颜色|供应|角|"
    r"面|都|不同|人|年|季|厂|客户|价|报价|单价|估价|折扣|数字|回复|机会|电话|阶段|部分|量(?!产)|日期|交期"
)
_HAN_UNIT = (
    rf"(?:[个套组张份对](?!{_ABSTRACT})|支(?!架|撑|座|柱|臂|杆)|[件片只颗粒块条根枚本台把副双箱包盒卷具架座ケヶ丁](?!月)|"
    r"セット|ピース|コ(?![ァ-ヺ])|ユニット|ロット(?!番))"
)
_LATIN_UNIT = (
    r"(?:pcs|pces|pce|pc|pieces|piece|ea|each|sets?|units?|pairs?|nos\.?|samples|prototypes|parts|items|kits|"
    r"assemblies|blanks|assys?|lots|off(?= |,|\.|;|$)|"
    r"stücke?|stk\.?|stck\.?|st\.(?! ?\d)|sätze|satz|teile|paare?|garnituren|einheiten|muster|prototypen|exemplare|"
    r"musterteile|rohlinge|baugruppen|ps)(?![A-Za-zÄÖÜäöüß])"
)
_UNIT = re.compile(
    rf"(?: ?\([^()\d\n]{{2,60}}\))? ?(?:x |× |more |further |finished |good |weitere[n]? |fertige |additional |"
    rf"identical )?(?P<unit>{_LATIN_UNIT}|{_HAN_UNIT})",
    re.IGNORECASE,
)
_PRICED_EACH = re.compile(r" ?(?:各|分别|都|个别)(?:自)?(?:请)?(?:报|估|给)(?!告|名)")
_NOUN_UNIT = re.compile(r"prototypes|parts|items|blanks|teile|prototypen|rohlinge", re.IGNORECASE)
_VAGUE = re.compile(
    rf"(?:[几数][十百千万]+|\b(?:several|a few|some|einige|ein paar) (?:dozen|hundred|thousand|hundert|tausend)) ?"
    rf"(?P<unit>{_LATIN_UNIT}|{_HAN_UNIT})",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"(?:数量|件数|个数|台数|本数|枚数|ロット数|需求量|订购量|采购量|用量|批量|总数|\bq'?ty\.?|\bquantity|"
    r"\bquantities|\bamount|\blot(?: size)?|\bbatch(?: size)?|\bvolume|"
    r"\bmenge|stückzahl|losgröße|anzahl)(?: ?(?:of|is|are|would be|will be|ist|wäre|beträgt|von|为|是|约|约为|大约|"
    r"先按|先抓|按|先|暂定|就|は|が|共|合计|先报))?[:： =()（]{0,3}"
    r"(?:about|around|approx\.?|ca\.?|约|大约|is|ist|是|为)? ?\Z",
    re.IGNORECASE,
)
_MAKE_IT = re.compile(
    r"(?:\bmake (?:it|that)|\b(?:changed?|increased?|reduced?|corrected|raised?)(?: (?:it|this|that|"
    r"the quantity))? to|改成|改为|改做|改抓|改报|\bgeändert auf|\berhöhen (?:wir )?auf)[:： ]{0,2}\Z",
    re.IGNORECASE,
)
_SENTENCE_CUE = re.compile(r"(?:数量|件数|\bqty|\bquantit|\bmenge|stückzahl|losgröße)", re.IGNORECASE)
_BARE_BEFORE = re.compile(
    r"(?:是|为|to|auf|but|sondern|not|nicht|statt|改成|改为|of|から|を|は)[ :：]{0,2}\Z", re.IGNORECASE
)
_FOREIGN_AFTER = re.compile(
    r" ?(?:[A-Za-z%°€$¥£#²³/&]|[.,]\d|-\d|[元块天日月年周时分秒点岁号楼季%行次轴面人厘公层级期页项]|营|か月|ヶ月|"
    r"カ月|小时|工作|星期|孔|钱)"
)
_LINK = re.compile(
    r" ?(?:个|件|支|本|片|只|组|套|pcs|stk\.?|stück|pieces)? ?(?:或者|或是|或|和|以及|及|与|跟|还是|、|/|\band\b|"
    r"\bor\b|\bund\b|\boder\b|\bbzw\.?|\bresp\.?|&|と|または|又は|か|及び|"
    r"~|～|-|\bto\b|\bbis\b|至|到|\bversus\b|\bvs\.?) ?(?:for )?",
    re.IGNORECASE,
)
_LIST_AFTER = re.compile(r" ?(?:或者?|还是|/|\bor\b|\boder\b|\bbzw\.?|または|又は) ?(?=\d)", re.IGNORECASE)
_PARTED = re.compile(r"其中|(?:当中|里面)有|\bof which\b|\bthereof\b|\bdavon\b|\bof these\b|うち", re.IGNORECASE)
_COMMA = re.compile(r" ?[,，] ?")
_SIDE_BEFORE = re.compile(
    r"(?:年(?:用|需求|产|度|间)(?:量|求)?|年量|一年|每年|每月|每(?:箱|盒|包|套|批|组|台|日|天|周)?|月(?:用|需求|"
    r"产)?量|去年|前年|上次|上一批|上批|前回|昨年|年间|全年|整年|年均|"
    r"库存|在库|现有|最低(?:订购|起订)?量?|最小|起订量?|不良|报废|已(?:交|出|收)|第(?![一二三四五1-9首]批)|满|超过|"
    r"\bannual(?:ly)?|\byearly|\bper year|\beau|\ba year|\blast year(?:'s)?|\blast time|\bprevious(?:ly)?|"
    r"\blast (?:order|lot|batch)|\bstock|\bmoq|\bminimum|\bmin\.?|\bper\b|\bevery\b|"
    r"\bforecast|\brejected|\bdefective|\bdelivered|\bshipped|\breceived|"
    r"jahres(?:bedarf|menge|verbrauch|abnahme)|jährlich|pro jahr|im jahr|letzte[sn]? (?:jahr|mal)|\blager|"
    r"mindest(?:menge|bestellmenge)?|\bje\b(?! ?\Z)|\bpro\b|\bausschuss|geliefert|vorjahr|"
    r"每月|每年|最小|最低)[^\d,，。.;!?(（\n]{0,24}\Z",
    re.IGNORECASE,
)
_SIDE_WEAK = re.compile(r"(?:same as|like|as|同|跟|与|和|wie|同じ|同様)[^,。;]{0,12}\Z", re.IGNORECASE)
_SIDE_AFTER = re.compile(
    r" ?(?:(?:/|per|pro|je|a|an|every|im|each) ?(?:year|jahr|month|monat|a\.?|box|set|carton|year|annum|week|年|月|"
    r"箱|盒|套|组|包)|p\.? ?a\.?(?![a-z])|annually|yearly|jährlich|"
    r"(?:另谈|另议|另外谈|之后再(?:谈|说|议)|later on|separately|separat)|"
    r"一箱|一盒|一包|/箱|/年|/月|以上|以下的?价|起订|的(?:年用量|年需求|库存)|是去年|的库存|in stock|on stock|"
    r"auf lager|in our stock|as moq|were (?:delivered|shipped|rejected)|"
    r"(?:was|is|were|are|war|waren|ist|是|は) (?:the |our |die |der |unser )?(?:yearly|annual|last year|jahres|年|"
    r"forecast|old)|(?:是|为)(?:年|去年|上次|全年)|/年|每年|年间|の在庫|last year|letztes jahr)",
    re.IGNORECASE,
)
_ANEW = re.compile(
    r"再(?:做|来|订|下|加|追|要|报|买|生产)|追加|加订|补(?:做|订)|重复|\bagain\b|\banother\b|\brepeat|\bmore\b|"
    r"\bnoch ?mals?\b|\bnoch einmal|\berneut|再度",
    re.IGNORECASE,
)
_TOTAL_BEFORE = re.compile(
    r"(?:总共|合计|共计|总计|总数|一共|(?<![共合总统设估])计|全部で|トータル|\btotal(?: of)?|\bin total|\baltogether|"
    r"\binsgesamt|\bgesamt)[:： ]{0,2}\Z",
    re.IGNORECASE,
)
_TOTAL_AFTER = re.compile(r" ?,? ?(?:in total|total|altogether|overall|insgesamt|gesamt)\b", re.IGNORECASE)
_EACH_WORD = re.compile(r"(?:每|这|那|各|某|几|其中|第|同|任)\Z|(?:这|那|各|每)(?:一|两)?\Z")
_ARTICLE = re.compile(r"[一两]\Z")
_ARTICLE_UNIT = frozenset("个份张条把只套组件批")
_NEVER_COUNTED = frozenset("份张批")
_SETTLES_ARTICLE = re.compile(r"(?:数量|先做|先报|共|只要|只做|做|要|报|需|需要|样品)[:： ]?\Z")


@dataclass(frozen=True, slots=True)
class QuantityReadings:
    """Candidates of quantity and unit, and the ranges of numbers that count pieces but have no single meaning."""

    quantities: list[Candidate]
    units: list[Candidate]
    ambiguous: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Counted:
    number: Number
    unit: tuple[int, int] | None
    alternative: bool = False


def find_quantities(source: SourceText, language: Language, taken: Ranges) -> QuantityReadings:
    """The numbers outside `taken` that count what is to be quoted; yearly demand, stock and packing do not."""
    folded = source.folded
    numbers = [one for one in find_numbers(folded, language, taken) if not taken.touches(one.start, one.end)]
    counted = _with_unit(folded, numbers)
    counted += _bare(folded, numbers, counted)
    if not any(not _on_the_side(folded, one) for one in counted):
        counted += _goods(source, numbers, counted, language)
    counted = _with_alternatives(folded, numbers, sorted(counted, key=lambda one: one.number.start))
    counted = _total(folded, counted)
    quantities: list[Candidate] = []
    units: list[Candidate] = []
    ambiguous: list[tuple[int, int]] = []
    for one in counted:
        number = one.number
        if _on_the_side(folded, one):
            continue
        if number.value is None:
            ambiguous.append((number.start, number.end))
        else:
            quantities.append(
                Candidate("quantity", number.value, number.start, number.end, one.alternative, str(number.value))
            )
        if one.unit is not None:
            text = source.plain[slice(*one.unit)]
            units.append(Candidate("quantity_unit", text, *one.unit, key=text.casefold()))
    for vague in () if units else _VAGUE.finditer(folded):
        text = source.plain[slice(*vague.span("unit"))]
        units.append(Candidate("quantity_unit", text, *vague.span("unit"), key=text.casefold()))
    return QuantityReadings(quantities, units, ambiguous)


def _with_unit(folded: str, numbers: Sequence[Number]) -> list[_Counted]:
    found: list[_Counted] = []
    for number in numbers:
        match = _UNIT.match(folded, number.end)
        if match is not None and number.counts and _NOUN_UNIT.fullmatch(match["unit"]):
            found.append(_Counted(number, None))  # "half a dozen prototypes": the dozen is the unit, the noun the goods
        elif match is not None and not _is_article(folded, number, match["unit"]):
            found.append(_Counted(number, match.span("unit")))
        elif match is None and number.counts:
            found.append(_Counted(number, None))
    return found


def _bare(folded: str, numbers: Sequence[Number], counted: Sequence[_Counted]) -> list[_Counted]:
    """Numbers without a unit after a word for the quantity, or beside a correction in its sentence."""
    taken = {one.number for one in counted}
    found: list[_Counted] = []
    for number in numbers:
        if number in taken or _measures(folded, number.end):
            continue
        before = folded[max(0, number.start - 40) : number.start]
        sentence = re.split(r"[。;!?\n]", folded[max(0, number.start - 60) : number.start])[-1]
        cued = _CUE.search(before) or _MAKE_IT.search(before)
        if (
            cued
            or taken_alone(folded, number.start, number.end)
            or _PRICED_EACH.match(folded, number.end)
            or (not counted and _SENTENCE_CUE.search(sentence) and _BARE_BEFORE.search(before))
        ):
            found.append(_Counted(number, None))
    return found


def _measures(folded: str, end: int) -> bool:
    """Whether what follows a number may be what it measures; a list that goes on or an end is none."""
    if closes(folded, end) or _LIST_AFTER.match(folded, end):
        return False
    return _FOREIGN_AFTER.match(folded, end) is not None


def _goods(
    source: SourceText, numbers: Sequence[Number], counted: Sequence[_Counted], language: Language
) -> list[_Counted]:
    """Where no unit counts anything: numbers right before the goods themselves."""
    taken = {one.number for one in counted}
    return [
        _Counted(number, None)
        for number in numbers
        if number not in taken and number.value is not None and counts_goods(source.plain, number.end, language)
    ]


def _with_alternatives(folded: str, numbers: Sequence[Number], counted: list[_Counted]) -> list[_Counted]:
    """Joins to each counted number those that a list puts before or after it, without a unit of their own."""
    by_start = {one.number.start: one for one in counted}
    for index in range(len(numbers) - 2, -1, -1):
        left, right = numbers[index], numbers[index + 1]
        later = by_start.get(right.start)
        if later is None:
            continue
        between = folded[left.end : right.start]
        linked = _LINK.fullmatch(between) is not None
        listed = _COMMA.fullmatch(between) is not None and (later.alternative or _stands_alone(folded, left))
        if in_place_of(between) and left.start not in by_start:
            by_start[left.start] = _Counted(left, None)
        elif (linked or listed) and not _is_article(folded, left, ""):
            earlier = by_start.get(left.start)
            by_start[left.start] = _Counted(left, None if earlier is None else earlier.unit, alternative=True)
            by_start[right.start] = _Counted(right, later.unit, alternative=True)
    for left, right in pairwise(numbers):
        earlier = by_start.get(left.start)
        if earlier is None or earlier.unit is not None or right.start in by_start or _measures(folded, right.end):
            continue
        listing = _LIST_AFTER.match(folded, left.end)
        if listing is not None and listing.end() == right.start:
            by_start[left.start] = _Counted(left, None, alternative=True)
            by_start[right.start] = _Counted(right, None, alternative=True)
    return [by_start[start] for start in sorted(by_start)]


def _stands_alone(folded: str, number: Number) -> bool:
    before = re.split(r"[,，。;!?\n]", folded[max(0, number.start - 40) : number.start])[-1].strip()
    return (
        before == ""
        or _CUE.search(before + " ") is not None
        or re.search(r"(?:报|quote|for|über|für|prices?|preise?)\Z", before, re.IGNORECASE) is not None
    )


def _total(folded: str, counted: list[_Counted]) -> list[_Counted]:
    """Where the parts are summed up ("2 lots of 50, 100 pcs in total"), the sum alone; it is no alternative."""
    sums = [
        one
        for one in counted
        if not one.alternative
        and (
            _TOTAL_BEFORE.search(folded, max(0, one.number.start - 20), one.number.start)
            or _TOTAL_AFTER.match(folded, one.number.end if one.unit is None else one.unit[1])
        )
    ]
    if not sums and len(counted) > 1 and _PARTED.search(folded[counted[0].number.end : counted[1].number.start][:40]):
        whole, *parts = [one.number.value or 0 for one in counted]
        if 0 < sum(parts) <= whole:
            return counted[:1]
    most = max((one.number.value or 0 for one in counted), default=0)  # a sum is no smaller than its parts
    return sums if len(sums) == 1 and sums[0].number.value == most else counted


def _is_article(folded: str, number: Number, unit: str) -> bool:
    """Whether 一個 or 兩件 in Chinese characters is no count but "a", "both", "each"."""
    before = folded[max(0, number.start - 12) : number.start]
    if _EACH_WORD.search(before):
        return True
    return (
        number.worded
        and _ARTICLE.fullmatch(folded[number.start : number.end]) is not None
        and unit in _ARTICLE_UNIT
        and (unit in _NEVER_COUNTED or _SETTLES_ARTICLE.search(before) is None)
    )


def _on_the_side(folded: str, one: _Counted) -> bool:
    end = one.number.end if one.unit is None else one.unit[1]
    if _SIDE_AFTER.match(folded, end):
        return True
    match = _SIDE_BEFORE.search(folded, max(0, one.number.start - 48), one.number.start)
    if match is None or _ANEW.search(folded, match.start(), match.end()):
        return False
    return _SIDE_WEAK.search(folded, max(0, match.start() - 16), match.start()) is None
