from models.ids import TenantId
from store.pool import Store


async def test_smoke(store: Store, tenant: TenantId) -> None:
    async with store.tenant_transaction(tenant) as tx:
        assert await tx.conn.fetchval("select count(*) from tasks") == 0
        assert await tx.now() == await tx.now()


async def test_smoke2(store: Store, tenant: TenantId) -> None:
    async with store.tenant_transaction(tenant) as tx:
        assert await tx.conn.fetchval("select count(*) from tasks") == 0
