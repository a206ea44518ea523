"""Calling activities: each call is one attempt, and what became of it is one of four answers.

Why it is so: Temporal's own retries leave no workflow task between attempts, so a run that must show `retrying` counts
them itself. A server that restarts must use none of them up.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, FailureError, TimeoutError, is_cancelled_exception

from activities.failures import UNEXPECTED
from activities.quote_task import QuoteTaskActivities as Activities
from models.steps import StepInput, TaskBrief
from models.tasks import Step
from workflows.policies import HEARTBEAT_SECONDS, LOCAL_SECONDS, ONCE, STEP_SECONDS, step_queue

Given = TypeVar("Given")
Result = TypeVar("Result")

_LONG_STEPS: dict[Step, Callable[[Activities, StepInput], Awaitable[TaskBrief]]] = {
    "retrieving": Activities.retrieve_evidence,
    "analyzing": Activities.analyze_task,
    "reviewing": Activities.review_draft,
}


class Superseded(Exception):
    """Another run or attempt owns the task."""


class Unreachable(Exception):
    """The store or Temporal is away; nothing was counted."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class AttemptFailed(Exception):
    """The attempt failed; after a permanent error another one cannot help."""

    def __init__(self, code: str, *, permanent: bool) -> None:
        super().__init__(code)
        self.code = code
        self.permanent = permanent


async def call_local(method: Callable[[Activities, Given], Awaitable[Result]], given: Given) -> Result:
    """A call of a few milliseconds. Raises Superseded, Unreachable or AttemptFailed."""
    try:
        return await workflow.execute_local_activity_method(
            method, given, start_to_close_timeout=LOCAL_SECONDS, retry_policy=ONCE
        )
    except FailureError as error:
        raise _interpreted(error) from None


async def call_step(given: StepInput) -> TaskBrief:
    """One attempt of a step, the long ones on their own queue. Raises Superseded, Unreachable or AttemptFailed."""
    if given.step == "restoring":
        return await call_local(Activities.restore_task, given)
    try:
        return await workflow.execute_activity_method(
            _LONG_STEPS[given.step],
            given,
            task_queue=step_queue(workflow.info().task_queue),
            start_to_close_timeout=STEP_SECONDS,
            heartbeat_timeout=HEARTBEAT_SECONDS,
            retry_policy=ONCE,
        )
    except FailureError as error:
        raise _interpreted(error) from None


def _interpreted(error: FailureError) -> BaseException:
    if is_cancelled_exception(error):
        return asyncio.CancelledError()
    # A local activity's failure comes as it is, an activity's is wrapped.
    cause = error.cause if isinstance(error, ActivityError) else error
    if isinstance(cause, TimeoutError):
        return AttemptFailed("timeout", permanent=False)  # a lost worker looks the same: its heartbeats stop
    if not isinstance(cause, ApplicationError):
        return AttemptFailed(UNEXPECTED, permanent=False)
    code = cause.type or UNEXPECTED
    details: tuple[Any, ...] = tuple(cause.details)
    handling = details[0] if details else "attempt"
    if handling == "superseded":
        return Superseded(code)
    if handling == "no_attempt":
        return Unreachable(code)
    return AttemptFailed(code, permanent=handling == "permanent")
