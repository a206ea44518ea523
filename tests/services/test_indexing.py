"""Indexing: whole or not at all, once, with statistics that agree with the rows."""

import asyncio
from collections.abc import Sequence

import pytest

from models.contract import text_hash
from models.errors import EmbedderFailed, NotFound, StaleWriter
from models.ids import DocumentId, TenantId
from models.retrieval import Vector
from services.indexing import index_version_of_document, unindex_version_of_document
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.knowledge import Library, WordEmbedder

_LONG = "\n\n".join(
    f"Clause {n}. Item PX-{n:03d} is inspected before packing and shipped in box {n}." for n in range(80)
)


@pytest.fixture
def library(store: Store, tenant: TenantId) -> Library:
    return Library(store, WordEmbedder(), tenant)


async def test_chunks_cover_the_text_and_carry_the_hashes_of_their_spans(library: Library) -> None:
    await library.publish("SOP-1", _LONG)
    async with library.store.tenant_transaction(library.tenant) as tx:
        rows = await tx.conn.fetch("select * from chunks order by ordinal")
    assert len(rows) > 3
    for row in rows:
        assert row["span_hash"] == text_hash(_LONG[row["char_start"] : row["char_end"]])
        assert row["content_hash"] == text_hash(_LONG)


async def test_a_second_call_changes_nothing_and_embeds_nothing(library: Library) -> None:
    await library.publish("SOP-1", _LONG)
    before = await library.value("select count(*) from postings")
    embedder = WordEmbedder()
    again = await index_version_of_document(
        library.store, embedder, tenant_id=library.tenant, document_id=DocumentId("SOP-1"), version=1
    )
    assert again.embedded == 0
    assert embedder.passages == []
    assert await library.value("select count(*) from postings") == before


async def test_statistics_agree_with_the_rows_also_after_unindexing(library: Library) -> None:
    await library.publish("SOP-1", _LONG)
    await library.publish("SOP-2", "Passivation takes two days.")
    agree = """
        select (chunk_count = (select count(*) from chunks)
            and token_total = (select coalesce(sum(token_count), 0) from chunks)
            and token_total = (select coalesce(sum(tf), 0) from postings where token not like '@%'))::int
        from tenant_indexes
    """
    assert await library.value(agree) == 1
    async with library.store.tenant_transaction(library.tenant) as tx:
        assert await unindex_version_of_document(tx, document_id=DocumentId("SOP-1"), version=1) > 3
    assert await library.value(agree) == 1
    assert await library.value("select count(*) from chunks") == 1
    assert await library.value("select count(*) from exact_terms") == 1  # the other document's id


async def test_vectors_are_reused_by_the_hash_of_their_text(library: Library) -> None:
    await library.publish("SOP-1", _LONG)
    embedder = WordEmbedder()
    second = Library(library.store, embedder, library.tenant)
    await second.publish("SOP-1", _LONG + "\n\nA new clause that was not there before.", version=2)
    assert 0 < len(embedder.passages) < 3


async def test_vectors_are_never_shared_between_tenants(
    library: Library, store: Store, make_tenant: MakeTenant
) -> None:
    await library.publish("SOP-1", _LONG)
    embedder = WordEmbedder()
    await Library(store, embedder, await make_tenant("B")).publish("SOP-1", _LONG)
    assert len(embedder.passages) > 3


async def test_a_failure_at_the_end_leaves_no_rows_and_keeps_the_finished_vectors_case_108(library: Library) -> None:
    text = "\n\n".join(f"Chapter {n}. " + f"part {n} " * 120 for n in range(40))

    class Failing(WordEmbedder):
        async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
            if self.passages:
                raise EmbedderFailed("the engine stopped")
            return await super().embed_passages(texts)

    failing = Library(library.store, Failing(), library.tenant)
    with pytest.raises(EmbedderFailed):
        await failing.publish("SOP-1", text)
    assert await library.value("select count(*) from chunks") == 0
    assert await library.value("select count(*) from embedding_cache") == 32
    await library.index("SOP-1")
    assert await library.value("select count(*) from chunks") > 32


@pytest.mark.parametrize("vector", [(float("nan"),) * 64, (0.0,) * 64, (1.0,) * 3])
async def test_an_unusable_vector_of_a_passage_is_refused(store: Store, tenant: TenantId, vector: Vector) -> None:
    class Broken(WordEmbedder):
        def _vector(self, text: str) -> Vector:
            return vector

    with pytest.raises(EmbedderFailed):
        await Library(store, Broken(), tenant).publish("SOP-1", "some text")


async def test_an_original_that_changes_meanwhile_is_not_indexed(library: Library) -> None:
    class Meddling(WordEmbedder):
        async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
            await library.run("update document_versions set content_hash = repeat('0', 64)")
            return await super().embed_passages(texts)

    with pytest.raises(StaleWriter):
        await Library(library.store, Meddling(), library.tenant).publish("SOP-1", "some text")
    assert await library.value("select count(*) from chunks") == 0


async def test_an_unknown_version_is_not_found(library: Library) -> None:
    with pytest.raises(NotFound):
        await library.index("NONE")


async def test_two_indexers_of_one_version_make_one_set_of_rows(library: Library) -> None:
    await library.publish("SOP-1", _LONG, index=False)
    counts = await asyncio.gather(library.index("SOP-1"), library.index("SOP-1"))
    assert counts[0] == counts[1] == await library.value("select count(*) from chunks")


async def test_another_model_builds_beside_the_live_index_case_102(library: Library) -> None:
    await library.publish("SOP-1", "Packing in wooden boxes.")
    other = Library(library.store, WordEmbedder("words@2"), library.tenant)
    await other.index("SOP-1")
    assert await library.value("select count(*) from tenant_indexes") == 2
    assert await library.value("select count(*) from tenant_indexes where live and embedding_model = 'words@1'") == 1
