"""`field-proposals@1`: what a model points to in a message, and how little of it the program keeps.

Why it is so: the rules (models/extraction) know what they read; a model only guesses well. So the rules' word stands:
what they settled, left open or saw in conflict is never replaced by a proposal. A proposal can do two things. It can
fill a field of which the rules read nothing, when the message itself names the field right before the words, the words
say exactly that value, and the rules would settle a value that they know at this very place: no doubt, denial or
alternative hangs on it. And it can say that a settled field is open after all, which asks a person. Whatever a model
answers, nothing is confirmed that the rules hold for undecided.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from models.contract import Contract
from models.errors import InvalidField
from models.extraction import extract_fields
from models.fields import FIELD_NAMES, FieldName, FieldReading, FieldValue, MessageFields, Span, check_value
from models.folding import fold
from models.values import numbers_in

MAX_PROPOSALS = 20
MAX_PLACES = 3
MAX_QUOTE = 200
_MAX_LABEL = 60


class FieldProposal(Contract):
    """A value and the words of the message that show it."""

    field: FieldName
    value: FieldValue
    quote: str = Field(min_length=1, max_length=MAX_QUOTE)


class OpenField(Contract):
    """A field of which the message says that it is not fixed, and the words that say so."""

    field: FieldName
    quote: str = Field(min_length=1, max_length=MAX_QUOTE)


class FieldProposals(Contract):
    """Everything that a model reads in one message."""

    schema_version: Literal["field-proposals@1"] = "field-proposals@1"
    proposals: tuple[FieldProposal, ...] = Field(max_length=MAX_PROPOSALS)
    open: tuple[OpenField, ...] = Field(default=(), max_length=MAX_PROPOSALS)


# What stands right before a value and names its field, in the languages of the product.
_LABELS: dict[FieldName, tuple[str, ...]] = {
    "material": (
        r"materials?|raw material|materialwahl|werkstoffe?|grundwerkstoff|alloy|grade|材质|材料|素材|材",
        r"matériau|matière|materiale?|재질",
    ),
    "quantity": (r"quantity|qty|menge|stückzahl|anzahl|losgröße|数量|件数|個数|个数|quantité|cantidad|quantità|수량",),
    "part_number": (
        r"(?:part|item|article|product) ?(?:no|nr|number|code|id)|p/n|pn|sku|(?:teile|artikel|sach)-?(?:nr|nummer)",
        r"料号|件号|品号|品番|部品番号|物料(?:编)?号|零件(?:编)?号|réf(?:érence)?|referencia|품번",
    ),
    "drawing_number": (
        r"(?:drawing|dwg|print)(?: ?(?:no|nr|number))?|zeichnung(?:s-?(?:nr|nummer))?|图号|图纸(?:编)?号|图面(?:编)?号",
        r"図番|図面番号|plan(?: n°)?|plano|도번",
    ),
    "surface_treatment": (
        r"(?:surface )?(?:finish|treatment)|coating|oberfläche(?:nbehandlung)?|beschichtung",
        r"表面处理|表面処理|处理|traitement de surface|acabado",
    ),
    "tolerance": (
        r"(?:general )?tolerances?|(?:allgemein)?toleranz(?:en)?|(?:一般)?公差(?:要求)?|许容差|tolérance|tolerancia",
    ),
    "wanted_date": (
        r"(?:delivery|due|required|wanted|need(?:ed)?|ship(?:ping|ment)?)(?: ?(?:date|day|by|on))+",
        r"liefertermin|wunschtermin|termin|交期|交货日期?|交货期|需求日|希望纳期|纳期",
        r"date de livraison|fecha de entrega",
    ),
}
_FORMS = {name: fold("|".join(forms)) for name, forms in _LABELS.items()}
# Line by line: `- Material (raw): ...`, perhaps behind other fields of the same form. A sentence that speaks of an old
# part, denies or wishes names the field as well, and is no statement of it.
_NAMED = {
    name: re.compile(rf"[\s\-–•*·\d.)]{{0,6}}(?:{form})(?: ?\([^()\n]{{1,20}}\))?\s{{0,2}}[:：=]\s{{0,4}}")
    for name, form in _FORMS.items()
}
_SPOKEN = {name: re.compile(rf"(?:{form})") for name, form in _FORMS.items()}
_LINE_LABELS = {name: re.compile(rf"(?:^|[^\w])(?:{form})\s*[:：=]") for name, form in _FORMS.items()}
_ANY_LABEL = re.compile(rf"(?:{'|'.join(_FORMS.values())})")
# Words that only point to where a value stands, or hang a condition on it.
_POINTS = re.compile(
    fold(
        r"\b(?:see|per|acc|according|as|same|like|or|any|similar|equivalent|alternativ\w*|customer|tb[acd]|open|pending|if|maybe"
        r"|siehe|gemäß|laut|nach|wie|oder|bzw|ähnlich\w*|gleichwertig\w*|kunde\w*|offen|falls|ou|selon|según|o)\b"
        r"|参|见|依|按|如|同|客|或|待|类似|等|または|もしくは|参照|[?？/]"
    )
)
# A message in which anything at all is provisional fills nothing by proposal: what is missing is asked instead.
_DOUBTS = re.compile(
    fold(
        r"\b(?:confirm\w*|assum\w*|tentativ\w*|provisional\w*|preliminary|subject to|approval|pending|tb[acd]|may"
        r"|might|could|change[sd]?|advise|suggest\w*|propos\w*|alternativ\w*|example|sample|unsure|perhaps|maybe|probably|cancel\w*"
        r"|bestätig\w*|vorbehalt\w*|vorläufig\w*|annahme|angenommen|vorschl\w*|voraussichtlich|eventuell|evtl|vielleicht"
        r"|könnte\w*|ändern\w*|beispiel\w*|muster\w*|storn\w*)\b"
        r"|待|可能|暂|假设|假如|确认|未定|仮|予定|変更|更改|变更|会换|建议|参考|例如|样品|或许|大概|也许|取消|提案|検討"
    )
)
# A value that the rules know, put in the place of the words: they settle it there or the place does not bear one.
_KNOWN: dict[FieldName, str] = {
    "material": "SUS304",
    "part_number": "ZQ-4417-B",
    "drawing_number": "ZQ-4417-B",
    "surface_treatment": "passivation",
    "tolerance": "±0.05 mm",
}
_COUNTED = re.compile(r"[^\W\d_]{0,20}\.?")
_ENDS = re.compile(r"[ \t]*(?:$|[\n;；。]|[，、]|,(?!\d)|\.(?:\s|$))")
_DESIGNATIONS: frozenset[FieldName] = frozenset({"material", "part_number", "drawing_number", "tolerance"})
_SENTENCE_END = re.compile(r"[\n。；;!?！？]|\.\s")


def message_view(text: str, characters: int) -> dict[str, Any]:
    """`message-text@1` as a model is handed it: the beginning of the message."""
    return {"schema_version": "message-text@1", "text": text[:characters]}


def fields_with_proposals(text: str, ruled: MessageFields, answer: FieldProposals) -> MessageFields:
    """`ruled`, the rules' reading of `text`, with what of a model's answer can be kept."""
    settled, undecided = dict(ruled.settled), dict(ruled.undecided)
    known = settled.keys() | undecided.keys() | ruled.conflicts.keys()
    for one in answer.open:
        span = _said_open(text, one, settled.get(one.field))
        if span is not None:
            del settled[one.field]
            undecided[one.field] = span
    for name in FIELD_NAMES:
        proposed = [one for one in answer.proposals if one.field == name]
        # Of two values neither is chosen.
        if (
            name in known
            or any(one.field == name for one in answer.open)
            or len({str(one.value) for one in proposed}) != 1
        ):
            continue
        reading = _supported(text, proposed[0])
        if reading is not None:
            settled[name] = reading
    return MessageFields(settled=settled, undecided=undecided, conflicts=ruled.conflicts)


def _said_open(text: str, said: OpenField, reading: FieldReading | None) -> Span | None:
    """Where the message says so, if it says it in the sentence of the settled value or in one that names the field."""
    if reading is None:
        return None
    spoken = _SPOKEN.get(said.field)
    for start, end in _places(text, said.quote):
        between = text[min(end, reading.end) : max(start, reading.start)]
        near = _SENTENCE_END.search(between) is None
        if near or (spoken is not None and spoken.search(fold(_sentence(text, start, end)))):
            return Span(start=start, end=end)
    return None


def _sentence(text: str, start: int, end: int) -> str:
    before = [found.end() for found in _SENTENCE_END.finditer(text, 0, start)]
    after = _SENTENCE_END.search(text, end)
    return text[before[-1] if before else 0 : len(text) if after is None else after.start()]


def _supported(text: str, proposal: FieldProposal) -> FieldReading | None:
    """The proposal as a reading, when every place of its quote bears it."""
    name = proposal.field
    try:
        value = check_value(name, proposal.value)
    except InvalidField:
        return None
    places = list(_places(text, proposal.quote))
    if name not in _NAMED or not 1 <= len(places) <= MAX_PLACES or not _shows(name, proposal.quote, value):
        return None
    known = _KNOWN.get(name) or (str(value) if name == "wanted_date" else f"{value} pcs")
    if not all(_bears(text, name, place, known) for place in places):
        return None
    start, end = places[0]
    return FieldReading(field=name, value=value, start=start, end=end)


def _places(text: str, quote: str) -> Iterator[tuple[int, int]]:
    at = text.find(quote)
    count = 0
    while at >= 0 and count <= MAX_PLACES:
        yield at, at + len(quote)
        count += 1
        at = text.find(quote, at + 1)


def _shows(name: FieldName, quote: str, value: FieldValue) -> bool:
    """Whether the quoted words say this value: letter for letter, or as a number, a day or a treatment by value."""
    if name == "quantity":
        numbers = numbers_in(quote)
        rest = _COUNTED.fullmatch(quote[numbers[0].end :].strip()) if numbers else None
        if len(numbers) != 1 or quote[: numbers[0].start].strip() or rest is None:
            return False
        return [str(one) for one in numbers[0].readings] == [str(value)] and numbers[0].unit in (None, "piece", "box")
    if name == "wanted_date":
        return _read(f"delivery date: {quote}", name) == value
    if name == "surface_treatment":
        return _read(f"finish: {quote}", name) == value
    designates = any(char.isdigit() for char in quote) and any(char.isalpha() for char in quote)
    if any(number.unit is not None for number in numbers_in(quote)) or _POINTS.search(fold(quote)) is not None:
        return False
    return name in _DESIGNATIONS and designates and _plain(quote) == _plain(str(value))


def _bears(text: str, name: FieldName, place: tuple[int, int], known: str) -> bool:
    """Whether the field is named right before and nowhere else, the value ends there, and the rules would settle it."""
    start, end = place
    folded = fold(text)
    line = text.rfind("\n", 0, start) + 1
    if not _named(name, text[line:start]) or _DOUBTS.search(folded) is not None:
        return False
    if len(_LINE_LABELS[name].findall(folded)) > 1 or not _ends(text, end):
        return False
    reading = extract_fields(f"{text[:start]}{known}{text[end:]}").settled.get(name)
    return reading is not None and reading.start < start + len(known) and start < reading.end


def _named(name: FieldName, before: str) -> bool:
    """Whether `before`, the line up to the value, ends with the field's name; only named values may stand before it."""
    *others, label = re.split(r"[;；，、]|,(?!\d)", before)
    if len(label) > _MAX_LABEL or _NAMED[name].fullmatch(fold(label)) is None:
        return False
    return all(any(form.match(fold(other)) for form in _NAMED.values()) for other in others)


def _ends(text: str, end: int) -> bool:
    """Whether the value ends at `end`, another field follows in its line, and the next line takes nothing back."""
    mark = _ENDS.match(text, end)
    if mark is None:
        return False
    folded = fold(text)
    line_end = folded.find("\n", end)
    line_end = len(folded) if line_end < 0 else line_end
    rest = folded[min(mark.end(), line_end) : line_end].strip()
    other = not rest or rest[0].isdigit() or _ANY_LABEL.match(rest) is not None
    following = folded[line_end : line_end + 80].strip().split("\n")[0]
    return other and _POINTS.search(rest) is None and _POINTS.match(following) is None


def _read(text: str, name: FieldName) -> FieldValue | None:
    reading = extract_fields(text).settled.get(name)
    return None if reading is None else reading.value


def _plain(text: str) -> str:
    return "".join(fold(unicodedata.normalize("NFKC", text)).casefold().split())
