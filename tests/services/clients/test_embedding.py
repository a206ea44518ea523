"""The bundled model as it is: shapes, nearness, and what it does with strange text."""

import asyncio
import math
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from services.clients.embedding import BundledEmbedder
from services.ports import Embedder, Vector


@pytest_asyncio.fixture
async def embedder() -> AsyncGenerator[BundledEmbedder]:
    made = BundledEmbedder()
    yield made
    await made.close()


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_vectors_are_unit_vectors_of_one_space(embedder: BundledEmbedder) -> None:
    port: Embedder = embedder
    passages = await port.embed_passages(["standard lead time is fifteen days", "標準交期為十五天"])
    for vector in [*passages, await port.embed_query("lead time?")]:
        assert len(vector) == port.dimension
        assert math.isclose(math.hypot(*vector), 1.0, abs_tol=0.01)
    assert await port.embed_passages([]) == []


async def test_a_question_lies_nearer_to_its_answer_in_another_language(embedder: BundledEmbedder) -> None:
    question = await embedder.embed_query("交期幾天？")
    answer, other = await embedder.embed_passages(["the lead time is ten days", "the canteen serves noodles"])
    assert cosine(question, answer) > cosine(question, other)


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "a" * 100_000, "!" * 50])
async def test_strange_text_still_gives_a_unit_vector_case_104(embedder: BundledEmbedder, text: str) -> None:
    assert len(await embedder.embed_query(text)) == embedder.dimension


async def test_a_question_does_not_wait_for_a_whole_batch(embedder: BundledEmbedder) -> None:
    batch = asyncio.create_task(embedder.embed_passages([f"passage number {n} about bolts" for n in range(20)]))
    await asyncio.sleep(0.05)
    await embedder.embed_query("bolts")
    assert not batch.done()
    await batch
