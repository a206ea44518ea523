"""The worker process: composes what the packages offer and runs it until it is told to stop."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog
from temporalio.client import Client

from activities.quote_task import QuoteTaskActivities
from deploy.embedded import running_stack
from models.errors import InvalidInput, ProofdeskError
from services.audit_keys import AuditFolder, audit_folder_of
from services.audit_sealing import AuditSealer, require_all_anchored
from services.clients.embedders import embedder_of
from services.clients.llms import opened_models
from services.logs import configure_logs
from services.prompt_publishing import prompts_seed
from services.settings import Settings, load_settings
from services.task_services import TaskServices
from store.pool import Store
from workflows.client import QuoteTaskClient, connect
from workflows.policies import TASK_QUEUE
from workflows.reconciler import Reconciler
from workflows.relay import Relay
from workflows.workers import RUNNING_TASKS, step_worker, workflow_worker

READY = "worker ready"  # `proofdesk up` waits for these words in the log


@asynccontextmanager
async def quote_desk(
    client: Client,
    activities: QuoteTaskActivities,
    task_queue: str = TASK_QUEUE,
    *,
    wake: asyncio.Event | None = None,
    sealer: AuditSealer | None = None,
    running_tasks: int = RUNNING_TASKS,
) -> AsyncGenerator[QuoteTaskClient]:
    """Workers, relay, reconciler, the audit's sealer and the look-out for prompts, for the length of the block.

    `wake` tells the relay of work.
    """
    runs, store = QuoteTaskClient(client, task_queue), activities.services.store
    async with (
        workflow_worker(client, activities, task_queue, running_tasks),
        step_worker(client, activities, task_queue, running_tasks),
    ):
        loops = [
            asyncio.create_task(Relay(store, runs, wake).run(), name="relay"),
            asyncio.create_task(Reconciler(store, runs).run(), name="reconciler"),
            asyncio.create_task(activities.services.prompts.follow(store), name="prompts"),
        ]
        if sealer is not None:
            loops.append(asyncio.create_task(sealer.run(), name="sealer"))
        try:
            yield runs
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)


def addresses(settings: Settings) -> tuple[str, str, str]:
    """Database URL, Temporal address and namespace: those of the settings, else of the stack that runs here."""
    if settings.database_url is not None and settings.temporal_address is not None:
        return settings.database_url.get_secret_value(), settings.temporal_address, settings.temporal_namespace
    running = running_stack(settings.data_folder)
    if running is None:
        raise InvalidInput(
            "the worker finds no servers: run `proofdesk up`, or set PROOFDESK_DATABASE_URL and _TEMPORAL_ADDRESS"
        )
    return running.database_url_app, running.temporal_address, running.namespace


async def serve(settings: Settings) -> None:
    """Runs until SIGTERM or SIGINT, then stops in order: no new work, what runs may end, connections close."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    database_url, temporal_address, namespace = addresses(settings)
    async with AsyncExitStack() as stack:
        store = await Store.open(database_url)
        stack.push_async_callback(store.close)
        audit = AuditFolder(audit_folder_of(settings))
        await require_all_anchored(store, audit)
        await prompts_seed(store)
        embedder = embedder_of(settings)
        stack.push_async_callback(embedder.close)
        client = await connect(temporal_address, namespace)
        models = await stack.enter_async_context(opened_models(settings))
        services = TaskServices(store=store, embedder=embedder, models=models, fault=settings.fault)
        await services.prompts.refresh(store)
        await stack.enter_async_context(
            quote_desk(
                client,
                QuoteTaskActivities(services),
                sealer=AuditSealer(store, audit),
                running_tasks=settings.running_tasks,
            )
        )
        structlog.get_logger("worker").info(READY)
        await stopped.wait()


def main() -> int:
    """0 after an orderly stop, 1 with the reason on stderr."""
    try:
        settings = load_settings()
        configure_logs(settings)
        asyncio.run(serve(settings))
    except ProofdeskError as error:
        sys.stderr.write(f"{error.code}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
