"""The words by which people number the lines of an RFQ, speak of one or of all of them, add one or take one back."""

import re

from models.normalization import exact_terms, normalize_term

HAN_DIGITS = {one: value for value, one in enumerate("一二三四五六七八九十", start=1)}
_NUMBER = r"(?:\d{1,4}|[一二三四五六七八九十]{1,3})"
_NOUN = (
    r"(?:pos(?:ition(?:en|s)?)?(?:s?-?(?:nr|no))?|line(?: item)?s?|items?|lfd\.? ?nr|品项|项目|项次|品目|明细|行|"
    r"アイテム|序号|"
    r"zeilen?|artikel|teil|part|产品|零件)"
)
_AND = r"(?:and|und|&|\+|和|及|与|と|、|,|，)"
_GOES_ON = r"(?=\s*(?:[:：)和及与と、,，的のは均都皆各&+]|and\b|und\b|each\b|je\b|in\b|to\b|now\b|jetzt\b))"
MARK = re.compile(
    rf"{_NOUN}\.? ?[#:]? ?(?P<number>{_NUMBER}|(?-i:[A-H](?![A-Za-z])))(?![\d.,]*\d)(?:[.:：)、=]|(?=\s|$|[^\w]))",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    rf"(?<![A-Za-z]){_NOUN}\.? ?[#:]? ?(?P<list>{_NUMBER}(?:\s*{_AND}\s*{_NUMBER}{_GOES_ON})*)(?![\d.,/-]*[\dA-Za-z])"
    rf"|第 ?(?P<ordinal>{_NUMBER}(?:\s*{_AND}\s*第?{_NUMBER})*) ?(?:个|款|种)?(?:品项|项目|项|行|条|品目|アイテム|"
    rf"个|款|种)(?!检|验)",
    re.IGNORECASE,
)
_ORDINAL_WORDS = (
    ("1", "first|1st", "erste", "1|一"),
    ("2", "second|2nd", "zweite", "2|二"),
    ("3", "third|3rd", "dritte", "3|三"),
    ("4", "fourth|4th", "vierte", "4|四"),
    ("5", "fifth|5th", "fünfte", "5|五"),
)
_ORDINAL = tuple(
    (
        number,
        re.compile(
            rf"\b(?:{english}) (?:item|line|part|position|one)\b|\b{german}[nrsm]? (?:position|zeile|artikel|teil)\b|"
            rf"(?:{wide})(?:つ|番|点|行)目",
            re.IGNORECASE,
        ),
    )
    for number, english, german, wide in _ORDINAL_WORDS
)
_BOTH = re.compile(
    r"两(?:者|项|个品项|款|种)(?:都|均|皆)?|\bboth\b|\bbeide[rns]?\b|両方|両品目|どちらも|2(?:品目|点)とも",
    re.IGNORECASE,
)
_EVERYONE = re.compile(
    r"(?:全部|所有|各|每(?:一)?)(?:的|个)?(?:品项|项目|料号|零件|产品|件号|行|项|品目|アイテム|部品)|全品项|"
    r"(?:以上|上述|所列)(?:各项|各|皆|均|全部|都)|(?:全部|全数|一律|均|皆|都)(?:为|需|要|不|采|用|是|做|无|免|以|使|"
    r"须|请)|"
    r"\ball (?:of )?(?:the |these |our |\d+ |two |three |four |five )?(?:items?|lines?|parts?|positions?|articles?)\b|"
    r"\b(?:each|every) (?:item|line|part|position|article)\b|\b(?:for|on|to) all\b|\ball of them\b|\ball (?:in|made|"
    r"are|need)\b|"
    r"\balle(?:n|r)? (?:\w+ )?(?:positionen|teile|teilen|artikel|artikeln|zeilen|posten)\b|\bsämtliche|\bfür alle\b|"
    r"\balles? (?:aus|in)\b|全(?:ての?)?(?:品目|アイテム|部品|行|品)|すべて|全て|いずれも|各(?:品目|アイテム|部品)|"
    r"\bacross the board\b|\bthroughout\b",
    re.IGNORECASE,
)
_AMOUNT = (
    r"\d[\d.,']{0,12}(?: ?(?:pcs|pieces|pc|ea|units?|sets?|stück|stk\.?|st\.|satz|"
    r"件|个|只|支|套|组|片|本|枚|台|颗|粒|ヶ|コ|セット))?"
)
_EACH = (
    r"(?:各(?:做|需|要|报|自|别)?|每(?:一)?(?:项|款|种|品项|个品项|个料号|料号)|各(?:品项|项|料号|款)|(?:それぞれ|"
    r"各々|各)|"
    r"\beach(?: of)?|\bper (?:item|line|part|position)|\bje(?:weils)?(?: position| teil| artikel)?|\bpro (?:position|"
    r"teil|artikel))"
)
EACH = re.compile(
    rf"{_EACH}(?:的?数量)?(?:为|是|:| )? ?(?:ist )?{_AMOUNT}|{_AMOUNT} ?(?:of )?(?:each\b|per (?:item|line|part|"
    rf"position)\b|"
    rf"je(?:weils| position| teil| artikel)\b|pro (?:position|teil|artikel)\b)|(?:每项|各项|各|それぞれ|"
    rf"各々)(?:数量)?[:: ]*{_AMOUNT}",
    re.IGNORECASE,
)
EACH_WORD = re.compile(_EACH, re.IGNORECASE)
TOTAL = re.compile(
    r"总(?:共|计|数|量)|合计|共计|小计|一共|トータル|総数|\b(?:sub)?totals?\b|\bin total\b|\baltogether\b|"
    r"\bsum(?:me)?\b|\bgesamt\w*|"
    r"\binsgesamt\b|\bsumme\b",
    re.IGNORECASE,
)
ALTERNATIVES = re.compile(
    r"\b(?:options?|variants?|alternativ\w*|price[- ]?breaks?|quantity breaks?|staffel\w*|varianten?|either|entweder|"
    r"one of)\b|方案|选项|"
    r"阶梯|级距|择一|二选一|擇一|候选|いずれか|どちらか|案\s*[A-H1-9一二三]|[A-H1-9一二三]\s*案|オプション|単価表|"
    r"数量別",
    re.IGNORECASE,
)
OR = re.compile(r"\bor\b|\boder\b|\bbzw\b|或(?:者|是)?|还是|または|又は|もしくは|あるいは|\bvs\.?\b", re.IGNORECASE)
LOTS = re.compile(
    r"\b(?:proto\w*|samples?|series|serie[ns]?|pilot\w*|trial\w*|batch\w*|lots?|first|initial|repeat|later|then|"
    r"annual\w*|yearly|"
    r"monthly|muster\w*|nullserie\w*|erst\w*|jahres\w*|charge\w*|los\w*|lieferung\w*|delivery|deliveries|shipments?|"
    r"call-?offs?|"
    r"abruf\w*|q[1-4]|moq|min\w*|max\w*|jan\w*|feb\w*|m[aä]r\w*|apr\w*|ma[iy]|jun\w*|jul\w*|aug\w*|sep\w*|o[ck]t\w*|"
    r"nov\w*|de[cz]\w*)\b|"
    r"样|试|首批|批|量产|小量|大量|年|月|期|打样|交货|分批|前期|后续|先|再|サンプル|ロット|初回|分納|回目",
    re.IGNORECASE,
)
DEFAULTS = re.compile(
    r"除(?:非)?另(?:有)?[注註说标]明|[若如](?:无|未)(?:特别|另)?[注註说标]明|未(?:另)?[注註标]明|"
    r"其[余他它](?:的)?(?:品项|各项|项目)?(?:均|皆|都|为|用|是)|"
    r"特(?:记|に(?:断り|记载|指定))(?:が)?(?:な[きい]|无い)|\bunless (?:otherwise )?(?:noted|stated|specified|"
    r"indicated|mentioned)|"
    r"\bif not (?:otherwise )?(?:noted|stated|specified)|\b(?:sofern|wenn|soweit) nicht anders|\bdie übrigen\b|"
    r"\b(?:all )?the (?:rest|others)\b|"
    r"\bremaining (?:items|lines|parts|positions)|残り|その他(?:の)?(?:品目|アイテム|は)",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r"除(?!非?另)[^,，。;]{1,40}(?:外|之外|以外)|\bexcept(?:ing| for)?\b|\bother than\b|\bapart from\b|\bbut not\b|"
    r"\baußer\b|"
    r"\bausgenommen\b|\bbis auf\b|"
    r"以外|を除[きく]|除く",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"另(?:外)?(?:再|请)?(?:加|增|追加|报|有|需|外)|追加|增加(?:一|1|两|二|2|三|3)?(?:个|项|款|品项)|再(?:加|增|"
    r"报)(?!工)|"
    r"(?:加|多)(?:一|1|两|2)(?:个|项|款)|新增|一并报|此外(?:还)?(?:请|需|要)|"
    r"\bin addition\b|\badditional(?:ly)? |\balso (?:please )?(?:quote|need|add|include|require|want)|"
    r"\bplease (?:also|add)\b|\badd\b|"
    r"\banother (?:item|line|part|position)|\b(?:new|extra|one more|further) (?:item|line|position|part)|"
    r"\bzusätzlich\w*|\baußerdem\b|\bweitere\w* (?:position|artikel|teil)|\bhinzu\w*|\bergänz\w*|\bferner\b|"
    r"\bneue position|\bnoch dazu\b|"
    r"もう[一1](?:点|つ|品)|加えて|併せて|あわせて",
    re.IGNORECASE,
)
_WITHDRAWS = re.compile(
    r"取消|删除|删掉|移除|去掉|撤(?:回|销|掉)|作废|剔除|拿掉|"
    r"\bcancel(?:led|ed|s)?\b|\b(?:remove|removed|delete|deleted|drop|dropped|withdraw|withdrawn|strike|omit|scrap)\b|"
    r"\btake out\b|\bentf[aä]ll\w*|\bstorn\w+|\bstreich\w*|\bgestrichen\b|\bweglassen\b|\bfällt weg\b|\bherausnehmen\b|"
    r"キャンセル|削除|取り?消し?|取りやめ|中止",
    re.IGNORECASE,
)
_NO_NEED = re.compile(
    r"不(?:用|需要?|必|再|要)(?:再)?(?:报价?|询价?)了?|不(?:用|需要?|要)了|"
    r"\bno longer (?:needed|required|needs?|requires?|wants?)\b|\bnot (?:needed|required) (?:any ?more|any longer)\b|"
    r"\b(?:wird |werden )?nicht mehr (?:benötigt|gebraucht|erforderlich|angefragt)\b|"
    r"不要(?:に?なり|です|となり)?|见积(?:り)?不要",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"请|麻烦|我们|客户|的|了|把|将|已|这|该|个|品项|项目|料号|件号|零件|产品|行|项|通知|确认|表示|来电|从|询价|报价|"
    r"中|单|品目|アイテム|"
    r"明细|部品|さん|お客様|より|から|は|を|が|の|に|で|と|ました|なり|します|して|ください|願い|お|致し|いたし|です|"
    r"ます|下さい|見积|"
    r"\b(?:please|we|the|a|customer|client|buyer|has|have|had|is|are|was|were|been|be|can|you|items?|lines?|"
    r"positions?|parts?|numbers?|no|from|"
    r"rfq|quote|quotation|inquiry|request|our|now|it|so|hi|hello|thanks|thank|and|has|needs?|this|that|that's|to|for|"
    r"on|of|"
    r"bitte|wir|die|der|das|den|dem|artikel|teile?|pos|ist|sind|wird|wurde|wurden|werden|aus|anfrage|angebot|kunden?|"
    r"hat|uns|unserer|"
    r"und|vom|mfg|hallo|danke)\b",
    re.IGNORECASE,
)
_COUNTS = {
    word: number
    for number, words in enumerate(
        ("two zwei 两 二", "three drei 三", "four vier 四", "five fünf 五", "six sechs 六", "seven sieben 七"), start=2
    )
    for word in (*words.split(), str(number))
} | {str(number): number for number in range(8, 201)}
_COUNT = re.compile(
    rf"(?<![\w.,-])(?P<count>{'|'.join(sorted(_COUNTS, key=len, reverse=True))}) ?(?:different |new |following |"
    rf"verschiedene |folgende |"
    r"neue )?(?:parts?|items?|lines?|positions?|articles?|components?|teile?n?|positionen|artikel|bauteile|个?品项|"
    r"项(?!目)|款|种|"
    r"个?(?:零件|料号|产品)|点(?!检)|品目)(?![A-Za-z])",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_TOKEN = re.compile(r"[A-Za-z0-9][\w./-]*")
_WORDS = re.compile(r"[^\W\d_]+")


def framing(folded: str, start: int, end: int, lines: int) -> list[tuple[int, int]]:
    """Words around a list that are about the list itself: how many items it has, and that it goes before the rest."""
    counts = [one for one in _COUNT.finditer(folded, start, end) if _COUNTS.get(one["count"].casefold(), -1) == lines]
    return sorted(one.span() for one in [*counts, *DEFAULTS.finditer(folded, start, end)])


def number_of(written: str) -> str:
    """The number behind digits or Han numerals, as plain digits; letters in capitals."""
    word = written.strip()
    if word.isdecimal():
        return str(int(word))
    if word and all(one in HAN_DIGITS for one in word):
        tens, found, units = word.partition("十")
        if not found:
            return "".join(str(HAN_DIGITS[one]) for one in word)
        return str(HAN_DIGITS.get(tens, 1) * 10 + HAN_DIGITS.get(units, 0))
    return word.upper()


def numbers_named(folded: str) -> tuple[str, ...]:
    """The numbers of lines that a text names; `both` where it speaks of two without a number."""
    found = [
        number_of(one)
        for match in _NUMBERS.finditer(folded)
        for one in re.findall(_NUMBER, match["list"] or match["ordinal"])
    ]
    found += [number for number, form in _ORDINAL if form.search(folded)]
    found += ["both"] if _BOTH.search(folded) else []
    return tuple(dict.fromkeys(found))


def reference_spans(folded: str) -> list[tuple[int, int]]:
    """Where a text names lines by number: digits there count nothing."""
    forms = (_NUMBERS, _BOTH, *(form for _, form in _ORDINAL))
    return [found.span() for form in forms for found in form.finditer(folded)]


def terms_named(plain: str) -> tuple[str, ...]:
    """The normal forms of everything in a text that could be the code of a line."""
    terms = [one.term for one in exact_terms(plain)]
    for token in _TOKEN.findall(plain):
        code = normalize_term(token.rstrip(".,-/"))
        if any(char.isdigit() for char in code) and (len(code) >= 5 or (len(code) >= 3 and not code.isdecimal())):
            terms.append(code)
    return tuple(dict.fromkeys(terms))


def speaks_of_all(folded: str) -> bool:
    """Whether a text says that it holds for every line."""
    return _EVERYONE.search(folded) is not None or EACH.search(folded) is not None


def adds(folded: str) -> bool:
    """Whether a text says that something comes in addition."""
    return _ADDS.search(folded) is not None


def withdraws(folded: str, *, declined: bool = False) -> bool:
    """Whether a text has words that take something back; with something `declined` in it, no need is of that."""
    return _WITHDRAWS.search(folded) is not None or (not declined and _NO_NEED.search(folded) is not None)


def only_withdraws(folded: str) -> bool:
    """Whether a text says nothing but that the lines it names are taken back: no condition, no question, no value."""
    rest = re.sub(r"[?？]", " residue ", folded)
    rest = _NUMBERS.sub(" ", rest)
    for _, form in _ORDINAL:
        rest = form.sub(" ", rest)
    rest = _NO_NEED.sub(" ", _WITHDRAWS.sub(" ", rest))
    rest = _TOKEN.sub(lambda found: " " if any(char.isdigit() for char in found[0]) else found[0], rest)
    return not _WORDS.search(_FILLER.sub(" ", rest))


def label_key(label: str) -> str:
    """A label as it is compared: its letters alone, without case."""
    return "".join(_WORDS.findall(label)).casefold()


def names_label(words: str, label: str) -> bool:
    """Whether a folded text uses every word of a label, long enough to mean it."""
    wanted = [one.casefold() for one in _WORDS.findall(label)]
    said = words.casefold()
    if not wanted:
        return False
    if any(_CJK.search(one) for one in wanted):
        return all(one in said for one in wanted) and len(label_key(label)) >= 2
    spoken = _WORDS.findall(said)
    long = [one for one in wanted if len(one) >= 4]
    return bool(long) and all(
        any(other.startswith(one) or (one.startswith(other) and len(other) >= 4) for other in spoken) for one in long
    )
