"""The task of `workflows.bare` on DBOS: five durable steps, a wait for a message, one step more.

Run by `proofdesk bench rivals` in a process of its own, with the extra `rivals` installed. The module is imported by
name and untyped, because the environment of the product does not hold it.
"""

import asyncio
import importlib
import os
import sys
import uuid
from typing import Any

from workflows.bench_timing import Taken, measured, printed

_STEPS = 5
_TOPIC = "decide"


async def _measured(database_url: str) -> None:
    dbos: Any = importlib.import_module("dbos")
    desk: Any = dbos.DBOS
    desk(
        config={
            "name": "bench",
            "system_database_url": database_url,
            "run_admin_server": False,
            "log_level": "ERROR",
        }
    )
    resting: dict[str, asyncio.Event] = {}

    @desk.step()
    async def step(done: int) -> int:
        return done + 1

    @desk.workflow()
    async def task(name: str) -> int:
        done = 0
        for _ in range(_STEPS):
            done = await step(done)
        resting[name].set()
        await desk.recv_async(_TOPIC, timeout_seconds=60)
        return await step(done)

    desk.launch()

    async def run(clock: Any) -> Taken:
        name = uuid.uuid4().hex
        resting[name] = asyncio.Event()
        began = clock()
        with dbos.SetWorkflowID(name):
            handle = await desk.start_workflow_async(task, name)
        await resting[name].wait()
        rested = clock()
        await desk.send_async(name, True, topic=_TOPIC)
        if await handle.get_result() != _STEPS + 1:
            raise RuntimeError("the rival did not do its steps")
        return Taken(rested - began, clock() - rested)

    try:
        printed(await measured(run))
    finally:
        desk.destroy()


if __name__ == "__main__":
    asyncio.run(_measured(os.environ["RIVAL_DATABASE_URL"]))
    sys.exit(0)
