"""A worker process of one task queue with scripted agents, run as `python -m tests.chaos.killed_worker`.

It dies by `kill -9` at the point that PROOFDESK_FAULT names, as any worker would in test mode. It delivers no outbox:
the test decides which queue a task belongs to.
"""

import asyncio
import sys

from services.settings import load_settings
from services.task_services import TaskServices
from store.pool import Store
from tests.services.knowledge import WordEmbedder
from tests.workflows.running import Script, ScriptedActivities
from workflows.client import connect
from workflows.workers import step_worker, workflow_worker


async def main(task_queue: str) -> None:
    """Works until it is killed."""
    settings = load_settings()
    assert settings.database_url is not None
    assert settings.temporal_address is not None
    store = await Store.open(settings.database_url.get_secret_value(), size=3)
    client = await connect(settings.temporal_address, settings.temporal_namespace)
    services = TaskServices(store, WordEmbedder(), fault=settings.fault)
    activities = ScriptedActivities(services, Script())
    async with workflow_worker(client, activities, task_queue), step_worker(client, activities, task_queue):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
