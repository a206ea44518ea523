"""The baseline of the benchmarks: a workflow of the quote task's shape whose activities do nothing.

Two local activities, three on a queue of their own, a wait for one signal, one more local activity. What a quote task
takes beyond it is what Proofdesk does.
"""

import asyncio
import os
import signal
import sys
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import Worker

from workflows.client import connect
from workflows.policies import ONCE

QUEUE = "bare"
STEP_QUEUE = "bare-steps"
READY = "bare worker ready"
_LOCAL = timedelta(seconds=20)
_STEP = timedelta(minutes=5)


@activity.defn
async def nothing(number: int) -> int:
    """Gives its argument back."""
    return number


@workflow.defn
class BareTask:
    """Five steps, a wait, and one step more."""

    def __init__(self) -> None:
        self._decided = False
        self._resting = False

    @workflow.run
    async def run(self) -> int:
        """The number of activities done."""
        done = 0
        for _ in range(2):
            done += await self._local(1)
        for _ in range(3):
            done += await workflow.execute_activity(
                nothing, 1, task_queue=STEP_QUEUE, start_to_close_timeout=_STEP, retry_policy=ONCE
            )
        self._resting = True
        await workflow.wait_condition(lambda: self._decided)
        return done + await self._local(1)

    @workflow.signal
    def decide(self) -> None:
        """Ends the wait."""
        self._decided = True

    @workflow.update
    async def rested(self) -> None:
        """Answers as soon as the task rests."""
        await workflow.wait_condition(lambda: self._resting)

    async def _local(self, number: int) -> int:
        return await workflow.execute_local_activity(nothing, number, start_to_close_timeout=_LOCAL, retry_policy=ONCE)


async def serve(client: Client) -> None:
    """Works on the bare queues until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with (
        Worker(client, task_queue=QUEUE, workflows=[BareTask], activities=[nothing]),
        Worker(client, task_queue=STEP_QUEUE, activities=[nothing]),
    ):
        sys.stderr.write(READY + "\n")
        sys.stderr.flush()
        await stopped.wait()


async def _main() -> None:
    await serve(await connect(os.environ["PROOFDESK_TEMPORAL_ADDRESS"], os.environ["PROOFDESK_TEMPORAL_NAMESPACE"]))


if __name__ == "__main__":
    asyncio.run(_main())
