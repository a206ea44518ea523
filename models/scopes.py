"""What a statement is about (part, material, treatment, class of product, quantity) and whether that is this task.

A part that only looks like the task's part is another part. What a document says of another part, material or
treatment than the confirmed one does not apply, however near it stands.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from models.customers import customers_in
from models.fields import FieldName
from models.folding import fold, folded_pattern
from models.normalization import exact_terms, normalize_term
from models.tasks import ConfirmedValue
from models.tiers import Tier, read_tier
from models.topics import topic_words
from models.values import durations_in

_FAMILIES: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (name, folded_pattern(grades), folded_pattern(words))
    for name, grades, words in (
        (
            "stainless",
            r"^(?:sus|sts|aisi|ss|x\d+crni)-?\s?[34]\d\d\w*|^1\.4\d{3}|^[34]\d\dl?$|^17-4\s?ph|^s3[01]\d{3}",
            r"不[锈銹鏽锈]钢|白铁|ステンレス|\bstainless\b|edelstahl|\brostfrei\w*|\binox\w*|스테인리스",
        ),
        (
            "aluminium",
            r"^(?:en-?aw-?|aw-?|al-?|a)?[1-8]0\d\d(?:-?[toh]\d*)?$|^adc\d+|^al[msc]\w+|^a[1-8]0\d\d.*",
            r"铝|アルミ|\balumini?um\w*|알루미늄",
        ),
        (
            "steel",
            r"^s\d\dc|^scm\d+|^ss400|^spc\w+|^skd\d+|^skh\d+|^1\.[0-35-9]\d{3}|^(?:c|42cr|16mn|st)\w*\d+|^q[23]\d5"
            r"|^41[34]0|^10[1-9]\d$",
            r"碳钢|合金钢|工具钢|低碳|炭素鋼|\b(?:carbon|mild|tool|alloy|structural) steel\b|\b(?:bau|werkzeug"
            r"|kohlenstoff|vergütungs)stahl\b",
        ),
        ("brass", r"^c3604|^c2[67]\d\d|^cuzn\w*|^h(?:62|59|65)$", r"黄铜|真鍮|黄銅|\bbrass\b|messing"),
        ("copper", r"^c1[01]\d\d|^cu-?\w*|^t2$", r"(?:紫|纯|红)铜|(?<!黄)(?<!青)銅材|\bcopper\b|kupfer"),
        ("titanium", r"^ti-?\w*|^t[ac]\d$|^gr\.?\s?\d$", r"钛|チタン|\btitanium\b|\btitan\b"),
        (
            "plastic",
            r"^(?:pom|peek|abs|pa\d*|ptfe|pvc|pc|pmma|pp|pe|hdpe|pei|pps)(?:-.*)?$",
            r"塑[胶料]|树脂|樹脂|プラスチック|\bplastics?\b|kunststoff",
        ),
    )
)
_TREATMENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, folded_pattern(words))
    for name, words in (
        ("passivation", r"钝化|不動態|パシベ|\bpassivat\w+|passivier\w*"),
        (
            "hard_anodizing",
            r"硬(?:质|質)?阳极|硬膜|硬質アルマイト|\bhard[\s-]?(?:coat )?anodi[sz]\w+|hart(?:eloxal|eloxier"
            r"|anodis)\w*",
        ),
        (
            "anodizing",
            r"(?<!硬)(?<!硬质)阳极|(?<!硬質)アルマイト|(?<!hard )(?<!hard-)(?<!coat )\banodi[sz]\w+"
            r"|(?<!hart)eloxier\w*|(?<!hart)eloxal|(?<!hart)\banodisier\w*",
        ),
        (
            "plating",
            r"(?:电|化学)镀|镀(?:锌|镍|铬|层|金|银)|メッキ|めっき|\b(?:zinc|nickel|chrom\w*|gold|silver"
            r"|electro)?[\s-]?plat(?:ed|ing)\b|galvani\w*|\bverni(?:c)?k\w*|\bverzink\w*|\bverchrom\w*",
        ),
        (
            "painting",
            r"喷涂|喷漆|烤漆|粉体涂装|塗装|\bpaint(?:ed|ing)\b|\bpowder[\s-]?coat\w*|lackier\w*|pulverbeschicht\w*",
        ),
    )
)
_INSPECTION = folded_pattern(topic_words("special_inspection"))
_ANY_TREATMENT = folded_pattern(
    r"表面处理|表面処理|\bsurface (?:treatments?|finish\w*|coatings?)\b|oberflächenbehand\w*|\bcoat(?:ed|ing)s?\b"
)
_CLASSES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, folded_pattern(words))
    for name, words in (
        (
            "express",
            r"急件|急单|加急|特急|赶工|赶件|紧急|至急|短納期|お急ぎ|\bexpress\b|\brush(?:ed)?\b|\bexpedit\w+"
            r"|\burgent\w*|\bpriority\b|\beil\w*|\bexpress\w+",
        ),
        (
            "prototype",
            r"样品|样件|打样|试作|试产|试制|首件|首样|サンプル|\bprototyp\w*|\bsamples?\b|\btrial\b|\bpilot (?:run"
            r"|lot)s?\b|\bfirst articles?\b|muster\w*|\bnullserie\w*",
        ),
        (
            "custom",
            r"客制|定制|订制|特殊品|特制|非标(?:准)?|特注|特別仕様|カスタム|オーダーメイド|\bcustom(?:[\s-]?made"
            r"|i[sz]ed)?\b(?!er)|\bbespoke\b|\bnon[\s-]standard\b|\bspecial (?:parts?|products?|items?|designs?)\b"
            r"|sonderanfertigung\w*|kundenspezifisch\w*|sonderteil\w*|maßanfertigung\w*",
        ),
        (
            "tooling",
            r"模具|治具|夹具|开模|金型|\btool(?:ing|s)?\b(?! steel)|\bmou?lds?\b|\bfixtures?\b|\bwerkzeug(?!stahl)\w*"
            r"|\bvorrichtung\w*",
        ),
        (
            "procurement",
            r"原材料|原料|材料采购|备料|材料手配|材料調達|\braw materials?\b|\bprocurement\b|\bvormaterial\w*"
            r"|materialbeschaffung\w*",
        ),
        (
            "repeat",
            r"再(?:订|次订)|重复订单|追加订单|回购|リピート|\brepeat (?:orders?|parts?)\b|\bre-?orders?\b"
            r"|wiederhol\w+|folgeauftr\w+|nachbestell\w+",
        ),
        (
            "stock",
            r"现货|库存(?:品|件)?|有库存|在庫|\b(?:from|in|ex|stocked?)[\s-]stock\b|\bstock(?:ed)? (?:items?|parts?"
            r"|products?)\b|\bab lager\b|lager(?:ware|haltig|artikel|teil)\w*",
        ),
        (
            "segment",
            r"(?:外销|内销|海外|国内|出口|航太|航空|医疗|军工|车用)(?:客户|订单|件|产品)|(?:客户|客戶)专(?:用|属)"
            r"|向け|\b(?:overseas|domestic|export|aerospace|medical|automotive|military) (?:customers?|orders?"
            r"|parts?|products?)\b|\bfür [\w-]*(?:luftfahrt|medizin|automobil|export)\w*"
            r"|专属|专用|限定|仅限|独家|様(?:向け|専用|限定)|\bfor (?:the )?(?:customers?|clients?) (?!orders?\b"
            r"|parts?\b)\w+"
            r"|\bexclusiv\w*|\bexklusiv\w*|\bfür (?:den |die )?(?:kunden?|firma) \w+",
        ),
    )
)
_SAID_CLASSES = frozenset({"express", "prototype", "custom", "repeat"})
_GENERAL = folded_pattern(
    r"标准|一般|常规|通常|基本|(?:所有|全部|各)(?:产品|零件|材质|件|品|订单)?|\bstandard\w*|\bregular\w*|\bnormal\w*"
    r"|\bgeneral\w*|\bdefault\b|\ball (?:parts?|products?|orders?|items?|materials?)\b|\bregel\w*|\büblich\w*"
    r"|\ballgemein\w*"
)
_OTHERS = folded_pattern(
    r"其他|其它|其余|その他|それ以外|以外の|\b(?:all )?(?:the )?others?\b|\bremaining\b|\beverything else\b"
    r"|\bübrige\w*|\bsonstige\w*|\ball(?:e|en) ander\w+|\bander(?:e|en) (?:teil|material|werkstoff|produkt)\w*"
)
_CONDITION = folded_pattern(
    r"若|如果|如(?=需|为|遇|有|果|该|采)|倘|假如|当(?!日|天|月|年|前|地)[^，,]{0,20}时|(?:た|の|な|る)場合|ときは"
    r"|たら|\bif\b|\bin case\b|\bprovided\b|\bonly (?:for|if|when)\b|\bwhen(?:ever)? (?:the )?(?:material|parts?"
    r"|tool|stock|drawing)\w*\b|\bfalls\b|\bwenn\b|\bsofern\b|\bsoweit\b"
)
_NO_CONDITION = folded_pattern(
    r"(?:なし|無し|不要)の?場合|(?:若|如)?(?:无|不需|不须|未)[^,;。]{0,10}时|除(?:非)?另有[^，,]*|除[^，,]{0,12}(?:规定|约定|注明)外?|[若如]无(?:特别|特殊|另外)?[^，,]*|特に(?:断り|指定"
    r"|指示)の?(?:が)?(?:ない|無い)(?:限り|場合)|別途(?:定め|指定)のない(?:限り|場合)|\b(?:unless"
    r"|if not) otherwise \w+(?: in writing)?|\bsofern nicht anders \w+|\bwenn nicht anders \w+"
    r"|\bsoweit nicht anders \w+"
)
_INCLUSIONS = folded_pattern(
    r"(?:未做|未要求|未指定|免做?|(?:无|不)(?:需|须|做|用|要)?(?:要|做|进行)?)[^,;。]{0,4}(?:检验|检测|检查|特检)"
    r"|(?:特別|特殊)検査(?:が|は|を)?(?:なし|無し|不要|ない|しない)|\b(?:no|not requiring) special inspection"
    r"|(?:不?含|不?包含|不?包括|除|未含|込み?|含む|除く)[^，,；;)）。]*|[^，,；;(（。]*(?:を?含[むま]"
    r"|を?除[くき])[^，,；;)）。]*|\b(?:including|excluding|includes?|excludes?|incl\.?|excl\.?|inkl(?:usive)?\.?"
    r"|exkl(?:usive)?\.?|without|ohne|not including)\b[^,;)]*"
)
_LEFT_OUT = folded_pattern(r"\s*(?:不|除|未|excl|exkl|without|ohne|not)")
_PART_WORD = folded_pattern(
    r"(?:零件|料号|件号|品番|品号|部品|图号|图番|图面|图纸|产品编号|型号|型番|\bparts?(?: no\.?| number| numbers)?"
    r"|\bp/n|\bitem"
    r"|\barticle|\bdrawing(?: no\.?| number)?|\bdwg\.?|zeichnung(?:s-?nr\.?|snummer)?|teile?(?:nummer|-nr\.?)?"
    r"|artikel(?:nummer|-nr\.?)?)\s*[:：#]?\s*$"
)
_NO_PART = re.compile(
    r"(?:sop|wi|qp|qm|doc|form|std|proc|pol|iso|din|en|jis|astm|ansi|asme|iec|gb|cns|rev|ver|aql|ppap|incoterms|vda"
    r"|ral|rfq|po|inv|ra|rz|hrc|ip|net|eur|usd|twd|e\d)(?:[-/.\d ]|$).*"
)
_LOOK_ALIKE = str.maketrans("oil|s", "01115")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a statement names; an empty set means that it names nothing of the kind."""

    parts: frozenset[str] = frozenset()
    materials: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    treatments: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    tier: Tier | None = None
    inspection: bool = False
    general: bool = False
    others: bool = False
    conditional: bool = False
    customers: frozenset[str] = frozenset()

    @property
    def names_subject(self) -> bool:
        """Whether a part, material, treatment or customer is named."""
        return bool(self.parts or self.materials or self.families or self.treatments or self.customers)

    @property
    def kinds(self) -> frozenset[str]:
        """By what the scope is narrower than everything."""
        named = {
            "part": self.parts,
            "material": self.materials or self.families,
            "treatment": self.treatments,
            "quantity": self.tier,
            "inspection": self.inspection,
            "customer": self.customers,
        }
        return frozenset(name for name, held in named.items() if held)


