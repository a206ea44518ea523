"""The walls are read back from the catalogue, and each way to leave one out is named (hostile 87, 88).

Capabilities: C-81.
"""

import pytest

from store.catalogue import catalogue_faults
from store.connection import connected
from tests.conftest import Database

_WALL = "tenant_id = (select nullif(current_setting('app.tenant', true), ''))"
_WALLED = f"""
    alter table {{0}} owner to proofdesk_owner;
    alter table {{0}} enable row level security;
    alter table {{0}} force row level security;
    create policy tenant_wall on {{0}} using ({_WALL}) with check ({_WALL});
"""
_NOTES = "create table notes (tenant_id text not null references tenants, id uuid, primary key (tenant_id, id));"


def _walled(table: str) -> str:
    return _WALLED.format(table)


async def test_the_schema_has_no_fault(database: Database) -> None:
    async with connected(database.app_url) as conn:
        assert await catalogue_faults(conn) == []


async def test_a_well_walled_new_table_is_no_fault(database: Database) -> None:
    async with connected(database.admin_url) as conn:
        await conn.execute(_NOTES + _walled("notes"))
        assert await catalogue_faults(conn) == []


@pytest.mark.parametrize(
    ("mutant", "fault"),
    [
        (_NOTES + "alter table notes owner to proofdesk_owner", "table public.notes has no row security"),
        (
            _NOTES + "alter table notes owner to proofdesk_owner; alter table notes enable row level security",
            "table public.notes does not force row security on its owner",
        ),
        (_NOTES + "alter table notes enable row level security", "table public.notes has no policy"),
        (_NOTES, "table public.notes is owned by proofdesk_admin, not proofdesk_owner"),
        ("alter table tasks no force row level security", "table public.tasks does not force row security"),
        ("alter table tasks disable row level security", "table public.tasks has no row security"),
        ("drop policy tenant_wall on tasks", "table public.tasks has no policy"),
        (
            f"drop policy tenant_wall on tasks; create policy tenant_wall on tasks using ({_WALL})",
            "table public.tasks has another policy",
        ),
        (
            f"drop policy tenant_wall on tasks; create policy tenant_wall on tasks using ({_WALL}) with check (true)",
            "table public.tasks has another policy",
        ),
        (
            f"drop policy tenant_wall on tasks; create policy tenant_wall on tasks for select using ({_WALL})",
            "table public.tasks has another policy",
        ),
        (
            "drop policy tenant_wall on tasks; create policy tenant_wall on tasks "
            "using (tenant_id = current_setting('app.tenant', true) or current_setting('app.tenant', true) is null)",
            "table public.tasks has another policy",
        ),
        ("create policy everybody on tasks using (true)", "table public.tasks has another policy"),
        (
            "create table notes (id uuid primary key); alter table notes owner to proofdesk_owner",
            "table public.notes has no tenant_id",
        ),
        ("create schema side; create table side.tenants (name text)", "table side.tenants has no tenant_id"),
        (
            "create table notes (tenant_id text, id uuid);" + _walled("notes"),
            "table public.notes has no tenant_id of type text not null",
        ),
        (
            "create table notes (tenant_id text not null, id uuid primary key);" + _walled("notes"),
            "primary key notes_pkey of notes does not begin with tenant_id",
        ),
        (
            "create table notes (tenant_id text not null);" + _walled("notes"),
            "table notes has no primary key",
        ),
        (
            "create unique index notes_by_hash on tasks (request_hash)",
            "unique index notes_by_hash of tasks does not begin with tenant_id",
        ),
        (
            "alter table outbox add unique (outbox_id);"
            "alter table tasks add note uuid, add foreign key (note) references outbox (outbox_id)",
            "foreign key tasks_note_fkey of tasks does not begin with tenant_id",
        ),
        (
            "create table parts (tenant_id text not null, id int, primary key (tenant_id, id)) partition by hash "
            "(tenant_id); create table parts_0 partition of parts for values with (modulus 1, remainder 0);"
            + _walled("parts"),
            "table public.parts_0 has no row security",
        ),
        ("create view open_tasks as select * from tasks", "view public.open_tasks lacks security_invoker"),
        ("create materialized view all_tasks as select * from tasks", "materialized view public.all_tasks"),
        (
            "create function peek() returns bigint language sql security definer as 'select count(*) from tasks'",
            "function peek is SECURITY DEFINER without a fixed search_path",
        ),
        (
            "create function peek() returns bigint language sql security definer set search_path = public "
            "as 'select count(*) from tasks'; grant execute on function peek() to public",
            "function peek is SECURITY DEFINER and everybody may call it",
        ),
        (
            "create function me() returns text language sql immutable as $$select current_setting('app.tenant')$$",
            "function me reads a setting but is IMMUTABLE",
        ),
        (
            "create function fast(text) returns bool language sql immutable leakproof as 'select true'",
            "function fast is LEAKPROOF",
        ),
        ("create rule watch as on delete to tasks do instead nothing", "table public.tasks has a rewrite rule"),
        ("alter table outbox_notices add text text", "table public.outbox_notices is content-free, yet has text"),
        ("alter table tenants add customer text", "table public.tenants is content-free, yet has customer"),
        ("grant select on tasks to public", "public has SELECT on tasks"),
        ("grant truncate on tasks to proofdesk_app", "proofdesk_app has TRUNCATE on tasks"),
        ("grant update on audit_log to proofdesk_app", "proofdesk_app has UPDATE on audit_log"),
        ("grant update (actor) on audit_log to proofdesk_app", "proofdesk_app has UPDATE on audit_log"),
        ("grant delete on audit_log to proofdesk_app", "proofdesk_app has DELETE on audit_log"),
        ("grant insert on audit_log to proofdesk_auditor", "proofdesk_auditor has INSERT on audit_log"),
        (
            "grant select on tasks to proofdesk_app with grant option",
            "proofdesk_app may pass on SELECT on tasks",
        ),
        ("grant create on schema public to proofdesk_app", "role proofdesk_app: makes objects in public"),
    ],
)
async def test_each_missing_wall_is_named(database: Database, mutant: str, fault: str) -> None:
    async with connected(database.admin_url) as conn:
        await conn.execute(mutant)
        faults = await catalogue_faults(conn)
    assert any(found.startswith(fault) for found in faults), faults


@pytest.mark.parametrize(
    ("mutant", "fault"),
    [
        ("alter role proofdesk_app bypassrls", "role proofdesk_app: bypasses row security"),
        ("alter role proofdesk_app superuser", "role proofdesk_app: superuser"),
        ("alter role proofdesk_app createrole", "role proofdesk_app: creates roles"),
        ("grant proofdesk_owner to proofdesk_app", "role proofdesk_app: acts as another role"),
    ],
)
async def test_a_stronger_role_is_named(database: Database, mutant: str, fault: str) -> None:
    async with connected(database.admin_url) as conn:
        transaction = conn.transaction()  # roles belong to the whole server: the change is never committed
        async with transaction:
            await conn.execute(mutant)
            faults = await catalogue_faults(conn)
            await conn.execute("rollback; begin")
    assert fault in faults


async def test_rights_of_public_on_the_database_are_named(database: Database) -> None:
    async with connected(database.admin_url) as conn:
        await conn.execute(f'grant temporary, create on database "{database.name}" to public')
        faults = await catalogue_faults(conn)
    assert {"role proofdesk_app: makes temporary tables", "role proofdesk_app: makes schemas"} <= set(faults)
