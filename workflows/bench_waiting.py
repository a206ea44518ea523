"""A desk on which thousands of tasks wait for a person: memory, a restart, and a morning of approvals."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from models.bench_figures import Figure, compared
from services.ports import Embedder
from services.task_waiting import task_rested
from store.pool import Store
from workflows.bench_processes import memory_bytes
from workflows.bench_quote import BenchDesk, bench_desk, compared_times
from workflows.bench_timing import IN_FLIGHT, Taken
from workflows.client import QuoteTaskClient
from workflows.reconciler import PERIOD_SECONDS, Reconciler

_Given = TypeVar("_Given")
_Result = TypeVar("_Result")

APPROVALS = 1_000
_FEW = 100
_REST_SECONDS = 3_600.0
_MEGABYTE = 2**20

# Starts a worker for the length of a block and gives its pid.
StartWorker = Callable[[], AbstractAsyncContextManager[int]]


async def bench_waiting(
    store: Store,
    embedder: Embedder,
    runs: QuoteTaskClient,
    start_worker: StartWorker,
    *,
    server_pid: int,
    tasks: int,
    progress: Callable[[int, int], None],
) -> Sequence[Figure]:
    """`tasks` tasks await approval, then up to a thousand of them are approved; beside the same with none waiting."""
    desk = await bench_desk(store, embedder)
    async with start_worker() as pid:
        await desk.whole(1)
        few = await _requested(desk, range(2, _FEW + 2), progress)
        alone, alone_rate = await _approved(desk, few)
        idle = memory_bytes(pid), memory_bytes(server_pid)
    fresh, _ = await _first_approval(desk, start_worker, 2 + _FEW)
    async with start_worker() as pid:
        waiting = await _requested(desk, range(3 + _FEW, 3 + _FEW + tasks), progress)
        full = memory_bytes(pid), memory_bytes(server_pid)
    restarted, looked = await _first_approval(desk, start_worker, 3 + _FEW + tasks, Reconciler(store, runs))
    async with start_worker():
        taken, rate = await _approved(desk, waiting[:APPROVALS])
    none, count = "none waiting", f"with {tasks} waiting"
    return [
        compared(f"worker's memory {count}", "MB", full[0] / _MEGABYTE, none, idle[0] / _MEGABYTE),
        compared(f"Temporal server's memory {count}", "MB", full[1] / _MEGABYTE, none, idle[1] / _MEGABYTE),
        compared(f"start of a worker to its first approval {count}", "s", restarted, none, fresh),
        compared(f"a look of the reconciler {count}", "s", looked, "its period", PERIOD_SECONDS),
        compared(f"{len(taken)} approvals {count}", "per second", rate, none, alone_rate),
        *compared_times(
            f"decision to completed {count}", [one.to_end for one in taken], none, [one.to_end for one in alone]
        ),
    ]


async def _requested(desk: BenchDesk, numbers: Iterable[int], progress: Callable[[int, int], None]) -> list[str]:
    """Starts these tasks and returns their ids when the last of them rests."""
    wanted = list(numbers)
    task_ids = await _in_flight(desk.request, wanted)
    for done, task_id in enumerate(task_ids):
        await task_rested(desk.store, desk.tenant.sales, task_id, seconds=_REST_SECONDS)
        progress(done + 1, len(wanted))
    return task_ids


async def _approved(desk: BenchDesk, task_ids: Sequence[str]) -> tuple[list[Taken], float]:
    """Approves tasks that rest; the times of each, and how many a second were completed."""
    began = time.perf_counter()
    taken = await _in_flight(desk.approve, task_ids)
    return taken, len(task_ids) / (time.perf_counter() - began)


async def _first_approval(
    desk: BenchDesk, start_worker: StartWorker, number: int, reconciler: Reconciler | None = None
) -> tuple[float, float]:
    """Seconds from the start of a worker to the end of a task asked for meanwhile, and of a look at all tasks."""
    task_id = await desk.request(number)
    began = time.perf_counter()
    async with start_worker():
        await desk.approve(task_id)
        ended = time.perf_counter()
        if reconciler is not None:
            await reconciler.reconcile()
        return ended - began, time.perf_counter() - ended


async def _in_flight(run: Callable[[_Given], Awaitable[_Result]], given: Sequence[_Given]) -> list[_Result]:
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one(value: _Given) -> _Result:
        async with gate:
            return await run(value)

    return await asyncio.gather(*(one(value) for value in given))
