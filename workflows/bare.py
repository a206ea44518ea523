"""The baseline of the benchmarks: a workflow of the quote task's shape whose activities do nothing.

Two local activities, three on a queue of their own, a wait for one signal, one more local activity. What a quote task
takes beyond it is what Proofdesk does.
"""

from datetime import timedelta

from temporalio import activity, workflow

from workflows.policies import ONCE

QUEUE = "bare"
STEP_QUEUE = "bare-steps"
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
