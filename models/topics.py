"""The catalogue of topics that a quote speaks about, with the words that name them in five languages.

A topic's words are wide on purpose: a word that is missing here hides a fact. `weak` words name a topic only beside a
value of its kind (`delivered within 15 days`), because alone they mean many things.
"""

import functools
import re
from dataclasses import dataclass
from typing import Literal

from models.folding import fold, folded_pattern
from models.policies import Policy

ValueKind = Literal["duration", "money", "number", "measure", "statement"]


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: its words as patterns over folded text, the kind of value that settles it, and a search query."""

    strong: str
    value: ValueKind
    query: str
    weak: str = ""


_CATALOGUE: dict[str, Topic] = {
    "lead_time": Topic(
        r"交期|交货(?:期|时间|时程|日数|天数|周期|日期)|交付(?:期|时间|时程|天数|周期|日期)|供货(?:期|周期|时间|天数)"
        r"|(?<!过)(?<!保)货期|出货(?:天数|时间|日数|期|周期)|发货(?:天数|时间|期|周期)|到货(?:天数|时间)|制程天数"
        r"|工期"
        r"|(?:生产|制造|加工|制作|作业|完工|备料|备货|前置)(?:周期|天数|时间|日数|工时|期间|期)"
        r"|纳期|リー(?:ド|ト\u3099)タイム|お届け(?:日数|期間|予定)|(?:製作|製造|加工|所要|納入|納品|出荷)(?:日数|期間|所要日数)"
        r"|출하 ?기간|납기|리드 ?타임"
        r"|\bl/t\b|\blead[\s-]?times?\b|\bturn[\s-]?(?:a)?round(?:[\s-]?times?)?\b"
        r"|\b(?:delivery|shipment|dispatch|production|manufacturing|fabrication|processing|completion|throughput|make"
        r"|build|fulfil?lment)[\s-](?:lead[\s-])?(?:times?|periods?|schedules?|terms? of|days?)\b|\btime to (?:ship"
        r"|deliver)\b"
        r"|liefer(?:zeit|frist|termin|dauer)|fertigungs(?:zeit|dauer|frist)|durchlaufzeit|produktions(?:zeit|dauer)"
        r"|herstell(?:ungs)?(?:zeit|dauer)|bearbeitungs(?:zeit|dauer)|beschaffungszeit|vorlaufzeit"
        r"|\b(?:production|manufacturing|fabrication|machining|delivery|completion)"
        r" (?:usually |normally |typically )?(?:takes?|needs|requires|will take)\b"
        r"|订单[^。,;]{0,12}(?=\d|[一二三四五六七八九十两])[^。,;]{0,10}完成"
        r"|\b(?:fertigung|produktion|herstellung|lieferung) (?:dauert|benötigt)\b"
        r"|\bdélais? (?:de )?(?:livraison|fabrication|production)|\bplazos? de (?:entrega|fabricación|producción)",
        "duration",
        "交期 交貨期 工期 製程天數 出貨天數 lead time delivery time turnaround Lieferzeit Lieferfrist 納期"
        " リードタイム",
        weak=r"出货|交货|交付|发货|完工|交样|お届け|出荷|納入|納品|発送"
        r"|(?<!after )(?<!of )(?<!from )(?<!upon )(?<!before )"
        r"(?<!cash on )\b(?:delivery|delivered|deliveries|ships?|shipped|dispatched|ready)\b"
        r"|(?<!nach )(?<!ab )\b(?:ge|aus)liefert\b"
        r"|(?<!nach )(?<!ab )(?<!bei )\blieferung\b|ausgeliefert|geliefert|versandbereit|versandfertig|lieferbar"
        r"|\bliefer(?:n|t)\b|\bto (?:make|manufacture|produce|fabricate)\b|\bherzustellen\b|\bzu fertigen\b",
    ),
    "special_inspection": Topic(
        r"(?:特殊|特别)(?:的)?(?:检验|检测|检查|检|测试|试验)|特检|(?:第三方)(?:检验|检测|检查)|特別検査|特殊検査"
        r"|第三者検査"
        r"|특별 ?검사|특수 ?검사"
        r"|\bspecial(?:i[sz]ed)?[\s-](?:inspections?|testing|tests?|checks?|examinations?|quality inspections?)\b"
        r"|\bthird[\s-]party (?:inspections?|testing)\b"
        r"|(?:sonder|spezial|zusatz)(?:prüf|inspekt|kontroll)\w*|besonder\w* (?:prüf|inspekt|kontroll)\w*"
        r"|\binspections? spéciales?|\binspecci[oó]n especial",
        "statement",
        "特殊檢驗 特別檢驗 special inspection Sonderprüfung 特別検査",
    ),
    "packaging": Topic(
        r"包装|装箱|梱包|포장|\bpack(?:ag(?:e|ed|ing)|ing|ed)?\b|\bcartons?\b|\bcrat(?:e|es|ed|ing)\b|\bvci\b"
        r"|\bpallet\w*"
        r"|verpack\w*|\bemballages?\b|\bembalajes?\b",
        "statement",
        "包裝 裝箱 packaging carton Verpackung 梱包",
    ),
    "payment": Topic(
        r"付款|支付|月结|预付|订金|货款|汇款|账期|お?支払|前払|振込|결제|지불|\bpayments?\b|\bpay(?:able|s)?\b"
        r"|\bprepa\w+|\bnet \d"
        r"|货到收款|信用证|代收货款|締め(?:日|払|翌)|末締|\bletters? of credit\b|\bl/c\b|\bcash on delivery\b|\bcod\b"
        r"|\bt/t\b"
        r"|\b\d{1,3} days? net\b|\b\d{1,3} tage? netto\b|\bskonto\b"
        r"|\bdown[\s-]payments?\b|\bdeposits?\b|zahlung\w*|zahlbar|vorkasse|anzahlung|\bpaiements?\b|\bpagos?\b",
        "statement",
        "付款條件 月結 payment terms Zahlungsbedingungen 支払条件",
    ),
    "surface_treatment": Topic(
        r"表面处理|钝化|阳极|(?:电|化学)镀|镀(?:锌|镍|铬|层)|喷涂|喷漆|烤漆|粉体涂装|発黒|发黑|电解抛光|表面処理"
        r"|不動態化?|パシベ\w*"
        r"|アルマイト|メッキ|めっき|塗装|\bsurface (?:treatments?|finish\w*|coatings?)\b|\bpassivat\w+"
        r"|\banodi[sz]\w+|\bplat(?:ed|ing)\b"
        r"|\bpaint(?:ed|ing)\b|\bpowder[\s-]coat\w*|oberflächenbehandlung\w*|passivier\w*|\beloxier\w*"
        r"|\banodisier\w*|galvani\w*"
        r"|\bvernick\w*|\bverzink\w*|lackier\w*",
        "statement",
        "表面處理 鈍化 陽極 電鍍 surface treatment passivation anodizing Oberflächenbehandlung 表面処理",
    ),
    "price": Topic(
        r"单价|价格|报价金额|售价|价目|単価|価格|値段|단가|가격|\b(?:unit )?pric(?:e|es|ing)\b|\bcosts?\b(?= (?:is"
        r"|of|per))"
        r"|(?:stück|einzel|grund)?preis(?:e|liste)?\b|\bprix\b|\bprecios?\b",
        "money",
        "單價 價格 unit price Preis 単価 価格",
    ),
    "warranty": Topic(
        r"保固|质保|保修|保证期|質量保证期|保証期間|品質保証期間|보증|\bwarrant(?:y|ies)\b|\bguarantee period\b"
        r"|gewährleistung\w*"
        r"|garantie(?:zeit|dauer|frist)?\b|\bgarant[ií]a\b",
        "duration",
        "保固 保修 warranty Gewährleistung 保証期間",
    ),
    "minimum_order": Topic(
        r"(?:最小|最低|起)(?:订购|订货|订单|起订|下单)?(?:数量|量|额)|起订量|最小ロット|最低(?:注文|発注)数?量?"
        r"|最小(?:注文|発注)数?量?"
        r"|최소 ?주문|\bmoq\b|\bminimum (?:order|lot|quantity)\w*|mindest(?:bestell|abnahme|losgrö)\w*"
        r"|\bminimum de commande\b",
        "number",
        "最小訂購量 起訂量 MOQ minimum order quantity Mindestbestellmenge 最小注文数量",
    ),
    "material_certificate": Topic(
        r"材质证明|材料证明|材证|质量证明书|材料证书|材质报告|ミルシート|材料証明|検査成績書|재질 ?증명"
        r"|\bmill (?:test )?(?:certificates?|reports?|sheets?)\b"
        r"|\bmaterial certificat\w+|\bcertificates? of (?:conformity|conformance|material)\b|\bmtrs?\b"
        r"|\b3\.1\b(?=.{0,20}(?:cert|zeugnis))"
        r"|werkszeugnis\w*|abnahmeprüfzeugnis\w*|materialzeugnis\w*|prüfbescheinigung\w*",
        "statement",
        "材質證明 material certificate mill certificate Werkszeugnis ミルシート",
    ),
    "shipping": Topic(
        r"运送|运输|海运|空运|快递|运费|贸易条件|交货条件|運送|輸送|送料|航空便|船便|배송|운송|\bincoterms?\b"
        r"|\b(?:exw|fob|cif|ddp|dap|dpu|fca|fas|cfr|cpt|cip)\b|\bex[\s-]works?\b|\bfrei haus\b|\bab werk\b"
        r"|工場渡し|出厂价"
        r"|(?:送货|交货)到(?:厂|府|门)|含运"
        r"|\bfreight\b|\bshipping (?:costs?|terms?|methods?|charges?)\b|\bcouriers?\b|\btransit(?: times?)?\b"
        r"|\bby (?:sea|air|rail|road)\b"
        r"|versand(?:kosten|art|bedingung\w*)|\bfracht\w*|lieferbedingung\w*|spedition\w*",
        "statement",
        "運送 貿易條件 shipping terms Incoterms Versand 輸送",
    ),
    "tolerance": Topic(
        r"公差|寸法公差|공차|\btolerances?\b|toleranz\w*|allgemeintoleranz\w*|\btolérances?\b|\btolerancias?\b",
        "measure",
        "公差 tolerance Toleranz",
    ),
    "validity": Topic(
        r"(?:报价|价格)?有效期|报价有效|見積(?:もり)?(?:の)?有効期[限間]|有効期[限間]|\b(?:quot(?:e|ation)|offer"
        r"|price)s? (?:is |are |remains? )?valid\w*"
        r"|\bvalidity\b|angebotsgültig\w*|gültigkeit\w*|bindefrist",
        "duration",
        "報價有效期 quotation validity Angebotsgültigkeit 有効期限",
    ),
}

_LABELS: dict[str, dict[str, str]] = {
    "lead_time": {"zh-TW": "交期", "zh-CN": "交期", "ja": "納期", "de": "Lieferzeit", "en": "Lead time"},
    "special_inspection": {
        "zh-TW": "含特殊檢驗",
        "zh-CN": "含特殊检验",
        "ja": "特別検査を含む",
        "de": "Sonderprüfung enthalten",
        "en": "Special inspection is included",
    },
    "packaging": {"zh-TW": "包裝", "zh-CN": "包装", "ja": "梱包", "de": "Verpackung", "en": "Packaging"},
    "payment": {"zh-TW": "付款", "zh-CN": "付款", "ja": "支払", "de": "Zahlung", "en": "Payment"},
    "surface_treatment": {
        "zh-TW": "表面處理",
        "zh-CN": "表面处理",
        "ja": "表面処理",
        "de": "Oberflächenbehandlung",
        "en": "Surface treatment",
    },
    "price": {"zh-TW": "價格", "zh-CN": "价格", "ja": "価格", "de": "Preis", "en": "Price"},
    "warranty": {"zh-TW": "保固", "zh-CN": "保修", "ja": "保証期間", "de": "Gewährleistung", "en": "Warranty"},
    "minimum_order": {
        "zh-TW": "最小訂購量",
        "zh-CN": "最小起订量",
        "ja": "最小注文数量",
        "de": "Mindestbestellmenge",
        "en": "Minimum order",
    },
    "tolerance": {"zh-TW": "公差", "zh-CN": "公差", "ja": "公差", "de": "Toleranz", "en": "Tolerance"},
}


def topics_in(text: str, policy: Policy) -> frozenset[str]:
    """The topics that `text` names outright, of the catalogue and of the tenant's own."""
    named = _catalogue_topics(text)
    if not policy.topics:
        return named
    folded = fold(text)
    return named | {one.topic for one in policy.topics if any(_own_term(term).search(folded) for term in one.terms)}


