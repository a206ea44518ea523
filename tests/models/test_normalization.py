"""Exact terms: what is one, what its normal form joins, and what it must never join."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.normalization import MAX_TERM, exact_terms, index_terms, normalize_term, query_terms


def found(text: str) -> list[str]:
    return [term.term for term in exact_terms(text)]


@pytest.mark.parametrize(
    "variants",
    [
        ["PN-4410-A", "pn-4410-a", "ＰＮ－４４１０－Ａ", "PN–4410—A", "PN‐4410−A", "PN - 4410 - A", "PN\u00ad-4410-A"],
        ["M8x1.25", "M8×1,25", "m8 x 1.25", "M8X1,25", "Ｍ８×１．２５"],
        ["ISO 2768-mK", "ISO2768-mK", "iso 2768 – MK"],
        ["SUS304", "SUS 304", "ＳＵＳ３０４"],
    ],
)
def test_the_same_term_in_other_typing_is_one_term(variants: list[str]) -> None:
    assert len({normalize_term(variant) for variant in variants}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AB-O100", "AB-0100"),
        ("AB-I00", "AB-l00"),
        ("AB-I00", "AB-100"),
        ("AB-l00", "AB-100"),
        ("A100-5", "\u0410100-5"),
        ("KX-20", "\u039aX-20"),
        ("M8x1.25", "M8x1.5"),
        ("7075-T6", "7075-T651"),
        ("12 34-A", "1 234-A"),
        ("A,5-1", "A.5-1"),
    ],
)
def test_look_alikes_and_neighbours_stay_different_case_47(one: str, other: str) -> None:
    assert normalize_term(one) != normalize_term(other)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("本體採用SUS304不鏽鋼，圖號 DR-77-120B。", ["sus304", "dr-77-120b"]),
        ("Werkstoff 1.4301 nach DIN EN 10204, Gewinde M8×1,25", ["1.4301", "dinen10204", "m8x1.25"]),
        ("公差はISO 2768-mK、普通公差 JIS B 0405 による", ["iso2768-mk", "jisb0405"]),
        ("7075-T6 or A6061−T6, per SOP-LT and ASTM A276", ["7075-t6", "a6061-t6", "sop-lt", "astma276"]),
        ("drawing 100-20457, case Q42, M6", ["100-20457", "q42", "m6"]),
        ("Ti-6Al-4V, X5CrNi18-10, EN AW-7075", ["ti-6al-4v", "x5crni18-10", "enaw-7075"]),
    ],
)
def test_terms_are_found_in_every_language(text: str, terms: list[str]) -> None:
    assert found(text) == terms


@pytest.mark.parametrize(
    "text",
    [
        "1200pcs, 15mm, 3.5kg, 100x200x5mm, 20 Stück, 14days",
        "2026-12-01 and 01-12-2026, 1990-1995, 10:30, 2026-12-01T08:00",
        "write to sales9@plant-7.example or see https://plant7.example/a-100?b=c9",
        "needed as 1200 pieces in 3 weeks",
        "特殊檢驗，數量一千二百件",
        "",
        "12345 67,8 9.1",
    ],
)
def test_quantities_dates_and_addresses_are_no_terms(text: str) -> None:
    assert found(text) == []


def test_spans_point_into_the_text_as_given() -> None:
    text = "請報價 ＡＢ－１２００，M8 × 1,25 與 ISO 2768 – mK"
    for term in exact_terms(text):
        assert normalize_term(text[term.start : term.end]) == term.term
    assert len(exact_terms(text)) == 3


def test_a_hidden_foreign_letter_is_part_of_the_term() -> None:
    assert found("\u0410100-55") == [normalize_term("\u0410100-55")]
    assert "100-55" not in index_terms("\u0410100-55-77")


def test_an_adopted_standard_is_asked_for_under_each_name() -> None:
    assert query_terms("DIN EN ISO 2768-mK") == (("dineniso2768-mk", "eniso2768-mk", "iso2768-mk"),)


def test_a_document_id_may_be_asked_for_in_small_letters() -> None:
    assert ("sop-lt",) in query_terms("what does sop–lt say")
    assert query_terms("well-known") == (("well-known",),)
    assert index_terms("a well-known rule") == ()


def test_a_standard_answers_without_its_class_but_not_with_another() -> None:
    indexed = set(index_terms("general tolerance ISO 2768-mK"))
    assert set(query_terms("ISO 2768")[0]) & indexed
    assert not set(query_terms("ISO 2768-fH")[0]) & indexed
    assert not set(query_terms("ISO 27681")[0]) & indexed


@given(st.text())
def test_the_normal_form_is_idempotent_and_total(text: str) -> None:
    once = normalize_term(text)
    assert normalize_term(once) == once


@given(st.text(alphabet="A1-. ×xM8,SISO/9ñА採", max_size=60))
def test_terms_never_overlap_and_never_outgrow_their_bound(text: str) -> None:
    end = 0
    for term in exact_terms(text):
        assert term.start >= end
        assert 0 < term.end - term.start <= MAX_TERM
        end = term.end


@pytest.mark.timeout(10)
@pytest.mark.parametrize("part", ["a", "a-1", "A1 ", "1,", "DIN EN ", "DIN-1", "M8 ", "@a.", "http://", "採用", "1x"])
def test_a_hostile_megabyte_line_costs_linear_time_case_59(part: str) -> None:
    exact_terms(part * (300_000 // len(part)))
