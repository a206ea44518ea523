"""Waiting for a task to rest: for the demo, the evaluation and tests, which have nothing better to do."""

import asyncio
import time

from models.ids import parse_task_id
from models.principals import Principal
from models.transitions import CLOSED, RESTS
from services.task_reading import ShownTask, task_show
from store.pool import Store
from store.task import task_progress_fetch

_POLL_SECONDS = 0.02


async def task_rested(
    store: Store, actor: Principal, task_id: str, *, after_revision: int = 0, seconds: float = 60.0
) -> ShownTask:
    """The task once it rests or is closed with everything merged, at a revision above `after_revision`.

    Raises TimeoutError naming its status otherwise.
    """
    deadline = time.monotonic() + seconds
    while True:
        async with store.tenant_transaction(actor.tenant_id) as tx:
            seen = await task_progress_fetch(tx, parse_task_id(task_id))
        if seen is None:
            return await task_show(store, actor, task_id)  # which says that there is none
        status, revision, unmerged = seen
        if not unmerged and status in RESTS | CLOSED and revision > after_revision:
            return await task_show(store, actor, task_id)
        if time.monotonic() > deadline:
            raise TimeoutError(f"task {task_id!r} is still {status} after {seconds:.0f} s")
        await asyncio.sleep(_POLL_SECONDS)
