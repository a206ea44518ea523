"""Words of a customer on payment and delivery name their topic, so that the draft looks for the company's own terms."""

import json
from pathlib import Path

import pytest

from models.extraction import extract_fields
from models.policies import Policy
from models.topics import topics_in

LINES = (Path(__file__).parents[1] / "golden" / "fields_wide.jsonl").read_text(encoding="utf-8").splitlines()
TERMS = [
    (topic, words) for line in LINES for topic in ("payment", "delivery") for words in json.loads(line).get(topic, ())
]
NAMED = {"payment": "payment", "delivery": "shipping"}


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        *TERMS,
        ("payment", "L/C at sight"),
        ("payment", "14 days net"),
        ("payment", "2% Skonto"),
        ("payment", "COD"),
        ("delivery", "CFR Keelung"),
        ("delivery", "DPU München"),
        ("delivery", "FAS Kaohsiung"),
        ("delivery", "ab Werk"),
        ("delivery", "送貨到廠"),
    ],
)
def test_terms_of_payment_and_delivery_name_their_topic(topic: str, words: str) -> None:
    assert NAMED[topic] in topics_in(words, Policy())


def test_a_term_is_no_field() -> None:
    fields = extract_fields("40 pcs of SUS304, Net 30, DDP Taichung, 14 days net")
    assert {name: one.value for name, one in fields.settled.items()} == {
        "material": "SUS304",
        "quantity": 40,
        "quantity_unit": "pcs",
    }
