"""Brings a document version into the tenant's index and takes it out again; the index is a way in, never the truth."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from models.canonical import locate, span_hash
from models.chunking import CHUNKER_VERSION, Chunk, chunk_text
from models.contract import text_hash
from models.errors import EmbedderFailed, NotFound, StaleWriter
from models.ids import DocumentId, TenantId
from models.normalization import index_terms, normalize_term
from models.retrieval import IndexedVersion, Vector, index_version_of, unit_vector
from models.tokens import TOKENIZER_VERSION, script_of, tokenize
from services.ports import Embedder
from store.indexing import (
    ChunkRow,
    IndexParts,
    IndexSource,
    chunk_count_fetch,
    chunk_insert,
    chunk_version_delete,
    embedding_list,
    embedding_save,
    index_ensure,
    index_source_fetch,
)
from store.pool import Store, TenantTransaction

# A batch of passages takes about ten seconds; what it cost is kept even if the next one fails.
_BATCH = 32


def index_parts(embedder: Embedder) -> IndexParts:
    """What this program's index is made with."""
    version = index_version_of(
        embedding_model=embedder.model,
        dimension=embedder.dimension,
        chunker_version=CHUNKER_VERSION,
        tokenizer_version=TOKENIZER_VERSION,
    )
    return IndexParts(version, embedder.model, embedder.dimension, CHUNKER_VERSION, TOKENIZER_VERSION)


async def index_version_of_document(
    store: Store,
    embedder: Embedder,
    *,
    tenant_id: TenantId,
    document_id: DocumentId,
    version: int,
    progress: Callable[[int, int], None] | None = None,
) -> IndexedVersion:
    """The version stands in the tenant's index afterwards, whole or not at all; a second call changes nothing.

    Embeds before it opens the transaction that writes, and keeps vectors by the hash of their text, so a call that was
    cut off goes on where it stood. `progress` is told passages done and in all. Searches find the version only while
    it is published and effective, whenever it was indexed.

    Raises NotFound for an unknown version, EmbedderFailed, StaleWriter if the original changed meanwhile.
    """
    parts = index_parts(embedder)
    async with store.tenant_transaction(tenant_id) as tx:
        source = await _source(tx, document_id, version)
        present = await chunk_count_fetch(tx, parts.index_version, document_id, version)
    if present:
        return IndexedVersion(index_version=parts.index_version, chunks=present, embedded=0)
    chunks = chunk_text(source.text, source.segments)
    passages = [source.text[chunk.char_start : chunk.char_end] for chunk in chunks]
    vectors, embedded = await _vectors(store, embedder, tenant_id, passages, progress)
    rows = [_row(source, document_id, chunk, vectors) for chunk in chunks]
    async with store.tenant_transaction(tenant_id) as tx:
        now_stored = await _source(tx, document_id, version)
        if now_stored.content_hash != source.content_hash:
            raise StaleWriter(f"version {version} of {document_id!r} changed while it was indexed: index it again")
        await index_ensure(tx, parts)
        if rows and not await chunk_count_fetch(tx, parts.index_version, document_id, version):
            await chunk_insert(tx, parts, now_stored, document_id, version, rows)
    return IndexedVersion(index_version=parts.index_version, chunks=len(rows), embedded=embedded)


async def unindex_version_of_document(tx: TenantTransaction, *, document_id: DocumentId, version: int) -> int:
    """Takes a version out of every index in the caller's transaction; how many chunks went."""
    return await chunk_version_delete(tx, document_id, version)


async def _source(tx: TenantTransaction, document_id: DocumentId, version: int) -> IndexSource:
    source = await index_source_fetch(tx, document_id, version)
    if source is None:
        raise NotFound(f"there is no version {version} of document {document_id!r}")
    return source


async def _vectors(
    store: Store,
    embedder: Embedder,
    tenant_id: TenantId,
    passages: Sequence[str],
    progress: Callable[[int, int], None] | None,
) -> tuple[dict[str, Vector], int]:
    by_hash = {text_hash(passage): passage for passage in passages}
    async with store.tenant_transaction(tenant_id) as tx:
        vectors = await embedding_list(tx, embedder.model, "passage", list(by_hash))
    missing = [one for one in by_hash if one not in vectors]
    for batch in _batches(missing):
        made = await embedder.embed_passages([by_hash[one] for one in batch])
        fresh = {one: _checked(vector, embedder) for one, vector in zip(batch, made, strict=True)}
        async with store.tenant_transaction(tenant_id) as tx:
            await embedding_save(tx, embedder.model, "passage", fresh)
        vectors |= fresh
        if progress is not None:
            progress(len(vectors), len(by_hash))
    return vectors, len(missing)


def _batches(hashes: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(hashes), _BATCH):
        yield hashes[start : start + _BATCH]


def _checked(vector: Vector, embedder: Embedder) -> Vector:
    unit = unit_vector(vector, embedder.dimension)
    if unit is None:
        raise EmbedderFailed(f"the model {embedder.model!r} gave a passage no usable vector: run `proofdesk doctor`")
    return unit


def _row(source: IndexSource, document_id: DocumentId, chunk: Chunk, vectors: Mapping[str, Vector]) -> ChunkRow:
    """The chunk as it is found: by its own words, and by title, heading and id of its document.

    Those stand for what a reader of the original sees above the passage; they are never part of a quote.
    """
    passage = source.text[chunk.char_start : chunk.char_end]
    hashed = span_hash(source.text, chunk.char_start, chunk.char_end)
    heading = locate(source.segments, chunk.char_start, chunk.char_end).heading or ""
    above = f"{source.title}\n{heading}"
    tokens = Counter(tokenize(passage))
    tokens.update(set(tokenize(above)) - tokens.keys())
    return ChunkRow(
        char_start=chunk.char_start,
        char_end=chunk.char_end,
        span_hash=hashed,
        vector=vectors[hashed],
        tokens=tokens,
        script=script_of(passage),
        terms=tuple(dict.fromkeys([*index_terms(passage), *index_terms(above), normalize_term(document_id)])),
    )
