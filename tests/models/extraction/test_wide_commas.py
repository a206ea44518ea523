"""A full-width comma either groups the digits of one number or ends a clause."""

import pytest

from models.extraction import extract_fields


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("询价：６０８２，２，０００ 件", 2000),
        ("SUS304，2，000 件", 2000),
        ("SUS304，1，050件", 1050),
        ("數量１２，３４５件，POM", 12345),
        ("１，２００，０００個 POM", 1_200_000),
        ("φ12，600 件 POM", 600),
        ("ＳＵＳ３０４，１２０件", 120),
        ("孔 M６，１２０個 POM", 120),
        ("Please quote 1,200 (one thousand two hundred) pieces of SUS304.", 1200),
    ],
)
def test_a_wide_comma_groups_digits_only_where_thousands_can_stand(text: str, quantity: int) -> None:
    assert extract_fields(text).settled["quantity"].value == quantity
