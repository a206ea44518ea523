"""How every task of the benchmarks is timed: some one by one, then many with ten in flight."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from models.contract import Contract

ONE_BY_ONE = 20
TOGETHER = 60
IN_FLIGHT = 10


class Taken(NamedTuple):
    """Seconds until the task rests, and from the decision to its end."""

    to_rest: float
    to_end: float


class Timed(Contract):
    """The times of the tasks that ran alone, and how many a second ended with ten in flight."""

    alone: tuple[Taken, ...]
    per_second: float


Run = Callable[[Callable[[], float]], Awaitable[Taken]]


@dataclass(frozen=True)
class _Numbered:
    run: Callable[[int], Awaitable[object]]
    gate: asyncio.Semaphore

    async def __call__(self, number: int) -> None:
        async with self.gate:
            await self.run(number)


async def measured(run: Run) -> Timed:
    """The first task only warms up."""
    await run(time.perf_counter)
    alone: Sequence[Taken] = [await run(time.perf_counter) for _ in range(ONE_BY_ONE)]

    async def again(_: int) -> None:
        await run(time.perf_counter)

    rate = await per_second(again)
    return Timed(alone=tuple(alone), per_second=rate)


async def per_second(run: Callable[[int], Awaitable[object]], *, first: int = 0) -> float:
    """How many of sixty numbered tasks end in a second while ten are in flight."""
    one = _Numbered(run, asyncio.Semaphore(IN_FLIGHT))
    began = time.perf_counter()
    await asyncio.gather(*(one(first + number) for number in range(TOGETHER)))
    return TOGETHER / (time.perf_counter() - began)


def printed(timed: Timed) -> None:
    """The figures of a rival's process, as one line of JSON on stdout."""
    sys.stdout.write(timed.model_dump_json() + "\n")
