"""Governed retrieval: scope first, three channels inside it, fusion, and every hit read again from its original."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.canonical import locate, touching
from models.contract import content_hash, text_hash
from models.errors import EmbedderFailed, IndexMismatch
from models.evidence import Checks, Evidence
from models.ids import EvidenceId
from models.normalization import query_terms
from models.ranking import Candidate, best_possible, fuse, inverse_frequency, spread
from models.retrieval import (
    MAX_HITS,
    MAX_QUERY_CHARACTERS,
    PER_DOCUMENT,
    NearCopies,
    RetrievalScope,
    Support,
    Vector,
    VerifiedHit,
    support_of,
    unit_vector,
)
from models.tokens import script_of, tokenize
from services.ports import Embedder
from store.indexing import chunk_delete, embedding_save
from store.pool import Store, TenantTransaction
from store.retrieval import (
    LiveIndex,
    Near,
    Original,
    Reader,
    retrieval_alarm_insert,
    retrieval_evidence_fetch,
    retrieval_exact_list,
    retrieval_joins_set,
    retrieval_keyword_list,
    retrieval_original_list,
    retrieval_scope_fetch,
    retrieval_token_list,
    retrieval_vector_list,
)

# Depth of each channel: far enough behind the last place that the channels meet.
_DEPTH = 60
_KEYWORD_DEPTH = 200
# A token that more than a quarter of a large index holds tells next to nothing and costs most of the time.
_COMMON_SHARE = 0.25
_COMMON_FROM = 2_000
_READ_AT_ONCE = 15


@dataclass(frozen=True, slots=True)
class Ranking:
    """The orders of the channels inside one scope, best first, before any original was read; it stays inside."""

    reader: Reader
    fused: tuple[Candidate, ...]
    possible: float
    exact: tuple[int, ...]
    keyword: tuple[int, ...]
    vector: tuple[int, ...]
    seconds: Mapping[str, float]


async def search(
    store: Store, embedder: Embedder, scope: RetrievalScope, query: str, *, k: int = 10
) -> tuple[VerifiedHit, ...]:
    """Up to `k` (1 to 50) hits of the scope, best first; the same query over the same rows gives the same answer.

    The reader's groups are read now; a version is in the scope while it is published, effective at the transaction's
    time and shares a group with the reader. Only the first 2,000 characters of `query` are looked at. Nothing to look
    for, and nobody to look, give (). A query whose vector is unusable is answered from exact terms and words alone.

    Raises IndexMismatch when the tenant's live index was made with another model, EmbedderFailed when the model
    cannot be used at all.
    """
    async with store.tenant_transaction(scope.tenant_id) as tx:
        ranking = await rank_in_scope(tx, embedder, scope, query)
        return await read_hits(tx, ranking, k=k)


async def rank_in_scope(tx: TenantTransaction, embedder: Embedder, scope: RetrievalScope, query: str) -> Ranking:
    """Runs the three channels of one query in the caller's transaction and fuses them."""
    text = query[:MAX_QUERY_CHARACTERS].encode("utf-8", "ignore").decode().replace("\0", " ").strip()
    hashed = text_hash(text)
    reader = await retrieval_scope_fetch(tx, scope, hashed)
    index = reader.index
    if index is None or not reader.may_find or not any(char.isalnum() for char in text):
        return Ranking(reader, (), 0.0, (), (), (), {})
    if (index.embedding_model, index.dimension) != (embedder.model, embedder.dimension):
        raise IndexMismatch(f"the index was made with {index.embedding_model!r}: build one for {embedder.model!r}")
    # The embedding is the slowest part, so it starts before the database is read.
    embedding = asyncio.create_task(_query_vector(embedder, reader, text))
    try:
        return await _ranked(tx, reader, index, text, embedding)
    finally:
        embedding.cancel()


async def read_hits(tx: TenantTransaction, ranking: Ranking, *, k: int) -> tuple[VerifiedHit, ...]:
    """The first `k` of a ranking whose originals confirm them; near copies of a better hit are left out.

    A row that disagrees with its original is deleted from the index and raises the audit event
    `stale_index_row_dropped`.
    """
    wanted = max(1, min(k, MAX_HITS))
    index = ranking.reader.index
    queue = spread(ranking.fused, per_document=PER_DOCUMENT)
    copies = NearCopies()
    hits: list[VerifiedHit] = []
    while index is not None and queue and len(hits) < wanted:
        part, queue = queue[:_READ_AT_ONCE], queue[_READ_AT_ONCE:]
        originals = await retrieval_original_list(tx, ranking.reader, index, [one.chunk_id for one in part])
        await _drop_stale(tx, ranking.reader, index, originals)
        by_id = {one.chunk_id: one for one in part}
        for original in originals:
            hit = _hit(original, by_id[original.chunk_id], ranking.possible, index)
            if len(hits) < wanted and hit.evidence.checks.passed and copies.passes(original.quote):
                hits.append(hit)
    return tuple(hits)


async def evidence_checks(tx: TenantTransaction, *, subject: str, evidence: Evidence) -> Checks:
    """The checks of document evidence, made again now and for the rights of `subject`; all False if it is gone."""
    row = await retrieval_evidence_fetch(tx, subject, evidence)
    if row is None:
        return Checks(version=False, permission=False, validity=False, hash=False, span=False)
    quote: str = row["quote"]
    length = evidence.locator.char_end - evidence.locator.char_start
    return Checks(
        version=row["version_holds"] is True,
        permission=row["permission_holds"] is True,
        validity=row["validity_holds"] is True,
        hash=row["hash_holds"] is True and row["content_hash"] == evidence.content_hash,
        span=len(quote) == length and quote == evidence.quote and text_hash(quote) == evidence.span_hash,
    )


