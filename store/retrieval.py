"""The channels of governed retrieval as statements inside one tenant transaction, and the reading of originals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, overload

from models.canonical import Segment
from models.contract import text_hash
from models.documents import Kind
from models.evidence import Evidence
from models.ranking import K1, B
from models.retrieval import RetrievalScope, Vector
from models.tokens import Script
from store.indexing import halfvec
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class LiveIndex:
    """The index that a tenant searches, with the statistics of all its chunks."""

    index_version: str
    embedding_model: str
    dimension: int
    chunk_count: int
    mean_length: float


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks, as the database knows them now; `index` is None before the tenant's first document."""

    scope: RetrievalScope
    active: bool
    groups: tuple[str, ...]
    index: LiveIndex | None
    query_vector: Vector | None

    @property
    def may_find(self) -> bool:
        """Whether anything can be in the scope at all."""
        return self.active and bool(self.groups) and bool(self.scope.kinds) and self.index is not None


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk and its score in one channel."""

    chunk_id: int
    document_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Near:
    """A chunk measured by the vector channel; `place` is its rank among the chunks of its script."""

    chunk_id: int
    document_id: str
    script: Script
    cosine: float
    place: int


@dataclass(frozen=True, slots=True)
class Original:
    """What the original of a chunk says now; `quote` is the text at the chunk's place."""

    chunk_id: int
    document_id: str
    version: int
    char_start: int
    char_end: int
    span_hash: str
    kind: Kind
    title: str
    segments: Sequence[Segment]
    content_hash: str
    effective_from: datetime | None
    effective_to: datetime | None
    version_holds: bool
    permission_holds: bool
    validity_holds: bool
    hash_holds: bool
    quote: str

    @property
    def span_holds(self) -> bool:
        """Whether the text at the chunk's place is the text that was indexed."""
        return len(self.quote) == self.char_end - self.char_start and text_hash(self.quote) == self.span_hash


async def retrieval_scope_fetch(tx: TenantTransaction, scope: RetrievalScope, query_hash: str) -> Reader:
    """The reader with groups of this moment; an unknown or inactive one finds nothing."""
    row = await queries.retrieval_scope_fetch(
        tx.conn, tenant_id=tx.tenant_id, subject=scope.subject, query_hash=query_hash
    )
    if row is None:
        return Reader(scope, active=False, groups=(), index=None, query_vector=None)
    index = None
    if row["index_version"] is not None:
        mean_length = row["token_total"] / max(1, row["chunk_count"])
        index = LiveIndex(
            row["index_version"], row["embedding_model"], row["dimension"], row["chunk_count"], mean_length
        )
    vector = row["query_vector"]
    return Reader(
        scope,
        active=row["active"],
        groups=tuple(row["groups"]),
        index=index,
        query_vector=None if vector is None else tuple(vector.to_list()),
    )


async def retrieval_joins_set(tx: TenantTransaction, *, by_hash: bool) -> None:
    """Whether the statements that follow in this transaction join by hash only; on for scans, off for single rows."""
    await queries.retrieval_joins_set(tx.conn, by_hash=by_hash)


async def retrieval_token_list(tx: TenantTransaction, index: LiveIndex, tokens: Sequence[str]) -> dict[str, int]:
    """token → how many chunks of the tenant's index hold it; a token that none holds is missing."""
    rows = queries.retrieval_token_list(
        tx.conn, tenant_id=tx.tenant_id, index_version=index.index_version, tokens=list(tokens)
    )
    return {row["token"]: row["holders"] async for row in rows}


async def retrieval_keyword_list(
    tx: TenantTransaction, reader: Reader, index: LiveIndex, weights: Mapping[str, float], *, top: int
) -> list[Found]:
    """The best `top` chunks of the scope by BM25, given token → inverse frequency; best first."""
    rows = queries.retrieval_keyword_list(
        tx.conn,
        **_scope(tx, reader, index),
        tokens=list(weights),
        weights=list(weights.values()),
        k1=K1,
        b=B,
        mean_length=max(1.0, index.mean_length),
        top=top,
    )
    return [Found(row["chunk_id"], row["document_id"], row["score"]) async for row in rows]


