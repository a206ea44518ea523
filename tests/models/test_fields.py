"""What a structured confirmation may hold."""

import math

import pytest

from models.errors import InvalidField
from models.fields import MAX_QUANTITY, MAX_TEXT, check_value, parse_confirmation


@pytest.mark.parametrize(
    "raw", [0, -1, MAX_QUANTITY + 1, 1.0, 1e400, math.nan, True, "1,5", "1.000,00", "12", None, [5]]
)
def test_a_quantity_is_a_plain_whole_number(raw: object) -> None:
    with pytest.raises(InvalidField):
        check_value("quantity", raw)


@pytest.mark.parametrize("raw", ["1,300", "1.300", "-0", "1e3", "９９", "", "12345678901", "NaN", "0"])
def test_a_typed_quantity_has_plain_digits_only(raw: str) -> None:
    with pytest.raises(InvalidField):
        parse_confirmation("quantity", raw)


def test_typed_confirmations_take_their_types() -> None:
    assert parse_confirmation("quantity", " 1300 ") == ("quantity", 1300)
    assert parse_confirmation("special_inspection", "No") == ("special_inspection", False)
    assert parse_confirmation("surface_treatment", "plating") == ("surface_treatment", "plating")
    assert parse_confirmation("wanted_date", "2027-03-15") == ("wanted_date", "2027-03-15")
    assert parse_confirmation("material", " SUS304 ") == ("material", "SUS304")


@pytest.mark.parametrize(
    ("field", "raw"),
    [
        ("price", "3"),
        ("special_inspection", "maybe"),
        ("surface_treatment", "gold"),
        ("wanted_date", "2027-02-30"),
        ("wanted_date", "20270315"),
        ("material", " "),
        ("material", "a\nb"),
        ("material", "a\u202eb"),
        ("material", "\ud800"),
        ("material", "x" * (MAX_TEXT + 1)),
    ],
)
def test_anything_else_is_refused(field: str, raw: str) -> None:
    with pytest.raises(InvalidField):
        parse_confirmation(field, raw)


def test_one_is_not_true() -> None:
    with pytest.raises(InvalidField):
        check_value("special_inspection", 1)
    assert check_value("special_inspection", True) is True
