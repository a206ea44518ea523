"""Exact terms: part numbers, grades, standards and document ids, with one documented normal form.

The normal form makes equal what is the same term in another typing, and nothing more: Unicode NFKC (full width to
half width), letter case, every kind of dash, `×` for `x`, the decimal comma inside a thread size, white space around
dashes and beside letters. It never makes look-alikes equal: `O` and `0`, `I`, `l` and `1`, Latin and Cyrillic letters
stay different, because a part that only looks right is the wrong part.
"""

import re
import unicodedata
from dataclasses import dataclass

MAX_TERM = 64

_DASHES = "\u002d\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_DASH = re.compile(f"\\s*[{_DASHES}]\\s*")
_LONG_VOWEL_DASH = re.compile("(?<=[0-9a-z])\u30fc(?=[0-9a-z])")
_THREAD = re.compile(r"(m\d+(?:[.,]\d+)?)\s*x\s*(\d+(?:[.,]\d+)?)")
_SPACE = re.compile(r"\s+")
_IDLE_SPACE = re.compile(r"(?<=[^\W\d_]) | (?=[^\W\d_])")

# Letters of a term: ASCII, full width, Latin with accents, Greek, Cyrillic. A term that hides a foreign letter is
# found whole, so that its remainder is not taken for another term.
_LETTER = "A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ɏͰ-ϿЀ-ԯ"
_DIGIT = "0-9０-９"
_WORD = f"[{_LETTER}{_DIGIT}\u00ad\u200b-\u200d\u2060]+"
_JOIN = f"[{_DASHES}\uff70\u30fc./_．／＿]"
_BEFORE = f"(?<![{_LETTER}{_DIGIT}@])"
_AFTER = f"(?![{_LETTER}{_DIGIT}])"
_GAP = f"[ \u00a0\u3000]?[{_DASHES}/:.]?[ \u00a0\u3000]?"

_ADDRESS = re.compile(r"(?:https?://|www\.)\S{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+", re.ASCII)
_PLAIN_BODY = r"(?:DIN|ISO|JIS|ASTM|ANSI|ASME|IEC|din|iso|jis|astm|ansi|asme|iec|Din|Iso|Jis)"
_UPPER_BODY = r"(?:EN|GB/T|GB|CNS|SAE|AISI|AMS|MIL|UNS|VDA|VDI|VDE|UL|BS|NF|IATF|IPC|NAS|AS|KS|AW)"
_BODY = f"(?:{_PLAIN_BODY}|{_UPPER_BODY}|(?<=din )en)"
_STANDARD = re.compile(
    f"{_BEFORE}{_BODY}(?:[ /-]{_BODY}){{0,3}}{_GAP}(?:[A-Za-z]{{1,4}}{_GAP})?"
    f"[{_DIGIT}]+(?:[{_DASHES}.:/][{_LETTER}{_DIGIT}]+){{0,6}}"
    f"(?: [{_DASHES}] [{_LETTER}{_DIGIT}]{{1,3}})?{_AFTER}"
)
_GRADE = re.compile(
    f"{_BEFORE}(?:SUS|STS|SCM|SKD|SKH|SUJ|SUM|SPCC|SS|ADC|PEEK|Inconel|INCONEL|Monel|Hastelloy|[Ss]us)"
    f"[ \u00a0\u3000-]?[{_DIGIT}]{{1,4}}[{_LETTER}{_DIGIT}]{{0,4}}(?:[{_DASHES}][{_LETTER}{_DIGIT}]{{1,4}})*{_AFTER}"
)
_METRIC_THREAD = re.compile(
    f"{_BEFORE}[MmＭｍ][{_DIGIT}]{{1,3}}(?:[.,][{_DIGIT}])?[ \u3000]?[xX×Ｘｘ✕][ \u3000]?"
    f"[{_DIGIT}]{{1,3}}(?:[.,][{_DIGIT}]{{1,3}})?(?:[{_DASHES}][{_DIGIT}][A-Za-z])?{_AFTER}"
)
_CODE = re.compile(f"{_BEFORE}{_WORD}(?:{_JOIN}{_WORD})*{_AFTER}")

_UNITS = (
    "pcs?|pc|st|stk|stück|ea|sets?|units?|mm2?|cm[23]?|dm|m[23]?|km|[uµμ]m|nm|kg|g|mg|t|lbs?|oz|ml|l|h|hrs?|min|s|sec|ms|"
    "d|days?|w|wks?|weeks?|months?|years?|y|eur|usd|k|v|kv|kw|a|ma|hz|[kmg]hz|pa|[kmg]pa|bar|n|nm|hrc|hv|hb|f|c|in|ft|"
    "am|pm|th|nd|rd|er|p|px|bit|[kmgt]b|x|tage?n?|wochen?|jahre?n?|s"
)
_QUANTITY = re.compile(rf"[\d.,/-]+(?:{_UNITS})")
_DIMENSIONS = re.compile(rf"[\d.,]+(?:(?:{_UNITS})?x[\d.,]+)+(?:{_UNITS})?")
_YEARS = re.compile(r"(?:19|20)\d\d-(?:19|20)?\d\d")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:t\d\w*)?|\d{1,2}-\d{1,2}-\d{2,4}")
_DIGIT_GROUPS = re.compile(r"\d+(?:[-_]\d+)+")
_MATERIAL_NUMBER = re.compile(r"[1-3]\.\d{4}")
_HYPHENATED = re.compile(f"{_BEFORE}[{_LETTER}]{{2,20}}(?:[{_DASHES}][{_LETTER}]{{1,20}}){{1,4}}{_AFTER}")
_DOCUMENT_ID = re.compile(r"[A-ZＡ-Ｚ]{2,}(?:-[A-ZＡ-Ｚ]+)+")


