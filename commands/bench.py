"""`proofdesk bench`: figures beside their bare baselines of the same run."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal, get_args

import typer

from commands.bench_chaos import NAMES, bench_chaos
from commands.options import AsJson, Lang
from commands.output import Output, reporting
from deploy.embedded import EmbeddedStack, StackAddresses
from deploy.stack import Servers
from deploy.worker_process import bare_worker_running, worker_running
from models.bench_figures import BenchReport, Figure
from models.errors import InvalidInput
from services.clients.hashing import HashingEmbedder
from services.evaluation.bench_store import SIZES, bench_search, bench_transaction
from store.pool import Store
from workflows.bench_quote import bench_quote
from workflows.client import connect

Bench = Literal["transaction", "search", "quote"]
BENCHES: tuple[Bench, ...] = get_args(Bench)
CHAOS = "chaos"
_ALL = f"all but {CHAOS} when left out."


def bench(
    name: Annotated[str | None, typer.Argument(help=f"One of {', '.join((*BENCHES, CHAOS))}; {_ALL}")] = None,
    scenario: Annotated[str | None, typer.Option(help=f"{CHAOS}: one of {', '.join(NAMES)}.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help=f"{CHAOS}: at full size, for the better part of an hour.")
    ] = False,
    journals: Annotated[Path | None, typer.Option(help=f"{CHAOS}: keep the journals in this folder.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Measure on a stack of this command's own, with an embedder that costs nothing, beside bare baselines."""
    with reporting(as_json, lang) as out:
        if name == CHAOS:
            if not bench_chaos(out, scenario=scenario, full=full, journals=journals).holds:
                raise typer.Exit(1)
            return
        if scenario is not None or full or journals is not None:
            raise InvalidInput(f"--scenario, --full and --journals belong to `proofdesk bench {CHAOS}`")
        wanted: list[Bench] = [one for one in BENCHES if name in (None, one)]
        if not wanted:
            raise InvalidInput(f"{name!r} is no benchmark: use one of {', '.join((*BENCHES, CHAOS))}")
        report = BenchReport(figures=tuple(asyncio.run(_measured(out, wanted))))
        out.table(
            report,
            ("column_figure", "column_value", "column_baseline", "column_baseline_value", "column_ratio"),
            (
                (one.name, f"{one.value} {one.unit}", one.baseline, f"{one.baseline_value} {one.unit}", f"{one.ratio}")
                for one in report.figures
            ),
            empty="none",
        )


async def _measured(out: Output, wanted: Sequence[Bench]) -> list[Figure]:
    figures: list[Figure] = []
    async with _stack(out) as (addresses, store, folder):
        for one in wanted:
            out.say("measuring", name=one)
            figures.extend(await _measure(out, one, addresses, store, folder))
    return figures


async def _measure(out: Output, name: Bench, addresses: StackAddresses, store: Store, folder: Path) -> Sequence[Figure]:
    servers = Servers("temporary", addresses.database_url_app, addresses.temporal_address, addresses.namespace)
    if name == "transaction":
        return await bench_transaction(store, servers.database_url)
    if name == "search":
        return await bench_search(store, HashingEmbedder(), addresses.database_url_owner, SIZES, out.progress)
    environment = {"PROOFDESK_TEST_MODE": "1", "PROOFDESK_EMBEDDER": "hashing"}
    async with (
        worker_running(servers, folder / "worker.log", environment=environment),
        bare_worker_running(servers, folder / "bare.log"),
    ):
        client = await connect(servers.temporal_address, servers.namespace)
        return await bench_quote(store, HashingEmbedder(), client)


@asynccontextmanager
async def _stack(out: Output) -> AsyncGenerator[tuple[StackAddresses, Store, Path]]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="proofdesk-bench-")))
        out.say("demo_stack")
        addresses = await stack.enter_async_context(EmbeddedStack())
        store = await Store.open(addresses.database_url_app, size=12)
        stack.push_async_callback(store.close)
        yield addresses, store, folder
