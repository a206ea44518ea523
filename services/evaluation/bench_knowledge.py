"""A tenant with people and generated documents, for benchmarks: made through the product's own front doors."""

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from models.ids import TenantId, parse_tenant_id
from models.principals import Principal
from services.documents import document_add, document_approve, document_publish, document_submit
from services.ports import Embedder
from services.principals import principal_add, resolve_principal
from services.tenants import tenant_add
from store.pool import Store

# The document that answers the requests of the benchmarks, and a request that needs no question.
LEAD_TIME_SOP = "# Lead times\n\nThe standard lead time is 15 working days.\n\nCartons are sealed with paper tape.\n"
LEAD_TIME_REQUEST = "RFQ: {number} pcs of SUS304, no special inspection. What is the lead time?"

_START = datetime(2020, 1, 1, tzinfo=UTC)
_GROUP = "sales"
_PARAGRAPHS = 50
_SYLLABLES = tuple(first + second for first in "bdfgklmnprst" for second in "aeio")
_VOCABULARY = 8_000


@dataclass(frozen=True)
class BenchTenant:
    """Who acts in a benchmark's tenant."""

    tenant_id: TenantId
    sales: Principal
    approver: Principal
    author: Principal
    owner: Principal


async def bench_tenant(store: Store) -> BenchTenant:
    """A new tenant with a requester, an approver and two knowledge owners of one group."""
    tenant_id = parse_tenant_id(f"bench-{uuid.uuid4().hex[:12]}")
    await tenant_add(store, tenant_id, operator="operator-1")
    operator = await resolve_principal(store, tenant_id, "operator-1")
    people: list[Principal] = []
    for subject, role in (
        ("sales-1", "requester"),
        ("approver-1", "approver"),
        ("owner-1", "knowledge_owner"),
        ("owner-2", "knowledge_owner"),
    ):
        people.append(await principal_add(store, operator, subject, roles=[role], groups=[_GROUP]))
    return BenchTenant(tenant_id, *people)


async def bench_document(store: Store, embedder: Embedder, tenant: BenchTenant, name: str, text: str) -> None:
    """One published document that the tenant's people may read."""
    await document_add(
        store,
        tenant.author,
        document_id=name,
        kind="formal_fact",
        title=name,
        acl=[_GROUP],
        data=text.encode(),
        file_name=f"{name}.md",
    )
    await document_submit(store, tenant.author, name, 1)
    await document_approve(store, tenant.owner, name, 1)
    await document_publish(store, tenant.owner, name, 1, _START, None, embedder=embedder)


async def bench_corpus(
    store: Store,
    embedder: Embedder,
    tenant: BenchTenant,
    chunks: int,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """About `chunks` chunks of generated text in documents of fifty paragraphs; the same text in every run."""
    for first in range(0, chunks, _PARAGRAPHS):
        if progress is not None:
            progress(first, chunks)
        paragraphs = [_paragraph(number) for number in range(first, min(first + _PARAGRAPHS, chunks))]
        await bench_document(store, embedder, tenant, f"BENCH-{first}", "\n\n".join(paragraphs))
    if progress is not None:
        progress(chunks, chunks)


def bench_queries(count: int) -> list[str]:
    """Questions in the words of the corpus."""
    return [" ".join(_word(number, place) for place in range(100, 105)) for number in range(count)]


def _paragraph(number: int) -> str:
    """A heading makes each paragraph a chunk of its own."""
    words = " ".join(_word(number, place) for place in range(40))
    return f"## Section {number}\n\nPart BN-{number:05d} passes {words}."


def _word(number: int, place: int) -> str:
    """A made-up word; a few are in most chunks and most are in few, as in a language."""
    share = int.from_bytes(hashlib.blake2b(f"{number}/{place}".encode(), digest_size=4).digest(), "big") / 2**32
    rank = int(_VOCABULARY * share**3)
    first, rest = rank % len(_SYLLABLES), rank // len(_SYLLABLES)
    second, third = rest % len(_SYLLABLES), rest // len(_SYLLABLES)
    return f"{_SYLLABLES[first]}{_SYLLABLES[second]}{_SYLLABLES[third % len(_SYLLABLES)]}n"