@dataclass(frozen=True, slots=True)
class TaskScope:
    """What is confirmed of the task, in normal form."""

    parts: frozenset[str]
    drawing: str | None
    material: str | None
    families: frozenset[str]
    treatment: str | None
    quantity: int | None
    inspection: bool
    classes: frozenset[str] = field(default_factory=frozenset[str])
    said: str = ""


def task_scope(confirmed: Mapping[FieldName, ConfirmedValue], messages: str) -> TaskScope:
    """The scope of a task. Its messages tell the class of product (a rush, a prototype) and, where none is confirmed,
    the part."""

    def text(name: FieldName) -> str | None:
        held = confirmed.get(name)
        return None if held is None else str(held.value)

    material = text("material")
    quantity = confirmed.get("quantity")
    part, drawing, treatment = text("part_number"), text("drawing_number"), text("surface_treatment")
    return TaskScope(
        parts=frozenset({normalize_term(part)}) if part else read_scope(messages).parts,
        drawing=normalize_term(drawing) if drawing else None,
        material=normalize_term(material) if material else None,
        families=_families(material) if material else frozenset(),
        treatment=treatment,
        quantity=quantity.value if quantity is not None and type(quantity.value) is int else None,
        inspection=confirmed["special_inspection"].value is True if "special_inspection" in confirmed else False,
        classes=frozenset(name for name, words in _CLASSES if name in _SAID_CLASSES and words.search(fold(messages))),
        said=fold(messages),
    )


