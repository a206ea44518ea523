"""Materials: grades where the text names one, bare numbers beside a word for material, words only without any grade."""

import re

from models.extraction.grades import GRADE, MATERIAL_WORD, material_key
from models.extraction.masks import Ranges
from models.extraction.views import Candidate, SourceText

_BARE = re.compile(
    r"(?<![A-Za-z0-9._#/-])(?:30[1-4]|309|310|316|317|321|347|410|416|420|430|431|440|630|2024|1018|1045|4130|4140|"
    r"4340|8620|"
    r"(?<=[Ss]teel )(?:1[0-2](?:[1-9]\d|0[1-9])|12L14|8630|9310|52100)|"
    r"5052|5083|5754|6060|6061|6063|6082|7050|7075|30[34]L|316L|316Ti|440C)(?![A-Za-z0-9_])(?!-[A-Za-z0-9])(?![.,]\d)",
)
_BARE_ALONE = frozenset(
    {"5052", "6060", "5083", "5754", "6061", "6063", "6082", "7050", "7075", "304L", "316L", "316Ti", "440C", "303L"}
)
_BEFORE_BARE = re.compile(
    r"(?:材质|材料|用料|素材|材|不锈钢|铝合金|铝|stainless(?: steel)?|alumini?um|alloy|\bmaterial|\bin|\bfrom|\bof|"
    r"\bto|\baus|"
    r"werkstoff|edelstahl|用|做|钢|改|是|为|在|\btype|\bgrade|\bnot|\bnicht|\binstead of|\bstatt|\buse|\bstays?|"
    r"\bkeep|\bbleibt|\beither|\bsteel)"
    r"[^\w\n]{0,3}(?:is|are|ist|sind|be|can be|stays|用|选|是|为|は|改|先用|先)?[^\w\n]{0,3}\Z",
    re.IGNORECASE,
)
_AFTER_BARE = re.compile(
    r" ?(?:不锈钢|铝|白铁|钢|stainless|alumini?um|steel|edelstahl|ステンレス|アルミ|材|的料|"
    r"pre-?hard\w{0,4}|annealed|normali[sz]ed|(?:round )?bar\b|plate\b|sheet\b|billet|alloy)",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(
    r" ?(?:pcs?\b|pieces|ea\b|sets?\b|units?\b|stück|stk|mm\b|eur|usd|元|円|[件个片组套只颗本枚根]|"
    r"支(?!架|撑|座|柱)|台(?!阶|面|架)|条(?!码))",
    re.IGNORECASE,
)
_LINK = re.compile(
    r" ?(?:或者?|和|与|跟|及|、|/|,|\bor\b|\band\b|\bund\b|\boder\b|\bbzw\.?|か|と|または|还是|又は) ?", re.IGNORECASE
)
_WEAK = frozenset({"PC", "PP", "PI", "PU", "PET", "PA", "PEI", "PAI", "T2", "FC", "DC", "PUR", "ABS", "PE"})
_NOT_MATERIAL = re.compile(r" ?(?:conversion|tape|#|号机|/pcs|/件)", re.IGNORECASE)
# Only a name without a number can be the layer: "Ni plating", but "C3604 plated".
_LAYER = re.compile(r" ?(?:plat|镀|めっき|メッキ|oxid|coat|处理|コート|涂层|包胶)", re.IGNORECASE)
_CELL_BEFORE = re.compile(r"(?:\A|(?<!\d)(?<!\d )[,，。;；:：|\n]|[.] )\s{0,2}\Z")
_CELL_AFTER = re.compile(r"\s{0,2}(?:[,，。.;；|\n]|\Z)(?! ?\d+ ?[,，])")
_ANODIZED = re.compile(r"(?:アルマイト|アルミナイト)")


def find_materials(source: SourceText, taken: Ranges) -> list[Candidate]:
    """Every grade that stands outside `taken`; material words only where there is no grade. Same grade, same `key`."""
    folded = source.folded
    grades = [one for one in GRADE.finditer(source.plain) if not taken.touches(*one.span()) and not _other(folded, one)]
    found = [_candidate(source, *one.span()) for one in grades]
    named = Ranges([(one.start, one.end) for one in found], len(folded))
    for match in _BARE.finditer(folded):
        if (
            not named.touches(*match.span())
            and not taken.touches(*match.span())
            and _speaks_of_material(folded, match, found)
        ):
            found.append(_candidate(source, *match.span()))
    if not found:
        words = [one for one in MATERIAL_WORD.finditer(source.plain) if not taken.touches(*one.span())]
        found = [_candidate(source, *one.span()) for one in words if not _other(folded, one)]
    return sorted(found, key=lambda one: one.start)


def _candidate(source: SourceText, start: int, end: int) -> Candidate:
    value = source.plain[start:end].rstrip()
    return Candidate("material", value, start, start + len(value), key=material_key(value))


def _other(folded: str, match: re.Match[str]) -> bool:
    """Whether the letters name a layer, a unit or a piece instead of the material."""
    if _LAYER.match(folded, match.end()) and not any(one.isdigit() for one in match.group()):
        return True
    if _NOT_MATERIAL.match(folded, match.end()) or _ANODIZED.match(folded, match.start()):
        return True
    before = folded[max(0, match.start() - 6) : match.start()]
    return match.group() in _WEAK and re.search(r"\d ?\Z|/\Z", before) is not None


def _speaks_of_material(folded: str, match: re.Match[str], found: list[Candidate]) -> bool:
    """A bare number is a grade after a word for material, before one, or in one list with another grade."""
    if _UNIT_AFTER.match(folded, match.end()):
        return False
    before = folded[max(0, match.start() - 40) : match.start()]
    if _BEFORE_BARE.search(before) or _AFTER_BARE.match(folded, match.end()):
        return True
    if _CELL_BEFORE.search(before) and _CELL_AFTER.match(folded, match.end()):
        return True
    if any(_LINK.fullmatch(folded, one.end, match.start()) for one in found[-40:] if one.end <= match.start()):
        return True
    return match.group() in _BARE_ALONE
