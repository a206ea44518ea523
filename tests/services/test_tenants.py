"""Setting a tenant up: once, with its first operator, and no way into a tenant that exists."""

import asyncio
from datetime import UTC, date, datetime

import pytest

from models.errors import Conflict, InvalidInput, NotFound, Refused
from models.ids import Subject, TenantId
from services.principals import resolve_principal
from services.tenants import tenant_add, tenant_midnight
from store.audit import audit_list
from store.pool import Store
from store.principal import principal_count, principal_insert
from store.tenant import tenant_lock

TENANT = TenantId("acme")


async def people(store: Store) -> int:
    async with store.tenant_transaction(TENANT) as tx:
        return await principal_count(tx)


async def test_a_tenant_comes_with_its_first_operator_and_an_audit(store: Store) -> None:
    added = await tenant_add(store, TENANT, "Asia/Taipei", operator="op")
    assert added.created
    assert (added.tenant.tenant_id, added.tenant.time_zone) == (TENANT, "Asia/Taipei")
    operator = await resolve_principal(store, TENANT, "op")
    assert operator.roles == ("operator",)
    async with store.tenant_transaction(TENANT) as tx:
        events = [(entry.actor, entry.event) for entry in await audit_list(tx)]
    assert events == [("deployment", "principal_added"), ("deployment", "tenant_added")]


async def test_the_same_again_changes_nothing(store: Store) -> None:
    await tenant_add(store, TENANT, "UTC", operator="op")
    assert not (await tenant_add(store, TENANT, "UTC", operator="op")).created
    assert await people(store) == 1


async def test_another_time_zone_is_a_conflict(store: Store) -> None:
    await tenant_add(store, TENANT, "UTC", operator="op")
    with pytest.raises(Conflict, match="time zone UTC"):
        await tenant_add(store, TENANT, "Asia/Tokyo", operator="op")


async def test_nobody_gets_into_a_tenant_that_has_people(store: Store) -> None:
    await tenant_add(store, TENANT, "UTC", operator="op")
    with pytest.raises(Refused, match="has people already"):
        await tenant_add(store, TENANT, "UTC", operator="mallory")
    assert await people(store) == 1
    async with store.tenant_transaction(TENANT) as tx:
        assert (await audit_list(tx))[0].event == "tenant_add_refused"


async def test_an_empty_tenant_takes_one_first_operator_of_two_at_once(store: Store) -> None:
    """The second waits for the first to commit, and then sees that there are people."""
    await tenant_add(store, TENANT, "UTC", operator=None)
    async with store.tenant_transaction(TENANT) as first:
        await tenant_lock(first)
        await principal_insert(first, Subject("one"), ["operator"], [])
        second = asyncio.create_task(tenant_add(store, TENANT, "UTC", operator="two"))
        await asyncio.sleep(0.3)
        assert not second.done()
    with pytest.raises(Refused):
        await second
    assert await people(store) == 1


@pytest.mark.parametrize("tenant_id", ["", "*", "../x", "a b", "a" * 41, "公司", "a\n"])
async def test_a_tenant_id_has_one_form(store: Store, tenant_id: str) -> None:
    """Hostile 78."""
    with pytest.raises(InvalidInput):
        await tenant_add(store, tenant_id, "UTC", operator="op")


@pytest.mark.parametrize("time_zone", ["", "Taipei", "UTC+8", "EST5", "posix/UTC", "Asia/Taipei'; --", "GMT0"])
async def test_a_time_zone_is_a_region(store: Store, time_zone: str) -> None:
    with pytest.raises(InvalidInput, match="no time zone"):
        await tenant_add(store, TENANT, time_zone, operator="op")
    async with store.directory_transaction() as directory:
        assert await directory.conn.fetchval("select count(*) from tenants") == 0


async def test_a_bad_operator_leaves_no_tenant(store: Store) -> None:
    with pytest.raises(InvalidInput, match="subject"):
        await tenant_add(store, TENANT, "UTC", operator="no body")
    async with store.directory_transaction() as directory:
        assert await directory.conn.fetchval("select count(*) from tenants") == 0


async def test_a_day_begins_where_the_tenant_lives(store: Store) -> None:
    await tenant_add(store, TENANT, "Asia/Taipei", operator="op")
    assert await tenant_midnight(store, TENANT, date(2026, 12, 1)) == datetime(2026, 11, 30, 16, tzinfo=UTC)
    with pytest.raises(NotFound):
        await tenant_midnight(store, TenantId("other"), date(2026, 12, 1))
