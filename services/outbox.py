"""The relay's side of the outbox: find what is due in any tenant, tell it, mark it; at least once, within 10 s."""

from collections.abc import Sequence

from models.ids import TenantId
from store.outbox import (
    OutboxNotice,
    OutboxRow,
    outbox_claim,
    outbox_deliver,
    outbox_due_count,
    outbox_fail,
    outbox_fetch,
)
from store.pool import Store

LEASE_SECONDS = 5.0
MAX_CLAIM = 100


async def outbox_due(store: Store) -> int:
    """How many notifications are due now, over all tenants."""
    async with store.directory_transaction() as directory:
        return await outbox_due_count(directory)


async def outbox_take(
    store: Store, *, limit: int = MAX_CLAIM, lease_seconds: float = LEASE_SECONDS
) -> Sequence[OutboxNotice]:
    """Claims up to `limit` due notices; one that is neither delivered nor failed is due again after the lease."""
    async with store.directory_transaction() as directory:
        return await outbox_claim(directory, limit=max(1, min(limit, MAX_CLAIM)), lease_seconds=lease_seconds)


async def outbox_read(store: Store, notice: OutboxNotice) -> OutboxRow | None:
    """What the notice stands for; a row that was delivered already loses its notice and gives None."""
    async with store.tenant_transaction(notice.tenant_id) as tx:
        row = await outbox_fetch(tx, notice.outbox_id)
        if row is None or row.delivered_at is not None:
            await outbox_deliver(tx, notice.outbox_id)
            return None
        return row


async def outbox_delivered(store: Store, tenant_id: TenantId, outbox_id: str) -> None:
    """Marks the notification as told; its notice is gone."""
    async with store.tenant_transaction(tenant_id) as tx:
        await outbox_deliver(tx, outbox_id)


async def outbox_failed(store: Store, tenant_id: TenantId, outbox_id: str, error_code: str) -> None:
    """Counts a delivery that failed; due again after 0.5 s, then twice as long each time, 10 s at most."""
    async with store.tenant_transaction(tenant_id) as tx:
        await outbox_fail(tx, outbox_id, error_code)
