"""The worker of the benchmarks' bare workflow, in a process of its own as the product's worker is."""

import asyncio
import os
import signal
import sys

from temporalio.client import Client
from temporalio.worker import Worker

from workflows.bare import QUEUE, STEP_QUEUE, BareTask, nothing
from workflows.client import connect

READY = "bare worker ready"


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
