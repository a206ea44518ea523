"""The store's figures: a tenant transaction against a bare round trip, a search against a bare scan."""

import time
from collections.abc import Awaitable, Callable, Sequence

from models.bench_figures import Figure, compared, percentile
from models.retrieval import RetrievalScope
from services.evaluation.bench_knowledge import BenchTenant, bench_corpus, bench_queries, bench_tenant
from services.ports import Embedder
from services.retrieval import search
from store.bench import bench_analyze, bench_nearest, bench_one
from store.connection import connected
from store.pool import Store

_ROUNDS = 500
_QUERIES = 100
SIZES = (1_000, 10_000)


async def bench_transaction(store: Store, database_url: str) -> Sequence[Figure]:
    """A transaction of a tenant with one read, against the same read alone; milliseconds, lower is better."""
    tenant = await bench_tenant(store)

    async def walled() -> None:
        async with store.tenant_transaction(tenant.tenant_id) as tx:
            await bench_one(tx.conn)

    async with connected(database_url) as conn:

        async def bare() -> None:
            await bench_one(conn)

        product, baseline = await _alternating(walled, bare, rounds=_ROUNDS)
    return _figures("tenant transaction", product, "SELECT 1", baseline)


async def bench_search(
    store: Store,
    embedder: Embedder,
    owner_url: str,
    sizes: Sequence[int],
    progress: Callable[[int, int], None] | None = None,
) -> Sequence[Figure]:
    """A search with all three channels and verification, against an exact vector scan alone; milliseconds.

    The planner has its statistics, as autovacuum gives it a minute after a load.
    """
    figures: list[Figure] = []
    for size in sizes:
        tenant = await bench_tenant(store)
        await bench_corpus(store, embedder, tenant, size, progress)
        async with connected(owner_url) as owner:
            await bench_analyze(owner)
        product, baseline = await _searches(store, embedder, tenant)
        figures.extend(_figures(f"search in {size} chunks", product, "exact vector scan", baseline))
    return figures


async def _searches(store: Store, embedder: Embedder, tenant: BenchTenant) -> tuple[list[float], list[float]]:
    scope = RetrievalScope(tenant_id=tenant.tenant_id, subject=tenant.sales.subject)
    queries = bench_queries(_QUERIES)
    product: list[float] = []
    baseline: list[float] = []
    for query in [queries[0], *queries]:
        vector = await embedder.embed_query(query)
        began = time.perf_counter()
        await search(store, embedder, scope, query, k=10)
        between = time.perf_counter()
        async with store.tenant_transaction(tenant.tenant_id) as tx:
            await bench_nearest(tx, vector, top=10)
        product.append(between - began)
        baseline.append(time.perf_counter() - between)
    return product[1:], baseline[1:]


async def _alternating(
    product: Callable[[], Awaitable[None]], baseline: Callable[[], Awaitable[None]], *, rounds: int
) -> tuple[list[float], list[float]]:
    """Seconds of each, taken in turn so that both meet the same machine."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 20):
        for place, call in enumerate((product, baseline)):
            began = time.perf_counter()
            await call()
            if number >= 20:  # the first rounds warm both up
                taken[place].append(time.perf_counter() - began)
    return taken


def _figures(name: str, product: Sequence[float], against: str, baseline: Sequence[float]) -> list[Figure]:
    return [
        compared(
            f"{name} {label}", "ms", percentile(product, share) * 1000, against, percentile(baseline, share) * 1000
        )
        for label, share in (("p50", 0.50), ("p99", 0.99))
    ]
