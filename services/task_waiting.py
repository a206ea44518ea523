"""Waiting for a task to rest: for the demo, the evaluation and tests, which have nothing better to do."""

import asyncio
import time

from models.principals import Principal
from models.transitions import CLOSED, RESTS
from services.task_reading import ShownTask, task_show
from store.pool import Store

_POLL_SECONDS = 0.02


async def task_rested(
    store: Store, actor: Principal, task_id: str, *, after_revision: int = 0, seconds: float = 60.0
) -> ShownTask:
    """The task once it rests or is closed with everything merged, at a revision above `after_revision`.

    Raises TimeoutError naming its status otherwise.
    """
    deadline = time.monotonic() + seconds
    while True:
        shown = await task_show(store, actor, task_id)
        merged = all(message.merged for message in shown.messages)
        if merged and shown.state.status in RESTS | CLOSED and shown.state.revision > after_revision:
            return shown
        if time.monotonic() > deadline:
            raise TimeoutError(f"task {task_id!r} is still {shown.state.status} after {seconds:.0f} s")
        await asyncio.sleep(_POLL_SECONDS)
