"""What a flood of one tenant costs another: the second tenant's tasks while the first one has a thousand waiting."""

import asyncio
import time
from collections.abc import Sequence

from models.bench_figures import Figure, compared, percentile
from models.errors import InvalidInput
from services.evaluation.bench_knowledge import (
    LEAD_TIME_REQUEST,
    LEAD_TIME_SOP,
    BenchTenant,
    bench_document,
    bench_tenant,
)
from services.ports import Embedder
from services.task_intake import start_task
from services.task_reading import timeline
from services.task_waiting import task_rested
from store.bench import bench_drafted_count
from store.pool import Store

FLOOD = 1_000
WATCHED = 40
_STARTS_AT_ONCE = 8


async def bench_fairness(
    store: Store, embedder: Embedder, *, flood: int = FLOOD, watched: int = WATCHED
) -> Sequence[Figure]:
    """Request to draft of `watched` tasks one after the other, alone and beside `flood` tasks of another tenant.

    A worker of the product is running. InvalidInput when the flood was over before the last watched task: it proves
    nothing then.
    """
    noisy, quiet = await bench_tenant(store), await bench_tenant(store)
    for tenant in (noisy, quiet):
        await bench_document(store, embedder, tenant, "SOP-LT", LEAD_TIME_SOP)
    await _watched(store, quiet, "warm", 5)
    alone = await _watched(store, quiet, "alone", watched)
    began = time.perf_counter()
    await _start_all(store, noisy, flood)
    beside = await _watched(store, quiet, "beside", watched)
    seconds = time.perf_counter() - began
    done = await _drafted(store, noisy)
    if done >= flood:
        raise InvalidInput(f"the flood of {flood} tasks ended before the watched ones: give a larger one")
    return [
        *(
            compared(
                f"another tenant's task beside a flood of {flood} {label}",
                "ms",
                percentile(beside, share) * 1000,
                "the same alone",
                percentile(alone, share) * 1000,
            )
            for label, share in (("p50", 0.50), ("p95", 0.95))
        ),
        compared("tasks of the flood meanwhile", "per second", done / seconds, "watched tasks", watched / seconds),
    ]


async def _start_all(store: Store, tenant: BenchTenant, count: int) -> None:
    gate = asyncio.Semaphore(_STARTS_AT_ONCE)

    async def start(number: int) -> None:
        async with gate:
            await start_task(
                store, tenant.sales, task_id=f"flood-{number}", text=LEAD_TIME_REQUEST.format(number=number + 1)
            )

    await asyncio.gather(*(start(number) for number in range(count)))


async def _watched(store: Store, tenant: BenchTenant, name: str, count: int) -> list[float]:
    """Seconds from request to draft of each, by the database's own clock."""
    taken: list[float] = []
    for number in range(count):
        task_id = f"{name}-{number}"
        await start_task(store, tenant.sales, task_id=task_id, text=LEAD_TIME_REQUEST.format(number=number + 1))
        await task_rested(store, tenant.sales, task_id)
        events = await timeline(store, tenant.sales, task_id)
        rested = next(event for event in events if event.status == "awaiting_approval")
        taken.append((rested.at - events[0].at).total_seconds())
    return taken


async def _drafted(store: Store, tenant: BenchTenant) -> int:
    """How many tasks of the tenant wait for their approval."""
    async with store.tenant_transaction(tenant.tenant_id) as tx:
        return await bench_drafted_count(tx)
