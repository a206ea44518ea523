"""The typed edge of the driver: asyncpg ships no types, so everything untyped about it ends in this file."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Protocol

import asyncpg
from pgvector.asyncpg import register_vector

from store.sql_errors import translated_errors

CONNECT_SECONDS = 10
_CLOSE_SECONDS = 5.0

_driver: Any = asyncpg


class Row(Protocol):
    """A record of the database: by column name or by position."""

    def __getitem__(self, key: str | int) -> Any: ...
    def keys(self) -> Any: ...
    def items(self) -> Any: ...


class Connection(Protocol):
    """What a statement needs of a connection."""

    async def fetch(self, query: str, *args: object) -> list[Row]: ...
    async def fetchrow(self, query: str, *args: object) -> Row | None: ...
    async def fetchval(self, query: str, *args: object) -> Any: ...
    async def execute(self, query: str, *args: object) -> str: ...


class OwnConnection(Connection, Protocol):
    """A connection outside the pool: migrations, bootstrap, checks."""

    def transaction(self) -> AbstractAsyncContextManager[Any]: ...
    async def prepare(self, query: str) -> Any: ...
    async def close(self) -> None: ...


@asynccontextmanager
async def connected(database_url: str) -> AsyncGenerator[OwnConnection]:
    """A connection of its own for one block, closed at its end.

    For migrations, bootstrap and checks; work on tenants' rows goes through `Store`. Raises StoreUnavailable and
    StoreBusy as a transaction of the store does.
    """
    with translated_errors():
        connection: OwnConnection = await _driver.connect(database_url, timeout=CONNECT_SECONDS)
        try:
            yield connection
        finally:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await connection.close()


async def create_pool(database_url: str, *, size: int) -> Any:
    """A pool whose connections know pgvector's types and jsonb, speak UTC, and are not reset by the pool itself."""
    return await _driver.create_pool(
        database_url,
        min_size=1,
        max_size=size,
        timeout=CONNECT_SECONDS,
        init=_prepare,
        reset=_leave_as_it_is,
        server_settings={"application_name": "proofdesk", "timezone": "UTC"},
    )


async def _prepare(connection: Any) -> None:
    register: Any = register_vector
    await register(connection)
    await connection.set_type_codec("jsonb", encoder=_to_json, decoder=json.loads, schema="pg_catalog")


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


async def _leave_as_it_is(_: Any) -> None:
    """The end of every transaction resets its connection in the same message; the pool need not do it again."""
