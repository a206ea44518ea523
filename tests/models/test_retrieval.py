"""Scopes, hits and near copies as pure rules."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.retrieval import NearCopies, index_version_of, support_of, unit_vector


def kept(*quotes: str) -> list[str]:
    copies = NearCopies()
    return [quote for quote in quotes if copies.passes(quote)]


def test_a_repetition_is_left_out_and_the_better_one_stays() -> None:
    first = "The coating of every housing is checked by eye before it is packed."
    assert kept(first, first.upper(), "The coating of every housing is checked by eye, before it is packed!") == [first]
    assert kept("", "") == [""]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("標準交期為 15 天，特殊檢驗另計，請向工程部確認。", "標準交期為 10 天，特殊檢驗另計，請向工程部確認。"),
        ("本批產品需要特殊檢驗並附上完整的量測報告書", "本批產品不需要特殊檢驗並附上完整的量測報告書"),
        (
            "The parts are inspected before they leave the hall.",
            "The parts are not inspected before they leave the hall.",
        ),
        (
            "Die Teile werden vor dem Versand geprüft und verpackt",
            "Die Teile werden nicht vor dem Versand geprüft und verpackt",
        ),
        ("標準交期為十五個工作天，請向工程部確認後回覆客戶", "標準交期為二十個工作天，請向工程部確認後回覆客戶"),
    ],
)
def test_another_number_or_a_negation_is_no_repetition(one: str, other: str) -> None:
    assert kept(one, other) == [one, other]


def test_numbered_copies_cannot_flood() -> None:
    assert (
        len(kept(*(f"Copy {n} of the note that the price is always nine euro for all parts." for n in range(50)))) == 3
    )


def test_an_index_is_named_by_all_of_its_parts() -> None:
    parts = {"embedding_model": "m", "dimension": 384, "chunker_version": "c", "tokenizer_version": "t"}

    def name(**changed: str) -> str:
        given = {**parts, **changed}
        return index_version_of(
            embedding_model=str(given["embedding_model"]),
            dimension=384,
            chunker_version=str(given["chunker_version"]),
            tokenizer_version=str(given["tokenizer_version"]),
        )

    names = {name(), name(embedding_model="n"), name(chunker_version="d"), name(tokenizer_version="u")}
    assert len(names) == 4
    assert name() == name()


@pytest.mark.parametrize(
    "values", [(), (0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0), (-math.inf, 1.0), (1.0,), (1.0, 1.0, 1.0)]
)
def test_numbers_without_a_direction_are_no_vector_case_104(values: tuple[float, ...]) -> None:
    assert unit_vector(values, 2) is None


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3))
def test_every_direction_becomes_a_unit_vector_however_long(values: list[float]) -> None:
    vector = unit_vector(values, 3)
    if vector is None:
        assert not any(values)
    else:
        assert math.hypot(*vector) == pytest.approx(1.0)


def test_support_never_comes_from_nearness() -> None:
    assert support_of(exact=1, keyword_share=0.0) == "exact"
    assert support_of(exact=0, keyword_share=0.5) == "lexical"
    assert support_of(exact=0, keyword_share=0.01) == "vector"
