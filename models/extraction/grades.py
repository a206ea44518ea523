"""The names of materials by the grammars of their standards, their plain words, and which names mean one grade.

EN numbers (1.4301) and names (X5CrNi18-10, 42CrMo4), AISI/SAE/UNS, JIS (SUS304, S45C, SKD11, A5052, C3604), GB (45#,
40Cr, 06Cr19Ni10, H59), aluminium (6061-T6, AlMgSi1, EN AW-6082), titanium, nickel and copper alloys, plastics.
"""

import re

_L = r"(?<![A-Za-z0-9._#/-])"
_R = r"(?![A-Za-z0-9_])(?!-[A-Za-z0-9])"
_TEMPER = r"(?:[ -](?:T\d{1,4}|H\d{2,3}|O|F))?"
_ALU = (
    "(?:1050|1060|1070|1100|1200|2007|2011|2014|2017|2024|2030|2219|3003|3004|3103|5005|5052|5056|5083|5086|5182|5251|"
    "5454|5754|6005|6012|6013|6026|6060|6061|6063|6082|7020|7022|7050|7068|7075|7175|7475)A?"
)
GRADE = re.compile(
    rf"{_L}(?:"
    r"(?i:SUS|SUH|SCS|STS|SS|AISI|SAE|ASTM|UNS|JIS)[ -]?(?:2|3|4|6)\d{2}(?i:LN|L|Ti|J\d|H|F|SE?|N\d?|B|A|C)?"
    r"|(?:AISI|SAE)[ -]?(?:1|4|5|8)\d{3}|S\d{5}|N\d{5}|R5\d{4}"
    r"|(?:EN )?1\.[0-9]{4}|2\.[014][0-9]{3}|3\.[0-9]{4}"
    r"|(?i:S)(?:10|15|20|25|30|35|40|43|45|48|50|55|58)(?i:C)(?:-[DN])?|S(?:235|275|355|420|"
    r"460)[A-Z]{0,2}\d?(?:\+[A-Z]{1,2})?"
    r"|(?i:SCM|SNCM|SCR|SUP|SUJ|SKD|SKH|SKS|SACM|SMn|SMnC|STKM|SPCC|SPHC|SECC|SGCC|DC|STPG|FCD|FC|"
    r"SCPH)-?\d{1,4}[A-Z]{0,2}\d?"
    r"|(?:SPCC|SPCD|SPCE)(?:-?(?:SD|SB|[1248]D?))?|SPHC|SPHD|SPHE|SF\d{3}A|SC(?:360|410|450|480)|SGP|STK\d{3}|"
    r"(?i:SUS) ?\d{3}(?:L|J1)?-(?:2B|2D|BA|HL|CSP|WPB)|MIC-?6|1[12]L1[3-7]|"
    r"PB(?:1|2|4|102|104)|SECC|SGCC|SGHC|SK\d[A-Z]?|SUM\d{2}[A-Z]?|SS400|SM490[A-Z]?|NAK80|DC53|STAVAX|ASP23|"
    r"ASSAB ?\d{2,3}|"
    r"HPM\d{1,2}"
    r"|X\d{1,3}(?:Cr|Ni|Mn|Mo|Ti|Al|Cu|Nb|V|W|N|S|Si){1,6}\d{0,2}(?:-\d{1,2}){0,4}"
    r"|\d{1,3}(?:Cr|Mn|Ni|Mo|Si|SMn)(?:Cr|Mn|Ni|Mo|Si|S|V|B|Al|Pb|W|"
    r"Ti){0,5}\d{0,2}(?:-\d{1,2}){0,2}(?:\+?[A-Z]{1,3}\d?)?"
    r"|(?:0|1|2|3)\d{0,2}Cr\d{1,2}(?:[A-Z][a-z]?\d{0,2}){0,4}|C(?:10|15|22|35|45|50|55|60)(?:E|R|\+[A-Z]{1,2})?"
    r"|(?:Q(?:195|215|235|255|275|345|355|390|420)[A-E]?|GCr15(?:SiMn)?|T(?:8|10|12)A|[36][0-9]Mn|HT\d{3}|"
    r"QT\d{3}(?:-\d{1,2})?|ZL\d{3}|Cr12(?:Mo1?V1?)?)"
    r"|\d{2}#(?:鋼|钢)?"
    rf"|(?i:EN ?AW[- ]?|AW[- ]?|AA[ -]?|AL ?|A){_ALU}(?:BDS?|BES?|TES?|TDS?|P|B|W|PC)?(?i:{_TEMPER})"
    r"|(?:1|2|3|5|6|7)\d{3}-(?:T\d{1,4}|H\d{2,3})"
    r"|Al(?:Mg|Zn|Cu|Si|Mn|Fe|Ti|Pb|Cr|Sc)\d{0,2}(?:[.,]\d)?(?:(?:Mg|Zn|Cu|Si|Mn|Pb|Cr|Fe|Ti|"
    r"Bi)\d{0,2}(?:[.,]\d)?){0,4}(?: T\d{1,3})?|ADC\d{1,2}|A(?:35[67]|380|383|413)(?:\.\d)?|AZ(?:31|61|63|80|91)[A-E]?"
    r"|(?:(?i:Ti-?6Al-?4V)(?:-? ?ELI)?|TiAl6V4(?: ?ELI)?|TC4|TA[12]|Ti ?(?:Gr(?:ade|\.)?|Grade) ?\d{1,2}|"
    r"(?i:titanium |titan )?(?:Gr(?:ade|\.) ?(?:2|5|7|23)))"
    r"|2A(?:0[126]|1[01246]|50|70|80|90)|3A21|5A(?:0[2356]|12)|6A02|7A(?:0[349]|10)|L(?:Y1[12]|C[49]|F\d{1,2}|D\d{1,2})"
    r"|[A-Z]{1,2}\d{1,3}[A-Z]?(?= (?:(?:tool|alloy|spring|bearing|carbon|mou?ld|high[- ]speed) )?steel\b)"
    r"|YL1\d{2}|GG[GL]?-?\d{2,3}|(?:EN-)?GJ[LS]-?\d{3}(?:-\d{1,2}[A-Z]?)?|(?:Ultem|Torlon) ?\d{4}"
    r"|EN(?:1A|3B|8D?|9|1[4569]T?|24[TUVW]?|30B|31|36[AC]?|45)"
    r"|(?:17-4 ?PH|15-5 ?PH|17-7 ?PH|13-8 ?Mo|630 ?SS|904L|254 ?SMO|2205|S32750|duplex 2\d{3})"
    r"|(?:Inconel|Hastelloy|Monel|Incoloy|Nimonic|Waspaloy|Stellite|Invar|Kovar|Nitronic)(?: ?[A-Z]?-?\d{1,3}[A-Z]?)?"
    r"|C360(?!\d)|C(?:1020|1100|1220|1720|1751|2600|2680|2801|3601|3602|3603|3604|3605|3771|4622|4641|5191|5210|6161|"
    r"6191|6782|"
    r"46400|36000|17200|11000|63000|93200|95400)(?:BD|P|R|W)?"
    r"|C[WC]\d{3}[A-Z]|Cu(?:Zn|Sn|Al|Ni|Be|Cr|ETP|OF)\d{0,2}(?:(?:Pb|Al|Ni|Fe|Mn|P|Si|Zn|Zr)\d{0,2}){0,3}(?:-C)?|"
    r"H(?:59|62|65|68|70|80|90)|HPb\d{2}-\d|QSn\d[.-]?\d|Q(?:Al|Be|Si|Cr|Zr|Mn)\d{1,2}(?:[.-]\d{1,2}){0,3}|T2|BeCu|E-Cu\d{0,2}"
    r"|(?i:POM)(?:-[CHM])?|(?i:PEEK)(?:[-+ ]?(?:GF|CF)\d{2}| ?450G)?|"
    r"PA ?(?:6|11|12|46|66|6\.6)(?:[-+ ]?(?:GF|CF|G)\d{0,2})?|"
    r"(?i:PTFE|PVDF)|PFA|FEP|UHMW-?PE|PE-?(?:UHMW|HD|HMW)(?: ?1000)?|HDPE|LDPE|PC(?:/ABS)?|ABS(?:/PC)?"
    r"|PMMA|PP(?:-?H)?|PPS(?:[-+ ]?GF\d{2})?|PEI|PET(?:-?[PG])?|PBT(?:[-+ ]?GF\d{2})?|"
    r"PSU|PPSU|PAI|PI|PVC(?:-U)?|PU|PUR|TPU|"
    r"EPDM|NBR|FKM|VMQ|MC ?(?:nylon|ナイロン|尼龍|尼龙|901)|Delrin|Ultem|Torlon|Vespel|Teflon|"
    r"(?i:nylon) ?(?:6/6|6/12|4/6|66|6|12)|"
    r"FR-?4|Bakelite"
    rf"){_R}"
)
MATERIAL_WORD = re.compile(
    r"(?:304|316)?不[鏽锈銹]钢|(?:304|316)?不[鏽銹]鋼|白鐵|黃銅|黄铜|紫銅|紫铜|紅銅|红铜|青銅|青铜|磷青銅|磷青铜|"
    r"鈹銅|铍铜|鋁合金|铝合金|鈦合金|钛合金|純鈦|純鋁|碳鋼|碳钢|中碳鋼|合金鋼|合金钢|"
    r"工具鋼|工具钢|彈簧鋼|弹簧钢|模具鋼|模具钢|鑄鐵|铸铁|球墨鑄鐵|鑄鋼|铸钢|鋅合金|锌合金|鎂合金|镁合金|鎢鋼|钨钢|"
    r"電木|电木|壓克力|亚克力|鐵氟龍|铁氟龙|賽鋼|赛钢|塑鋼|尼龍|尼龙|矽膠|硅胶|"
    r"ステンレス鋼?|真鍮|黄銅|りん青銅|アルミ(?:合金|ニウム合金)?(?!マイト)|純チタン|チタン合金|チタン|ジュラコン|"
    r"ナイロン|テフロン|超硬|鋳鉄|"
    r"\b(?:stainless(?: steel)?|carbon steel|mild steel|tool steel|spring steel|alloy steel|cast iron|brass|bronze|"
    r"copper|alumini?um|titanium|magnesium|acetal|nylon|acrylic|polycarbonate|silicone|teflon)\b"
    r"|\b(?:Edelstahl|Baustahl|Werkzeugstahl|Federstahl|Stahl|Grauguss|Gusseisen|Messing|Bronze|Rotguss|Kupfer|"
    r"Aluminium|Alu|Titan|Magnesium|Polyamid|Plexiglas|Hartmetall)\b",
    re.IGNORECASE,
)
_SAME = (
    ("304", "1.4301", "X5CRNI18-10", "06CR19NI10", "0CR18NI9", "S30400"),
    ("304L", "1.4307", "X2CRNI18-9", "1.4306", "022CR19NI10", "S30403"),
    ("303", "1.4305", "X8CRNIS18-9", "Y1CR18NI9", "S30300"),
    ("316", "1.4401", "X5CRNIMO17-12-2", "06CR17NI12MO2", "S31600"),
    ("316L", "1.4404", "X2CRNIMO17-12-2", "1.4435", "022CR17NI12MO2", "S31603"),
    ("316TI", "1.4571", "X6CRNIMOTI17-12-2"),
    ("17-4PH", "630", "1.4542", "X5CRNICUNB16-4", "S17400"),
    ("42CRMO4", "1.7225", "SCM440", "4140", "42CRMO"),
    ("16MNCR5", "1.7131"),
    ("S45C", "C45", "1.0503", "1045", "45#", "C45E", "1.1191"),
    ("S235JR", "1.0038"),
    ("S355J2", "1.0577"),
    ("SKD11", "D2", "1.2379", "X153CRMOV12", "CR12MO1V1"),
    ("100CR6", "1.3505", "SUJ2", "GCR15", "52100"),
    ("TI-6AL-4V", "TI6AL4V", "TIAL6V4", "3.7165", "TC4", "GR5", "GRADE5", "R56400"),
    ("6082", "ALMGSI1", "3.2315", "ALSI1MGMN"),
    ("7075", "3.4365", "ALZNMGCU1.5", "ALZN5.5MGCU"),
    ("5083", "ALMG4.5MN0.7", "3.3547"),
    ("6061", "3.3211", "ALMG1SICU"),
    ("CUZN39PB3", "CW614N", "2.0401", "C3604"),
    ("POM", "DELRIN", "ACETAL"),
    ("PTFE", "TEFLON"),
    ("PA66", "NYLON66"),
    ("PEI", "ULTEM"),
)
_PREFIX = re.compile(r"^(?:SUS|STS|AISI|SAE|SS|ENAW|AW|AA|AL|A)-?(?=\d)")


def material_key(value: str) -> str:
    """What grades of several standards that name one alloy have in common."""
    plain = _PREFIX.sub("", "".join(value.upper().split()))
    for number, names in enumerate(_SAME):
        if plain in names:
            return f"={number}"
    return plain
