"""The figures of an evaluation, counted by hand."""

from models.retrieval_figures import Answer, RetrievalFigures, channel_figures, quantile


def answer(*documents: str, gold: tuple[str, ...] = ("g",), seconds: float = 0.001) -> Answer:
    return Answer(documents, frozenset(gold), seconds)


def test_figures_are_means_over_all_queries() -> None:
    figures = channel_figures(
        [answer("g", "x"), answer("x", "g"), answer(*"abcdef", "g"), answer("a", "g", gold=("g", "h")), answer()]
    )
    assert figures.hit_1 == 0.2
    assert figures.hit_5 == 0.6
    assert figures.recall_5 == 0.5
    assert figures.recall_10 == 0.7
    assert figures.mrr_10 == round((1 + 1 / 2 + 1 / 7 + 1 / 2) / 5, 4)


def test_quantiles_are_values_that_were_measured() -> None:
    assert quantile([], 0.5) == 0.0
    assert quantile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0
    assert quantile([float(n) for n in range(1, 101)], 0.99) == 99.0
    assert quantile([7.0], 0.99) == 7.0


def test_the_json_has_the_promised_keys() -> None:
    figures = RetrievalFigures(
        documents=1, queries=1, channels={"fused": channel_figures([answer("g")])}, locators_read_back=1.0
    )
    dumped = figures.model_dump(by_alias=True)
    assert set(dumped) == {"documents", "queries", "channels", "locators_read_back"}
    assert set(dumped["channels"]["fused"]) == {
        "hit@1",
        "hit@5",
        "recall@5",
        "recall@10",
        "mrr@10",
        "p50_ms",
        "p99_ms",
    }
