"""Ranking inside one scope: BM25, and the fusion of the keyword and the vector channel.

Why it is so: ranks alone lose what the channels know about themselves, and equal-weight rank fusion falls far below
the better channel when the other one is blind (a question in another language, a name the model never saw). Here the
keyword score is measured against the best score that the query could reach, so it says how much of the query was found.
The less was found, and the fewer of the candidates are in the script of the query, the more the vector decides.
A multilingual model also prefers the language of the question, whatever it asks; where the keywords found little, the
cosines of each script are therefore measured from that script's own level before they are compared.

Scores never leave the service that ranks: trust comes from checks of the original, never from similarity.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.tokens import Script

K1 = 0.9
B = 0.4
LEVEL = 20
_JUDGED = 10
_FAMILY: Mapping[str, str] = {"han": "cjk", "kana": "cjk"}


@dataclass(frozen=True, slots=True)
class Weights:
    """How much one unit of cosine counts against one unit of keyword score; calibrated for an embedding model.

    `vector_floor` holds when the keyword channel found much of the query, `vector_ceiling` when it found next to
    nothing; in between the weight is `balance / found`. Scripts are levelled wholly when at most `levelled_below` of
    the query was found and not at all from `levelled_until` on; `typical_spread` is how far the level of twenty near
    chunks lies below the nearest of them.
    """

    vector_floor: float = 3.0
    vector_ceiling: float = 12.0
    balance: float = 0.8
    levelled_below: float = 0.12
    levelled_until: float = 0.30
    typical_spread: float = 0.015


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

    `possible` is `best_possible` of the query, 0 for a query without tokens. The candidates hold the nearest LEVEL
    chunks of each script, or all there are. A chunk that holds exact terms of the query stands before all that hold
    fewer: it is never ranked away.
    """
    share = {one.chunk_id: one.keyword / possible if possible > 0 else 0.0 for one in candidates}
    found = max(share.values(), default=0.0)
    near = levelled(candidates, found, weights)
    judged = sorted(candidates, key=lambda one: (-near[one.chunk_id], one.chunk_id))[:_JUDGED]
    weight = vector_weight(found * agreement(query_script, [one.script for one in judged]), weights)
    return tuple(
        sorted(
            candidates,
            key=lambda one: (-one.exact, -(share[one.chunk_id] + weight * near[one.chunk_id]), one.chunk_id),
        )
    )


def levelled(candidates: Sequence[Candidate], found: float, weights: Weights = E5_SMALL_WEIGHTS) -> Mapping[int, float]:
    """chunk id → cosine above the level of its script, as far as `found` (0..1) says that keywords found little.

    The level is the mean of the script's LEVEL nearest candidates; a script with fewer is filled up to LEVEL with
    values `typical_spread` below its nearest, so that a single foreign document is neither lost nor favoured.
    """
    room = weights.levelled_until - weights.levelled_below
    strength = min(1.0, max(0.0, (weights.levelled_until - found) / room))
    cosines: dict[Script, list[float]] = {}
    for one in candidates:
        cosines.setdefault(one.script, []).append(one.cosine)
    levels: dict[Script, float] = {}
    for script, values in cosines.items():
        nearest = sorted(values, reverse=True)[:LEVEL]
        filler = (nearest[0] - weights.typical_spread) * (LEVEL - len(nearest))
        levels[script] = (sum(nearest) + filler) / LEVEL
    return {one.chunk_id: one.cosine - strength * levels[one.script] for one in candidates}


def spread(ranked: Sequence[Candidate], *, per_document: int) -> tuple[Candidate, ...]:
    """The same candidates with those beyond `per_document` of one document moved behind all others.

    No source can push the others out of the first places, and none is hidden where there are no others.
    """
    taken: dict[str, int] = {}
    kept: list[Candidate] = []
    beyond: list[Candidate] = []
    for one in ranked:
        taken[one.document_id] = taken.get(one.document_id, 0) + 1
        (kept if taken[one.document_id] <= per_document else beyond).append(one)
    return (*kept, *beyond)
