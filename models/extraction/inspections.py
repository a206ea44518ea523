"""Special inspection: asked for, declined, or left open; the routine check of every shop is none of these."""

import re

from models.extraction.views import Candidate, SourceText, clauses, enclosing, sentences

_TERM = re.compile(
    r"(?:特殊(?:的)?(?:检验|检测|检查|检)|特别检(?:查|验)|(?:额外|另外|外部|追加)(?:的)?(?:检验|检测|检查)|"
    r"(?:(?<=不用)|(?<=不要)|(?<=不需)|(?<=不需要)|(?<=无需)|(?<=不做))第三方(?=[,，。;\n]|\Z)|三次元(?:量测|测量|测定|检测|检验|报告)?|三坐标(?:测量|"
    r"检测|报告)?|三座标|CMM|全尺寸(?:检验|检测|量测|测量|报告)?|全检|全数(?:检验|检查|检测|量测)|"
    r"第三方(?:检测|检验|报告|认证)|(?:出货|成品)?(?:检验|检测|检查|量测|测量|测试|尺寸|材质|"
    r"材料)(?:的)?(?:成绩(?:书|表)|报告(?:书)?|证明(?:书)?|记录|数据)|材证|探伤|X ?光|X ?-?线|(?:超音波|超声波?|磁粉|"
    r"渗透|染色|着色|涡电流)(?:检(?:测|验|查)|探伤|试验)?|"
    r"盐(?:水)?(?:雾|喷雾|水喷雾)(?:试验|测试)?|(?:耐压|气密|泄漏|硬度|拉伸|金相|疲劳|真圆度|圆度|粗糙度|轮廓|动平衡|"
    r"气密性|洁净度|清洁度|光谱|成分)(?:的)?(?:试验|测试|检测|检验|分析|量测|测量|报告|检查)|初(?:件|物)(?:检验|检查|"
    r"检测|报告)|首件(?:检验|检测|检查|报告)|"
    r"量真圆度|(?:每|逐)(?:一)?(?:件|支|个|颗|片|只)(?:都)?(?:要|须|需)?(?:量|测|检)[^,，。;!?\n]{0,12}|"
    r"附(?:上)?(?:量测|检测|测量)?数据|PPAP|(?:(?<=不用)|(?<=不要)|(?<=不需)|(?<=需要)|(?<=免附)|(?<=不附)|(?<=不必))(?:附)?报告|"
    r"\bcerts?\b(?! of)|inspection (?:docs?|documents?|documentation|paper(?:s|work))|(?-i:\bFAIR?\b)|(?-i:ISIR)|"
    r"检查(?:成绩书|成绩表|表)|(?:检查)?成绩(?:书|表)|测定(?:データ|结果|成绩)|ミルシート|特殊测定|全数测定|三次元|"
    r"非破坏检查|放射线|レントゲン|カラーチェック|耐压试验|气密试验|耐压|气密|立会(?:い)?检查|トレーサビリティ|"
    r"(?:special|extra|additional) (?:inspections?|tests?|testing|checks?)|"
    r"zusätzliche (?:prüfung(?:en)?|messung(?:en)?)|(?:cmm|fai|first[- ]article|dimensional|inspection|measurement|"
    r"measuring|test|material|layout|3d[- ]?scan|roughness|hardness)(?: inspection)? (?:report|protocol|certificate|"
    r"record|data|sheet)s?|"
    r"first[- ]article(?: inspection)?|third[- ]party (?:inspection|test(?:ing)?|report|check)|(?:x-?ray|ultrasonic|"
    r"dye[- ]penetrant|penetrant|magnetic[- ]particle|eddy[- ]current|radiographic|leak|pressure|salt[- ]?spray|"
    r"hardness|helium|burst|tensile|fatigue)"
    r" ?(?:inspection|test(?:ing|s|ed)?|check(?:s|ing|ed)?|examination)|"
    r"(?:x-?ray|ultrasonic|dye[- ]penetrant|magnetic[- ]particle|eddy[- ]current|radiographic|salt[- ]?spray)(?:ed)?|"
    r"100 ?% (?:\w+ ){0,2}(?:inspection|gaug(?:ing|e)|"
    r"check(?:ing)?|test(?:ing)?|measurement)|full (?:dimensional )?inspection|cmm(?: inspection| measurement)?|"
    r"ndt\b|(?:mill|material) cert\w{0,9}|\bcertificates?\b|\b3\.1 cert\w{0,9}|mtr\b|"
    r"cert(?:ificate)?s? of (?:inspection|conformity|"
    r"analysis)|"
    r"(?:3\.[12][- ])(?:certificate|zeugnis|cert)|inspection certificate|source inspection|witnessed inspection|"
    r"sonder(?:prüfung|prüfungen|kontrolle)|(?:mess|prüf|erstmuster(?:prüf)?|erstmuster)(?:protokolle?|berichte?|"
    r"zeugnisse?|zeugnis)n?s?|emp[bp]\b|(?:röntgen|ultraschall|riss|farbeindring|eindring|magnetpulver|härte|druck|"
    r"dichtheits|dichtigkeits|salzsprüh(?:nebel)?|zug|"
    r"rauheits|wirbelstrom|leck|volumen)(?:prüfung|prüfungen|test|tests|messung)|(?:100|hundert) ?%?-?(?:ige |"
    r"prozentige )?(?:prüfung|kontrolle|messung)|erstmuster(?:prüfung|prüfbericht)?|abnahmeprüfzeugnis|werkszeugnis|"
    r"3d-messung|koordinatenmess\w{0,8}|vollvermessung|stückprüfung)",
    re.IGNORECASE,
)
_ROUTINE = re.compile(
    r"(?:一般|标准|常规|例行|普通|贵司|出厂|通常|标准的|routine|standard|usual|normal|regular|your own|in-?house|"
    r"übliche|normale|standard-?|werks(?:interne|eigene)?)(?:的|な|r|s|n)? ?\Z",
    re.IGNORECASE,
)
_NO_BEFORE = re.compile(
    r"(?:不(?:用|需要?|必|须|要|做|附|含|提供|另|再)(?:再|做|附|附上|提供|出|另外|进行|任何|给|有|要求)*(?:任何)?|"
    r"免(?:附|做|去|除|提供)?|无(?:需|须)?(?:附|做|提供)?|没有?(?:要求|必要)?(?:附|做)?|未要求(?:附|做)?|省略|取消|毋须|毋需|别(?:做|附)?|"
    r"\b(?:don'?t|do not) (?:bother (?:with|about)|worry about)|\bnever mind|\bleave out|\bspare us|"
    r"\bno(?: (?:need (?:for|of)|further|extra|additional|separate))?|\bwithout(?: an?| any)?|\bw/o|\bskip|\bomit|"
    r"\bdrop|\bnot? (?:need|require|want|ask(?:ing)? for)(?: an?| any| the)?|\bforget|"
    r"\b(?:don'?t|do not|doesn'?t|does not|won'?t|will not|need not|no longer) (?:need|require|want|order|ask for|"
    r"include|be needing)(?: an?| any| the)?|"
    r"\bkeine?[nrms]?|\bohne(?: eine[nr]?)?|\bnicht(?: mehr)?|\bverzichten (?:wir )?auf(?: eine?n?| das| die)?|"
    r"\bauf(?=[^,.;]{0,40}verzicht))"
    r"(?: ?(?:a|an|any|the|full|special|separate|extra|eine?n?|die|das|der|zusätzliche[ns]?|gesonderte[ns]?|"
    r"weitere[ns]?|材质|额外|特别|其他|的|cmm|formal|external|dimensional|additional|written))*(?: ?\w{0,14}[ -])?\Z",
    re.IGNORECASE,
)
_NO_AFTER = re.compile(
    r"[^,，。;!?\n]{0,14}?(?:不(?:用|需要?|必|须|做|要(?!紧))(?:了|附|做|提供)?|免(?:了|附|做|除)|省略|取消|"
    r"は?(?:不要|必要(?:ありません|ない|なし|はありません)|(?:い|要)りません|(?:い|要)らない|なし(?:で)?|无し|结构です|"
    r"付けなくて|(?<!间违い)(?<!まちがい)(?:あり|ござい|し|い|り|み)ません(?!か|でしょうか))|可(?:以)?(?:省|免)|"
    r"\b(?:is|are|will be)? ?(?:not|n't) (?:be )?(?:needed|required|necessary|wanted|requested)|\b(?:can|"
    r"may) be (?:omitted|skipped|dropped|left out)|\bnot needed|\bnot required|\bunnecessary|\bisn't (?:needed|"
    r"required|necessary)|"
    r"\b(?:ist |sind |wird |werden )?(?:nicht|kein) (?:mehr )?(?:nötig|erforderlich|notwendig|gewünscht|benötigt|"
    r"verlangt|gefordert)|\bentfällt|\bentfallen|\bverzicht\w{0,6}|\bbrauchen wir nicht|\bbenötigen wir nicht|"
    r"\bkann entfallen)",
    re.IGNORECASE,
)
# A form or a question names the inspection and gives the answer behind a colon, a bracket or a question mark.
_ANSWERED = re.compile(
    r" ?(?:需求|要求|需要|与否|(?:の)?(?:有无|要否)|requirements?|required|requested|needed|erforderlich|nötig|"
    r"gewünscht|benötigt)? ?(?:[:=(（|\[【]|[^,，。.;!?\n]{0,12}\?) ?(?:"
    r"(?P<no>(?:no(?:ne|t \w+)?|n/a|nein|keine?|nicht \w+|entfällt|without|否|(?:无|没有?|免|不(?:用|需要?|要|必|做)?)"
    r"(?:需求|要求|了|做)?|无し|なし|いいえ|不要(?:です)?))"
    r"|(?P<open>tb[dca]|pending|open|offen|unknown|unclear|unklar|待[^,，。;\n]{1,6}|未定|未确认|尚未[^,，。;\n]{1,6}|"
    r"(?:确认|检讨|讨论|评估)中|noch (?:offen|unklar)|\?)"
    r"|(?P<yes>yes|ja|是(?:的)?|有|要|需要?|必要|あり|はい)(?: please| bitte)?)"
    r" ?(?=[,，。.;!\n)）\]】|/]|\Z)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？吗呢嘛]|(?:可以|能|できます)か")
