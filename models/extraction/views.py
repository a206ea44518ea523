"""The text as the rules read it: half width, one script for the same Chinese word, each character knowing its origin.

Why it is so: rules that look at "５００" and "500", at 數量, 数量 and 図番 apart would each be written three times and
forgotten once. So two views of one length stand side by side: `plain` (NFKC; values are taken from it) and `folded`
(also one form for traditional, Japanese and simplified characters, and `-` for every dash; the rules match on it).
`origins` leads from each character back to the original.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.fields import FieldName, FieldReading, FieldValue, Span

# Traditional or Japanese form, then the simplified one.
_PAIRS = (
    "數数還还沒没決决確确認认討讨論论圖图図图號号質质檢检検检驗验験验測测報报個个組组條条塊块顆颗隻只張张對对対对雙双"
    "陽阳極极鍍镀電电拋抛鈍钝處处処处熱热噴喷塗涂無无須须戶户訂订單单単单價价約约萬万億亿兩两貳贰陸陆發发訊讯"
    "郵邮書书換换變变変变為为從从後后這这樣样給给話话傳传編编統统銅铜鋼钢鋁铝鈦钛鐵铁銹锈鏽锈鎳镍鋅锌鉻铬錫锡銀银"
    "龍龙膠胶經经過过實实應应與与會会請请結结貨货務务計计設设師师問问時时間间視视狀状態态裡里點点選选擇择歷历級级"
    "試试鹽盐塩盐霧雾層层黃黄黒黑鑄铸鍛锻壓压錯错誤误寫写筆笔舊旧貴贵總总長长寬宽內内徑径許许備备標标準准廠厂齊齐"
    "證证証证錄录記记載载納纳協协廢废棄弃違违據据屬属據据線线現现幾几將将僅仅讓让達达進进遲迟週周關关門门項项頁页"
    "預预領领題题願愿類类顯显飾饰養养驟骤鬆松鉛铅鎂镁鎢钨鋯锆氣气軟软轉转輪轮轴轴軸轴車车較较種种稱称積积篩筛純纯"
    "細细終终絡络維维綠绿緊紧縮缩續续纖纤罷罢聯联臺台薦荐蝕蚀裝装複复複复規规覺觉訪访評评詢询該该詳详誰谁調调談谈"
    "諮咨謝谢議议護护變变負负財财買买費费賣卖賬账購购銷销鑽钻閃闪開开閱阅隊队階阶隨随險险離离難难電电靜静頂顶順顺"
    "願愿風风飛飞餘余館馆驅驱體体鬧闹鋪铺錶表鏡镜異异當当畫画盤盘盡尽產产産产産产皺皱眾众碼码礦矿稅税穩稳競竞"
    "檔档並并爲为聲声復复紙纸奪夺顏颜絲丝審审渦涡紅红攜携藍蓝慮虑禮礼歐欧來来羅罗減减採采幣币庫库動动勞劳業业猶犹歲岁淨净"
    "額额滿满懸悬國国說说釐厘籤签們们區区錢钱圓圆滲渗嗎吗連连壞坏場场補补譜谱連连參参"
    "學学傷伤績绩査查見见価价鋳铸亞亚亜亚焼烧燒烧別别両两圧压気气実实毎每専专総总経经応应択择転转遅迟鉄铁関关売卖発发"
    "壊坏響响擬拟擴扩攝摄斷断於于暫暂東东極极構构樓楼機机殺杀氬氩滾滚漲涨潔洁濟济營营営营爐炉爾尔獨独環环瑣琐棟栋"
)
_FOLD = (
    {ord(_PAIRS[i]): _PAIRS[i + 1] for i in range(0, len(_PAIRS), 2)}
    | {ord(one): "-" for one in "\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212"}
    | {ord(one): " " for one in "\t\u00a0\u2007\u2009\u202f\u3000"}
    | {ord(one): "'" for one in "\u2019\u02bc\u00b4"}
)
_LEADING_GROUP = re.compile(r"(?<![\dA-Za-z\uff21-\uff5a.,-])\d{1,3}\Z|(?<=\d[,，])\d{3}\Z")
_WIDE_GROUP = re.compile("[\uff10-\uff19]{3}(?!\\d)")
_ZERO_GROUP = re.compile(r"[0\uff10]\d{2}(?!\d)")
_VOICED = "\uff9e\uff9f\u3099\u309a"

TRADITIONAL = frozenset(_PAIRS[0::2]) - frozenset("壊図検験処対単変黒塩産営価亜焼両圧気実毎専総経応択転遅鉄関売発")
SIMPLIFIED = frozenset(_PAIRS[1::2]) - frozenset("只里后表于面余松台向周几准复据属咨云尔游制干佣")


@dataclass(frozen=True, slots=True)
class SourceText:
    """Two views of one length, and for each of their characters the range of the original it comes from."""

    plain: str
    folded: str
    origins: Sequence[tuple[int, int]]

    def span(self, start: int, end: int) -> Span:
        """The range of the original text behind the characters `start` to `end` of the views."""
        return Span(start=self.origins[start][0], end=self.origins[end - 1][1])


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that some words name, with their place in the views; `alternative` marks one of several offered."""

    field: FieldName
    value: FieldValue
    start: int
    end: int
    alternative: bool = False
    key: str = ""

    def reading(self, source: SourceText) -> FieldReading:
        """The value with its place in the original text."""
        span = source.span(self.start, self.end)
        return FieldReading(field=self.field, value=self.value, start=span.start, end=span.end)


