"""Changes of the workflow that must not pass the replay tests, and two with a bug for the watchdog."""

from collections.abc import Sequence
from typing import Any

from temporalio import workflow
from temporalio.common import RawValue

from models.steps import TaskBrief
from workflows.quote_task import QuoteTask


@workflow.defn(name="QuoteTask")
class ForgetfulQuoteTask(QuoteTask):
    """A change that breaks running tasks: at a rest it does not ask Postgres."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

    @workflow.run
    async def run(self, *given: Any) -> str:
        return await super().run(*given)

    async def _read_inbox(self) -> None:
        self._run.inbox.take()
        self._run.is_fresh = True


@workflow.defn(name="QuoteTask")
class HeedlessQuoteTask(QuoteTask):
    """A cancel is what the SDK raises, and nothing else."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

    @workflow.run
    async def run(self, *given: Any) -> str:
        return await super().run(*given)

    def _raise_if_cancelled(self) -> None:
        return


@workflow.defn(name="QuoteTask")
class DeafQuoteTask(QuoteTask):
    """A bug in the handler of signals."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

    @workflow.run
    async def run(self, *given: Any) -> str:
        return await super().run(*given)

    @workflow.signal(dynamic=True)
    def notified(self, name: str, values: Sequence[RawValue]) -> None:
        raise LookupError(f"{name} of {len(values)}")


@workflow.defn(name="QuoteTask")
class RestlessQuoteTask(QuoteTask):
    """A bug in the workflow's own code: no rest can be entered."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

    @workflow.run
    async def run(self, *given: Any) -> str:
        return await super().run(*given)

    async def _rest(self, brief: TaskBrief) -> None:
        raise ZeroDivisionError(brief.status)
