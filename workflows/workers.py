"""The two workers of the quote task: one for the workflows with their short steps, one for the long steps."""

from datetime import timedelta

from temporalio.client import Client
from temporalio.worker import Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from activities.quote_task import QuoteTaskActivities
from workflows.policies import step_queue
from workflows.quote_task import QuoteTask

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