async def _ranked(
    tx: TenantTransaction, reader: Reader, index: LiveIndex, text: str, embedding: asyncio.Task[Vector | None]
) -> Ranking:
    seconds: dict[str, float] = {}
    await retrieval_joins_set(tx, by_hash=True)
    began = time.perf_counter()
    asked = query_terms(text)
    exact = await retrieval_exact_list(tx, reader, index, asked, top=MAX_HITS) if asked else []
    seconds["exact"] = time.perf_counter() - began
    began = time.perf_counter()
    weights = await _weights(tx, index, text)
    found = await retrieval_keyword_list(tx, reader, index, weights, top=_KEYWORD_DEPTH)
    seconds["keyword"] = time.perf_counter() - began
    began = time.perf_counter()
    vector = await embedding
    known = list(dict.fromkeys([*(one.chunk_id for one in exact), *(one.chunk_id for one in found)]))
    blind = vector is None
    near = await retrieval_vector_list(
        tx, reader, index, vector or (0.0,) * index.dimension, top=0 if blind else _DEPTH, also=known
    )
    if vector is not None and reader.query_vector is None:
        await embedding_save(tx, index.embedding_model, "query", {text_hash(text): vector})
    await retrieval_joins_set(tx, by_hash=False)
    seconds["vector"] = time.perf_counter() - began
    terms = {one.chunk_id: int(one.score) for one in exact}
    scores = {one.chunk_id: one.score for one in found}
    possible = best_possible(weights.values())
    candidates = [_candidate(one, scores, terms) for one in near]
    fused = fuse(candidates, query_script=script_of(text), possible=possible)
    return Ranking(
        reader,
        fused,
        possible,
        exact=tuple(terms),
        keyword=tuple(scores),
        vector=() if blind else _nearest(near),
        seconds=seconds,
    )


async def _query_vector(embedder: Embedder, reader: Reader, text: str) -> Vector | None:
    if reader.query_vector is not None:
        return reader.query_vector
    vector = await embedder.embed_query(text)
    if len(vector) != embedder.dimension:
        raise EmbedderFailed(f"the model {embedder.model!r} gave {len(vector)} numbers instead of {embedder.dimension}")
    return unit_vector(vector, embedder.dimension)


async def _weights(tx: TenantTransaction, index: LiveIndex, text: str) -> dict[str, float]:
    """token → inverse frequency in the tenant's index, in the order of the text."""
    tokens = list(dict.fromkeys(tokenize(text)))
    holders = await retrieval_token_list(tx, index, tokens)
    common = max(_COMMON_FROM, int(index.chunk_count * _COMMON_SHARE))
    telling = [token for token in tokens if holders.get(token, 0) <= common] or tokens
    chunks = max(index.chunk_count, *holders.values(), 0)
    return {token: inverse_frequency(holders.get(token, 0), chunks) for token in telling}


def _candidate(near: Near, scores: Mapping[int, float], terms: Mapping[int, int]) -> Candidate:
    return Candidate(
        chunk_id=near.chunk_id,
        document_id=near.document_id,
        keyword=scores.get(near.chunk_id, 0.0),
        cosine=near.cosine,
        exact=terms.get(near.chunk_id, 0),
        script=near.script,
    )


def _nearest(near: Sequence[Near]) -> tuple[int, ...]:
    placed = sorted((one for one in near if one.place <= _DEPTH), key=lambda one: (-one.cosine, one.chunk_id))
    return tuple(one.chunk_id for one in placed)


async def _drop_stale(tx: TenantTransaction, reader: Reader, index: LiveIndex, originals: Sequence[Original]) -> None:
    stale = [one for one in originals if not (one.hash_holds and one.span_holds)]
    for one in stale:
        await retrieval_alarm_insert(tx, reader.scope.subject, one, index.index_version)
    if stale:
        await chunk_delete(tx, index.index_version, [one.chunk_id for one in stale])


def _hit(original: Original, candidate: Candidate, possible: float, index: LiveIndex) -> VerifiedHit:
    share = candidate.keyword / possible if possible > 0 else 0.0
    support: Support = support_of(exact=candidate.exact, keyword_share=share)
    return VerifiedHit(
        support=support,
        segments=tuple(touching(original.segments, original.char_start, original.char_end)),
        evidence=Evidence(
            evidence_id=_evidence_id(original),
            source="document",
            document_id=original.document_id,
            version=original.version,
            kind=original.kind,
            title=original.title,
            quote=original.quote,
            locator=locate(original.segments, original.char_start, original.char_end),
            content_hash=original.content_hash,
            span_hash=original.span_hash,
            effective_from=original.effective_from,
            effective_to=original.effective_to,
            index_version=index.index_version,
            checks=Checks(
                version=original.version_holds,
                permission=original.permission_holds,
                validity=original.validity_holds,
                hash=original.hash_holds,
                span=original.span_holds,
            ),
        ),
    )


def _evidence_id(original: Original) -> EvidenceId:
    """The same place in the same text always has the same id."""
    place = [original.document_id, original.version, original.content_hash, original.char_start, original.char_end]
    return EvidenceId(f"E-{content_hash(place)[:20]}")