def source_text(text: str, ranges: Iterable[tuple[int, int]]) -> SourceText:
    """The views of the given ranges of `text`, in their order."""
    plain: list[str] = []
    origins: list[tuple[int, int]] = []
    for first, last in ranges:
        at = first
        while at < last:
            end = at + 1
            while end < last and text[end] in _VOICED:
                end += 1
            for one in _half_width(text, at, end):
                plain.append(one)
                origins.append((at, end))
            at = end
    joined = "".join(plain)
    return SourceText(joined, joined.translate(_FOLD), origins)


def _half_width(text: str, at: int, end: int) -> str:
    """NFKC, but a full-width comma stays one unless it groups digits: "φ12，600 件" is no number."""
    if text[at] == "，" and not _groups_digits(text, at):
        return "，"
    return unicodedata.normalize("NFKC", text[at:end])


MAX_SENTENCE = 1_000
"""Characters after which a sentence is cut, whoever wrote it: every rule looks no farther than its sentence."""

_SENTENCE_END = re.compile(r"[。;!?！？；\n]|(?<![0-9A-Z])\.(?=\s|$)|(?<=[0-9A-Z])\.(?=\s+[A-ZÄÖÜ]|\s*$|\s*\n)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:stk|st|nr|no|rev|ca|dwg|qty|zg|pos|art|inkl|bzw|evtl|ggf|incl|max|min|usw|vgl|abt|tel|tsd|mat|"
    r"approx|z\.b|e\.g|i\.e)|\b[A-Z])\Z",
    re.I,
)
_CLAUSE_END = re.compile(r"[,，、]|[()（）\[\]【】:：—]|--| - ")


def sentences(folded: str) -> list[tuple[int, int]]:
    """The sentences and lines of a folded text as half-open ranges; a dot inside a number or after "Stk" ends none."""
    return _pieces(folded, 0, len(folded), _SENTENCE_END)


def clauses(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts between commas, colons and brackets of one sentence."""
    return _pieces(folded, start, end, _CLAUSE_END)


def enclosing(ranges: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    """The range that holds the position; the position alone where none does."""
    index = bisect_right(ranges, at, key=_first) - 1
    if index >= 0 and at < ranges[index][1]:
        return ranges[index]
    return at, at + 1


def _first(one: tuple[int, int]) -> int:
    return one[0]


def _pieces(folded: str, start: int, end: int, ends: re.Pattern[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    first = start
    for match in ends.finditer(folded, start, end):
        if match.group() == "." and _ABBREVIATION.search(folded, max(first, match.start() - 8), match.start()):
            continue
        if match.group() == "," and _inside_number(folded, match.start()):
            continue
        found += _bounded(first, match.end())
        first = match.end()
    return found + _bounded(first, end)


def _bounded(first: int, end: int) -> list[tuple[int, int]]:
    """The range in parts of at most `MAX_SENTENCE`, so that a text without full stops costs no square of its length."""
    return [(at, min(at + MAX_SENTENCE, end)) for at in range(first, end, MAX_SENTENCE)]


def _inside_number(folded: str, at: int) -> bool:
    return at > 0 and folded[at - 1].isdigit() and folded[at + 1 : at + 2].isdigit()


def _groups_digits(text: str, comma: int) -> bool:
    """Whether a full-width comma separates thousands: between wide digits, or before a group that begins with zero."""
    if _LEADING_GROUP.search(text[max(0, comma - 6) : comma]) is None:
        return False
    wide = unicodedata.east_asian_width(text[comma - 1]) == "F" and _WIDE_GROUP.match(text, comma + 1) is not None
    return wide or _ZERO_GROUP.match(text, comma + 1) is not None
