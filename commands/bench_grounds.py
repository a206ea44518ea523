"""The grounds on which `proofdesk bench` measures: servers and workers of its own, gone afterwards."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from commands.output import Output
from deploy.embedded import EmbeddedStack, StackAddresses
from deploy.postgres import PostgresServer
from deploy.stack import Servers
from deploy.worker_process import bare_worker_running, worker_running
from models.bench_figures import Figure
from services.clients.hashing import HashingEmbedder
from services.evaluation.bench_fairness import bench_fairness
from services.evaluation.bench_store import SIZES, bench_search, bench_transaction
from store.pool import Store
from store.roles import create_database
from workflows.bench_quote import bench_desk, bench_quote
from workflows.bench_rivals import bench_rivals, installed_rivals
from workflows.bench_waiting import bench_waiting
from workflows.client import QuoteTaskClient, connect
from workflows.policies import TASK_QUEUE

_WORKER = {"PROOFDESK_TEST_MODE": "1", "PROOFDESK_EMBEDDER": "hashing"}


@dataclass(frozen=True)
class Ground:
    """A stack with a store on it and a folder for logs."""

    out: Output
    addresses: StackAddresses
    store: Store
    folder: Path

    @property
    def servers(self) -> Servers:
        """The same as workers are told of it."""
        one = self.addresses
        return Servers("temporary", one.database_url_app, one.temporal_address, one.namespace)

    @asynccontextmanager
    async def worker(self) -> AsyncGenerator[int]:
        """A worker with an embedder that costs nothing; its pid."""
        async with worker_running(self.servers, self.folder / "worker.log", environment=_WORKER) as process:
            yield process.pid


@asynccontextmanager
async def bench_ground(out: Output) -> AsyncGenerator[Ground]:
    """A fresh stack for the length of the block."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="proofdesk-bench-")))
        out.say("demo_stack")
        addresses = await stack.enter_async_context(EmbeddedStack())
        store = await Store.open(addresses.database_url_app, size=12)
        stack.push_async_callback(store.close)
        yield Ground(out, addresses, store, folder)


async def run_transaction(ground: Ground) -> Sequence[Figure]:
    """A tenant's transaction beside a bare round trip."""
    return await bench_transaction(ground.store, ground.servers.database_url)


async def run_search(ground: Ground) -> Sequence[Figure]:
    """A search beside an exact scan of the vectors."""
    owner_url = ground.addresses.database_url_owner
    return await bench_search(ground.store, HashingEmbedder(), owner_url, SIZES, ground.out.progress)


async def run_quote(ground: Ground) -> Sequence[Figure]:
    """The quote task beside the bare workflow, each on a worker of its own."""
    servers = ground.servers
    async with ground.worker() as worker_pid, bare_worker_running(servers, ground.folder / "bare.log") as bare:
        client = await connect(servers.temporal_address, servers.namespace)
        return await bench_quote(ground.store, HashingEmbedder(), client, worker_pid=worker_pid, bare_pid=bare.pid)


async def run_fairness(ground: Ground) -> Sequence[Figure]:
    """One tenant's tasks beside a flood of another's."""
    async with ground.worker():
        return await bench_fairness(ground.store, HashingEmbedder())


async def run_rivals(ground: Ground) -> Sequence[Figure]:
    """The quote task beside the rivals that are installed, which get a PostgreSQL of their own."""
    rivals = installed_rivals()
    folder = ground.folder / "rivals"
    folder.mkdir(mode=0o700)
    server = await asyncio.to_thread(PostgresServer.start, folder)
    try:
        urls: dict[str, str] = {}
        for rival in rivals:
            name = rival.module.rpartition(".")[2]
            await create_database(server.address.admin_url(), name)
            urls[rival.module] = server.address.admin_url(name)
        async with ground.worker():
            return await bench_rivals(await bench_desk(ground.store, HashingEmbedder()), urls)
    finally:
        await asyncio.to_thread(server.stop)


async def run_waiting(ground: Ground, tasks: int) -> Sequence[Figure]:
    """Memory, a restart and approvals while `tasks` tasks wait."""
    servers = ground.servers
    client = await connect(servers.temporal_address, servers.namespace)
    return await bench_waiting(
        ground.store,
        HashingEmbedder(),
        QuoteTaskClient(client, TASK_QUEUE),
        ground.worker,
        server_pid=ground.addresses.temporal_pid,
        tasks=tasks,
        progress=ground.out.progress,
    )