def unknown_topics(policy: Policy) -> tuple[str, ...]:
    """Required topics that neither the catalogue nor the policy itself has words for: nothing could ever be found."""
    known = {*_CATALOGUE, *(own.topic for own in policy.topics)}
    return tuple(topic for topic in policy.required_topics if topic not in known)


def topic_spans(text: str, topic: str, policy: Policy) -> tuple[tuple[int, int], ...]:
    """Where `text` names `topic` outright: half-open spans of characters, in order."""
    folded = fold(text)
    form = _catalogue_forms().get(topic)
    spans = [found.span() for found in form.finditer(folded)] if form else []
    for one in policy.topics:
        if one.topic == topic:
            spans.extend(found.span() for term in one.terms for found in _own_term(term).finditer(folded))
    return tuple(sorted(spans))


def topic_words(topic: str) -> str:
    """The words of a topic of the catalogue as a pattern."""
    return _CATALOGUE[topic].strong


def weak_spans(text: str, topic: str) -> tuple[tuple[int, int], ...]:
    """Where `text` has a word that names `topic` beside a value of its kind only."""
    form = _weak_forms().get(topic)
    return tuple(found.span() for found in form.finditer(fold(text))) if form else ()


def topic_query(topic: str, policy: Policy) -> str:
    """What to search for to find what is said of `topic`, in several languages."""
    own = " ".join(term for one in policy.topics if one.topic == topic for term in one.terms)
    known = _CATALOGUE[topic].query if topic in _CATALOGUE else ""
    return f"{known} {own}".strip() or topic.replace("_", " ")


