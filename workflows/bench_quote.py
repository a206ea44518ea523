"""The quote task's figures: the whole task against a bare workflow of the same shape on the same server."""

import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from temporalio.client import Client

from models.bench_figures import Figure, compared, percentile
from models.steps import TimelineEntry
from services.evaluation.bench_knowledge import (
    LEAD_TIME_REQUEST,
    LEAD_TIME_SOP,
    BenchTenant,
    bench_document,
    bench_tenant,
)
from services.ports import Embedder
from services.task_decision import decide
from services.task_intake import start_task
from services.task_reading import task_show, timeline
from services.task_waiting import task_rested
from store.pool import Store
from workflows.bare import QUEUE, BareTask
from workflows.bench_processes import cpu_seconds
from workflows.bench_timing import IN_FLIGHT, ONE_BY_ONE, TOGETHER, Taken, Timed, per_second


@dataclass(frozen=True)
class BenchDesk:
    """A running desk with a tenant whose requests need no question."""

    store: Store
    tenant: BenchTenant

    async def request(self, number: int) -> str:
        """Starts a quote task; its id."""
        task_id = f"bench-{number}"
        await start_task(self.store, self.tenant.sales, task_id=task_id, text=LEAD_TIME_REQUEST.format(number=number))
        return task_id

    async def approve(self, task_id: str) -> Taken:
        """Approves the draft as soon as there is one. The times come from the database's own clock."""
        store, tenant = self.store, self.tenant
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
        return Taken((rested.at - events[0].at).total_seconds(), (ended.at - decision.decided_at).total_seconds())

    async def whole(self, number: int) -> Taken:
        """A task from its request to its end."""
        return await self.approve(await self.request(number))


async def bench_desk(store: Store, embedder: Embedder) -> BenchDesk:
    """The desk of a new tenant with one document that answers its requests."""
    tenant = await bench_tenant(store)
    await bench_document(store, embedder, tenant, "SOP-LT", LEAD_TIME_SOP)
    return BenchDesk(store, tenant)


async def bench_quote(
    store: Store, embedder: Embedder, client: Client, *, worker_pid: int, bare_pid: int
) -> Sequence[Figure]:
    """One at a time and ten in flight; a worker of the product and one of `workflows.bare` are running."""
    desk = await bench_desk(store, embedder)

    async def bare(number: int) -> Taken:
        return await _bare(client, number)

    await desk.whole(1)
    await bare(1)
    pairs = [(await desk.whole(number), await bare(number)) for number in range(2, ONE_BY_ONE + 2)]
    rate, cpu = await _rate(desk.whole, worker_pid)
    bare_rate, bare_cpu = await _rate(bare, bare_pid)
    name = "bare workflow of the same shape"
    return [
        *compared_taken([one for one, _ in pairs], name, [two for _, two in pairs]),
        compared(f"tasks, {IN_FLIGHT} in flight", "per second", rate, name, bare_rate),
        compared("worker's processor time a task", "ms", cpu * 1000, name, bare_cpu * 1000),
    ]


async def timed_quotes(desk: BenchDesk) -> Timed:
    """The same measurement as the rivals make of themselves."""
    await desk.whole(1)
    alone = [await desk.whole(number) for number in range(2, ONE_BY_ONE + 2)]
    return Timed(alone=tuple(alone), per_second=await per_second(desk.whole, first=1_000))


def compared_taken(ours: Sequence[Taken], against: str, theirs: Sequence[Taken]) -> list[Figure]:
    """Both waits of a task, ours beside theirs."""
    rests = [one.to_rest for one in ours], [one.to_rest for one in theirs]
    ends = [one.to_end for one in ours], [one.to_end for one in theirs]
    return [
        *compared_times("quote task, request to draft", rests[0], against, rests[1]),
        *compared_times("decision to completed", ends[0], against, ends[1]),
    ]


def compared_times(name: str, product: Sequence[float], against: str, baseline: Sequence[float]) -> list[Figure]:
    """p50 and p95 of two series of seconds, in milliseconds."""
    return [
        compared(
            f"{name} {label}", "ms", percentile(product, share) * 1000, against, percentile(baseline, share) * 1000
        )
        for label, share in (("p50", 0.50), ("p95", 0.95))
    ]


async def _rate(run: Callable[[int], Awaitable[object]], pid: int) -> tuple[float, float]:
    """Tasks a second, and processor seconds of the worker for each."""
    before = cpu_seconds(pid)
    rate = await per_second(run, first=1_000)
    return rate, (cpu_seconds(pid) - before) / TOGETHER


def _at(events: Sequence[TimelineEntry], status: str) -> TimelineEntry:
    return next(event for event in events if event.status == status)


async def _bare(client: Client, number: int) -> Taken:
    began = time.perf_counter()
    # Any, because the overloads of execute_update are partly unknown to the type checker.
    handle: Any = await client.start_workflow(BareTask.run, id=f"bare-{number}-{uuid.uuid4().hex}", task_queue=QUEUE)
    await handle.execute_update(BareTask.rested)
    rested = time.perf_counter()
    await handle.signal(BareTask.decide)
    await handle.result()
    return Taken(rested - began, time.perf_counter() - rested)
