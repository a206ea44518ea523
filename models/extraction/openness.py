"""Fields that a message leaves open: not decided, conditional, or waiting for somebody."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from models.extraction.inspections import inspection_terms
from models.extraction.views import Candidate, clauses, sentences
from models.fields import FieldName

_OPEN = re.compile(
    r"(?:二(?:择|选)一|才(?:能|会|可以)(?:给)?(?:答[复覆]|回[复覆]|确认|决定|知道|定案)|"
    r"(?:客户|业主|老板|主管|终端|厂商|买方|设计|工程)(?:会|来|自己|自行)?(?:选(?!用|了|定|择了)|挑(?!了)|拍板)|等[^,，。;]{0,10}(?:选|挑)|"
    r"\bnichts (?:ist |davon |davon ist )?(?:entschieden|final|fix|fest|endgültig)|"
    r"\bnothing (?:is |has been )?(?:\w+ )?(?:final|decided|fixed|settled|confirmed|agreed)|"
    r"\b(?:customers?|clients?|boss|manager|engineering|purchasing|"
    r"management|end[- ]user|owner|they|he|she) (?:still )?"
    r"(?:decides?\b|will (?:pick|choose|select)\b|(?:picks?|chooses?|selects?)(?: (?:next|later|in|on|"
    r"by|between|which|after|either|soon|this|until|one|tomorrow)\b| ?[,.;)]| ?\Z))|"
    r"(?:we|i)'ll (?:tell|decide|confirm|advise|come back|get back|let)|"
    r"(?:之后|后续|后面|还|到时候?)(?:可能|会|有可能)(?:会|再|要)?(?:改|变|调整)|可能(?:会)?(?:再|还)(?:改|变)|"
    r"\bänderung(?:en)? (?:noch )?(?:vorbehalten|möglich)|\b(?:kann|könnte) sich noch ändern|\bsubject to change\b|"
    r"\b(?:may|might|could) (?:still )?change\b|变更(?:の可能性|になるかも)|"
    r"(?:确定|决定|确认|选定)(?:して|でき|されて)い?(?:ませ|な|おりませ)|"
    r"\bklärt\b|\b(?:legt|legen)\b[^.;]{0,40}\bfest\b|\b(?:wählt|entscheidet)\b|"
    r"还没(?:有)?(?:说|讲|提|告诉|给答)|(?:还|仍)会再?(?:跟[^,，。;]{0,8})?(?:确认|调整|改|变|修)|"
    r"(?:确定|确认|决定)(?:では|じゃ)(?:ありません|ない)|"
    r"\blet me (?:first )?(?:confirm|check|verify|double-check|ask)\b|"
    r"还没(?:有)?(?:最(?:后|终))?(?:定|决|确|选|想|讨论|谈|出来|敲|拍板|收到|有结论|下来)|没(?:有)?(?:定(?!制)|"
    r"决定|确定|选定|最后)|未(?:定|决|确|选|敲定|最终|明)|待(?:定|确|议|客户|讨论|评估|通知|回复|商|补|决)|"
    r"尚(?:未|待|在|无)|(?<!请)(?:再|另行?|后续|之后|晚点|稍后)(?:讨论|议|决定|通知|看(?!看)|说|定|告知|补|商量|"
    r"提供)|(?:考虑|讨论|评估|确认|检讨|研究|商议|斟酌)(?:当)?中|还(?:在|要|得|需)?(?:问|讨论|等|确认|考虑|评估|研究|"
    r"谈|想|犹豫|看)|"
    r"在(?:问|等)|等(?!级|于)[^,，。;]{0,14}(?:回复|回覆|确认|通知|决定|答复|回信|结果|指示|消息|定案|拍板)|(?:要?看|"
    r"视)[^,，。;]{0,16}(?:而定|决定|结果|再|定)|不(?:太)?确定|不一定|还不(?:确定|知道|清楚)|没(?:有)?把握|取决于|"
    r"由[^,，。;]{0,10}(?:决定|定夺)|悬而未决|(?:再|另外|之后|晚点|稍后)(?:跟|和|向)(?:您|你|贵司|你们|大家)(?:说|讲|确认|告知|报告|联络|联系|讨论)|(?:不要|别)当真|仅供参考|还(?:在|要|得|需)[^,，。;]{0,10}(?:问|讨论|等|确认|考虑|评估|研究|谈)|"
    r"还在[^,，。;]{0,24}(?:考虑|选|犹豫|之间)|之间(?:考虑|选|犹豫|还|未)|"
    r"\bnot (?:yet )?(?:been |finally |fully )?(?:decided|fixed|finali[sz]ed|confirmed|chosen|settled|determined|"
    r"defined|selected|agreed|made up|picked|specified yet|final|known|clear|certain|sure)|"
    r"n't (?:yet )?(?:been )?(?:decided|fixed|finali[sz]ed|confirmed|chosen|settled|determined|selected|know|picked|"
    r"agreed|made up)|"
    r"\b(?:undecided|undetermined|unclear|unconfirmed|unsettled|tbd|tbc|tba|pending|depends?|depending|whether)\b|"
    r"\bt\.b\.d|\bto be (?:decided|confirmed|determined|advised|defined|agreed|announced|clarified|discussed)|"
    r"\bstill (?:open|under|being|discuss\w*|decid\w*|wait\w*|check\w*|ask\w*|think\w*|in |debat\w*|consider\w*|"
    r"evaluat\w*|to be|need(?:s)? to|up in|with our|unknown)|\b(?:waiting for|awaiting)|\b(?:is|are|remains?|left|"
    r"leave|stays?) (?:still )?open\b|\bopen (?:point|question|issue)|"
    r"\bunder (?:discussion|review|consideration|evaluation)|\bin discussion|\blet you know|\bwill (?:tell|decide|"
    r"confirm|"
    r"advise|come back|get back|follow)|\bup to (?:our|the|my)|\byet to\b|\b(?:to|will) follow\b|"
    r"n't (?:been )?(?:signed off|approved|committed|released)|\b(?:checking|asking|clarifying|"
    r"discussing) (?:with|this|it|our|the)|\bbeing (?:discussed|decided|clarified|evaluated|reviewed)|"
    r"\bnoch (?:nicht (?!geliefert)|offen|unklar|in (?:klärung|abstimmung|diskussion|prüfung)|zu klären|kein|"
    r"ungeklärt|unbekannt|ungewiss|unentschieden|geklärt|entschieden|festgelegt|bestimmt|abgestimmt)|"
    r"\bsteht? (?:noch )?(?:nicht fest|aus|offen)|\boffen\b|\bungeklärt|\bunklar|\b(?:ab|zu )?klären\b|"
    r"\bgeklärt werden|\bin klärung|\bin abstimmung|"
    r"\b(?:wird|werden|müssen|muss|wollen|sind|ist) (?:wir |derzeit |intern |mit \w+ )?noch\b|\büberlegen\b|"
    r"\bschwanken\b|\bunentschieden|"
    r"\babhängig\b|\bhängt\b[^.;]{0,60}\bab\b|\bwarten (?:wir )?(?:noch )?auf|\bob\b|\bfolgt (?:noch|später)|"
    r"\breichen wir nach|\bje nachdem|\bnicht (?:entschieden|festgelegt|geklärt|bestimmt|sicher)|"
    r"\bentscheidet (?:der|die|das|unser)|"
    r"未(?:定|确定|决|确认)|(?:确认|检讨|调整|相谈|协议|打合せ|打ち合わせ|问い合わせ|照会|审议|选定)中|"
    r"决ま(?:っていま?せ|って(?:い)?な|り次第|っており|らな|ってから)|次第(?!です)|かどうか|か否か|保留|(?:回答|"
    r"连络|指示|确认|返事)待ち|待っており|わかりません|分かりません|考え中|迷って|追って|まだ)",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"(?:要不要|是否(?!可|能|方便|有|收到|提供)|做不做|需不需要?|要否|需否|与否|用不用|加不加|附不附|选哪|"
    r"哪(?:一)?种|哪个|\bif we (?:really )?(?:need|want|should|have to)|\bwhich\b[^,.;?]{0,30}\bto (?:use|choose|"
    r"take)|\bor not\b|するか(?!ら)|必要か)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:如(?=[^,，。;]{1,10}(?:允许|同意|许可|足够|可行|接受|通过))|"
    r"如果|若(?!干)|假如|假设|倘|要是|万一|只要|除非|前提|\bif\b|\bunless\b|\bprovided\b|\bin case\b|"
    r"\bsubject to\b|\bas long as\b|\bonly when\b|\bfalls\b|\bwenn\b|\bsofern\b|\bsollten?\b|\bvorausgesetzt|"
    r"\bsolange\b|\bnur bei\b|场合|場合|(?<!さよう)なら(?!び|ず)|(?:れ|け|せ|て|ね|め|べ|え)ば|たら|によって|"
    r"に应じて|视)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:如果|若|如)(?:您|你)?(?:可以|方便|能|有(?:任何)?(?:问题|疑问|不清楚)|需(?:要)?(?:更多|其他|3d|图))|"
    r"若有(?:任何)?(?:问题|疑问)|\bif (?:possible|you (?:can|could|have|need|are able)|there are any|anything|"
    r"in doubt|any questions?|that'?s ok|needed for)|"
    r"\b(?:falls|wenn|sofern) (?:möglich|sie|es |noch fragen|etwas)|\bsollten sie|できれば|よろしければ|"
    r"可能であれば|ご不明|差し支えなければ|必要であれば|如有)",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    r"(?:看(?:情|状)[况況]|\boptional(?:ly)?\b|\bmay (?:still )?(?:switch|change|move|go)\b|"
    r"倾向(?:于)?|\b(?:leaning|tend(?:ing)?) (?:towards?|to)\b|\btendier\w{2,3}\b|"
    r"可能(?:会)?(?:要|需|做|附|加|改|换|镀)|也许|或许|说不定|大概会|\bmaybe|\bperhaps|\bpossibly|\bmight\b|可能(?:会)?(?:是|用)|"
    r"\bmay (?:need|"
    r"want|require|also)|\bprobably|\blikely\b|\bvoraussichtlich|\bwahrscheinlich|\bvermutlich|おそらく|恐らく|たぶん|多分|"
    r"\bcould be needed|\bconsider(?:ing)?\b|\beventuell|\bevtl\.?|\bvielleicht|"
    r"\bmöglicherweise|\bgegebenenfalls|\bggf\.?|\bunter umständen|かもしれ|可能性が)",
    re.IGNORECASE,
)
_GUESS = (
    r"(?:可能(?:会)?(?:再)?(?:改|换)(?:用|成|为|做|到)?|\b(?:may|might|could) (?:still )?(?:switch|change|move|go) to|"
    r"倾向(?:于)?(?:用|做)?|\bleaning (?:towards?|to)|"
    r"可能(?:会)?(?:是|用|要|做)?|也许|或许|说不定|大概会(?:是|用)?|\bmaybe|\bperhaps|\bpossibly|\bmight be|"
    r"\bprobably|\blikely|\beventuell|\bevtl\.?|\bvielleicht|\bmöglicherweise|\bvoraussichtlich|\bwahrscheinlich|\bvermutlich|"
    r"おそらく|恐らく|たぶん|多分)(?: (?:be|use|need|around|about|in|aus|auf|will be|ca\.?))?[:： ]?"
)
_SUPPOSED = re.compile(rf"{_GUESS}\Z", re.IGNORECASE)
_SUPPOSED_NUMBER = re.compile(rf"{_GUESS} ?\d[\d.,]*(?![\d.,]*\d)(?! ?(?:[a-zäöüß%µ°€$天周日月年元]))", re.IGNORECASE)
_TENTATIVE = re.compile(
    r"(?:先按|先以|先抓|暂(?:时)?(?:先)?(?:按|以|定|抓|做|用)?|先假设|初步|"
    r"\b(?:provisional(?:ly)?|tentative(?:ly)?|for now|for the time being)|"
    r"\b(?:vorläufig|vorerst|provisorisch|fürs erste|zunächst|erst ?mal)|とりあえず|ひとまず|仮に)"
    r"[:：,， ]{0,2}(?:with |use |assume |quote |mit |表面|做|镀层|为|是)*[:： ]?\Z",
    re.IGNORECASE,
)
_TENTATIVE_AFTER = re.compile(
    r"(?:处理)?[ ]?(?:先(?:这样|这么)(?:报|做|估)?|暂定|for now\b|for the time being|vorerst|"
    r"vorläufig|erst ?mal\b)",
    re.IGNORECASE,
)
_FINAL = re.compile(
    r"(?:最终|最后|正式|\bfinal(?:ly)?\b|\bendgültig|\bletztlich|\bletztendlich|最终的に|正式には)", re.IGNORECASE
)
_IF_INSPECTED = re.compile(
    r"(?:(?:检查|检验|测定|试验)(?:が|の)?(?:必要|要る|ご希望)(?:な|になった|となった|の)?(?:场合|とき|时)|"
    r"(?:如|若|如果|假如)(?:有)?(?:需要?|要)(?:做|进行|加)?[^,，。;]{0,4}(?:检验|检测|检查|测量|量测)|"
    r"\bif (?:an? |any )?(?:inspection|testing|test report)s? (?:is|are|becomes?|turns out) (?:to be )?"
    r"(?:needed|required|necessary)|"
    r"\b(?:falls|sofern|wenn) (?:eine? )?(?:prüfung|messung)\b[^.;]{0,20}(?:nötig|erforderlich|notwendig|gewünscht))",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"(?:不然|否则|要不然|(?<!数)其余情况|\botherwise\b|\bor else\b|\bif not\b|\bsonst\b|\bandernfalls\b|"
    r"でなければ|さもなければ|それ以外)"
)
_OTHERWISE_NUMBER = re.compile(
    r"(?:不然|否则|\botherwise|\bif not|\bsonst|\bandernfalls|でなければ)[, ]{0,2}(?:就|则|报|only|just|nur|für)? ?\d",
    re.IGNORECASE,
)
_TOPICS: dict[FieldName, re.Pattern[str]] = {
    "material": re.compile(
        r"(?:材质|材料|用料|材种|钢种|素材(?!出货|直接)|"
        r"\bmaterial\b(?! cert| report| test)|\bgrade\b|\balloy\b|werkstoff|\bmaterial(?:wahl|auswahl)?\b)",
        re.IGNORECASE,
    ),
    "quantity": re.compile(
        r"(?:数量|件数|批量|总量|订购量|需求量|个数|台数|本数|枚数|几[个件支]|量(?=还|未|待|尚|不确|"
        r"也还|再)|\bquantit(?:y|ies)|\bq'?ty\b|\bvolumes?\b|\blot size|\bbatch size|\bhow many|"
        r"(?:piece|part) count|\b(?:exact|final|actual) (?:numbers?|counts?|amounts?|figures?)\b|"
        r"\bnumber of (?:pieces|parts|pcs|units|sets)|"
        r"\bmengen?\b|stückzahl(?:en)?|losgröße|\banzahl\b|ロット数)", re.IGNORECASE
    ),
    "surface_treatment": re.compile(
        r"(?:表面|涂层|镀层|皮膜要求|后处理|\bfinish(?:ing)?\b|\bcoating\b|\bsurface\b|\bplating\b|"
        r"\boberfläche\w{0,12}|\bbeschichtung|\bveredelung|\b(?:nach)?behandlung\b|仕上げ|メッキ仕様)", re.IGNORECASE
    ),
    "tolerance": re.compile(r"(?:公差|容差|允差|\btolerances?\b|toleranz(?!klasse)\w{0,8})", re.IGNORECASE),
    "wanted_date": re.compile(
        r"(?:交期|交货(?:日|期|时间)|到货日|需求日|纳期|"
        r"\bdelivery(?: date| time)?\b|\bdue date|\bship date|\bliefertermin|\btermin\b|\blieferdatum)", re.IGNORECASE),
}  # fmt: skip
_ANY_INSPECTION = re.compile(
    r"(?:检验|检测|检查|量测|测量|测试|试验|品检|\binspection|\btest(?:s|ing)?\b|\breport\b|\bmeasur|\bcertificate|"
    r"prüfung|messung|messprotokoll|prüfprotokoll|测定|成绩(?:书|表))",
    re.IGNORECASE,
)
_NAMED: tuple[FieldName, ...] = ("part_number", "drawing_number")
_OPENED: frozenset[FieldName] = frozenset((*_TOPICS, *_NAMED, "special_inspection"))
_FILLER = re.compile(
    r"[\W\d_]|\b(?:but|it|is|this|that|that's|which|has|been|still|yet|as|though|sorry|please|by|us|the|our|customer|final|"
    r"aber|das|ist|es|sind|wir|uns|sicher|bestätigt|freigegeben|endgültig|final|fix|leider|allerdings|nur)\b|但|不过|可是|目前|现在|客户|确认|暂定|最终|"
    r"尚|都|也|是|这个|这点|的|ですが|です|ます|ん|は|が",
    re.IGNORECASE,
)
# "More on that later" puts off what comes next, it takes back nothing that stands before.
_LATER = re.compile(r"(?:再|另行?|另外|后续|之后|晚点|稍后)+(?:讨论|议|说|谈|看|商量|通知|告知|提供|补)")
_MAX_LEFT = 1  # letters that a clause of doubt may hold beside it and still speak of what stands before
_EITHER = re.compile(r"(?:\bor\b|\boder\b|或|还是|または|又は|もしくは|か)", re.IGNORECASE)
_COLON = re.compile(r"[:：]\s*\Z")


def find_open(folded: str, found: Sequence[Candidate]) -> dict[FieldName, tuple[int, int]]:
    """The fields left open, each with the clause that says so; `found` are the values the text names."""
    scene = _Scene(folded, found)
    result: dict[FieldName, tuple[int, int]] = {}
    for number, (start, end) in enumerate(scene.sentences):
        parts = scene.parts[number]
        for index, part in enumerate(parts):
            for field in scene.open_fields(number, index):
                result.setdefault(field, part)
        for field in scene.tentative(start, end):
            result.setdefault(field, (start, end))
        if _CONDITION.search(folded, start, end) and not _POLITE.search(folded, start, end):
            for field in scene.conditional(start, end):
                result.setdefault(field, (start, end))
    return result


class _Scene:
    def __init__(self, folded: str, found: Sequence[Candidate]) -> None:
        self._folded = folded
        self._found = found = sorted(found, key=lambda one: one.start)
        self._inspections = [at for at, _ in inspection_terms(folded)]
        self._starts = [one.start for one in found]
        self.sentences = sentences(folded)
        self.parts = [clauses(folded, *one) for one in self.sentences]

    def open_fields(self, number: int, index: int) -> list[FieldName]:
        """The fields that "not decided" in one clause is about: named in it, before it, or after its colon."""
        start, end = self.parts[number][index]
        if _MAYBE.search(self._folded, start, end):
            fields = self.conditional(start, end) + self._supposed(number, start, end)
            if fields:
                return fields
        whether = _WHETHER.search(self._folded, start, end) is not None
        if not whether and not _OPEN.search(self._folded, start, end):
            return []
        here = self._topics(start, end, loose=True) or self._values(start, end)
        if here:
            return here
        if _COLON.search(self._folded[start:end]) and index + 1 < len(self.parts[number]):
            return self._topics(*self.parts[number][index + 1], loose=True)
        if whether and not _OPEN.search(self._folded, start, end):
            return []
        return self._before(number, index)

    def conditional(self, start: int, end: int) -> list[FieldName]:
        """What a condition in a sentence can leave open: an inspection or a treatment that it names."""
        fields: list[FieldName] = []
        if _OTHERWISE.search(self._folded, start, end):
            fields += self._several(start, end)
            if "quantity" not in fields and _OTHERWISE_NUMBER.search(self._folded, start, end):
                fields.append("quantity")
        if self._inspected(start, end) or _IF_INSPECTED.search(self._folded, start, end):
            fields.append("special_inspection")
        if "surface_treatment" not in fields and any(
            one.field == "surface_treatment" for one in self._within(start, end)
        ):
            fields.append("surface_treatment")
        return fields

    def tentative(self, start: int, end: int) -> list[FieldName]:
        """A treatment right behind "for now": the words themselves say that another one may come."""
        return [
            one.field
            for one in self._within(start, end)
            if one.field == "surface_treatment"
            and (
                _TENTATIVE.search(self._folded, start, one.start) or _TENTATIVE_AFTER.match(self._folded, one.end, end)
            )
        ]

    def _supposed(self, number: int, start: int, end: int) -> list[FieldName]:
        """The amount or material right behind "probably"; a bare number there is one where the sentence counts."""
        counted = any(one.field == "quantity" for one in self._within(*self.sentences[number]))
        if counted and _SUPPOSED_NUMBER.search(self._folded, start, end):
            return ["quantity"]
        return [
            one.field
            for one in self._within(start, end)
            if one.field in ("quantity", "material") and _SUPPOSED.search(self._folded, start, one.start)
        ]

    def _aside(self, number: int, index: int) -> list[FieldName]:
        """The last value before a clause that says nothing but "not decided": "zinc plated (tbc)", "鍍鋅，未定"."""
        words = _LATER.sub("", self._folded[slice(*self.parts[number][index])])
        if not _OPEN.search(words) or not _says_no_more(words):
            return []
        for back in range(index - 1, max(-1, index - 4), -1):
            part = self.parts[number][back]
            named: list[FieldName] = [one.field for one in self._within(*part) if one.field in _OPENED]
            if named or not _says_no_more(self._folded[slice(*part)]):
                return named[-1:]
        return []

    def _before(self, number: int, index: int) -> list[FieldName]:
        if index == 0:
            return self._asked_before(number) if number else []
        aside = self._aside(number, index)
        if aside and self._folded[self.parts[number][index - 1][1] - 1] in "(（[【":
            return aside
        whole = self.sentences[number][0], self.parts[number][index][0]
        return self._nearest(number, index) or self._several(*whole) or aside

    def _nearest(self, number: int, index: int) -> list[FieldName]:
        """The fields of the nearest clause before that names a field or offers two values."""
        part = self.parts[number][index]
        final = _FINAL.search(self._folded, *part) is not None or _WHETHER.search(self._folded, *part) is not None
        for back in range(index - 1, max(-1, index - 5), -1):
            start, end = self.parts[number][back]
            fields = self._several(start, end)
            for field in self._topics(start, end):
                if field not in fields and (final or not self._single(field, start, end)):
                    fields.append(field)
            if fields:
                return fields
        return []

    def _asked_before(self, number: int) -> list[FieldName]:
        """The fields of a question or a choice that the sentence before put."""
        start, end = self.sentences[number - 1]
        if re.search(r"[?？吗呢]\s*\Z", self._folded[start:end]):
            return self._several(start, end) or self._topics(start, end)
        if self._folded[end - 1] == ";" and _EITHER.search(self._folded, start, end):
            return self._several(start, end)
        return []

    def _topics(self, start: int, end: int, *, loose: bool = False) -> list[FieldName]:
        """The fields named; a name with its one value right behind it is settled there, not what is open."""
        places: list[tuple[int, FieldName]] = []
        for field, pattern in _TOPICS.items():
            match = pattern.search(self._folded, start, end)
            if match is not None:
                places.append((match.start(), field))
        if self._inspected(start, end) or (loose and _ANY_INSPECTION.search(self._folded, start, end)):
            places.append((start, "special_inspection"))
        places.sort()
        if len(places) > 1:
            places = [
                one for one in places if one[1] == "special_inspection" or not self._single(one[1], start, end)
            ] or places
        return [field for _, field in places]

    def _values(self, start: int, end: int) -> list[FieldName]:
        fields: dict[FieldName, None] = {one.field: None for one in self._within(start, end) if one.field in _TOPICS}
        if len(fields) > 1:
            return self._several(start, end)
        return list(fields)

    def _several(self, start: int, end: int) -> list[FieldName]:
        fields: list[FieldName] = []
        for field in (*_TOPICS, *_NAMED):
            keys = {one.key for one in self._within(start, end) if one.field == field}
            if len(keys) > 1:
                fields.append(field)
        return fields

    def _within(self, start: int, end: int) -> Sequence[Candidate]:
        return self._found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _inspected(self, start: int, end: int) -> bool:
        return bisect_left(self._inspections, start) < bisect_left(self._inspections, end)

    def _single(self, field: FieldName, start: int, end: int) -> bool:
        return len({one.key for one in self._within(start, end) if one.field == field}) == 1


def _says_no_more(words: str) -> bool:
    """Whether a clause holds nothing but a doubt, so that it speaks of what stands before it."""
    return len(_FILLER.sub("", _OPEN.sub("", words))) <= _MAX_LEFT
