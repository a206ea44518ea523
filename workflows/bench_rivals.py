"""The quote task beside the same number of empty steps on LangGraph's Postgres saver and on DBOS, where installed.

Each rival measures itself in a process of its own, on a PostgreSQL of its own, and prints one line of JSON.
"""

import asyncio
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.bench_figures import Figure, compared
from models.errors import InvalidInput, StackFailed
from workflows.bench_quote import BenchDesk, compared_taken, timed_quotes
from workflows.bench_timing import IN_FLIGHT, Timed

_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Rival:
    """A module of `workflows`, what it must be able to import, and its name in the figures."""

    module: str
    needs: tuple[str, ...]
    name: str


RIVALS = (
    Rival("workflows.rival_langgraph", ("langgraph.checkpoint.postgres", "psycopg_pool"), "LangGraph, Postgres saver"),
    Rival("workflows.rival_dbos", ("dbos",), "DBOS"),
)


def installed_rivals() -> tuple[Rival, ...]:
    """Those that can run here; InvalidInput saying how to install them when none can."""
    found = tuple(rival for rival in RIVALS if all(_is_installed(one) for one in rival.needs))
    if not found:
        raise InvalidInput("no rival is installed: run `.venv/bin/python -m pip install '.[rivals]'` first")
    return found


async def bench_rivals(desk: BenchDesk, database_urls: Mapping[str, str]) -> Sequence[Figure]:
    """Ours once, then each rival of `database_urls` (module → an empty database that the rival owns)."""
    ours = await timed_quotes(desk)
    figures: list[Figure] = []
    for rival in installed_rivals():
        theirs = await _measured(rival, database_urls[rival.module])
        figures += compared_taken(ours.alone, rival.name, theirs.alone)
        figures.append(
            compared(f"tasks, {IN_FLIGHT} in flight", "per second", ours.per_second, rival.name, theirs.per_second)
        )
    return figures


async def _measured(rival: Rival, database_url: str) -> Timed:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", rival.module),
        env={**os.environ, "RIVAL_DATABASE_URL": database_url},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            printed, _ = await process.communicate()
    except TimeoutError:
        raise StackFailed(f"{rival.name} did not end in {_SECONDS:.0f} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise StackFailed(f"{rival.name} failed: run `python -m {rival.module}` to see why")
    return Timed.model_validate_json(printed.splitlines()[-1])


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