@functools.lru_cache(maxsize=4096)
def read_scope(text: str) -> Scope:
    """What `text` names. What it says to be included or left out does not narrow it."""
    folded = fold(text)
    plain = _without_inclusions(text, folded)
    materials: set[str] = set()
    parts: set[str] = set()
    for term in exact_terms(text):
        if plain[term.start : term.end].isspace():
            continue
        if _grade_families(term.term):
            materials.add(term.term)
        elif _is_part(term.term, folded[: term.start]):
            parts.add(term.term)
    treatments = frozenset(name for name, words in _TREATMENTS if words.search(plain))
    if not treatments and _ANY_TREATMENT.search(plain):
        treatments = frozenset({"any"})
    families = frozenset(name for name, _, words in _FAMILIES if words.search(plain))
    return Scope(
        parts=frozenset(parts),
        materials=frozenset(materials),
        families=families,
        treatments=treatments,
        classes=frozenset(name for name, words in _CLASSES if words.search(plain)),
        tier=read_tier(text),
        inspection=_INSPECTION.search(plain) is not None,
        general=_GENERAL.search(plain) is not None,
        others=_OTHERS.search(plain) is not None,
        conditional=_CONDITION.search(_NO_CONDITION.sub(" ", folded)) is not None,
        customers=customers_in(text),
    )


