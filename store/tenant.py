"""The directory of tenants."""

from datetime import date, datetime

from models.ids import TenantId
from models.tenants import Tenant
from store.named_queries import queries
from store.pool import TenantTransaction, Transaction


async def tenant_fetch(tx: Transaction, tenant_id: TenantId) -> Tenant | None:
    """The tenant, or None."""
    row = await queries.tenant_fetch(tx.conn, tenant_id=tenant_id)
    return None if row is None else Tenant(tenant_id=tenant_id, time_zone=row["time_zone"])


async def tenant_insert(tx: TenantTransaction, time_zone: str) -> bool:
    """Whether this transaction made its tenant; False when it was there."""
    return await queries.tenant_insert(tx.conn, tenant_id=tx.tenant_id, time_zone=time_zone) is True


async def tenant_lock(tx: TenantTransaction) -> None:
    """Waits until no other transaction changes the tenant's people or policies."""
    await queries.tenant_lock(tx.conn, tenant_id=tx.tenant_id)


async def time_zone_check(tx: Transaction, time_zone: str) -> bool:
    """Whether the database knows this IANA name."""
    known: bool = await queries.time_zone_check(tx.conn, time_zone=time_zone)
    return known


async def tenant_midnight_fetch(tx: Transaction, tenant_id: TenantId, day: date) -> datetime | None:
    """The moment, in UTC, at which `day` begins in the tenant's time zone; None for an unknown tenant."""
    moment: datetime | None = await queries.tenant_midnight_fetch(tx.conn, tenant_id=tenant_id, day=day)
    return moment