_CAN = re.compile(
    r"(?:能不能|能否|可否|有没有|有无|贵司(?:有|能)|你们(?:有|能|会)|\bcan you|\bcould you|\bdo you|\bare you able|"
    r"\bkönn(?:en|ten) sie|\bhaben sie|\bbieten sie|できます|可能です|对应)",
    re.IGNORECASE,
)
_CAN_GIVE = re.compile(
    r"(?:附|提供|一起|include|provide|send|supply|add|attach|mitliefern|beilegen|mitschicken|liefern|付け|添付)",
    re.IGNORECASE,
)


def find_inspections(source: SourceText) -> list[Candidate]:
    """Mentions of a special inspection with what is said of it; one that is only asked about is left out."""
    folded = source.folded
    parts = [part for start, end in sentences(folded) for part in clauses(folded, start, end)]
    found: list[Candidate] = []
    for match in _TERM.finditer(folded):
        if _ROUTINE.search(folded, max(0, match.start() - 16), match.start()):
            continue
        first, last = enclosing(parts, match.start())
        value = _value(folded, match, (first, max(last, match.end())))
        if value is not None:
            found.append(Candidate("special_inspection", value, *match.span(), key=_kind(match.group())))
    return found


def inspection_terms(folded: str) -> list[tuple[int, int]]:
    """Where the text speaks of a special inspection at all."""
    return [
        one.span()
        for one in _TERM.finditer(folded)
        if not _ROUTINE.search(folded, max(0, one.start() - 16), one.start())
    ]


