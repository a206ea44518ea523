"""The bare baselines that the benchmarks compare with."""

from models.retrieval import Vector
from store.connection import Connection
from store.indexing import halfvec
from store.named_queries import queries
from store.pool import TenantTransaction


async def bench_one(conn: Connection) -> int:
    """One round trip."""
    answer: int = await queries.bench_one(conn)
    return answer


async def bench_nearest(tx: TenantTransaction, vector: Vector, *, top: int) -> list[int]:
    """The ids of the nearest chunks of the tenant, by an exact scan."""
    rows = queries.bench_nearest(tx.conn, tenant_id=tx.tenant_id, embedding=halfvec(vector), top=top)
    return [row["chunk_id"] async for row in rows]


async def bench_drafted_count(tx: TenantTransaction) -> int:
    """How many of the tenant's tasks wait for their approval."""
    count: int = await queries.bench_drafted_count(tx.conn, tenant_id=tx.tenant_id)
    return count


async def bench_analyze(owner: Connection) -> None:
    """Brings the planner's statistics up to date, as autovacuum does a minute after a load."""
    await queries.bench_analyze(owner)
