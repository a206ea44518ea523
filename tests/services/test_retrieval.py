"""Search under the application's role: what each channel finds and how the hits look.

Capabilities: C-42, C-43.
"""

import pytest

from models.errors import IndexMismatch
from models.ids import TenantId
from models.ranking import bm25, inverse_frequency
from models.tokens import tokenize
from services.retrieval import rank_in_scope, search
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.knowledge import Library, WordEmbedder


@pytest.fixture
def library(store: Store, tenant: TenantId) -> Library:
    return Library(store, WordEmbedder(), tenant)


async def test_a_hit_is_evidence_with_its_place_and_every_check(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP-LT", "Standard lead time is fifteen days.")
    (hit,) = await library.hits(scope, "lead time")
    evidence = hit.evidence
    assert evidence.quote == "Standard lead time is fifteen days."
    assert (evidence.document_id, evidence.version, evidence.locator.page) == ("SOP-LT", 1, 1)
    assert evidence.checks.passed
    assert hit.support == "lexical"
    assert "score" not in hit.model_dump_json()
    assert (await library.hits(scope, "lead time")) == (hit,)


async def test_an_exact_term_is_never_ranked_away(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("PART", "Notes on the shelf. " * 20 + "See PX-4410-A.")
    for n in range(30):
        await library.publish(f"LOUD-{n}", f"price of PX-4410-{'BCD'[n % 3]} item {n} price price of the part")
    hits = await library.hits(scope, "price of the part ＰＸ－４４１０–ａ", k=3)
    assert hits[0].evidence.document_id == "PART"
    assert hits[0].support == "exact"


@pytest.mark.parametrize("asked", ["AB-O100", "AB-l00", "\u0410B-0100", "АВ-0100"])
async def test_a_look_alike_is_no_exact_hit_case_47(library: Library, asked: str) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("PART", "Drawing AB-0100 in steel.")
    assert all(hit.support != "exact" for hit in await library.hits(scope, asked))
    assert (await library.hits(scope, "AB–0100"))[0].support == "exact"


async def test_a_document_is_found_by_its_id_its_title_and_its_heading(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP-LT", "Fifteen days.", title="Rules of the turnery")
    await library.publish("SOP-XY", "Nine days.", title="Rules of the foundry")
    assert (await library.hits(scope, "what does sop–lt say"))[0].evidence.document_id == "SOP-LT"
    (first, *_) = await library.hits(scope, "foundry")
    assert (first.evidence.document_id, first.support) == ("SOP-XY", "lexical")
    assert first.evidence.quote == "Nine days."


async def test_statistics_of_another_tenant_change_nothing(
    library: Library, store: Store, make_tenant: MakeTenant
) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "lead time of steel")
    async with store.tenant_transaction(library.tenant) as tx:
        before = (await rank_in_scope(tx, library.embedder, scope, "lead time")).fused
    other = Library(store, library.embedder, await make_tenant("B"))
    for n in range(5):
        await other.publish(f"D-{n}", f"lead time number {n}")
    async with store.tenant_transaction(library.tenant) as tx:
        assert (await rank_in_scope(tx, library.embedder, scope, "lead time")).fused == before


async def test_traditional_and_simplified_find_each_other(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("TW", "電鍍與檢驗報告須於出貨前完成。")
    await library.publish("CN", "表面处理需要钝化。")
    assert (await library.find(scope, "电镀检验"))[0] == "TW"
    assert (await library.find(scope, "鈍化處理"))[0] == "CN"


async def test_the_keyword_statement_is_the_pure_bm25(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    texts = {"A": "bolt bolt steel screw", "B": "bolt in a box with many other words and things", "C": "nut and washer"}
    for name, text in texts.items():
        await library.publish(name, text)
    async with library.store.tenant_transaction(library.tenant) as tx:
        ranking = await rank_in_scope(tx, library.embedder, scope, "steel bolt")
    tokens = {name: tokenize(text) for name, text in texts.items()}
    mean = sum(map(len, tokens.values())) / 3
    weights = {"steel": inverse_frequency(1, 3), "bolt": inverse_frequency(2, 3)}
    for one in ranking.fused:
        own = tokens[one.document_id]
        expected = bm25({t: own.count(t) for t in own}, weights, length=len(own), mean_length=mean)
        assert one.keyword == pytest.approx(expected)


async def test_a_small_scope_has_the_recall_of_brute_force_case_103(
    library: Library, store: Store, make_tenant: MakeTenant
) -> None:
    crowd = Library(store, library.embedder, await make_tenant("CROWD"))
    await crowd.publish("SEED", "crowd seed text")
    await crowd.run(
        """
        insert into chunks (
            tenant_id, index_version, document_id, version, ordinal, char_start, char_end, content_hash, span_hash,
            chunker_version, embedding_model, dimension, embedding, acl, token_count, script
        )
        select
            tenant_id, index_version, document_id, version, n, char_start, char_end, content_hash, span_hash,
            chunker_version, embedding_model, dimension,
            (
                select array_agg(value)::vector(64)::halfvec
                from (select random() - 0.5 + n * 0 as value from generate_series(1, 64)) as drawn
            ), acl, 1, script
        from chunks, generate_series(1, 20000) n
        """
    )
    scope = await library.reader("ana", "sales")
    for n in range(10):
        await library.publish(f"D-{n}", f"note {n} about topic{n} and cabinet{n * 7}")
    embedder = library.embedder
    query = await embedder.embed_query("cabinet topic3 alpha")
    truth: list[tuple[float, str]] = []
    for n in range(10):
        (vector,) = await embedder.embed_passages([f"note {n} about topic{n} and cabinet{n * 7}"])
        truth.append((-sum(a * b for a, b in zip(query, vector, strict=True)), f"D-{n}"))
    async with library.store.tenant_transaction(library.tenant) as tx:
        ranking = await rank_in_scope(tx, embedder, scope, "cabinet topic3 alpha")
    names = {one.chunk_id: one.document_id for one in ranking.fused}
    assert [names[chunk_id] for chunk_id in ranking.vector] == [name for _, name in sorted(truth)]


async def test_rows_of_another_model_are_never_compared_case_102(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "lead time")
    with pytest.raises(IndexMismatch):
        await search(library.store, WordEmbedder("words@2"), scope, "lead time")
    await library.run("update chunks set embedding_model = 'words@9'")
    async with library.store.tenant_transaction(library.tenant) as tx:
        assert (await rank_in_scope(tx, library.embedder, scope, "lead time")).vector == ()


async def test_a_question_is_embedded_once(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "lead time")
    embedder = WordEmbedder()
    for _ in range(3):
        await search(library.store, embedder, scope, "lead time?")
    assert embedder.queries == ["lead time?"]
