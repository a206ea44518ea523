"""The activities of `QuoteTask`: one method, one service call. The workflow uses this class as references only."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from temporalio import activity

from activities.failures import translated
from models.steps import (
    CancelInput,
    ExpiryInput,
    InboxInput,
    ReminderInput,
    ResumeInput,
    RunInput,
    RunOpened,
    StepFailure,
    StepInput,
    TaskBrief,
)
from services import (
    task_analysis,
    task_cancel,
    task_deadlines,
    task_inbox,
    task_restoring,
    task_retrieval,
    task_review,
    task_run,
)
from services.task_services import TaskServices

_BEAT_SECONDS = 2.0


@asynccontextmanager
async def heartbeating() -> AsyncGenerator[None]:
    """Tells Temporal every two seconds that the step is alive; its loss is noticed after ten."""

    async def beat() -> None:
        while True:
            activity.heartbeat()
            await asyncio.sleep(_BEAT_SECONDS)

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


@dataclass(frozen=True)
class QuoteTaskActivities:
    """What the workflow asks for; a few milliseconds each unless it beats."""

    services: TaskServices

    @activity.defn
    async def open_run(self, given: RunInput) -> RunOpened:
        return await translated(task_run.open_run(self.services, given))

    @activity.defn
    async def restore_task(self, given: StepInput) -> TaskBrief:
        return await translated(task_restoring.restore_task(self.services, given))

    @activity.defn
    async def retrieve_evidence(self, given: StepInput) -> TaskBrief:
        async with heartbeating():
            return await translated(task_retrieval.retrieve_evidence(self.services, given))

    @activity.defn
    async def analyze_task(self, given: StepInput) -> TaskBrief:
        async with heartbeating():
            return await translated(task_analysis.analyze_task(self.services, given))

    @activity.defn
    async def review_draft(self, given: StepInput) -> TaskBrief:
        async with heartbeating():
            return await translated(task_review.review_draft(self.services, given))

    @activity.defn
    async def mark_retrying(self, given: StepFailure) -> TaskBrief:
        return await translated(task_run.mark_retrying(self.services, given))

    @activity.defn
    async def block_task(self, given: StepFailure) -> TaskBrief:
        return await translated(task_run.block_task(self.services, given))

    @activity.defn
    async def read_inbox(self, given: InboxInput) -> TaskBrief:
        return await translated(task_inbox.read_inbox(self.services, given))

    @activity.defn
    async def expire_approval(self, given: ExpiryInput) -> TaskBrief:
        return await translated(task_inbox.expire_approval(self.services, given))

    @activity.defn
    async def record_reminder(self, given: ReminderInput) -> TaskBrief:
        return await translated(task_deadlines.record_reminder(self.services, given))

    @activity.defn
    async def resume_task(self, given: ResumeInput) -> TaskBrief:
        return await translated(task_deadlines.resume_task(self.services, given))

    @activity.defn
    async def cancel_run(self, given: CancelInput) -> TaskBrief:
        return await translated(task_cancel.cancel_run(self.services, given))
