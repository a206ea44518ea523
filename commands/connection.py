"""How a command reaches the stack, and as whom it acts.

The stack is the one that the settings or a running `make up` name; else a temporary one lives as long as the command.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from commands.output import Output
from deploy.stack import Servers, servers_in_use
from deploy.worker_process import worker_running
from models.ids import parse_subject, parse_tenant_id
from models.principals import Principal
from services.clients.embedders import embedder_of
from services.ports import Embedder
from services.principals import resolve_principal
from services.settings import load_settings
from store.pool import Store

T = TypeVar("T")


def run_as(out: Output, tenant: str, subject: str, act: Callable[[Store, Principal], Awaitable[T]]) -> T:
    """Runs `act` as the principal that the tenant and the subject name now.

    Ids out of form are refused before anything is started: InvalidInput. Raises what the stack and `act` raise.
    """
    tenant_id, checked = parse_tenant_id(tenant), parse_subject(subject)

    async def run() -> T:
        async with opened_store(out) as store:
            return await act(store, await resolve_principal(store, tenant_id, checked))

    return asyncio.run(run())


def run_with_store(out: Output, act: Callable[[Store], Awaitable[T]]) -> T:
    """Runs `act` as nobody: for what sets a tenant up."""

    async def run() -> T:
        async with opened_store(out) as store:
            return await act(store)

    return asyncio.run(run())


@asynccontextmanager
async def opened_store(out: Output) -> AsyncGenerator[Store]:
    """A store on the stack in use; a temporary stack is told of, because it takes its data with it."""
    async with servers_in_use(load_settings()) as servers:
        if servers.origin == "temporary":
            out.notice("temporary_stack")
        store = await Store.open(servers.database_url, size=4)
        try:
            yield store
        finally:
            await store.close()


@asynccontextmanager
async def opened_stack(out: Output) -> AsyncGenerator[tuple[Store, Servers]]:
    """A store on the stack in use, with a worker: a stack of the command's own gets one for as long as it lives."""
    async with AsyncExitStack() as stack:
        servers = await stack.enter_async_context(servers_in_use(load_settings()))
        if servers.origin == "temporary":
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="proofdesk-worker-")))
            out.say("starting_worker")
            await stack.enter_async_context(worker_running(servers, folder / "worker.log"))
        store = await Store.open(servers.database_url, size=8)
        stack.push_async_callback(store.close)
        yield store, servers


@asynccontextmanager
async def opened_embedder() -> AsyncGenerator[Embedder]:
    """The embedder of the settings for the length of the block; it loads with its first use."""
    embedder = embedder_of(load_settings())
    try:
        yield embedder
    finally:
        await embedder.close()
