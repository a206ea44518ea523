"""`proofdesk bench`: figures beside their bare baselines of the same run."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from commands.bench_chaos import NAMES, bench_chaos
from commands.bench_grounds import (
    Ground,
    bench_ground,
    run_fairness,
    run_quote,
    run_rivals,
    run_search,
    run_transaction,
    run_waiting,
)
from commands.options import AsJson, Lang
from commands.output import Output, reporting
from models.bench_figures import BenchReport, Figure
from models.errors import InvalidInput
from workflows.bench_rivals import installed_rivals

BENCHES: Mapping[str, Callable[[Ground], Awaitable[Sequence[Figure]]]] = {
    "transaction": run_transaction,
    "search": run_search,
    "quote": run_quote,
}
# Asked for by name alone: they need more than the environment holds, or much more time.
BY_NAME: Mapping[str, Callable[[Ground], Awaitable[Sequence[Figure]]]] = {
    "rivals": run_rivals,
    "fairness": run_fairness,
}
WAITING, CHAOS = "waiting", "chaos"
_NAMED = (*BENCHES, *BY_NAME, WAITING, CHAOS)


def bench(
    name: Annotated[
        str | None, typer.Argument(help=f"One of {', '.join(_NAMED)}; {', '.join(BENCHES)} when left out.")
    ] = None,
    tasks: Annotated[int, typer.Option(min=10, max=100_000, help=f"{WAITING}: how many tasks wait.")] = 1_000,
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
        report = BenchReport(figures=tuple(asyncio.run(_measured(out, _wanted(name, tasks)))))
        out.table(
            report,
            ("column_figure", "column_value", "column_baseline", "column_baseline_value", "column_ratio"),
            (
                (one.name, f"{one.value} {one.unit}", one.baseline, f"{one.baseline_value} {one.unit}", f"{one.ratio}")
                for one in report.figures
            ),
            empty="none",
        )


def _wanted(name: str | None, tasks: int) -> Mapping[str, Callable[[Ground], Awaitable[Sequence[Figure]]]]:
    if name is None:
        return BENCHES
    if name == "rivals":
        installed_rivals()  # before a stack is started for nothing
    if name == WAITING:
        return {WAITING: lambda ground: run_waiting(ground, tasks)}
    run = {**BENCHES, **BY_NAME}.get(name)
    if run is None:
        raise InvalidInput(f"{name!r} is no benchmark: use one of {', '.join(_NAMED)}")
    return {name: run}


async def _measured(out: Output, wanted: Mapping[str, Callable[[Ground], Awaitable[Sequence[Figure]]]]) -> list[Figure]:
    figures: list[Figure] = []
    async with bench_ground(out) as ground:
        for name, run in wanted.items():
            out.say("measuring", name=name)
            figures.extend(await run(ground))
    return figures
