"""What looks like a quantity or a code and is none: phones, dimensions, prices, orders, threads, hardness."""

import re

from models.extraction.grades import GRADE

_PAPERS = (
    r"订单|报价单|询价单|合同|合约|发票|采购单|工单|统编|统一编号|税号|客户编号|供应商|邮编|注番|注文番号|注文书|"
    r"见积番号|见积书|登录番号|"
    r"\bp\.?o\.?(?![a-z])|\bquotation|\binvoice|\bcontract|\bvat(?: id)?|\btax(?: id)?|\bticket|bestellung|"
    r"bestell-?nr\.?|auftrag|"
    r"auftrags-?nr\.?|angebots-?nr\.?|anfrage-?nr\.?|rechnung|vertrag|kunden-?nr\.?|ust-?id(?:nr)?\.?|"
    r"lieferanten-?nr\.?"
)
_ACTS = (
    r"报价|询价|询单|注文|\border|\bquote|\brfq|\bcustomer|\bsupplier|\bvendor|\bref(?:erence)?\.?|\bcase|\bjob|"
    r"\bproject|"
    r"angebot|anfrage|projekt|vorgang"
)
_NUMBERED = r"号码|编号|单号|番号|号|no\.?(?![a-z])|nr\.?|number|nummer|#|id\b"
# Behind a word for a drawing or part a code is none of an order, whatever it begins with.
_UNNAMED = (
    r"(?<!图号)(?<!图号 )(?<!图号:)(?<!图号: )(?<!图番)(?<!图番:)(?<!图番 )(?<!料号)(?<!料号 )(?<!料号:)(?<!料号: )"
    r"(?<!品番)(?<!品番 )(?<!品番:)(?<!drawing )(?<!dwg )(?<!part )(?<!zeichnung )"
)
_COUNTED = r"pcs|pieces|ea\b|sets?\b|units?|stück|stk|[件个支片组套只颗本枚台]"
_MASKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Addresses on the web and of mail.
        r"(?:https?://|www\.)[^\s<>]{1,500}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}",
        # Telephones: after a word for one, with a country code, or in groups that begin with 0.
        r"(?:电话|手机|分机|传真|专线|行动|\btel(?![a-z])\.?|\bphone|\bmobile|\bfax|\bext(?:ension)?(?![a-z])\.?|"
        r"telefon|handy|durchwahl|rückfragen|"
        r"内线|携帯|直通|\bcall (?:me|us)?|whatsapp|微信|\bline id|\bcell)[^\d\n,。;]{0,20}[+(]?\d[\d ()/#-]{1,24}",
        r"\+\d{1,3}[ -]?\(?\d[\d ()/-]{5,20}",
        # A British post code.
        r"(?-i:\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b)",
        r"(?<![\w.,-])\(?0\d{1,4}\)?[ /-]?\d{2,8}(?:[ -]\d{2,8}){0,3}(?![\w.,]?\d)",
        r"(?<![\w.,-])1[3-9]\d-?\d{4}-?\d{4}(?!\d)",
        # Orders, quotations, contracts, invoices, customers, taxes.
        rf"(?:{_PAPERS}) ?(?:{_NUMBERED})? ?[:#.：]{{0,2}} ?(?:[A-Z]{{1,5}}[-/ ]?\d|\d{{2}}(?=\d{{3}}|"
        rf"\d{{0,4}}[-/A-Z]))"
        rf"[\dA-Z]{{2,16}}(?:[-/][\dA-Z]{{1,10}}){{0,4}}(?!\d| ?(?:{_COUNTED}))",
        rf"(?:{_PAPERS}|{_ACTS}) ?(?:{_NUMBERED}) ?[:#.：]{{0,2}} ?"
        rf"(?:[A-Z]{{1,5}}[-/ ]?)?\d[\dA-Z]{{1,16}}(?:[-/][\dA-Z]{{1,10}}){{0,4}}",
        rf"(?:{_ACTS}) ?[:#.：]{{0,2}} ?\d{{5,14}}(?!\d| ?(?:{_COUNTED}))",
        rf"{_UNNAMED}\b(?:PO|SO|RFQ|INV|QT|QUO)-?\d{{4,12}}(?:-\d{{1,6}}){{0,2}}\b",
        r"\bQ\d{6,12}\b",
        r"\b(?:DE|ATU|GB|FR|NL|IT) ?\d{9,12}\b",
        # Threads, hardness, roughness, colours, fits, standards.
        r"\b(?:M|G|UNC|UNF|TR|"
        r"R[cp])\d{1,3}(?:[.,]\d{1,3})?(?: ?[x×*] ?\d{1,3}(?:[.,]\d{1,3})?){0,2}(?:-\d[a-z]\d?[a-z]?)?(?![\w-])",
        r"(?-i:\b(?:HRC|HRB|HRA|HV|HB|HBW|Ra|Rz|RAL|Pantone|IT|IP|Shore [AD]))(?: ?\d{1,4}|-\d{1,3}|(?<=RAL)-\d{4})"
        r"(?:[.,]\d)?(?: ?(?:-|~|to|bis|±) ?\d{1,4}(?:[.,]\d)?)?(?![\w-])",
        r"\b(?:ISO|DIN|EN(?! ?A[WC]|[ -]?GJ|\d{1,2}[A-Z]{0,2}(?![\w-]))|"
        r"JIS|ASTM|ASME|ANSI|GB(?!-\d{1,3}-)/?T?|CNS|MIL|AMS|VDI|IATF)(?:[ /-](?:ISO|"
        r"EN))?[ -]?[A-Z]{0,4}-?\d{1,6}(?:[-.:]\w{1,6}){0,3}",
        # Dimensions and tolerances: a diameter, a chain, a number with a unit of measure.
        r"[φøΦØ⌀±] ?\d{1,5}(?:[.,]\d{1,4})?(?: ?[x×*] ?[φøØ]?\d{1,5}(?:[.,]\d{1,4})?){0,3}(?: ?mm)?",
        r"(?<![\w-])\d{1,5}(?:[.,]\d{1,4})?(?: ?(?:mm|"
        r"cm))? ?[x×*] ?[φøØ]?\d{1,5}(?:[.,]\d{1,4})?(?: ?mm)?(?: ?[x×*] ?\d{1,5}(?:[.,]\d{1,4})?)?",
        r"(?<![\w])\d{1,9}(?:[.,]\d{1,4})? ?(?:mm²?|cm|dm|μm|um|µm|inch(?:es)?|kg|g/|°c?|℃|%|mpa|bar|hrc|tage?n?|"
        r"wochen?|werktagen?|arbeitstagen?|days?|weeks?|"
        r"months?|years?|working|business|hours?|小时|天|周|星期|工作天|工作日|日内|营业日|日间|か月|ヶ月|カ月|岁|"
        r"公厘|公分|毫米|厘米|公斤|μ)(?![a-z])",
        # Prices.
        r"(?:nt\$|us\$|[$€£¥￥]|\busd|\beur|\bntd|\btwd|\brmb|\bcny|\bjpy) ?\d[\d.,' ]{0,15}\d?(?: ?[千万k])?",
        r"(?<![\w-])\d[\d.,']{0,12}(?: ?[百千万亿])? ?(?:元|块钱|円|日元|美金|美元|欧元|台币|人民币|usd|eur\b|euro|"
        r"ntd|twd|rmb|cny|jpy|dollars?|cents?|€|\$)",
        r"(?:单价|目标价|(?<![报询估])价格?|预算|(?<!you )(?<!please )"
        r"(?<!pls )(?<!to )\bprice(?: of)?|\btarget(?: price)?|\bbudget|\bpreis|"
        r"zielpreis)[:： ]{0,3}(?:约|"
        r"around|about|ca\.?|von|unter|under|below|at|is|是|为)? ?\d[\d.,]{0,12}(?![\d.,]| ?(?:pcs|pieces|ea\b|"
        r"sets?\b|units?\b|stk|stück|[件个支片组套只颗本枚台根条]))",
        r"%|\d{1,3} ?%",
    )
)


def masked_ranges(folded: str) -> list[tuple[int, int]]:
    """The ranges of a folded text whose digits count no pieces and name no part."""
    found = (match for mask in _MASKS for match in mask.finditer(folded))
    return sorted(match.span() for match in found if not _ends_in_grade(match.group()))


def _ends_in_grade(words: str) -> bool:
    """Whether what follows the word for an order is a material: "訂單：SUS304" names no order."""
    return words[0].isalpha() and any(one.end() == len(words) and one.start() > 1 for one in GRADE.finditer(words))


class Ranges:
    """A set of ranges that answers whether another one touches it."""

    def __init__(self, ranges: list[tuple[int, int]], length: int) -> None:
        self._covered = bytearray(length)
        for start, end in ranges:
            self.add(start, end)

    def add(self, start: int, end: int) -> None:
        """Cover one more range."""
        self._covered[start:end] = b"\x01" * (end - start)

    def touches(self, start: int, end: int) -> bool:
        """Whether any position of the range is covered."""
        return self._covered.find(1, start, end) >= 0
