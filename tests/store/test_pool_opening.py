"""What a store refuses to open: a role that could pass the walls, a schema that is not this program's."""

import uuid

import pytest

from models.errors import SchemaMismatch, StoreUnavailable, UnsafeRole
from store.connection import connected
from store.pool import Store
from store.roles import create_database
from tests.conftest import Database


async def test_no_server_is_store_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        await Store.open("postgresql://proofdesk_app:x@127.0.0.1:1/proofdesk")


async def test_a_closed_store_is_store_unavailable(database: Database) -> None:
    store = await Store.open(database.app_url, size=1)
    await store.close()
    with pytest.raises(StoreUnavailable):
        async with store.directory_transaction():
            pytest.fail("the block must not run")


async def test_a_superuser_is_refused(database: Database) -> None:
    """Hostile 81."""
    with pytest.raises(UnsafeRole, match="role bypasses RLS"):
        await Store.open(database.admin_url)


async def test_the_owner_of_the_tables_is_refused(database: Database) -> None:
    with pytest.raises(UnsafeRole, match="role owns tables"):
        await Store.open(database.owner_url)


@pytest.mark.parametrize("right", ["bypassrls", "in role proofdesk_owner", "in role proofdesk_backup"])
async def test_every_other_bypassing_role_is_refused(database: Database, right: str) -> None:
    name = f"strong_{uuid.uuid4().hex}"
    async with connected(database.admin_url) as admin:
        await admin.execute(f"create role {name} login password 'secret' {right}")
        await admin.execute(f'grant connect on database "{database.name}" to {name}')
        try:
            with pytest.raises(UnsafeRole):
                await Store.open(f"postgresql://{name}:secret@{database.app_url.rpartition('@')[2]}")
        finally:
            await admin.execute(f"drop owned by {name}")
            await admin.execute(f"drop role {name}")


async def test_a_login_that_only_plays_the_application_is_refused(database: Database) -> None:
    """`alter role x set role` would pass a check of current_user; `reset role` undoes it at any time."""
    name = f"actor_{uuid.uuid4().hex}"
    async with connected(database.admin_url) as admin:
        await admin.execute(f"create role {name} login password 'secret' in role proofdesk_app")
        await admin.execute(f'grant connect on database "{database.name}" to {name}')
        await admin.execute(f"alter role {name} set role = proofdesk_app")
        try:
            with pytest.raises(UnsafeRole):
                await Store.open(f"postgresql://{name}:secret@{database.app_url.rpartition('@')[2]}")
        finally:
            await admin.execute(f"drop owned by {name}")
            await admin.execute(f"drop role {name}")


async def test_missing_newer_and_edited_migrations_are_refused(database: Database) -> None:
    async with connected(database.admin_url) as admin:
        for change in (
            "insert into schema_migrations (version, name, checksum) values (9999, 'later', '')",
            "delete from schema_migrations where version = 9999; update schema_migrations set checksum = '-'",
            "delete from schema_migrations",
            "drop table schema_migrations",
        ):
            await admin.execute(change)
            with pytest.raises(SchemaMismatch):
                await Store.open(database.app_url)


async def test_an_empty_database_is_a_schema_mismatch(database: Database) -> None:
    name = f"{database.name}_empty"
    assert await create_database(database.admin_url, name, template="template0")
    try:
        with pytest.raises(SchemaMismatch, match="run the migrations"):
            await Store.open(database.app_url.replace(database.name, name))
    finally:
        async with connected(database.admin_url) as admin:
            await admin.execute(f'drop database "{name}" with (force)')