@dataclass(frozen=True, slots=True)
class Term:
    """One exact term: its normal form and its half-open character span in the text it was found in."""

    term: str
    start: int
    end: int


def normalize_term(raw: str) -> str:
    """The normal form of one term, as the module says; idempotent, total, "" for white space alone."""
    text, before = raw, None
    while text != before:  # composing can make what an earlier rule has already looked for
        text, before = _normalized_once(text), text
    return text


def _normalized_once(raw: str) -> str:
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _INVISIBLE.sub("", raw)).casefold())
    text = text.replace("×", "x").replace("✕", "x")
    text = _LONG_VOWEL_DASH.sub("-", _DASH.sub("-", text))
    text = _SPACE.sub(" ", text).strip()
    text = _THREAD.sub(lambda found: found[0].replace(",", ".").replace(" ", ""), text)
    return _IDLE_SPACE.sub("", text)


def exact_terms(text: str) -> tuple[Term, ...]:
    """The part numbers, grades, standards, threads and document ids of `text`, in order, without overlap.

    At most MAX_TERM characters each. Plain quantities, dimensions, dates, links and mail addresses are none.
    Spans are characters of `text` as given.
    """
    taken = bytearray(len(text))
    for address in _ADDRESS.finditer(text):
        taken[address.start() : address.end()] = b"\1" * len(address[0])
    terms: list[Term] = []
    for form in (_STANDARD, _GRADE, _METRIC_THREAD, _CODE):
        for found in form.finditer(text):
            start, end = found.span()
            if end - start > MAX_TERM or any(taken[start:end]):
                continue
            if form is not _CODE or _is_code(found[0]):
                terms.append(Term(normalize_term(found[0]), start, end))
                taken[start:end] = b"\1" * (end - start)
    return tuple(sorted(terms, key=lambda term: term.start))


def query_terms(text: str) -> tuple[tuple[str, ...], ...]:
    """What a query asks for: for each of its exact terms, once, the normal forms that answer it.

    `DIN EN ISO 2768-mK` is answered by `ISO 2768-mK` too: the adopted standard is the same text. A person types the id
    of a document in small letters as well, so each hyphenated word is asked for; what is indexed stays strict.
    """
    asked: dict[str, tuple[str, ...]] = {}
    for term in exact_terms(text):
        asked[term.term] = _answers(term.term)
    for word in _HYPHENATED.finditer(text):
        form = normalize_term(word[0])
        asked.setdefault(form, (form,))
    return tuple(asked.values())


def index_terms(text: str) -> tuple[str, ...]:
    """The normal forms that `text` answers to: its exact terms, and standards without adopters or class.

    `ISO 2768-mK` also answers to `ISO 2768`; a query for `ISO 2768-mK` is not answered by `ISO 2768-fH`.
    """
    forms = dict.fromkeys(form for term in exact_terms(text) for form in _answers(term.term))
    for form in tuple(forms):
        base = _STANDARD_BASE.match(form)
        if base is not None and base[0] != form:
            forms[base[0]] = None
    return tuple(forms)


_ADOPTER = re.compile(r"(?:din|en|bs|nf|jis|gb/t|cns|ansi|ks)[/-]?(?=(?:en|iso|iec)[/-]?\d|en[/-]?(?:iso|iec))")
_STANDARD_BASE = re.compile(r"(?:din|iso|jis|astm|ansi|asme|iec|en|gb/t|gb|cns|ams|sae|vda|vdi|bs)+[a-z]?\d+(?=[-:./])")


def _answers(form: str) -> tuple[str, ...]:
    """The form itself and, for a standard, the forms without its adopters."""
    forms = [form]
    while (adopter := _ADOPTER.match(forms[-1])) is not None:
        forms.append(forms[-1][adopter.end() :])
    return tuple(forms)


def _is_code(raw: str) -> bool:
    term = normalize_term(raw)
    digits = sum(char.isdigit() for char in term)
    if not digits:
        return _DOCUMENT_ID.fullmatch(_DASH.sub("-", raw)) is not None
    if _DATE.fullmatch(term) or _YEARS.fullmatch(term):
        return False
    if digits == len(term):
        return False
    if not any(char.isalpha() for char in term):
        return _MATERIAL_NUMBER.fullmatch(term) is not None or (
            digits >= 5 and _DIGIT_GROUPS.fullmatch(term) is not None
        )
    if _QUANTITY.fullmatch(term) or _DIMENSIONS.fullmatch(term):
        return False
    return len(term) >= 3 or re.fullmatch(r"[MＭ][\d]", raw) is not None
