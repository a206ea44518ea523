"""What only an evaluation does to its own tenants."""

from store.named_queries import queries
from store.pool import TenantTransaction


async def document_ranges_shift(tx: TenantTransaction, days: float) -> None:
    """Moves every effective range of the tenant `days` into the past, as if that time had gone by."""
    await queries.document_ranges_shift(tx.conn, tenant_id=tx.tenant_id, days=days)