def _without_inclusions(text: str, folded: str) -> str:
    """`folded` with blanks for what is said to be included or left out; a treatment named before any value stays.

    `交期 15 日（含鈍化）` holds for every part, `含鈍化之交期 17 日` for passivated ones.
    """

    def blank(found: re.Match[str]) -> str:
        narrows = not _LEFT_OUT.match(found[0]) and not durations_in(text[: found.start()]) and durations_in(text)
        return found[0] if narrows else " " * len(found[0])

    return _INCLUSIONS.sub(blank, folded)


def narrowed(own: Scope, around: Scope) -> Scope:
    """`own` with the subject of what stands around it, where it names none itself."""
    subject = own if own.names_subject or own.others else around
    return Scope(
        parts=own.parts or (frozenset() if own.others else around.parts),
        materials=subject.materials,
        families=subject.families,
        treatments=own.treatments or subject.treatments,
        classes=own.classes or (frozenset() if own.general else around.classes),
        tier=own.tier or around.tier,
        inspection=own.inspection or (around.inspection and not own.general),
        general=own.general,
        others=own.others,
        conditional=own.conditional,
        customers=own.customers or (frozenset() if own.general else around.customers),
    )


def applies(scope: Scope, task: TaskScope, excluded: frozenset[str] = frozenset()) -> bool:
    """Whether a statement of this scope is about the task; `excluded` is what `others` leaves out."""
    if scope.others and _named(task) & excluded:
        return False
    return (
        _part_fits(scope, task)
        and _material_fits(scope, task)
        and _treatment_fits(scope, task)
        and all(name in task.said for name in scope.customers)
        and scope.classes <= task.classes
        and (task.inspection or not scope.inspection)
        and (scope.tier is None or (task.quantity is not None and scope.tier.holds(task.quantity)))
        and not (scope.conditional and not scope.kinds)
    )