def _value(folded: str, match: re.Match[str], clause: tuple[int, int]) -> bool | None:
    answered = _ANSWERED.match(folded, match.end())
    if answered is not None:
        return None if answered["open"] else answered["yes"] is not None
    before = folded[max(clause[0], match.start() - 60) : match.start()]
    reach = clause[1] if folded[clause[1] - 1 : clause[1]] not in set("(（:") else match.end() + 60
    after = folded[match.end() : min(max(reach, match.end()), match.end() + 60)]
    if _NO_BEFORE.search(before) or _NO_AFTER.match(after):
        return False
    whole = folded[clause[0] : clause[1]]
    if _QUESTION.search(whole):
        return True if _CAN.search(whole) and _CAN_GIVE.search(whole) else None
    return True


def _kind(words: str) -> str:
    """One name for an inspection and its report, so that "no CMM report" and "CMM please" are one subject."""
    plain = words.casefold()
    for name, cue in (
        ("cmm", r"cmm|三次元|三坐标|三座标|koordinaten"),
        ("x-ray", r"x ?-?(?:ray|光|线)|röntgen|放射线|レントゲン"),
        (
            "general",
            r"特殊|特别|special|sonder|检验报告|检查成绩|成绩|inspection report|messprotokoll|prüfprotokoll|"
            r"测量报告|检测报告|量测报告|test report",
        ),
    ):
        if re.search(cue, plain):
            return name
    return plain
