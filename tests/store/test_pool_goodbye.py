"""A server that ends says goodbye between two statements: that is a lost connection, not an error of the block."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from models.errors import StoreUnavailable
from models.ids import TenantId
from store.pool import Store
from tests.conftest import Database

# What PostgreSQL sends when its postmaster is gone, before it closes the connection.
_FIELDS = b"SFATAL\0VFATAL\0C57P02\0Mterminating connection because of unexpected postmaster exit\0\0"
GOODBYE = b"E" + (len(_FIELDS) + 4).to_bytes(4, "big") + _FIELDS


class Between:
    """Passes bytes on between a client and the server, and can say goodbye in the server's name without closing."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._clients: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def say_goodbye(self) -> None:
        for client in self._clients:
            if not client.is_closing():
                client.write(GOODBYE)
                await client.drain()
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        self._clients.append(writer)
        for source, sink in ((reader, to_server), (from_server, writer)):
            self._tasks.add(asyncio.create_task(_passed_on(source, sink)))


async def _passed_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    sink.close()


async def test_a_statement_after_the_goodbye_finds_the_store_unavailable(database: Database, tenant: TenantId) -> None:
    parts = urlsplit(database.app_url)
    between = Between(parts.port or 0)
    port = await between.start()
    store = await Store.open(database.app_url.replace(f":{parts.port}/", f":{port}/"), size=1)
    try:
        with pytest.raises(StoreUnavailable):
            async with store.tenant_transaction(tenant) as tx:
                assert await tx.conn.fetchval("select 1") == 1
                await between.say_goodbye()
                await tx.conn.fetchval("select 2")
        async with store.tenant_transaction(tenant) as tx:  # by a connection of its own: the broken one is gone
            assert await tx.conn.fetchval("select 3") == 3
    finally:
        await store.close()
        await between.stop()
