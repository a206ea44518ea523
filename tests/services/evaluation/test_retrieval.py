"""The evaluation on a small corpus of its own, through ingestion, index, search and the original bytes."""

import json
from pathlib import Path

import pytest

from models.errors import InvalidInput
from models.retrieval_figures import CHANNELS
from services.evaluation.retrieval import QueryLine, document_id_of, evaluate_retrieval, read_lines
from store.connection import connected
from store.pool import Store
from tests.conftest import Database
from tests.services.knowledge import WordEmbedder

_TEXTS = {
    "shop:1": "標準交期為十五個工作天，特殊檢驗另外計算。",
    "shop:2": "Passivation of PX-4410 parts takes two days.",
    "shop:3": "Die Verpackung erfolgt in Holzkisten nach Zeichnung.",
    "shop/3": "Payment is due thirty days after delivery.",
}
_QUESTIONS = [("交期多久", "shop:1"), ("how long is passivation of PX-4410", "shop:2"), ("Holzkisten", "shop:3")]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    corpus, queries = tmp_path / "corpus.jsonl", tmp_path / "queries.jsonl"
    lines = [{"doc_id": doc_id, "title": doc_id, "text": text, "lang": "x"} for doc_id, text in _TEXTS.items()]
    corpus.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    asked = [
        {
            "qid": str(n),
            "query": query,
            "lang": "x",
            "gold": [{"doc_id": doc_id, "start": 0, "end": 2, "text": _TEXTS[doc_id][:2]}],
            "answers": [],
        }
        for n, (query, doc_id) in enumerate(_QUESTIONS)
    ]
    queries.write_text("\n".join(json.dumps(line) for line in asked), encoding="utf-8")
    return corpus, queries


async def test_the_figures_of_a_small_corpus(store: Store, files: tuple[Path, Path]) -> None:
    seen: list[str] = []
    figures = await evaluate_retrieval(
        store,
        WordEmbedder(),
        corpus=files[0],
        queries=files[1],
        progress=lambda phase, _done, _total: seen.append(phase),
    )
    assert (figures.documents, figures.queries) == (4, 3)
    assert set(figures.channels) == set(CHANNELS)
    assert figures.channels["fused"].hit_1 == 1.0
    assert figures.channels["keyword"].mrr_10 == 1.0
    assert figures.channels["exact"].hit_1 == round(1 / 3, 4)
    assert figures.locators_read_back == 1.0
    assert set(seen) == {"documents", "queries", "locators"}


async def test_a_second_run_embeds_nothing_again_and_gives_the_same(store: Store, files: tuple[Path, Path]) -> None:
    first = await evaluate_retrieval(store, WordEmbedder(), corpus=files[0], queries=files[1], limit=2)
    embedder = WordEmbedder()
    second = await evaluate_retrieval(store, embedder, corpus=files[0], queries=files[1], limit=2)
    assert embedder.passages == embedder.queries == []
    assert second.queries == 2
    assert second.channels["fused"].mrr_10 == first.channels["fused"].mrr_10


async def test_a_tampered_original_is_not_read_back(store: Store, database: Database, files: tuple[Path, Path]) -> None:
    await evaluate_retrieval(store, WordEmbedder(), corpus=files[0], queries=files[1])
    async with connected(database.admin_url) as conn:
        await conn.execute("update originals set bytes = 'something else was here'")
    figures = await evaluate_retrieval(store, WordEmbedder(), corpus=files[0], queries=files[1])
    assert figures.locators_read_back == 0.0


def test_ids_of_any_corpus_become_valid_and_stay_different() -> None:
    ids = {document_id_of(name) for name in ("a:1", "a/1", "a 1", "a-1", "a.1", "..", "x" * 80, "x" * 81, "甲", "乙")}
    assert len(ids) == 10
    assert document_id_of("a-1") == "a-1"


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"qid": "1", "query": 5, "gold": []}'])
def test_a_file_of_another_form_is_refused_with_its_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput):
        read_lines(path, QueryLine)
    with pytest.raises(InvalidInput):
        read_lines(tmp_path / "none.jsonl", QueryLine)
