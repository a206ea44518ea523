"""Rows of the index: written in the tenant's transaction, beside the statistics that count them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pgvector import HalfVector

from models.canonical import Segment
from models.retrieval import Vector
from models.tokens import Script
from store.named_queries import queries
from store.pool import TenantTransaction

_POSTINGS_AT_ONCE = 5_000

EmbeddingRole = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class IndexParts:
    """What an index is made with; another part is another index."""

    index_version: str
    embedding_model: str
    dimension: int
    chunker_version: str
    tokenizer_version: str


@dataclass(frozen=True, slots=True)
class IndexSource:
    """The original to be indexed."""

    status: str
    title: str
    acl: tuple[str, ...]
    text: str
    content_hash: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One chunk as it goes into the index; `tokens` counts the frequency of each token."""

    char_start: int
    char_end: int
    span_hash: str
    vector: Vector
    tokens: Mapping[str, int]
    script: Script
    terms: Sequence[str]


async def index_ensure(tx: TenantTransaction, parts: IndexParts) -> None:
    """The tenant has this index afterwards; it is the live one if the tenant had none."""
    await queries.index_ensure(
        tx.conn,
        tenant_id=tx.tenant_id,
        index_version=parts.index_version,
        embedding_model=parts.embedding_model,
        dimension=parts.dimension,
        chunker_version=parts.chunker_version,
        tokenizer_version=parts.tokenizer_version,
    )


async def index_source_fetch(tx: TenantTransaction, document_id: str, version: int) -> IndexSource | None:
    """The version's original, locked until the transaction ends; None when there is none."""
    row = await queries.index_source_fetch(tx.conn, tenant_id=tx.tenant_id, document_id=document_id, version=version)
    if row is None:
        return None
    segments = tuple(Segment.model_validate(one) for one in row["segments"])
    return IndexSource(
        status=row["status"],
        title=row["title"],
        acl=tuple(row["acl"]),
        text=row["canonical_text"],
        content_hash=row["content_hash"],
        segments=segments,
    )


async def chunk_count_fetch(tx: TenantTransaction, index_version: str, document_id: str, version: int) -> int:
    """How many chunks of the version this index holds."""
    count: int = await queries.chunk_count_fetch(
        tx.conn, tenant_id=tx.tenant_id, index_version=index_version, document_id=document_id, version=version
    )
    return count


async def embedding_list(
    tx: TenantTransaction, model: str, role: EmbeddingRole, text_hashes: Sequence[str]
) -> dict[str, Vector]:
    """text hash → cached vector, for those that the tenant has."""
    found: dict[str, Vector] = {}
    async for row in queries.embedding_list(
        tx.conn, tenant_id=tx.tenant_id, embedding_model=model, role=role, text_hashes=list(text_hashes)
    ):
        found[row["text_hash"]] = tuple(row["embedding"].to_list())
    return found


async def embedding_save(tx: TenantTransaction, model: str, role: EmbeddingRole, vectors: Mapping[str, Vector]) -> None:
    """Remember vectors by the hash of their text; those already known stay."""
    await queries.embedding_save(
        tx.conn,
        tenant_id=tx.tenant_id,
        embedding_model=model,
        role=role,
        text_hashes=list(vectors),
        embeddings=[halfvec(vector) for vector in vectors.values()],
    )


async def chunk_insert(
    tx: TenantTransaction,
    parts: IndexParts,
    source: IndexSource,
    document_id: str,
    version: int,
    rows: Sequence[ChunkRow],
) -> None:
    """All chunks of a version with postings, exact terms and statistics."""
    counts = [sum(row.tokens.values()) for row in rows]
    inserted = queries.chunk_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        index_version=parts.index_version,
        document_id=document_id,
        version=version,
        content_hash=source.content_hash,
        chunker_version=parts.chunker_version,
        embedding_model=parts.embedding_model,
        dimension=parts.dimension,
        acl=list(source.acl),
        ordinals=list(range(len(rows))),
        starts=[row.char_start for row in rows],
        ends=[row.char_end for row in rows],
        span_hashes=[row.span_hash for row in rows],
        embeddings=[halfvec(row.vector) for row in rows],
        token_counts=counts,
        scripts=[row.script for row in rows],
    )
    ids = {row["ordinal"]: row["chunk_id"] async for row in inserted}
    postings = [
        (token, ids[ordinal], frequency) for ordinal, row in enumerate(rows) for token, frequency in row.tokens.items()
    ]
    for part in _parts(postings):
        await queries.posting_insert(
            tx.conn,
            tenant_id=tx.tenant_id,
            index_version=parts.index_version,
            tokens=[token for token, _, _ in part],
            chunk_ids=[chunk_id for _, chunk_id, _ in part],
            frequencies=[frequency for _, _, frequency in part],
        )
    terms = [(term, ids[ordinal]) for ordinal, row in enumerate(rows) for term in row.terms]
    await queries.exact_term_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        index_version=parts.index_version,
        terms=[term for term, _ in terms],
        chunk_ids=[chunk_id for _, chunk_id in terms],
    )
    await _grow(tx, parts.index_version, len(rows), sum(counts))


async def chunk_version_delete(tx: TenantTransaction, document_id: str, version: int) -> int:
    """Take a version out of every index of the tenant; how many chunks went."""
    gone = queries.chunk_version_delete(tx.conn, tenant_id=tx.tenant_id, document_id=document_id, version=version)
    return await _shrink(tx, [row async for row in gone])


async def chunk_delete(tx: TenantTransaction, index_version: str, chunk_ids: Sequence[int]) -> int:
    """Take single chunks out of an index; how many went."""
    gone = queries.chunk_delete(tx.conn, tenant_id=tx.tenant_id, index_version=index_version, chunk_ids=list(chunk_ids))
    return await _shrink(tx, [row async for row in gone])


def _parts(postings: Sequence[tuple[str, int, int]]) -> Iterator[Sequence[tuple[str, int, int]]]:
    """A large original has more postings than one statement may write within its time."""
    for start in range(0, len(postings), _POSTINGS_AT_ONCE):
        yield postings[start : start + _POSTINGS_AT_ONCE]


def halfvec(vector: Vector) -> HalfVector:
    """The vector as the database keeps it: half precision."""
    return HalfVector(list(vector))


async def _shrink(tx: TenantTransaction, gone: Sequence[Any]) -> int:
    chunks: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for row in gone:
        chunks[row["index_version"]] += 1
        tokens[row["index_version"]] += row["token_count"]
    for index_version in sorted(chunks):
        await _grow(tx, index_version, -chunks[index_version], -tokens[index_version])
    return len(gone)


async def _grow(tx: TenantTransaction, index_version: str, chunks: int, tokens: int) -> None:
    await queries.index_grow(tx.conn, tenant_id=tx.tenant_id, index_version=index_version, chunks=chunks, tokens=tokens)