async def retrieval_exact_list(
    tx: TenantTransaction, reader: Reader, index: LiveIndex, asked: Sequence[Sequence[str]], *, top: int
) -> list[Found]:
    """The `top` chunks of the scope that hold most of the asked terms, each given by its normal forms."""
    forms = [(form, place) for place, term in enumerate(asked) for form in term]
    rows = queries.retrieval_exact_list(
        tx.conn,
        **_scope(tx, reader, index),
        terms=[form for form, _ in forms],
        places=[place for _, place in forms],
        top=top,
    )
    return [Found(row["chunk_id"], row["document_id"], float(row["terms"])) async for row in rows]


async def retrieval_vector_list(
    tx: TenantTransaction, reader: Reader, index: LiveIndex, vector: Vector, *, top: int, also: Sequence[int]
) -> list[Near]:
    """The `top` nearest chunks of each script in the scope, by an exact scan, and the chunks `also` where in scope."""
    rows = queries.retrieval_vector_list(
        tx.conn,
        **_scope(tx, reader, index),
        embedding_model=index.embedding_model,
        dimension=index.dimension,
        query_vector=halfvec(vector),
        top=top,
        also=list(also),
    )
    return [Near(row["chunk_id"], row["document_id"], row["script"], row["cosine"], row["place"]) async for row in rows]


async def retrieval_original_list(
    tx: TenantTransaction, reader: Reader, index: LiveIndex, chunk_ids: Sequence[int]
) -> list[Original]:
    """The originals of chunks as they are at this statement, in the order asked for."""
    rows = queries.retrieval_original_list(tx.conn, **_scope(tx, reader, index), chunk_ids=list(chunk_ids))
    found = [row async for row in rows]
    addresses = {
        (row["document_id"], row["version"]): _Segments(row["segments"]) for row in found if row["segments"] is not None
    }
    return [_original(row, addresses[row["document_id"], row["version"]]) for row in found]


async def retrieval_evidence_fetch(tx: TenantTransaction, subject: str, evidence: Evidence) -> Any:
    """The row that `evidence` must agree with, for a reader of this moment; None when there is none."""
    return await queries.retrieval_evidence_fetch(
        tx.conn,
        tenant_id=tx.tenant_id,
        subject=subject,
        document_id=evidence.document_id,
        version=evidence.version,
        char_start=evidence.locator.char_start,
        char_end=evidence.locator.char_end,
    )


async def retrieval_alarm_insert(tx: TenantTransaction, actor: str, original: Original, index_version: str) -> None:
    """An audit event that names a dropped index row, without any of its text."""
    await queries.retrieval_alarm_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        actor=actor,
        object=f"{original.document_id}/{original.version}",
        detail={"index_version": index_version, "char_start": original.char_start, "char_end": original.char_end},
    )


def _scope(tx: TenantTransaction, reader: Reader, index: LiveIndex) -> dict[str, object]:
    return {
        "tenant_id": tx.tenant_id,
        "index_version": index.index_version,
        "groups": list(reader.groups),
        "kinds": list(reader.scope.kinds),
    }


class _Segments(Sequence[Segment]):
    """The addresses of a text, each made when it is looked at: a table has thousands, a quote touches a few."""

    def __init__(self, stored: Sequence[Mapping[str, Any]]) -> None:
        self._stored = stored

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, index: int) -> Segment: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Segment]: ...
    def __getitem__(self, index: int | slice) -> Segment | Sequence[Segment]:
        if isinstance(index, slice):
            return _Segments(self._stored[index])
        # Not validated here: a locator that is made of it is.
        return Segment.model_construct(**self._stored[index])


def _original(row: Any, segments: Sequence[Segment]) -> Original:
    fields: dict[str, Any] = {**dict(row.items()), "segments": segments}
    for check in ("version_holds", "permission_holds", "validity_holds", "hash_holds"):
        fields[check] = row[check] is True
    return Original(**fields)
