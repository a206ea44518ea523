"""The one way to the database: a transaction in which PostgreSQL itself knows whose rows may be seen.

Nothing else touches the pool. The tenant is set for the transaction alone, in the message that begins it; after the
end, however it came about, the connection is as good as new or discarded.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import asyncpg

from models.errors import SchemaMismatch, StoreUnavailable, UnsafeRole
from models.ids import TenantId, parse_tenant_id
from store.connection import Connection, Row, connected, create_pool
from store.migrate import applied_migrations, check_history, load_migrations
from store.named_queries import queries
from store.sql_errors import from_postgres, translated_errors

_ACQUIRE_SECONDS = 30.0
_CLEAN_SECONDS = 5.0
# In a transaction that failed the first statement is refused, so a swallowed error can never look like a commit.
_COMMIT = "close all; commit; reset all; unlisten *; select pg_advisory_unlock_all()"
_ROLLBACK = "rollback; reset all; unlisten *; select pg_advisory_unlock_all()"


class Transaction:
    """An open transaction; it commits when its block ends and rolls back when the block raises."""

    def __init__(self, conn: Connection) -> None:
        self.conn = conn
        self._now: datetime | None = None
        self._savepoints = 0

    async def now(self) -> datetime:
        """The transaction's time in UTC: the same at every call."""
        if self._now is None:
            now: datetime = await queries.clock_fetch(self.conn)
            self._now = now
        return self._now

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """A part that may fail alone: when the block raises, its statements are undone and the error goes on."""
        self._savepoints += 1
        name = f"part_{self._savepoints}"
        await self.conn.execute(f"savepoint {name}")
        try:
            yield
        except Exception:
            await self.conn.execute(f"rollback to savepoint {name}; release savepoint {name}")
            raise
        await self.conn.execute(f"release savepoint {name}")


class TenantTransaction(Transaction):
    """A transaction that sees and writes the rows of one tenant only."""

    def __init__(self, conn: Connection, tenant_id: TenantId) -> None:
        super().__init__(conn)
        self.tenant_id = tenant_id


class DirectoryTransaction(Transaction):
    """A transaction of no tenant: the content-free tables only, every other table looks empty."""


class Store:
    """A pool of connections under the application's role."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._cleanups: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, database_url: str, *, size: int = 10) -> "Store":
        """A store of up to `size` connections.

        Raises UnsafeRole if the role is a superuser, can bypass row security or owns tables; SchemaMismatch if the
        database lacks migrations or has newer ones; StoreUnavailable if it cannot be reached.
        """
        await _check_database(database_url)
        with translated_errors():
            pool = await create_pool(database_url, size=size)
        return cls(pool)

    async def close(self) -> None:
        """Waits for open transactions (10 s at most), then closes every connection."""
        if self._cleanups:
            await asyncio.wait(self._cleanups, timeout=_CLEAN_SECONDS)
        try:
            async with asyncio.timeout(10):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()

    @asynccontextmanager
    async def tenant_transaction(self, tenant_id: TenantId) -> AsyncGenerator[TenantTransaction]:
        """A transaction of one tenant.

        Raises InvalidInput for a tenant id out of form, StoreUnavailable when the database is away, StoreBusy when it
        gave the transaction up (deadlock, serialization, timeout).
        """
        # The checked form holds no quote or backslash, so the id may stand in the statement that begins.
        begin = f"begin; select set_config('app.tenant', '{parse_tenant_id(tenant_id)}', true)"
        async with self._transaction(begin) as conn:
            yield TenantTransaction(conn, tenant_id)

    @asynccontextmanager
    async def directory_transaction(self) -> AsyncGenerator[DirectoryTransaction]:
        """A transaction for `tenants` and `outbox_notices`; row security shows nothing of the other tables."""
        async with self._transaction("begin; select set_config('app.tenant', '', true)") as conn:
            yield DirectoryTransaction(conn)

    @asynccontextmanager
    async def _transaction(self, begin: str) -> AsyncGenerator[Any]:
        conn = await self._acquire()
        committed = False
        try:
            await conn.execute(begin)
            yield conn
            await conn.execute(_COMMIT)
            committed = True
        except asyncpg.PostgresError as error:
            translated = from_postgres(error)
            if translated is None:
                raise
            raise translated from error
        except (OSError, TimeoutError, asyncpg.InterfaceError) as error:
            if not _is_gone(conn):
                raise  # of the block's own making: the database is well
            raise StoreUnavailable("the connection to PostgreSQL was lost: try again later") from error
        except asyncpg.InternalClientError as error:
            # The server said goodbye between two statements and the driver waits for the rest of it.
            if isinstance(error, asyncpg.OutdatedSchemaCacheError):
                raise
            conn.terminate()
            raise StoreUnavailable("the connection to PostgreSQL is broken: try again later") from error
        finally:
            if committed:
                await self._pool.release(conn)
            else:
                await self._undisturbed(self._roll_back(conn))

    async def _acquire(self) -> Any:
        try:
            with translated_errors():
                async with asyncio.timeout(_ACQUIRE_SECONDS):
                    return await self._pool.acquire()
        except asyncpg.InterfaceError as error:
            raise StoreUnavailable("the store is closed") from error

    async def _roll_back(self, conn: Any) -> None:
        """Ends the transaction and gives the connection back, or discards it when that does not work at once."""
        try:
            async with asyncio.timeout(_CLEAN_SECONDS):
                await conn.execute(_ROLLBACK)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
            if not _is_gone(conn):
                conn.terminate()
        finally:
            await self._pool.release(conn)

    async def _undisturbed(self, cleanup: Coroutine[Any, Any, None]) -> None:
        """Runs `cleanup` to its end even if the caller is cancelled once more meanwhile."""
        task = asyncio.create_task(cleanup)
        self._cleanups.add(task)
        task.add_done_callback(self._cleanups.discard)
        await asyncio.shield(task)


def _is_gone(conn: Any) -> bool:
    try:
        return bool(conn.is_closed())
    except asyncpg.InterfaceError:  # the pool took a dead connection back by itself
        return True


async def _check_database(database_url: str) -> None:
    async with connected(database_url) as connection:
        role: Row = await queries.role_fetch(connection)
        name = role["role_name"]
        if role["is_superuser"] or role["bypasses"]:
            raise UnsafeRole(f"role bypasses RLS: {name!r} could read every tenant; connect as proofdesk_app")
        if role["owns_tables"]:
            raise UnsafeRole(f"role owns tables: {name!r} could switch row security off; connect as proofdesk_app")
        if not role["is_itself"]:
            raise UnsafeRole(f"role {name!r} acts as another role from the start; connect as proofdesk_app")
        try:
            applied = await applied_migrations(connection)
        except (asyncpg.UndefinedTableError, asyncpg.InsufficientPrivilegeError) as error:
            raise SchemaMismatch("the database has no schema yet: run the migrations as proofdesk_owner") from error
        check_history(applied, load_migrations(), complete=True)
