"""Documents and readers put straight into the tables, for tests of what comes after publication."""

import hashlib
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from models.canonical import Segment
from models.contract import text_hash
from models.documents import Kind, VersionStatus
from models.ids import DocumentId, Subject, TenantId
from models.retrieval import RetrievalScope, Vector, VerifiedHit
from models.tokens import tokenize
from services.indexing import index_version_of_document
from services.ports import Embedder
from services.retrieval import rank_in_scope, search
from store.pool import Store

DAY = timedelta(days=1)


class WordEmbedder:
    """An embedder whose vectors are sums of a fixed random direction for each word: near means shared words."""

    dimension = 64

    def __init__(self, model: str = "words@1") -> None:
        self.model = model
        self.queries: list[str] = []
        self.passages: list[str] = []

    async def embed_query(self, text: str) -> Vector:
        self.queries.append(text)
        return self._vector(text)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.passages.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        total = [0.0] * self.dimension
        for token in tokenize(text):
            direction = random.Random(hashlib.sha256(token.encode()).digest())
            total = [value + direction.gauss(0, 1) for value in total]
        length = math.hypot(*total) or 1.0
        # Real models of this kind keep all texts near one direction: unrelated ones have a cosine of about .8.
        mixed = [0.45 * value / length for value in total]
        mixed[0] += 0.9
        length = math.hypot(*mixed)
        return tuple(value / length for value in mixed)


@dataclass
class Library:
    """One tenant's knowledge."""

    store: Store
    embedder: Embedder
    tenant: TenantId

    async def reader(self, subject: str = "ana", *groups: str, active: bool = True) -> RetrievalScope:
        """A principal with these groups (or its new groups) and a scope over every kind."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            await tx.conn.execute(
                """
                insert into principals (tenant_id, subject, groups, active) values ($1, $2, $3, $4)
                on conflict (tenant_id, subject) do update set groups = $3, active = $4
                """,
                self.tenant,
                subject,
                list(groups),
                active,
            )
        return RetrievalScope(tenant_id=self.tenant, subject=Subject(subject))

    async def publish(
        self,
        document_id: str,
        text: str,
        *,
        version: int = 1,
        acl: Sequence[str] = ("sales",),
        kind: Kind = "formal_fact",
        status: VersionStatus = "published",
        starts: timedelta = -DAY,
        ends: timedelta | None = None,
        title: str = "",
        index: bool = True,
    ) -> None:
        """Store a version as it would be after its approval, and index it."""
        hashed = text_hash(text)
        segment = Segment(char_start=0, char_end=len(text), page=1).model_dump()
        async with self.store.tenant_transaction(self.tenant) as tx:
            now = await tx.now()
            await tx.conn.execute(
                """
                insert into originals (tenant_id, original_hash, media_type, bytes)
                values ($1, $2, 'text/plain', $3) on conflict do nothing
                """,
                self.tenant,
                hashed,
                text.encode(),
            )
            into = "insert into documents (tenant_id, document_id, kind, created_by) values ($1, $2, $3, 'kim')"
            await tx.conn.execute(f"{into} on conflict do nothing", self.tenant, document_id, kind)
            await tx.conn.execute(
                """
                insert into document_versions (
                    tenant_id, document_id, version, status, title, acl, effective_from, effective_to, media_type,
                    original_hash, parser_name, parser_version, canonical_text, content_hash, segments, created_by,
                    submitted_by, approved_by
                )
                values (
                    $1, $2, $3, $4, $11, $5, $6, $7, 'text/plain', $8, 'text', '1', $9, $8, $10, 'kim', 'kim', 'lee'
                )
                """,
                self.tenant,
                document_id,
                version,
                status,
                list(acl),
                now + starts,
                None if ends is None else now + ends,
                hashed,
                text,
                [segment],
                title,
            )
        if index:
            await self.index(document_id, version)

    async def index(self, document_id: str, version: int = 1) -> int:
        """Index a version; how many chunks it has."""
        indexed = await index_version_of_document(
            self.store, self.embedder, tenant_id=self.tenant, document_id=DocumentId(document_id), version=version
        )
        return indexed.chunks

    async def hits(self, scope: RetrievalScope, query: str, *, k: int = 10) -> tuple[VerifiedHit, ...]:
        """What a search gives."""
        return await search(self.store, self.embedder, scope, query, k=k)

    async def find(self, scope: RetrievalScope, query: str, *, k: int = 10) -> list[str]:
        """The documents of a search's hits."""
        return [hit.evidence.document_id for hit in await self.hits(scope, query, k=k)]

    async def ranked(self, scope: RetrievalScope, query: str) -> set[str]:
        """The documents that any channel saw, before an original was read."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            ranking = await rank_in_scope(tx, self.embedder, scope, query)
        return {one.document_id for one in ranking.fused}

    async def run(self, statement: str, *values: object) -> str:
        """A statement of the tenant."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            return await tx.conn.execute(statement, *values)

    async def value(self, statement: str, *values: object) -> int:
        """The number that a statement of the tenant gives."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            found: int = await tx.conn.fetchval(statement, *values)
            return found
