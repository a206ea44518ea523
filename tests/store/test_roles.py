"""What the application's role tries beyond its grants is denied by PostgreSQL itself (hostile 95)."""

import asyncpg
import pytest

from models.ids import TenantId
from store.connection import connected
from store.pool import Store
from tests.conftest import Database


@pytest.mark.parametrize(
    "statement",
    [
        "truncate tasks",
        "create temp table t (a int)",
        "create table t (a int)",
        "create schema s",
        "create view v as select * from tasks",
        "create function f() returns int language sql as 'select 1'",
        "drop extension vector",
        "set role proofdesk_owner",
        "set session authorization proofdesk_admin",
        "alter table tasks no force row level security",
        "alter table tasks disable row level security",
        "drop policy tenant_wall on tasks",
        "drop table tasks",
        "alter role proofdesk_app bypassrls",
        "alter role proofdesk_app set row_security = off; alter role proofdesk_app superuser",
        "grant select on tasks to public; create role x",
        "copy tenants to program 'cat'",
        "copy tenants from program 'echo x'",
        "copy tenants to '/tmp/proofdesk-out'",
        "select pg_read_file('/etc/passwd')",
        "select pg_ls_dir('/')",
        "select lo_import('/etc/passwd')",
        "select pg_reload_conf()",
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'proofdesk_admin'",
        "select rolpassword from pg_authid",
        "alter system set log_statement = 'all'",
        "update audit_log set actor = 'x'",
        "delete from audit_log",
        "update task_events set status = 'x'",
        "delete from decisions",
        "delete from tasks",
        "update schema_migrations set checksum = 'x'",
    ],
)
async def test_the_application_may_not(database: Database, statement: str) -> None:
    async with connected(database.app_url) as conn:
        with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.InvalidParameterValueError)):
            await conn.execute(statement)


async def test_row_security_cannot_be_switched_off(database: Database, store: Store, tenant: TenantId) -> None:
    async with store.tenant_transaction(tenant) as tx:
        await tx.conn.execute("insert into principals (tenant_id, subject) values ($1, 'li')", tenant)
    async with connected(database.app_url) as conn:
        await conn.execute("set row_security = off")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await conn.fetch("select * from principals")


async def test_the_owner_is_under_row_security_too(database: Database, store: Store, tenant: TenantId) -> None:
    async with store.tenant_transaction(tenant) as tx:
        await tx.conn.execute("insert into principals (tenant_id, subject) values ($1, 'li')", tenant)
    async with connected(database.owner_url) as conn:
        assert await conn.fetchval("select count(*) from principals") == 0


async def test_statements_of_other_roles_are_hidden(database: Database) -> None:
    async with connected(database.admin_url) as admin, connected(database.app_url) as conn:
        pid = await admin.fetchval("select pg_backend_pid()")
        assert (
            await conn.fetchval("select query from pg_stat_activity where pid = $1", pid) == "<insufficient privilege>"
        )


async def test_the_application_reaches_no_other_database(database: Database) -> None:
    for other in ("postgres", "template1"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with connected(database.app_url.replace(database.name, other)):
                pytest.fail("the connection must be refused")


async def test_the_roles_have_timeouts_and_no_dangerous_right(database: Database) -> None:
    async with connected(database.app_url) as conn:
        assert await conn.fetchval("show statement_timeout") == "30s"
        assert await conn.fetchval("show lock_timeout") == "10s"
        assert await conn.fetchval("show idle_in_transaction_session_timeout") == "1min"
        roles = await conn.fetch(
            "select rolname, rolsuper or rolcreaterole or rolcreatedb or rolreplication as strong, rolbypassrls, "
            "rolcanlogin from pg_roles where rolname like 'proofdesk\\_%' and rolname <> 'proofdesk_admin' order by 1"
        )
    assert {row["rolname"]: (row["strong"], row["rolbypassrls"], row["rolcanlogin"]) for row in roles} == {
        "proofdesk_app": (False, False, True),
        "proofdesk_auditor": (False, False, True),
        "proofdesk_backup": (False, True, False),
        "proofdesk_owner": (False, False, True),
    }
