"""Numbers that count the goods without a unit: "40 brackets", "75 of these", "35 Gehäuse", "let's go with 200".

Why it is so: no list of goods is complete. So any plural noun behind a number counts pieces, unless it names time,
money, measure, paper, people or a feature of the part; and the caller asks only where no unit counts anything.
"""

import re

from models.extraction.scripts import Language

_NO_GOODS_EN = (
    r"days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|percent|business|working|calendar|"
    r"(?:dollar|euro|cent|pound|buck)s?|microns?|degrees?|inch(?:es)?|feet|met(?:er|re)s?|millimet\w{2,3}|(?:kilo)?grams?|"
    r"kilos?|tons?|tonnes?|lit(?:er|re)s|lbs?|places|decimals|holes?|threads?|slots?|bores?|edges?|faces?|surfaces?|sides?|"
    r"corners?|flutes?|teeth|pockets?|features?|ax[ei]s|options?|versions?|variants?|alternatives?|sizes?|types?|kinds?|"
    r"grades?|materials?|alloys?|colou?rs?|finish(?:es)?|coats?|layers?|passes|steps?|stages?|phases?|drawings?|models?|attached|enclosed|files?|"
    r"pages?|sheets? attached|attachments?|documents?|copies|mails?|emails?|messages?|calls?|questions?|points?|"
    r"issues?|things?|ways?|reasons?|times|others?|suppliers?|vendors?|customers?|companies|people|persons?|colleagues|"
    r"engineers|employees|shops?|sites?|plants?|locations?|address(?:es)?|shipments?|deliveries|releases|instal+ments|"
    r"price(?:s)?|quotes?|quotations|offers?|breaks?|tiers?|lines?|positions?|rows?|shifts?|machines?|hp|rpm|volts?|amps?|"
    r"watts?|bars?|psi|stars|series|is|was|has|as|this|thus|plus|less|its|us|yes|cycles|"
    r"(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|degrees|standards?|radius"
)
_NO_GOODS_DE = (
    r"Tage?n?|Wochen?|Monate?n?|Jahre?n?|Stunden?|Minuten?|Uhr|Prozent|Euro|Cent|Grad|Arbeitstagen?|Werktagen?|"
    r"Kalenderwochen?|Millimeter|Zentimeter|Meter|Mikrometer|Gramm|Kilo(?:gramm)?|Tonnen?|Liter|Zoll|Bohrung(?:en)?|"
    r"Gewinde|Löcher|Seiten?|Achsen?|Varianten?|Optionen?|Versionen?|Alternativen?|Größen|Farben|Materialien|"
    r"Werkstoffe?|Oberflächen?|Zeichnung(?:en)?|Dateien|Anhänge|Fragen?|Punkte?|Kunden?|Lieferanten?|Mitarbeitern?|Ansprechpartner|"
    r""
    r"Personen|Firmen|Angebote?|Preise?|Staffeln?|Positionen|Lieferung(?:en)?|Abrufe?n?|Lose?n?|Maschinen?|"
    r"Schichten?|Mal|Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|"
    r"Härte|Shore|Toleranz|Newton|Bar|Volt|Watt|Dutzend|Tausend|Millionen|Index|Rev|Stand|Ausgabe"
)
_ENGLISH = re.compile(
    rf" (?:of (?:these|those|them|the|this|our|each)\b|(?!(?:{_NO_GOODS_EN})\b)(?:(?!(?:{_NO_GOODS_EN}|and|or|in|of|to|"
    rf"for|at|on|by|per|from|with|the|a|is|are|we|you|if)\b)[a-z][a-z-]{{1,18}} ){{0,2}}"
    rf"(?!(?:{_NO_GOODS_EN})\b)[a-z][a-z-]{{1,18}}(?<!s)(?:s|es)\b)",
)
_GERMAN = re.compile(
    rf" (?!(?:{_NO_GOODS_DE})\b)(?:[a-zäöüß]{{2,16}}e[nrsm]? )?(?!(?:{_NO_GOODS_DE})\b)[A-ZÄÖÜ][a-zäöüß]{{3,30}}\b"
)
_TAKEN = re.compile(
    r"(?:\blet'?s (?:go (?:with|for)|do|say|take|make it|order)|\b(?:we|i)(?:'d| would|'ll| will| can)? "
    r"(?:take|need|order|go (?:with|for)|do)|\bgo (?:with|for)|\bdann (?:bitte|nehmen wir)|\bnehmen wir|"
    r"\bwir (?:nehmen|brauchen|bestellen)|\bbitte nur)(?: (?:just|only|nur|bitte))?[:： ]{0,2}\Z",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:quote|price|pricing|prices|preise|angebot)(?: (?:us|me|for|on|für|über|both|at))*"
    r" (?:\d[\d.,]{0,9}?(?:,| and| or| und| oder| &|/) ?){1,5}\Z",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r" ?(?:[,;!?)]|\.(?!\d)|\n|\Z|(?:instead|then|please|bitte|total|altogether|overall|this time|for now|dann|diesmal|"
    r""
    r"either way|in total|insgesamt|for|in|as|aus|für|from|with)\b)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r" ?(?:statt|anstatt|anstelle von|instead of|rather than)(?: (?:the|der|die|den|bisher|previous|original))? ?",
    re.IGNORECASE,
)


def counts_goods(plain: str, end: int, language: Language) -> bool:
    """Whether the words behind a number that ends at `end` are the goods it counts."""
    if language == "de":
        return _GERMAN.match(plain, end) is not None
    return language == "en" and _ENGLISH.match(plain, end) is not None


def taken_alone(folded: str, start: int, end: int) -> bool:
    """Whether a bare number is what somebody takes or asks for: "let's go with 200 instead", "quote 100 and 500"."""
    if _ENDS.match(folded, end) is None:
        return False
    before = folded[max(0, start - 60) : start]
    return _TAKEN.search(before) is not None or _LISTED.search(before) is not None


def closes(folded: str, end: int) -> bool:
    """Whether nothing that a number could measure follows it."""
    return _ENDS.match(folded, end) is not None


def in_place_of(between: str) -> bool:
    """Whether the words between two numbers put the first in the place of the second."""
    return _INSTEAD.fullmatch(between) is not None
