"""Numbered migrations, forward only: each runs once, in its own transaction, and is never edited afterwards.

A file is `store/sql/migrations/NNNN_what_it_does.sql`, without gaps. A change that running workers must survive is
two of them, named `NNNN_..._pre.sql` (adds: run before the new program starts) and `NNNN_..._post.sql` (removes: run
when the last old worker is gone).
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from models.errors import SchemaMismatch
from store.connection import Connection, OwnConnection, connected
from store.named_queries import SQL, queries

MIGRATIONS = SQL / "migrations"
_FILE = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
# One fixed number for the advisory lock; its value means nothing.
_LOCK = 7_202_611
_TABLE = """
create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
);
grant select on schema_migrations to proofdesk_app, proofdesk_auditor;
"""


@dataclass(frozen=True)
class Migration:
    """One file: its number, its name, its text and the SHA-256 of the text."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 (hex) of the text: what the database remembers of it."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def load_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """The migrations of `folder` in order; SchemaMismatch for a gap, a number used twice or a name out of form."""
    loaded: list[Migration] = []
    for path in sorted(folder.glob("*.sql")):
        form = _FILE.fullmatch(path.name)
        if form is None:
            raise SchemaMismatch(f"migration {path.name!r} is not named NNNN_lower_case_words.sql")
        loaded.append(Migration(int(form[1]), form[2], path.read_text(encoding="utf-8")))
    numbers = [migration.version for migration in loaded]
    if numbers != list(range(1, len(numbers) + 1)):
        raise SchemaMismatch(f"migrations must be numbered 1, 2, 3, ... without gaps: found {numbers}")
    return loaded


async def migrate(owner_url: str, migrations: Iterable[Migration] | None = None) -> list[str]:
    """Runs what the database has not seen, as its owner, and returns the names.

    Two programs migrating at once wait for each other. SchemaMismatch, with nothing changed, if a migration that ran
    was edited since or is unknown to this program; StoreUnavailable if the database cannot be reached.
    """
    wanted = list(load_migrations() if migrations is None else migrations)
    async with connected(owner_url) as connection:
        return await _migrate(connection, wanted)


async def _migrate(connection: OwnConnection, wanted: list[Migration]) -> list[str]:
    done: list[str] = []
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
        await connection.execute("set local client_min_messages = warning")
        await connection.execute(_TABLE)
    for migration in wanted:
        async with connection.transaction():
            await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
            applied = await applied_migrations(connection)
            check_history(applied, wanted, complete=False)
            if migration.version in applied:
                continue
            # The driver fails on a text of remarks alone, which does nothing and is allowed.
            await connection.execute(f"{migration.sql}\n;select 1")
            await connection.execute(
                "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)",
                migration.version,
                migration.name,
                migration.checksum,
            )
            done.append(f"{migration.version:04}_{migration.name}")
    return done


async def applied_migrations(connection: Connection) -> dict[int, str]:
    """version → checksum of what the database has seen."""
    return {row["version"]: row["checksum"] async for row in queries.migration_list(connection)}


def check_history(applied: Mapping[int, str], wanted: Iterable[Migration], *, complete: bool) -> None:
    """SchemaMismatch if a migration was edited, is unknown here or (with `complete`) has not run."""
    known = {migration.version: migration for migration in wanted}
    for version, checksum in sorted(applied.items()):
        if version not in known:
            raise SchemaMismatch(f"the database has migration {version:04}, newer than this program: update Proofdesk")
        if known[version].checksum != checksum:
            raise SchemaMismatch(
                f"migration {version:04}_{known[version].name} was edited after it ran: restore the file and put the "
                "change into a new migration"
            )
    missing = sorted(set(known) - set(applied))
    if complete and missing:
        raise SchemaMismatch(f"the database lacks migration {missing[0]:04}: run the migrations as proofdesk_owner")
