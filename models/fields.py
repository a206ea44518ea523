"""The fields of a quote: their names, their values, and what one message says about them."""

import math
import re
from datetime import date
from typing import Annotated, Literal, get_args

from pydantic import Field, StrictBool, StrictInt, StrictStr

from models.contract import Contract
from models.errors import InvalidField

FieldName = Literal[
    "material",
    "quantity",
    "quantity_unit",
    "part_number",
    "drawing_number",
    "surface_treatment",
    "tolerance",
    "special_inspection",
    "wanted_date",
]
SurfaceTreatment = Literal["none", "passivation", "anodizing", "hard_anodizing", "plating", "painting", "other"]
FieldValue = Annotated[StrictBool | StrictInt | StrictStr, Field(union_mode="left_to_right")]

FIELD_NAMES: tuple[FieldName, ...] = get_args(FieldName)
SURFACE_TREATMENTS: tuple[SurfaceTreatment, ...] = get_args(SurfaceTreatment)
MAX_QUANTITY = 1_000_000_000
MAX_TEXT = 200

_YES_NO = {"true": True, "yes": True, "false": False, "no": False}
_DIGITS = re.compile(r"[0-9]{1,10}")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Span(Contract):
    """A half-open range of characters in the original text."""

    start: int
    end: int


class FieldReading(Contract):
    """One value and the characters of the original text that show it."""

    field: FieldName
    value: FieldValue
    start: int
    end: int


class UnderstoodDays(Contract):
    """Words for a wanted day that are no full date, and the first and last day (ISO) that they can mean."""

    start: int
    end: int
    first: str
    last: str


class MessageFields(Contract):
    """What a message settles, what it leaves open, and where it names two values for one field."""

    settled: dict[FieldName, FieldReading]
    undecided: dict[FieldName, Span]
    conflicts: dict[FieldName, tuple[FieldReading, ...]]


def check_value(field: FieldName, raw: object) -> FieldValue:
    """The value of a structured confirmation; InvalidField says what the field takes."""
    if field == "quantity":
        return _checked_quantity(raw)
    if field == "special_inspection":
        if not isinstance(raw, bool):
            raise InvalidField("special_inspection takes true or false")
        return raw
    text = _checked_text(field, raw)
    if field == "surface_treatment" and text not in SURFACE_TREATMENTS:
        raise InvalidField(f"surface_treatment takes one of {', '.join(SURFACE_TREATMENTS)}")
    if field == "wanted_date":
        return _checked_date(text)
    return text


def parse_confirmation(field: str, raw: str) -> tuple[FieldName, FieldValue]:
    """A confirmation as a person types it (`quantity=1300`); InvalidField for an unknown field or a wrong value."""
    for name in FIELD_NAMES:
        if name == field:
            return name, check_value(name, _typed(name, raw))
    raise InvalidField(f"{field[:40]!r} is no field; the fields are {', '.join(FIELD_NAMES)}")


def _typed(field: FieldName, raw: str) -> object:
    word = raw.strip()
    if field == "quantity" and _DIGITS.fullmatch(word):
        return int(word)
    if field == "special_inspection":
        return _YES_NO.get(word.casefold(), word)
    return word


def _checked_quantity(raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 1 <= raw <= MAX_QUANTITY:
        raise InvalidField(f"quantity takes a whole number from 1 to {MAX_QUANTITY}, written as plain digits")
    return raw


def _checked_text(field: FieldName, raw: object) -> str:
    if isinstance(raw, float) and not math.isfinite(raw):
        raise InvalidField(f"{field} takes a text, not {raw}")
    if not isinstance(raw, str) or not raw.strip() or len(raw) > MAX_TEXT or _FORBIDDEN.search(raw):
        raise InvalidField(f"{field} takes a text of 1 to {MAX_TEXT} characters on one line")
    return raw.strip()


def _checked_date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat() if len(text) == 10 else _no_date()
    except ValueError:
        return _no_date()


def _no_date() -> str:
    raise InvalidField("wanted_date takes a date written as 2027-03-15")
