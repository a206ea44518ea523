"""Ranking inside one scope: BM25, and the fusion of the keyword and the vector channel.

Why it is so: ranks alone lose what the channels know about themselves, and equal-weight rank fusion falls far below
the better channel when the other one is blind (a question in another language, a name the model never saw). Here the
keyword score is measured against the best score that the query could reach, so it says how much of the query was found.
The less was found, and the fewer of the candidates are in the script of the query, the more the vector decides.

Scores never leave the service that ranks: trust comes from checks of the original, never from similarity.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.tokens import Script

K1 = 0.9
B = 0.4


@dataclass(frozen=True, slots=True)
class Weights:
    """How much one unit of cosine counts against one unit of keyword score; calibrated for an embedding model.

    `vector_floor` holds when the keyword channel found much of the query, `vector_ceiling` when it found next to
    nothing; in between the weight is `balance / found`.
    """

    vector_floor: float = 3.0
    vector_ceiling: float = 12.0
    balance: float = 0.8


E5_SMALL_WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk as the channels see it: `keyword` is a BM25 sum, `cosine` lies in -1..1, `exact` counts exact terms."""

    chunk_id: int
    document_id: str
    keyword: float
    cosine: float
    exact: int
    script: Script


def inverse_frequency(holders: int, chunks: int) -> float:
    """BM25's weight of a token that `holders` of `chunks` chunks hold; positive for every input with holders ≤ chunks.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with 1 added inside the logarithm.
    """
    return math.log(1.0 + (chunks - holders + 0.5) / (holders + 0.5))


def bm25(frequencies: Mapping[str, int], weights: Mapping[str, float], *, length: int, mean_length: float) -> float:
    """The score of one chunk: its token → frequency, the query's token → inverse frequency, lengths in tokens."""
    norm = K1 * (1.0 - B + B * length / mean_length) if mean_length > 0 else K1
    return sum(
        weight * frequency * (K1 + 1.0) / (frequency + norm)
        for token, weight in weights.items()
        if (frequency := frequencies.get(token, 0)) > 0
    )


def best_possible(weights: Iterable[float]) -> float:
    """What no BM25 score of a query with these inverse frequencies can exceed."""
    return (K1 + 1.0) * sum(weights)


def agreement(query_script: Script, scripts: Sequence[Script]) -> float:
    """The share of `scripts` in which keywords of the query can be found; 1.0 when either side has no script.

    Chinese and Japanese share characters, so they agree with each other.
    """
    family = _FAMILY.get(query_script, query_script)
    written = [script for script in scripts if script != "none"]
    if query_script == "none" or not written:
        return 1.0
    return sum(_FAMILY.get(script, script) == family for script in written) / len(written)


def vector_weight(found: float, weights: Weights = E5_SMALL_WEIGHTS) -> float:
    """The weight of the cosine when the best candidate reached the share `found` (0..1) of the possible score."""
    if found <= 0.0:
        return weights.vector_ceiling
    return min(weights.vector_ceiling, max(weights.vector_floor, weights.balance / found))


def fuse(
    candidates: Sequence[Candidate],
    *,
    query_script: Script,
    possible: float,
    weights: Weights = E5_SMALL_WEIGHTS,
) -> tuple[Candidate, ...]:
    """The candidates, best first; equal scores stand in the order of their chunk ids.

    `possible` is `best_possible` of the query, 0 for a query without tokens. A chunk that holds exact terms of the
    query stands before all that hold fewer: it is never ranked away.
    """
    nearest = sorted(candidates, key=lambda one: (-one.cosine, one.chunk_id))[:_JUDGED]
    share = {one.chunk_id: one.keyword / possible if possible > 0 else 0.0 for one in candidates}
    found = max(share.values(), default=0.0) * agreement(query_script, [one.script for one in nearest])
    weight = vector_weight(found, weights)
    return tuple(
        sorted(
            candidates,
            key=lambda one: (-one.exact, -(share[one.chunk_id] + weight * one.cosine), one.chunk_id),
        )
    )


_JUDGED = 10
_FAMILY: Mapping[str, str] = {"han": "cjk", "kana": "cjk"}


def spread(ranked: Sequence[Candidate], *, per_document: int) -> tuple[Candidate, ...]:
    """The same order with at most `per_document` chunks of one document, so that no source floods the result."""
    taken: dict[str, int] = {}
    kept: list[Candidate] = []
    for one in ranked:
        taken[one.document_id] = taken.get(one.document_id, 0) + 1
        if taken[one.document_id] <= per_document:
            kept.append(one)
    return tuple(kept)