def value_kind(topic: str) -> ValueKind:
    """What a sentence must state to settle `topic`; a tenant's own topic is settled by any statement."""
    return _CATALOGUE[topic].value if topic in _CATALOGUE else "statement"


def topic_label(topic: str, language: str) -> str:
    """The name of `topic` as a draft shows it in `language` (zh-TW, zh-CN, ja, de; English for any other)."""
    labels = _LABELS.get(topic, {})
    return labels.get(language) or labels.get("en") or topic.replace("_", " ").capitalize()


def all_labels() -> frozenset[str]:
    """Every label that a draft may put before a quoted sentence."""
    return frozenset(label for labels in _LABELS.values() for label in labels.values())


@functools.lru_cache(maxsize=4096)
def _catalogue_topics(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(topic for topic, form in _catalogue_forms().items() if form.search(folded))


@functools.cache
def _catalogue_forms() -> dict[str, re.Pattern[str]]:
    return {name: folded_pattern(topic.strong) for name, topic in _CATALOGUE.items()}


@functools.cache
def _weak_forms() -> dict[str, re.Pattern[str]]:
    return {name: folded_pattern(topic.weak) for name, topic in _CATALOGUE.items() if topic.weak}


@functools.lru_cache(maxsize=1000)
def _own_term(term: str) -> re.Pattern[str]:
    """A tenant's word: whole words where its script has them, any run of white space for a blank."""
    folded = r"\s+".join(re.escape(word) for word in fold(term).split())
    before = r"\b" if term[:1].isascii() and term[:1].isalnum() else ""
    after = r"\b" if term[-1:].isascii() and term[-1:].isalnum() else ""
    return re.compile(f"{before}{folded}{after}" if folded else r"(?!)")
