"""The figures of a retrieval evaluation: what was asked, where the right documents stood, how long it took."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from models.contract import Contract

Channel = Literal["exact", "keyword", "vector", "fused"]
CHANNELS: tuple[Channel, ...] = ("exact", "keyword", "vector", "fused")


@dataclass(frozen=True, slots=True)
class Answer:
    """One query's answer in one channel: documents best first, each once, and the time it took in seconds."""

    documents: tuple[str, ...]
    gold: frozenset[str]
    seconds: float


class ChannelFigures(Contract):
    """Means over the queries; times in milliseconds. hit@k: a right document is among the first k."""

    hit_1: float = Field(alias="hit@1")
    hit_5: float = Field(alias="hit@5")
    recall_5: float = Field(alias="recall@5")
    recall_10: float = Field(alias="recall@10")
    mrr_10: float = Field(alias="mrr@10")
    p50_ms: float
    p99_ms: float


class RetrievalFigures(Contract):
    """The answer of `proofdesk eval retrieval`; dump it by alias.

    `locators_read_back` is the share of results whose quote was found again at its place by reading the original
    bytes anew in another process.
    """

    documents: int
    queries: int
    channels: Mapping[Channel, ChannelFigures]
    locators_read_back: float


def channel_figures(answers: Sequence[Answer]) -> ChannelFigures:
    """The figures of one channel; zeros for no answers."""
    count = max(1, len(answers))
    times = sorted(answer.seconds * 1000 for answer in answers)

    def mean(values: Collection[float]) -> float:
        return round(sum(values) / count, 4)

    return ChannelFigures.model_validate(
        {
            "hit@1": mean([_hit(one, 1) for one in answers]),
            "hit@5": mean([_hit(one, 5) for one in answers]),
            "recall@5": mean([_recall(one, 5) for one in answers]),
            "recall@10": mean([_recall(one, 10) for one in answers]),
            "mrr@10": mean([_reciprocal_rank(one, 10) for one in answers]),
            "p50_ms": round(quantile(times, 0.50), 2),
            "p99_ms": round(quantile(times, 0.99), 2),
        }
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the ordered values that at least `share` of them do not exceed; 0.0 for none."""
    if not ordered:
        return 0.0
    at = max(1, -int(-share * len(ordered) // 1))
    return ordered[min(at, len(ordered)) - 1]


def _hit(answer: Answer, k: int) -> float:
    return float(not answer.gold.isdisjoint(answer.documents[:k]))


def _recall(answer: Answer, k: int) -> float:
    return len(answer.gold.intersection(answer.documents[:k])) / len(answer.gold) if answer.gold else 0.0


def _reciprocal_rank(answer: Answer, k: int) -> float:
    return next((1 / rank for rank, one in enumerate(answer.documents[:k], start=1) if one in answer.gold), 0.0)
