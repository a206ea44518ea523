"""Surface treatments: the process that is named, or that none is wanted."""

import re
from collections.abc import Sequence
from dataclasses import replace

from models.extraction.masks import Ranges
from models.extraction.views import Candidate, SourceText
from models.fields import SurfaceTreatment

_NOTHING = (
    r"(?<=[或者和、,，:：；; ])不(?:做)?处理|"
    r"(?:不(?:用|需要?|必|须|做|要)(?:再)?(?:做)?(?:任何)?的?(?:表面)(?:处理)?|表面(?:处理)?[:： ]?(?:不(?:用|需要?|"
    r"必|要|做)?(?:再)?处理|不(?:用|需要?|必)做|不做|无(?:处理)?(?=[,。;、\s]|\Z)|免处理|没有要求)|"
    r"(?:不(?:用|需要?|必|做)|免|无需?)(?:再|另外|另)?(?:做)?表处|"
    r"(?:表处|(?<![\w])处理)[:： ]{1,2}(?:无|なし|不要|免)(?=[,，。;、\s]|\Z)|"
    r"(?<=[,;] )(?:roh|blank)(?=[,.;)\n]|\Z)|\bmill finish\b|\bas[- ]rolled\b|\bwalzblank|"
    r"无(?:需)?表面处理|免(?:做)?表面处理|没有表面处理|无需(?:做)?(?:任何)?表面(?:处理)?|"
    r"(?:素材|裸件|本色不处理|原色|毛坯|裸材)(?:直接)?(?:出货|交货|交付|即可|就好|就行|状态)|素材のまま|生地のまま|"
    r"表面处理(?:は|も)?(?:なし|无し|不要|无|いりません|必要(?:ありません|ない|なし))|表面处理は?(?:行わ|し)(?:ない|"
    r"ません)|"
    r"\b(?:no|without(?: any)?|w/o) (?:surface (?:treatment|finish|finishing|coating)|finish(?:ing)?|coating|"
    r"plating or coating|treatment)s?(?! (?:decided|decision|yet|chosen))|"
    r"\bas[- ]machined\b|\b(?:leave|keep|left|kept|stays?|remain) (?:it |them |the parts |the surface |"
    r"parts )?(?:bare|raw|uncoated|untreated|blank|plain)|\b(?:uncoated|untreated|unfinished surface)\b|"
    r"\bbare (?:metal|parts|finish)\b|\b(?:surface|finish)(?: treatment)?[: ]{1,2}(?:none|n/a|not required|"
    r"not needed|is not (?:needed|required))\b|"
    r"\bohne (?:jede |jegliche |weitere )?(?:oberflächen(?:behandlung|beschichtung|veredelung)?|beschichtung|"
    r"oberfläche|nachbehandlung)|\bkeine? (?:oberflächen(?:behandlung|veredelung)|beschichtung|oberfläche|"
    r"nachbehandlung)|"
    r"\bunbehandelt|\bunbeschichtet|\boberfläche(?:nbehandlung)?[: ]{1,2}(?:blank|keine|roh|entfällt|nicht (?:nötig|"
    r"erforderlich))|\bbleib(?:t|en) (?:die oberfläche )?(?:blank|roh)\b)"
)
_KINDS: tuple[tuple[SurfaceTreatment, str], ...] = (
    ("none", _NOTHING),
    (
        "hard_anodizing",
        r"(?:硬(?:质|膜)?(?:的)?阳(?:极)?(?:氧化|处理)?|硬(?:质)?(?:アルマイト|アノダイズ)|硬质氧化|"
        r"hard[- ]?(?:coat )?(?:anodi[sz](?:ed|ing|e|ation)|anodi[sz]ed)|hard ?coat(?:ed|ing)? anodi[sz]\w{0,5}|"
        r"type (?:iii|3) anodi[sz]\w{0,5}|anodi[sz]\w{0,5},? type (?:iii|3)\b|harteloxal|hart ?-?(?:elox|"
        r"anodis)\w{0,10}|hartcoat)",
    ),
    (
        "anodizing",
        r"(?:(?:(?:黑|白|本|金|红|蓝|银|自然|灰|透明)色?)?阳极(?:氧化|处理|本色|发色)?|(?:白|黑|カラー|"
        r"着色)?アルマイト|"
        r"(?:(?:clear|black|natural|red|blue|gold|grey|gray|colou?r|soft|sulphuric|sulfuric)[- ])?anodi[sz](?:ed|"
        r"ing|e|ation)\b|(?:schwarz |natur |farblos |farb)?(?:eloxiert|eloxal|eloxieren|eloxierung)\w{0,3}|"
        r"anodisier\w{0,4}|阳极|"
        r"(?<!发黑)(?<!化学)(?:喷砂|本色|自然色|银白?色?|彩色|黑色|瓷质|普通|表面"
        r"|(?<=[做要需]))氧化(?![铝锆皮钛铁]|发黑))",
    ),
    (
        "passivation",
        r"(?:钝化|パシベ(?:ーション|ート)|不动态化|不働态化|\bpassivat(?:ed|ion|e|ing)\b|passivier\w{0,4})",
    ),
    (
        "plating",
        r"(?:(?:化学|无电解|电解|硬|亮|化)?(?:电镀|镀)(?:化学|硬|亮|白|黑|彩|蓝白|五彩|三价|环保|黄)*(?:锌镍|镍|锌|"
        r"铬|铜|锡|银|金|镍磷)?(?:合金)?|"
        r"(?:三价|六价|环保)?(?:蓝白|五彩|军绿|白|彩|黑|黄)锌|热浸锌|化学镍|无电解镍|化镍|发蓝锌|达克罗|"
        r"(?:无电解|三价|ユニクロ|クロメート|电气)?(?:ニッケル|クロム|亚铅|スズ|锡|金|银|铜|ユニクロ|亚铅)?(?:メッキ|"
        r"めっき|镀金)|ユニクロ|クロメート|"
        r"(?:(?:electroless|hard|zinc|nickel|chrome|chromium|tin|silver|gold|copper|zn|ni|cr|electro|bright|"
        r"black)[- ]{1,2}){0,3}plat(?:ed|ing)\b|electroless nickel|"
        r"\b(?:zinc|nickel|chrome|tin|silver|gold|copper)[- ]plate\b|"
        r"galvani[sz](?:ed|ing)|\bhard chrom\w{0,4}|"
        r"\bzinc[- ]?nickel\b|"
        r"(?:chemisch |galvanisch |hart|glanz)?(?:vernickel|verzink|verchrom|verzinn|versilber|vergolde|"
        r"verkupfer)\w{0,4}|(?:feuer|hart)ver(?:zink|chrom)\w{0,4}|chemisch nickel|galvanisier\w{0,4})",
    ),
    (
        "painting",
        r"(?:烤漆|喷漆|喷塑|喷粉|粉体(?:涂装|烤漆)?|粉末(?:喷涂|涂装|涂料)|静电(?:喷涂|喷塑|粉末)|喷涂(?!砂)|涂装|"
        r"涂漆|底漆|プライマー|\bprime(?:d|r(?:ed)?)\b|\bgrundier(?:t|ung|en)?(?:(?: und|,) lackiert)?\b|"
        r"液体烤漆|电泳(?:漆|涂装)?|上漆|刷漆|"
        r"涂装|ペイント|粉体涂装|烧付(?:け)?涂装|烧き付け涂装|カチオン|powder[- ]?coat(?:ed|ing)?|\bpaint(?:ed|"
        r"ing)?\b|\blacquer(?:ed)?\b|\be-?coat(?:ed|ing)?\b|\bwet[- ]paint\w{0,3}|"
        r"pulver ?-?beschicht\w{0,4}|\blackier\w{0,4}|\bgepulvert|\bktl\b(?:-beschicht\w{0,4})?|einbrennlack\w{0,5})",
    ),
    (
        "other",
        r"(?:导电氧化|化学氧化|电解(?:抛光|研磨)|电抛光|电化学抛光|染黑|发黑|黑化|发蓝|磷化|皮膜处理|喷砂|喷丸"
        r"|镜面抛光|抛光|拉丝|皮膜|"
        r"黑染め?|四三酸化铁(?:皮膜)?|リン酸(?:盐|盐)?(?:皮膜)?|パーカー|电解研磨|バフ研磨|ショットブラスト|"
        r"サンドブラスト|ブラスト(?:处理)?|"
        r"氮化(?:钛)?(?=处理|层|$|[,。;、 ])|(?:软|ガス|イオン)?窒化处理|タフトライド|"
        r"PVD|\bDLC\b|(?<![A-Za-zÀ-ɏ])TiN(?: ?coat\w{0,3})?\b|"
        r"chem(?:ical(?:ly)?)?[- ]?black(?:ed|ing|en\w{0,3})?|"
        r"electro[- ]?polish(?:ed|ing)?|black(?:en(?:ed|ing)|[- ]oxid(?:e|ed|ised|ized))|\boxide black|"
        r"\bphosphat(?:ed|ing|e)\b|\b(?:bead|sand|shot|grit|glass bead)[- ]?(?:blast(?:ed|ing)?|peen(?:ed|ing)?)|"
        r"\bblast(?:ed|ing)\b|\bbrushed\b|\bmirror polish\w{0,3}|"
        r"\bpolish(?:ed|ing)\b|\btumbled\b|\bchromat(?:ed|e conversion)\b|\bchem ?film\b|\balodine\w{0,2}|"
        r"elektropolier\w{0,4}|e-poliert|brünier\w{0,4}|phosphatier\w{0,4}|"
        r"(?:glasperlen|sand|kugel)?-?gestrahlt\w{0,2}|(?:glasperl|sand|kugel)\w{0,4}strahl\w{0,4}|\bpoliert\b|"
        r"gebürstet|chromatier\w{0,4}|geschwärzt|schwarzoxid\w{0,6})",
    ),
)
_PATTERN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS), re.IGNORECASE)
_PREPARES = re.compile(
    r"(?:喷砂|喷丸|抛光|拉丝|研磨|ブラスト|blast|peen|polish|brush|tumbl|strahl|poliert|gebürstet|皮膜)", re.IGNORECASE
)
_KEEPS = re.compile(r"(?:电解|电化学|electro|elektro|e-?poliert)", re.IGNORECASE)
_DECLINED_BEFORE = re.compile(
    r"(?:不(?:用|做|要|需要?|必|再)?(?:再)?(?:做|上|打)?|免|无需?|没有|取消|去掉|无|别|省略|放弃|\bno(?: more|"
    r" need (?:for|of)(?: any)?)?|"
    r"\bnot?(?: be)?|\bwithout(?: any)?|\bforget(?: about)?|\bskip|\bdrop|\bcancel|\bomit|\binstead of|\brather than|"
    r"\bno longer|"
    r"\bdon'?t (?:need|want)(?: any)?|\bdo not (?:need|want)(?: any)?|\bkeine?[nrm]?|\bohne|\bnicht(?: mehr)?|"
    r"\b(?:an)?statt|\bentfällt|\bvergessen sie)(?: ?(?:the|die|das|den|der|any|表面|做|先|进行))? ?\Z",
    re.IGNORECASE,
)
_DECLINED_AFTER = re.compile(
    r"(?:处理)? ?[?:] ?(?:no(?:ne|t (?:needed|required|necessary))?|nein|否|无|不(?:用|要|需要?)|なし|いいえ)"
    r"(?: thanks?| thank you| danke)?(?= ?[,，。.;!\n)）]| ?\Z)|"
    r"(?:处理)? ?(?:(?:就|都|也)?不(?:用|做|要|需要)(?:了|做)?|取消|省略|免了|(?:加工|处理)?(?:は|も)?(?:不要|なし|"
    r"やめ|无し|いりません|必要ありません|ではなく|しない)|"
    r"(?: treatment)? ?(?:is |are )?(?:not (?:needed|required|necessary)|no longer (?:needed|required))|(?:ist |"
    r"wird )?(?:nicht (?:mehr )?(?:nötig|erforderlich|notwendig|gewünscht)|entfällt))",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?: ?(?:pcs|件)? ?(?:或者?|或是|还是|和|与|跟|及|、|/|\bor\b|\band\b|\boder\b|\bund\b|\bvs\.?|か|または|又は|"
    r"と|もしくは) ?|[,，;；。]? ?(?:[B-D]|[二2乙]|方案 ?[B二2]|option (?:b|2|two)|variante (?:b|2)) ?(?:案|方案|项|"
    r":|：)? ?)",
    re.IGNORECASE,
)

_SHARE = (
    r"(?:\d ?(?:件|个|支|片|只|组|套|颗|本|枚|pcs|pieces|parts|ea|units|sets|stück|stk\.?)|一半|半数|其余|剩下的?|"
    r"另外?一?半|"
    r"残り|half|the (?:rest|others?|remainder|remaining)|(?:der|den) rest|(?:die|eine|andere) hälfte|rest)"
)
_SHARE_BEFORE = re.compile(rf"{_SHARE}[^,，。;.!?\n\d]{{0,14}}\Z", re.IGNORECASE)
_SHARE_AFTER = re.compile(rf"[^,，。;.!?\n\d]{{0,8}}(?:\d{{1,7}})?{_SHARE}", re.IGNORECASE)

# "zinc or nickel plating" names two kinds of plating with one word for both.
_METAL = r"zinc|nickel|chrome|chromium|tin|silver|gold|copper|zn|ni|cr|亚铅|ニッケル|クロム|スズ|锡|金|银|铜"
_OTHER_METAL = re.compile(
    rf"(?<![a-z])(?P<metal>{_METAL})(?: ?(?:/|或者?|か|または|又は|もしくは) ?| (?:or|vs\.?) (?:with )?)\Z",
    re.IGNORECASE,
)
# A question whether the shop can do it at all settles nothing.
_ABLE_BEFORE = re.compile(
    r"(?:(?:(?P<open>能不能|能否|可否|可不可以|会不会|有没有|有无|是否(?:能|可以?|提供|有|会))|能够?|可以?|会"
    r"|有(?:在)?|接受)"
    r"(?:帮忙|在)?(?:做|作|处理|提供|加工|代工|接|代做)?(?:这种|表面|到|一下)?"
    r"|\b(?:can|could) you(?: guys)?(?: also| even)?(?: do| offer| handle| provide| perform| apply)?(?: the| a)?"
    r"|\b(?:are you|would you be) able to(?: do| offer)?|\bdo you(?: guys)?(?: also)? (?:do|offer|provide|have)|"
    r"\bis it possible to(?: do)?|\bkönn(?:en|ten) sie(?: auch)?|\bbieten sie(?: auch)?|\bmachen sie(?: auch)?|"
    r"\bist (?:bei ihnen )?(?:auch )?(?:eine? )?) ?\Z",
    re.IGNORECASE,
)
_ABLE_AFTER = re.compile(
    r" ?(?:处理|加工)?(?:你们|贵司|贵公司)?(?:能|可以?)(?:不能|否)?做?(?:得到|到)?(?:吗|\?)"
    r"|(?:处理|加工)?(?:は|も|の)?(?:御社で(?:は|も)?)?(?:对应(?:は)?)?(?:可能(?:です|でしょう)?か|でき(?:ます"
    r"|る|ますでしょう)(?:でしょう)?か|"
    r"(?:して|されて)(?:い|お)?り?ますか|可能\?)"
    r"| (?:something you (?:do|offer)|possible)\b[^.;!?\n]{0,30}\?| möglich\?",
    re.IGNORECASE,
)
_METALS = {
    "zinc": r"zinc|zn|锌|亚铅|verzink|galvani[sz](?:ed|ing)|ユニクロ|クロメート",
    "nickel": r"nickel|ni(?![a-z])|镍|ニッケル",
    "chrome": r"chrom(?!at)|铬|クロム",
    "tin": r"\btin\b|锡|スズ|zinn",
    "copper": r"copper|铜|kupfer",
    "silver": r"silver|银|silber",
    "gold": r"gold|(?<!合)金$",
}
_COMPARED = re.compile(r"[^,，。.;!\n]{0,16}(?:价差|差价|差多少|贵多少)[^。.;!\n]{0,8}(?:\?|吗)")
_ASKS = re.compile(r"[^。.;!\n]{0,40}?(?:吗|呢|嘛|\?)")


def find_surfaces(source: SourceText, taken: Ranges) -> list[Candidate]:
    """The treatments named; one that is declined reads as `none`. What only prepares another treatment is left out."""
    found: list[Candidate] = []
    for match in _PATTERN.finditer(source.folded):
        kind = match.lastgroup
        if kind is None or taken.touches(match.start(), match.start() + 1) or match.end() == match.start():
            continue
        declined = kind != "none" and _declined(source.folded, match)
        if kind != "none" and not declined and _only_asked(source.folded, match):
            continue
        metal = _OTHER_METAL.search(source.folded, max(0, match.start() - 24), match.start())
        if kind == "plating" and metal is not None:
            found.append(Candidate("surface_treatment", kind, *metal.span("metal"), key=metal["metal"].casefold()))
        found.append(
            Candidate(
                "surface_treatment",
                "none" if declined else kind,
                *match.span(),
                key="declined" if declined else match.group().casefold(),
            )
        )
    return _without_preparation(source.folded, _parted(source.folded, _linked(source.folded, found)))


def coat(one: Candidate) -> str:
    """The treatment, for a plating with its metal: two metals are two offers, a plating without one fits any."""
    metals = [name for name, words in _METALS.items() if re.search(words, one.key)] if one.value == "plating" else []
    return f"{one.value} {metals[0]}" if len(metals) == 1 else str(one.value)


def _declined(folded: str, match: re.Match[str]) -> bool:
    before = folded[max(0, match.start() - 24) : match.start()]
    return _DECLINED_BEFORE.search(before) is not None or _DECLINED_AFTER.match(folded, match.end()) is not None


def _only_asked(folded: str, match: re.Match[str]) -> bool:
    """Whether somebody asks if the shop is able to do it."""
    if _ABLE_AFTER.match(folded, match.end()) or _COMPARED.match(folded, match.end()):
        return True
    before = _ABLE_BEFORE.search(folded, max(0, match.start() - 40), match.start())
    return before is not None and (before["open"] is not None or _ASKS.match(folded, match.end()) is not None)


def _linked(folded: str, found: Sequence[Candidate]) -> list[Candidate]:
    result = list(found)
    for index in range(len(result) - 1):
        one, other = result[index], result[index + 1]
        if _LINK.fullmatch(folded[one.end : other.start]):
            result[index] = Candidate(one.field, one.value, one.start, one.end, alternative=True, key=one.key)
            result[index + 1] = Candidate(
                other.field, other.value, other.start, other.end, alternative=True, key=other.key
            )
    return result


def _parted(folded: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Marks two treatments as alternatives where each is for its own share of the lot."""
    result = list(found)
    for side in (_SHARE_BEFORE, _SHARE_AFTER):
        shared = [at for at, one in enumerate(found) if _has_share(folded, one, side)]
        if len({found[at].key for at in shared}) > 1:
            for at in shared:
                result[at] = replace(found[at], alternative=True)
    return result


def _has_share(folded: str, one: Candidate, side: re.Pattern[str]) -> bool:
    if side is _SHARE_BEFORE:
        return side.search(folded, max(0, one.start - 32), one.start) is not None
    return side.match(folded, one.end) is not None


def _without_preparation(folded: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Without a specific "declined" beside a treatment that is wanted, and without blasting before another process."""
    wanted = [one for one in found if one.key != "declined"]
    if not wanted:
        return list(found)
    if len({one.value for one in wanted}) > 1:
        main = [one for one in wanted if not _prepares(folded[one.start : one.end]) or _offered(folded, wanted, one)]
        wanted = main or wanted
    return wanted


def _prepares(words: str) -> bool:
    return _PREPARES.search(words) is not None and _KEEPS.search(words) is None


def _offered(folded: str, wanted: Sequence[Candidate], one: Candidate) -> bool:
    """Whether "or" stands beside it: then it is an alternative, no preparation."""
    at = wanted.index(one)
    beside = folded[one.end : wanted[at + 1].start] if at + 1 < len(wanted) else ""
    before = folded[wanted[at - 1].end : one.start] if at else ""
    return re.search(r"或|还是|\bor\b|\boder\b|か|または|/", f"{beside} {before}", re.IGNORECASE) is not None
