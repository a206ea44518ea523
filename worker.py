"""The worker process: composes what the packages offer and runs it until it is told to stop."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import structlog
from temporalio.client import Client
from temporalio.worker import Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

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
from workflows.policies import TASK_QUEUE, step_queue
from workflows.quote_task import QuoteTask
from workflows.reconciler import Reconciler
from workflows.relay import Relay

READY = "worker ready"  # `proofdesk up` waits for these words in the log
# How many tasks a worker works on at once unless the settings say otherwise; parked ones cost nothing.
RUNNING_TASKS = 16
# A run that goes on comes over the sticky queue, which knows no turns between tenants. With fewer slots new runs take
# them all and it piles up: a flood was seen to keep another tenant's task there for ten seconds.
_WORKFLOW_SLOTS = 16
_GRACE = timedelta(seconds=10)


def workflow_runner() -> SandboxedWorkflowRunner:
    """The sandbox of the workflows. What passes through, passes through together: one alone makes two classes.

    `workflows` too: loading it anew costs each run 20 ms. What the sandbox would forbid there, ruff's banned APIs do.
    """
    passed = ("models", "activities", "workflows")
    return SandboxedWorkflowRunner(SandboxRestrictions.default.with_passthrough_modules(*passed))


def workflow_worker(
    client: Client, activities: QuoteTaskActivities, task_queue: str, running_tasks: int = RUNNING_TASKS
) -> Worker:
    """The worker of the workflows with their local activities; the cap on running tasks is that of the steps."""
    return Worker(
        client,
        task_queue=task_queue,
        workflows=[QuoteTask],
        activities=[
            activities.open_run,
            activities.restore_task,
            activities.mark_retrying,
            activities.block_task,
            activities.read_inbox,
            activities.expire_approval,
            activities.record_reminder,
            activities.resume_task,
            activities.cancel_run,
        ],
        workflow_runner=workflow_runner(),
        max_concurrent_workflow_tasks=max(running_tasks, _WORKFLOW_SLOTS),
        max_concurrent_local_activities=max(running_tasks, _WORKFLOW_SLOTS),
        graceful_shutdown_timeout=_GRACE,
    )


def step_worker(
    client: Client, activities: QuoteTaskActivities, task_queue: str, running_tasks: int = RUNNING_TASKS
) -> Worker:
    """The worker of the long steps, on the queue that belongs to the workflows' `task_queue`.

    `running_tasks` steps run at once; the others wait in the queue, where every tenant has its turn.
    """
    return Worker(
        client,
        task_queue=step_queue(task_queue),
        activities=[activities.retrieve_evidence, activities.analyze_task, activities.review_draft],
        max_concurrent_activities=running_tasks,
        # A worker that stands still keeps its polls open: each of them would take an attempt of a step with it.
        max_concurrent_activity_task_polls=1,
        graceful_shutdown_timeout=_GRACE,
    )


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
