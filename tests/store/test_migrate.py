"""Migrations run once, in order, whole or not at all; history is not edited; the snapshot says the same."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from deploy.postgres import PostgresAddress
from deploy.snapshot import SNAPSHOT, schema_snapshot
from models.errors import SchemaMismatch
from store.connection import connected
from store.migrate import Migration, load_migrations, migrate
from store.roles import create_database, drop_database
from tests.conftest import Database
from tests.shared_postgres import TEMPLATE

_FIRST = Migration(1, "first", "create table a (tenant_id text primary key)")
_SECOND = Migration(2, "second", "create table b (tenant_id text primary key); create table c (x int)")


@pytest_asyncio.fixture
async def owner_url(postgres: PostgresAddress) -> AsyncGenerator[str]:
    """A database with the roles' grants and no migration of the program."""
    name = f"test_{uuid.uuid4().hex}"
    await create_database(postgres.admin_url(), name, template=TEMPLATE)
    async with connected(postgres.admin_url(name)) as admin:
        await admin.execute("drop schema public cascade; create schema public authorization proofdesk_owner")
    yield postgres.owner_url(name)
    await drop_database(postgres.admin_url(), name)


async def _tables(url: str) -> list[str]:
    async with connected(url) as conn:
        rows = await conn.fetch("select relname::text from pg_class where relkind = 'r' and relowner <> 10 order by 1")
    return [row["relname"] for row in rows]


async def test_each_runs_once_and_in_order(owner_url: str) -> None:
    assert await migrate(owner_url, [_FIRST]) == ["0001_first"]
    assert await migrate(owner_url, [_FIRST, _SECOND]) == ["0002_second"]
    assert await migrate(owner_url, [_FIRST, _SECOND]) == []
    assert await _tables(owner_url) == ["a", "b", "c", "schema_migrations"]


async def test_a_failing_one_leaves_nothing_of_itself(owner_url: str) -> None:
    broken = Migration(2, "broken", "create table b (x int); select 1 / 0")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(owner_url, [_FIRST, broken])
    assert await _tables(owner_url) == ["a", "schema_migrations"]
    assert await migrate(owner_url, [_FIRST, _SECOND]) == ["0002_second"]


async def test_two_programs_at_once_wait_for_each_other(owner_url: str) -> None:
    done = await asyncio.gather(*(migrate(owner_url, [_FIRST, _SECOND]) for _ in range(4)))
    assert sorted(name for names in done for name in names) == ["0001_first", "0002_second"]


async def test_edited_history_is_refused_and_nothing_runs(owner_url: str) -> None:
    await migrate(owner_url, [_FIRST])
    with pytest.raises(SchemaMismatch, match="0001_first was edited"):
        await migrate(owner_url, [Migration(1, "first", "create table other ()"), _SECOND])
    assert await _tables(owner_url) == ["a", "schema_migrations"]


async def test_an_older_program_is_refused(owner_url: str) -> None:
    await migrate(owner_url, [_FIRST, _SECOND])
    with pytest.raises(SchemaMismatch, match="newer than this program"):
        await migrate(owner_url, [_FIRST])


@pytest.mark.parametrize(
    "names",
    [["0002_a.sql"], ["0001_a.sql", "0003_b.sql"], ["0001_a.sql", "0001_b.sql"], ["1_a.sql"], ["0001_A.sql"]],
)
def test_gaps_repeats_and_other_names_are_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_text("select 1", encoding="utf-8")
    with pytest.raises(SchemaMismatch):
        load_migrations(tmp_path)


async def test_the_snapshot_is_what_the_migrations_make(database: Database) -> None:
    """Written anew by `python -m deploy.snapshot`."""
    assert SNAPSHOT.read_text(encoding="utf-8") == schema_snapshot(database.admin_url)
