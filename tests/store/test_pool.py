"""The tenant transaction: what it shows, what it refuses, and what is left of it after every way to end.

Capabilities: C-81, C-88.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from datetime import UTC

import asyncpg
import pytest
import pytest_asyncio

from models.errors import InvalidInput, StoreBusy, StoreUnavailable
from models.ids import TenantId
from store.connection import connected
from store.pool import Store, TenantTransaction
from tests.conftest import Database, MakeTenant

_PRINCIPALS = "select subject from principals order by subject"


async def _add_principal(store: Store, tenant_id: TenantId, subject: str) -> None:
    async with store.tenant_transaction(tenant_id) as tx:
        await _insert(tx, tenant_id, subject)


async def _insert(tx: TenantTransaction, tenant_id: str, subject: str) -> None:
    await tx.conn.execute("insert into principals (tenant_id, subject) values ($1, $2)", tenant_id, subject)


async def _subjects(store: Store, tenant_id: TenantId) -> list[str]:
    async with store.tenant_transaction(tenant_id) as tx:
        return [row["subject"] for row in await tx.conn.fetch(_PRINCIPALS)]


@pytest_asyncio.fixture
async def single(database: Database) -> AsyncGenerator[Store]:
    """A store of one connection: whatever a transaction leaves behind, the next one meets."""
    store = await Store.open(database.app_url, size=1)
    yield store
    await store.close()


async def test_a_tenant_sees_its_own_rows_only(store: Store, make_tenant: MakeTenant) -> None:
    one, other = await make_tenant("A"), await make_tenant("B")
    await _add_principal(store, one, "li")
    await _add_principal(store, other, "wang")
    assert await _subjects(store, one) == ["li"]
    assert await _subjects(store, other) == ["wang"]


async def test_the_directory_sees_no_tenants_rows(store: Store, tenant: TenantId) -> None:
    await _add_principal(store, tenant, "li")
    async with store.directory_transaction() as directory:
        assert await directory.conn.fetch(_PRINCIPALS) == []
        assert await directory.conn.fetchval("select count(*) from tenants where tenant_id = $1", tenant) == 1
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await directory.conn.execute("insert into principals (tenant_id, subject) values ($1, 'x')", tenant)
        await directory.conn.execute("rollback; begin")


async def test_without_a_tenant_nothing_is_seen_or_written(database: Database, store: Store, tenant: TenantId) -> None:
    """Hostile 85."""
    await _add_principal(store, tenant, "li")
    async with connected(database.app_url) as conn:
        assert await conn.fetch(_PRINCIPALS) == []
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await conn.execute("insert into principals (tenant_id, subject) values ($1, 'x')", tenant)
        assert await conn.execute("update principals set active = false") == "UPDATE 0"


@pytest.mark.parametrize("value", ["", "null", "NULL", " ", "{}", "*", "%", "'{tenant}'", "{tenant} ", "{{{tenant}}}"])
async def test_any_other_setting_denies(database: Database, store: Store, tenant: TenantId, value: str) -> None:
    """Hostile 86."""
    await _add_principal(store, tenant, "li")
    async with connected(database.app_url) as conn:
        await conn.fetchval("select set_config('app.tenant', $1, false)", value.replace("{tenant}", tenant))
        assert await conn.fetch(_PRINCIPALS) == []


async def test_the_case_of_a_tenant_id_matters(store: Store, make_tenant: MakeTenant) -> None:
    tenant = await make_tenant("Acme")
    await _add_principal(store, tenant, "li")
    assert await _subjects(store, TenantId(tenant.lower())) == []
    assert await _subjects(store, TenantId(tenant.upper())) == []


@pytest.mark.parametrize(
    "raw", ["", "*", "a b", "a'; drop table tasks; --", "../a", "a" * 41, "ａ", "a\n", "null\0", "."]
)
async def test_a_tenant_id_out_of_form_never_reaches_the_database(store: Store, raw: str) -> None:
    """Hostile 78."""
    with pytest.raises(InvalidInput):
        async with store.tenant_transaction(TenantId(raw)):
            pytest.fail("the block must not run")


async def test_a_row_cannot_move_to_another_tenant(store: Store, make_tenant: MakeTenant) -> None:
    """Hostile 90."""
    one, other = await make_tenant("A"), await make_tenant("B")
    await _add_principal(store, one, "li")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with store.tenant_transaction(one) as tx:
            await tx.conn.execute("update principals set tenant_id = $1", other)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with store.tenant_transaction(one) as tx:
            await _insert(tx, other, "smuggled")
    assert await _subjects(store, one) == ["li"]
    assert await _subjects(store, other) == []


async def test_a_foreign_parent_fails_like_a_missing_one(store: Store, make_tenant: MakeTenant) -> None:
    """Hostile 89."""
    one, other = await make_tenant("A"), await make_tenant("B")
    add_document = "insert into documents (tenant_id, document_id, kind, created_by) values ($1, $2, 'inference', 'x')"
    add_version = (
        "insert into document_versions (tenant_id, document_id, version, status, title, acl, media_type, original_hash,"
        " parser_name, parser_version, canonical_text, content_hash, segments, created_by)"
        " values ($1, $2, 1, 'draft', '', '{}', '', 'h', '', '', '', '', '[]', 'x')"
    )
    async with store.tenant_transaction(other) as tx:
        await tx.conn.execute(add_document, other, "SOP-1")
    reports: list[tuple[str, str]] = []
    for document_id in ("SOP-1", "SOP-9"):
        with pytest.raises(asyncpg.ForeignKeyViolationError) as caught:
            async with store.tenant_transaction(one) as tx:
                await tx.conn.execute("insert into originals values ($1, 'h', '', '')", one)
                await tx.conn.execute(add_version, one, document_id)
        reports.append((str(caught.value), str(getattr(caught.value, "detail", "")).replace(document_id, "?")))
    assert reports[0] == reports[1]


async def test_an_error_rolls_everything_back(single: Store) -> None:
    tenant = await _registered(single)
    with pytest.raises(RuntimeError, match="stop"):
        async with single.tenant_transaction(tenant) as tx:
            await _insert(tx, tenant, "li")
            raise RuntimeError("stop")
    assert await _subjects(single, tenant) == []


async def test_a_swallowed_database_error_is_no_commit(single: Store) -> None:
    tenant = await _registered(single)
    with pytest.raises(asyncpg.PostgresError):
        async with single.tenant_transaction(tenant) as tx:
            await _insert(tx, tenant, "li")
            with pytest.raises(asyncpg.PostgresError):
                await tx.conn.execute("select 1 / 0")
    assert await _subjects(single, tenant) == []


async def test_a_savepoint_fails_alone(single: Store) -> None:
    tenant = await _registered(single)
    async with single.tenant_transaction(tenant) as tx:
        await _insert(tx, tenant, "li")
        with pytest.raises(asyncpg.UniqueViolationError):
            async with tx.savepoint():
                await _insert(tx, tenant, "li")
        async with tx.savepoint():
            await _insert(tx, tenant, "wang")
    assert await _subjects(single, tenant) == ["li", "wang"]


async def test_nothing_of_a_session_survives_the_transaction(single: Store) -> None:
    tenant = await _registered(single)
    async with single.tenant_transaction(tenant) as tx:
        await tx.conn.execute("set app.tenant = 'x'; set statement_timeout = 1234; select pg_advisory_lock(7)")
        pid = await tx.conn.fetchval("select pg_backend_pid()")
    async with single.directory_transaction() as directory:
        assert await directory.conn.fetchval("select pg_backend_pid()") == pid
        assert await directory.conn.fetchval("show statement_timeout") == "30s"
        assert await directory.conn.fetchval("select count(*) from pg_locks where locktype = 'advisory'") == 0
        await directory.conn.execute("commit")
        assert not await directory.conn.fetchval("select nullif(current_setting('app.tenant', true), '')")
        await directory.conn.execute("begin")


async def test_the_tenant_ends_with_the_transaction_itself(single: Store) -> None:
    async with single.tenant_transaction(await _registered(single)) as tx:
        await tx.conn.execute("commit; begin")
        assert await tx.conn.fetchval("select nullif(current_setting('app.tenant', true), '')") is None


async def test_a_prepared_statement_serves_every_tenant_its_own(single: Store) -> None:
    """The generic plan of a cached statement must not keep the first tenant."""
    tenants = [await _registered(single) for _ in range(3)]
    for number, tenant in enumerate(tenants):
        await _add_principal(single, tenant, f"subject-{number}")
    for _ in range(8):
        for number, tenant in enumerate(tenants):
            assert await _subjects(single, tenant) == [f"subject-{number}"]


async def test_mixed_tenants_on_a_small_pool_never_mix(store: Store, make_tenant: MakeTenant) -> None:
    tenants = [await make_tenant(f"T{number}") for number in range(20)]

    async def work(tenant: TenantId) -> None:
        for turn in range(5):
            async with store.tenant_transaction(tenant) as tx:
                await _insert(tx, tenant, f"{tenant}-{turn}")
                seen = [row["subject"] for row in await tx.conn.fetch(_PRINCIPALS)]
                assert seen == [f"{tenant}-{number}" for number in range(turn + 1)]

    await asyncio.gather(*(work(tenant) for tenant in tenants))


async def test_cancelled_at_every_await_the_connection_stays_clean(single: Store) -> None:
    """Hostile 92: cancel after n turns of the event loop, for every n until the work gets through."""
    tenant, neighbour = await _registered(single), await _registered(single)
    await _add_principal(single, neighbour, "neighbour")
    finished = False

    async def work(subject: str) -> None:
        async with single.tenant_transaction(tenant) as tx:
            await _insert(tx, tenant, subject)
            await tx.conn.fetchval("select pg_sleep(0.002)")
            await tx.now()

    turns = 0
    while not finished:
        subject = f"try-{turns}"
        task = asyncio.create_task(work(subject))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        outcome = (await asyncio.gather(task, return_exceptions=True))[0]
        finished = outcome is None
        assert finished or isinstance(outcome, asyncio.CancelledError)
        assert await _subjects(single, neighbour) == ["neighbour"]
        assert (subject in await _subjects(single, tenant)) in ((True,) if finished else (True, False))
        turns += 1 + turns // 10
        assert turns < 1_000_000
    async with single.directory_transaction() as directory:
        assert await directory.conn.fetchval("select count(*) from pg_stat_activity where state like 'idle in%'") == 0


async def test_cancelled_twice_the_connection_still_comes_back(single: Store) -> None:
    tenant = await _registered(single)

    async def sleep_in_database() -> None:
        async with single.tenant_transaction(tenant) as tx:
            await _insert(tx, tenant, "li")
            await tx.conn.execute("select pg_sleep(20)")

    task = asyncio.create_task(sleep_in_database())
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await _subjects(single, tenant) == []


async def test_a_statement_timeout_is_store_busy(single: Store) -> None:
    """Hostile 93."""
    tenant = await _registered(single)
    with pytest.raises(StoreBusy):
        async with single.tenant_transaction(tenant) as tx:
            await _insert(tx, tenant, "li")
            await tx.conn.execute("set local statement_timeout = '20ms'; select pg_sleep(5)")
    assert await _subjects(single, tenant) == []


async def test_a_deadlock_is_store_busy_for_one_and_success_for_the_other(store: Store, tenant: TenantId) -> None:
    """Hostile 94."""
    for subject in ("one", "two"):
        await _add_principal(store, tenant, subject)
    meet = asyncio.Barrier(2)

    async def update(first: str, second: str) -> None:
        async with store.tenant_transaction(tenant) as tx:
            change = "update principals set revision = revision + 1 where tenant_id = $1 and subject = $2"
            await tx.conn.execute(change, tenant, first)
            await meet.wait()
            await tx.conn.execute(change, tenant, second)

    outcomes = await asyncio.gather(update("one", "two"), update("two", "one"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [StoreBusy]


async def test_a_lost_connection_is_store_unavailable_and_the_pool_recovers(database: Database, single: Store) -> None:
    tenant = await _registered(single)
    with pytest.raises(StoreUnavailable):
        async with single.tenant_transaction(tenant) as tx:
            pid = await tx.conn.fetchval("select pg_backend_pid()")
            async with connected(database.admin_url) as admin:
                await admin.fetchval("select pg_terminate_backend($1, 5000)", pid)
            await _insert(tx, tenant, "li")
    assert await _subjects(single, tenant) == []


async def test_errors_of_the_block_itself_pass_unchanged(single: Store) -> None:
    tenant = await _registered(single)
    for error in (FileNotFoundError("a file"), TimeoutError("a model")):
        with pytest.raises(type(error)):
            async with single.tenant_transaction(tenant):
                raise error


async def test_times_are_utc_and_one_transaction_has_one(single: Store) -> None:
    async with single.directory_transaction() as directory:
        now = await directory.now()
        await asyncio.sleep(0.01)
        assert await directory.now() == now
        assert now.tzinfo == UTC


async def test_values_come_back_as_they_went_in(single: Store) -> None:
    """jsonb as plain values, vectors as lists of floats."""
    async with single.directory_transaction() as directory:
        value = {"數量": [1, 2.5, None, True], "nested": {"a": "ß"}}
        assert await directory.conn.fetchval("select $1::jsonb", value) == value
        vector = await directory.conn.fetchval("select $1::halfvec", [1.0, 0.5])
        assert list(vector.to_list()) == [1.0, 0.5]


async def _registered(store: Store) -> TenantId:
    tenant = TenantId(f"T-{uuid.uuid4().hex[:8]}")
    async with store.directory_transaction() as directory:
        await directory.conn.execute("insert into tenants (tenant_id) values ($1)", tenant)
    return tenant