def concerns_other_part(text: str, task: TaskScope) -> bool:
    """Whether `text` (a title, a heading) names a part that only looks like the task's part."""
    terms = {term.term for term in exact_terms(text)}
    looks = {_skeleton(part) for part in task.parts}
    return not terms & task.parts and any(_skeleton(one) in looks for one in terms)


def names_task(text: str, task: TaskScope) -> bool:
    """Whether `text` names the task's own part or material."""
    terms = {term.term for term in exact_terms(text)}
    return bool(terms & (task.parts | {task.material}))


def scope_terms(scope: Scope) -> frozenset[str]:
    """Everything a scope names, for what a later `others` leaves out."""
    return scope.parts | scope.materials | scope.families | scope.treatments


def _named(task: TaskScope) -> frozenset[str]:
    return task.parts | {task.material or "", task.treatment or ""} | task.families


def _part_fits(scope: Scope, task: TaskScope) -> bool:
    if not scope.parts:
        return True
    if scope.parts & task.parts:
        return True
    return task.drawing is not None and any(
        task.drawing.startswith(part) and not task.drawing[len(part) : len(part) + 1].isdigit() for part in scope.parts
    )


def _material_fits(scope: Scope, task: TaskScope) -> bool:
    if not scope.materials and not scope.families:
        return True
    if task.material is None:
        return False
    if scope.materials:
        return any(one == task.material or task.material.startswith(f"{one}-") for one in scope.materials)
    return bool(scope.families & task.families)


def _treatment_fits(scope: Scope, task: TaskScope) -> bool:
    if not scope.treatments:
        return True
    if task.treatment in {None, "none"}:
        return False
    return task.treatment in scope.treatments or "any" in scope.treatments


def _families(material: str) -> frozenset[str]:
    folded = fold(material)
    words = frozenset(name for name, _, form in _FAMILIES if form.search(folded))
    return _grade_families(normalize_term(material)) | words


def _grade_families(term: str) -> frozenset[str]:
    return frozenset(name for name, grades, _ in _FAMILIES if grades.match(term))


def _is_part(term: str, before: str) -> bool:
    if not any(char.isdigit() for char in term) or _NO_PART.fullmatch(term):
        return False
    if _PART_WORD.search(before) is not None:
        return True
    return len(term) >= 5 and "-" in term and term[0].isalnum() and any(char.isalpha() for char in term)


def _skeleton(term: str) -> str:
    return term.translate(_LOOK_ALIKE).replace("-", "")
