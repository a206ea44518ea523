"""The language of a message, by its script and its commonest words."""

import re
import unicodedata
from typing import Literal

from models.extraction.views import SIMPLIFIED, TRADITIONAL

Language = Literal["zh-TW", "zh-CN", "en", "ja", "de"]

_READ = 20_000
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[a-zäöüß]+", re.IGNORECASE)
_JAPANESE = frozenset("図検験処単変黒塩銭込枠円働対")
_GERMAN = frozenset(
    [
        "der",
        "die",
        "das",
        "und",
        "oder",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "bitte",
        "wir",
        "ihr",
        "sie",
        "ist",
        "sind",
        "aus",
        "mit",
        "ohne",
        "für",
        "über",
        "von",
        "zum",
        "zur",
        "bei",
        "auf",
        "an",
        "ein",
        "eine",
        "einen",
        "einer",
        "eines",
        "stück",
        "stk",
        "werkstoff",
        "zeichnung",
        "angebot",
        "anfrage",
        "menge",
        "termin",
        "teil",
        "teile",
        "guten",
        "tag",
        "hallo",
        "noch",
        "statt",
        "je",
        "pro",
        "brauchen",
        "benötigen",
        "liefertermin",
        "oberfläche",
        "gewinde",
        "länge",
        "bestellung",
        "jetzt",
        "sehr",
        "geehrte",
        "geehrter",
        "damen",
        "herren",
        "grüße",
        "mfg",
        "danke",
        "dass",
        "wird",
        "werden",
        "soll",
        "sollen",
        "kann",
        "können",
        "bis",
        "zu",
        "im",
        "am",
        "den",
        "dem",
        "des",
        "auch",
        "nur",
        "neu",
        "zwölf",
        "hundert",
        "tausend",
        "dutzend",
        "muster",
        "anbieten",
        "bieten",
        "satz",
        "sätze",
        "welle",
        "hülse",
        "buchse",
        "lieferzeit",
        "preis",
        "preise",
        "sonderprüfung",
        "bohrung",
        "bohrungen",
        "nut",
        "nuten",
        "schwarz",
        "farbe",
        "farblos",
        "halter",
        "platte",
        "platten",
        "wellen",
        "hülsen",
        "buchsen",
        "stahl",
        "edelstahl",
        "messing",
        "härte",
        "verzinkt",
        "vernickelt",
        "lackiert",
        "poliert",
        "gestrahlt",
        "toleranz",
        "maße",
        "dicke",
        "breite",
        "durchmesser",
        "anlage",
        "gemäß",
        "laut",
        "sonst",
        "falls",
        "ob",
        "wie",
        "prüfung",
    ]
)
_ENGLISH = frozenset(
    [
        "the",
        "and",
        "or",
        "not",
        "no",
        "please",
        "we",
        "you",
        "our",
        "your",
        "is",
        "are",
        "of",
        "in",
        "with",
        "without",
        "for",
        "from",
        "to",
        "on",
        "at",
        "a",
        "an",
        "this",
        "that",
        "need",
        "needs",
        "quote",
        "pcs",
        "pieces",
        "drawing",
        "quantity",
        "part",
        "delivery",
        "by",
        "hello",
        "hi",
        "dear",
        "regards",
        "thanks",
        "would",
        "could",
        "can",
        "be",
        "it",
        "as",
        "will",
        "have",
        "has",
        "order",
        "lead",
        "time",
        "each",
        "sets",
        "set",
        "price",
        "per",
        "yet",
        "only",
        "more",
        "change",
        "make",
        "now",
    ]
)


def detect_language(text: str) -> Language:
    """The language whose habits of writing the text follows; English where nothing speaks for another."""
    return likely_language(text) or "en"


def likely_language(text: str) -> Language | None:
    """As `detect_language`, None where the text has no word or letter that tells."""
    plain = unicodedata.normalize("NFKC", text[:_READ])
    words = [word.lower() for word in _WORD.findall(plain)]
    german = sum(word in _GERMAN for word in words) + sum(any(one in "äöüß" for one in word) for word in words)
    english = sum(word in _ENGLISH for word in words)
    kana, han = len(_KANA.findall(plain)), len(_HAN.findall(plain))
    if kana + han > max(german, english):
        japanese = kana >= 2 or (kana and han < 10) or any(one in _JAPANESE for one in plain)
        return "ja" if japanese else _chinese(plain)
    if german or english:
        return "de" if german > english else "en"
    return None


def _chinese(plain: str) -> Language:
    traditional = sum(one in TRADITIONAL for one in plain)
    simplified = sum(one in SIMPLIFIED for one in plain)
    return "zh-CN" if simplified > traditional else "zh-TW"
