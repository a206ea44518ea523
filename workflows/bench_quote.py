"""The quote task's figures: the whole task against a bare workflow of the same shape on the same server."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from temporalio.client import Client

from models.bench_figures import Figure, compared, percentile
from models.steps import TimelineEntry
from services.evaluation.bench_knowledge import BenchTenant, bench_document, bench_tenant
from services.ports import Embedder
from services.task_decision import decide
from services.task_intake import start_task
from services.task_reading import task_show, timeline
from services.task_waiting import task_rested
from store.pool import Store
from workflows.bare import QUEUE, BareTask

ONE_BY_ONE = 20
TOGETHER = 60
IN_FLIGHT = 10
_SOP = "# Lead times\n\nThe standard lead time is 15 working days.\n\nCartons are sealed with paper tape.\n"
_REQUEST = "RFQ: {number} pcs of SUS304, no special inspection. What is the lead time?"


@dataclass(frozen=True)
class _Taken:
    """Seconds until the rest, and from the decision to the end."""

    to_rest: float
    to_end: float


async def bench_quote(store: Store, embedder: Embedder, client: Client) -> Sequence[Figure]:
    """One at a time and ten in flight; a worker of the product and one of `workflows.bare` are running."""
    tenant = await bench_tenant(store)
    await bench_document(store, embedder, tenant, "SOP-LT", _SOP)

    async def product(number: int) -> _Taken:
        return await _quote(store, tenant, number)

    async def bare(number: int) -> _Taken:
        return await _bare(client, number)

    await asyncio.gather(product(1), bare(1))
    pairs = [(await product(number), await bare(number)) for number in range(2, ONE_BY_ONE + 2)]
    figures = [
        *_compared(
            "quote task, request to draft", [one.to_rest for one, _ in pairs], [two.to_rest for _, two in pairs]
        ),
        *_compared("decision to completed", [one.to_end for one, _ in pairs], [two.to_end for _, two in pairs]),
    ]
    rate, bare_rate = await _rate(product, 1_000), await _rate(bare, 1_000)
    return [*figures, compared(f"tasks, {IN_FLIGHT} in flight", "per second", rate, "bare workflow", bare_rate)]


async def _rate(run: Callable[[int], Awaitable[_Taken]], first: int) -> float:
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one(number: int) -> None:
        async with gate:
            await run(number)

    began = time.perf_counter()
    await asyncio.gather(*(one(first + number) for number in range(TOGETHER)))
    return TOGETHER / (time.perf_counter() - began)


async def _quote(store: Store, tenant: BenchTenant, number: int) -> _Taken:
    """The times come from the database's own clock, so that watching does not count."""
    task_id = f"bench-{number}"
    await start_task(store, tenant.sales, task_id=task_id, text=_REQUEST.format(number=number))
    await task_rested(store, tenant.sales, task_id)
    shown = await task_show(store, tenant.approver, task_id)
    decision = await decide(
        store,
        tenant.approver,
        task_id=task_id,
        decision_version=shown.state.decision_version,
        content_hash=shown.draft_content_hash or "",
        verdict="approve",
    )
    await task_rested(store, tenant.sales, task_id, after_revision=shown.state.revision)
    events = await timeline(store, tenant.sales, task_id)
    rested, ended = _at(events, "awaiting_approval"), _at(events, "completed")
    return _Taken(
        to_rest=(rested.at - events[0].at).total_seconds(), to_end=(ended.at - decision.decided_at).total_seconds()
    )


def _at(events: Sequence[TimelineEntry], status: str) -> TimelineEntry:
    return next(event for event in events if event.status == status)


async def _bare(client: Client, number: int) -> _Taken:
    began = time.perf_counter()
    # Any, because the overloads of execute_update are partly unknown to the type checker.
    handle: Any = await client.start_workflow(BareTask.run, id=f"bare-{number}-{uuid.uuid4().hex}", task_queue=QUEUE)
    await handle.execute_update(BareTask.rested)
    rested = time.perf_counter()
    await handle.signal(BareTask.decide)
    await handle.result()
    return _Taken(to_rest=rested - began, to_end=time.perf_counter() - rested)


def _compared(name: str, product: Sequence[float], baseline: Sequence[float]) -> list[Figure]:
    return [
        compared(
            f"{name} {label}",
            "ms",
            percentile(product, share) * 1000,
            "bare workflow of the same shape",
            percentile(baseline, share) * 1000,
        )
        for label, share in (("p50", 0.50), ("p95", 0.95))
    ]
