"""BM25 and fusion as pure rules: who stands before whom, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.ranking import (
    E5_SMALL_WEIGHTS,
    Candidate,
    agreement,
    best_possible,
    bm25,
    fuse,
    inverse_frequency,
    levelled,
    spread,
    vector_weight,
)
from models.tokens import Script


def candidate(
    chunk_id: int,
    *,
    keyword: float = 0.0,
    cosine: float = 0.8,
    exact: int = 0,
    script: Script = "latin",
    document: str = "d",
) -> Candidate:
    return Candidate(chunk_id, document, keyword, cosine, exact, script)


def order(candidates: list[Candidate], *, query_script: Script = "latin", possible: float = 10.0) -> list[int]:
    return [one.chunk_id for one in fuse(candidates, query_script=query_script, possible=possible)]


def test_a_rare_token_weighs_more_and_none_weighs_nothing_or_less() -> None:
    assert inverse_frequency(1, 1000) > inverse_frequency(500, 1000) > inverse_frequency(1000, 1000) > 0


def test_bm25_grows_with_frequency_and_shrinks_with_length() -> None:
    weights = {"bolt": 2.0, "nut": 1.0}
    once = bm25({"bolt": 1}, weights, length=100, mean_length=100)
    assert bm25({"bolt": 3}, weights, length=100, mean_length=100) > once
    assert bm25({"bolt": 1}, weights, length=400, mean_length=100) < once
    assert bm25({"screw": 9}, weights, length=100, mean_length=100) == 0
    assert bm25({"bolt": 10**6, "nut": 10**6}, weights, length=1, mean_length=100) <= best_possible(weights.values())
    assert bm25({}, weights, length=0, mean_length=0) == 0


def test_keywords_lead_where_they_found_much_of_the_query() -> None:
    right, near = candidate(1, keyword=6.0, cosine=0.84), candidate(2, keyword=1.0, cosine=0.90)
    assert order([near, right]) == [1, 2]


def test_the_vector_leads_where_keywords_found_next_to_nothing() -> None:
    right, stray = candidate(1, keyword=0.0, cosine=0.88), candidate(2, keyword=0.5, cosine=0.82)
    assert order([stray, right]) == [1, 2]


def test_a_query_in_another_script_trusts_the_vector_even_if_a_number_matches() -> None:
    right, number = candidate(1, cosine=0.88), candidate(2, keyword=3.0, cosine=0.83)
    assert order([number, right], query_script="han") == [1, 2]
    assert order([number, right], query_script="latin") == [2, 1]


def test_a_chunk_with_an_exact_term_is_never_ranked_away() -> None:
    others = [candidate(n, keyword=9.0, cosine=0.95) for n in range(2, 40)]
    assert order([*others, candidate(1, exact=1, cosine=0.1)])[0] == 1


def test_more_exact_terms_stand_first_and_ties_are_in_order_of_ids() -> None:
    assert order([candidate(3, exact=1), candidate(2, exact=2), candidate(1, exact=1)]) == [2, 1, 3]


def test_a_query_without_tokens_is_ranked_by_the_vector() -> None:
    assert order([candidate(1, cosine=0.7), candidate(2, cosine=0.9)], possible=0.0) == [2, 1]
    assert order([]) == []


@pytest.mark.parametrize(
    ("query", "scripts", "share"),
    [
        ("han", ["han", "latin"], 0.5),
        ("han", ["kana", "han"], 1.0),
        ("none", ["han"], 1.0),
        ("latin", [], 1.0),
        ("latin", ["none", "han"], 0.0),
    ],
)
def test_agreement(query: Script, scripts: list[Script], share: float) -> None:
    assert agreement(query, scripts) == share


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_vector_never_gains_weight_by_finding_more(found: float, more: float) -> None:
    low, high = sorted((found, more))
    assert E5_SMALL_WEIGHTS.vector_floor <= vector_weight(high) <= vector_weight(low) <= E5_SMALL_WEIGHTS.vector_ceiling


def crowd(script: Script, cosine: float, first: int) -> list[Candidate]:
    return [candidate(first + n, cosine=cosine - n * 0.002, script=script) for n in range(20)]


def test_a_question_finds_the_answer_in_another_script_behind_a_crowd_of_its_own() -> None:
    own, foreign = crowd("han", 0.88, 100), crowd("latin", 0.80, 200)
    answer = candidate(1, cosine=0.85, script="latin")
    assert order([*own, *foreign, answer], query_script="han")[0] == 1


def test_scripts_are_compared_as_they_are_where_keywords_found_the_answer() -> None:
    own, foreign = crowd("han", 0.88, 100), crowd("latin", 0.80, 200)
    answer, stray = candidate(1, keyword=4.0, cosine=0.88, script="han"), candidate(2, cosine=0.87, script="latin")
    assert order([*own, *foreign, answer, stray], query_script="han")[0] == 1
    near = levelled([*own, stray], found=0.5)
    assert near[2] == stray.cosine


def test_a_single_foreign_document_is_neither_lost_nor_favoured() -> None:
    own = crowd("han", 0.88, 100)
    placed = order([*own, candidate(1, cosine=0.81, script="latin")], query_script="han").index(1)
    assert 0 < placed < 10


def test_one_document_cannot_flood_the_result_cases_57_58() -> None:
    ranked = [candidate(n, document="loud") for n in range(5)] + [candidate(9, document="calm")]
    assert [one.chunk_id for one in spread(ranked, per_document=2)] == [0, 1, 9, 2, 3, 4]
