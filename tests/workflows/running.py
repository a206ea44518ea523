"""A running desk for workflow tests: the real workflow, relay, store and servers, with agents that follow a script.

The steps go through the product's own `run_step`, so pass, revision, token, checkpoint and draft are the real ones;
only what an agent would find out is given by the test.
"""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from temporalio import activity
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import ResetWorkflowExecutionRequest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowFailureError, WorkflowHandle
from temporalio.service import RPCError, RPCStatusCode

from activities.failures import translated
from activities.quote_task import QuoteTaskActivities, heartbeating
from models.decisions import Decision, Verdict
from models.drafts import Draft, RunMetadata
from models.errors import BudgetExhausted
from models.ids import TaskId, TenantId
from models.memory import Claim
from models.steps import InboxInput, StepInput, TaskBrief
from models.tasks import Block, Step, TaskStatus
from services.task_decision import decide
from services.task_evidence import message_evidence
from services.task_inbox import read_inbox
from services.task_state import StepResult, Work, run_step
from store.draft import draft_fetch
from store.message import message_list
from store.pool import Store
from store.task import TaskRow
from tests.services.quote_desk import Desk, open_desk
from worker import quote_desk
from workflows.client import QuoteTaskClient, connect
from workflows.policies import quote_workflow_id
from workflows.relay import Relay
from workflows.workers import RUNNING_TASKS, step_worker, workflow_worker

PATIENCE_SECONDS = 30.0


@dataclass
class Script:
    """What the agents do: how many messages a task needs before it goes on, and which attempts fail or hang.

    Each moment of `exhausted` is an analysis that finds no budget until then; `told` is what the inbox was asked about.
    """

    needs: int = 1
    errors: dict[Step, list[Exception]] = field(default_factory=dict[Step, list[Exception]])
    holds: dict[Step, asyncio.Event] = field(default_factory=dict[Step, asyncio.Event])
    blocks: int = 0
    exhausted: list[datetime] = field(default_factory=list[datetime])
    calls: Counter[str] = field(default_factory=Counter[str])
    told: set[str] = field(default_factory=set[str])


@dataclass(frozen=True)
class ScriptedActivities(QuoteTaskActivities):
    """The activities with scripted agents; everything that is not a step is the product's."""

    script: Script = field(default_factory=Script)

    @activity.defn
    async def read_inbox(self, given: InboxInput) -> TaskBrief:
        brief = await translated(read_inbox(self.services, given))
        self.script.told.update(one.reference for one in given.signals)
        return brief

    @activity.defn
    async def restore_task(self, given: StepInput) -> TaskBrief:
        return await translated(self._step(given, self._restored))

    @activity.defn
    async def retrieve_evidence(self, given: StepInput) -> TaskBrief:
        async with heartbeating():
            return await translated(self._step(given, self._moves_to("analyzing")))

    @activity.defn
    async def analyze_task(self, given: StepInput) -> TaskBrief:
        async with heartbeating():
            return await translated(self._step(given, self._analyzed))

    @activity.defn
    async def review_draft(self, given: StepInput) -> TaskBrief:
        async with heartbeating():
            return await translated(self._step(given, self._reviewed))

    async def _step(self, given: StepInput, work: Work) -> TaskBrief:
        self.script.calls[given.step] += 1
        waiting = self.script.errors.get(given.step)
        if waiting:
            raise waiting.pop(0)
        hold = self.script.holds.get(given.step)
        if hold is not None:
            await hold.wait()
        return await run_step(self.services, given, work)

    async def _restored(self, row: TaskRow) -> StepResult:
        async with self.services.store.tenant_transaction(row.state.tenant_id) as tx:
            messages = await message_list(tx, row.state.task_id)
        new = tuple(one.message_id for one in messages if one.merged_revision is None)
        if len(messages) < self.script.needs:
            pending = {"pending": ("special_inspection",)}
            return StepResult("waiting_input", "special_inspection", kept=pending, merged=new)
        return StepResult("retrieving", kept={"pending": ()}, merged=new)

    def _moves_to(self, target: TaskStatus) -> Work:
        async def work(_: TaskRow) -> StepResult:
            return StepResult(target)

        return work

    async def _analyzed(self, _: TaskRow) -> StepResult:
        if self.script.blocks > 0:
            self.script.blocks -= 1
            block = Block(reason="insufficient_evidence", missing_topics=("lead_time",))
            return StepResult("blocked", "insufficient_evidence", changes={"block": block})
        if self.script.exhausted:
            raise BudgetExhausted("used up", self.script.exhausted.pop(0))
        return StepResult("reviewing")

    async def _reviewed(self, row: TaskRow) -> StepResult:
        async with self.services.store.tenant_transaction(row.state.tenant_id) as tx:
            messages = await message_list(tx, row.state.task_id)
        evidence = tuple(message_evidence(messages, row.state.pass_))
        draft = Draft(
            tenant_id=row.state.tenant_id,
            task_id=row.state.task_id,
            revision=row.state.revision + 1,
            decision_version=row.state.decision_version,
            fields=(),
            claims=tuple(Claim(text=one.quote, evidence_ids=(one.evidence_id,)) for one in evidence),
            evidence=evidence,
            awaiting_confirmation=(),
            history=(),
            conflicts=(),
            missing_topics=(),
            flags=(),
            run_metadata=RunMetadata(
                prompts=(),
                embedding_model="words@1",
                dimension=64,
                chunker_version="structure@1",
                index_version="index",
                policy_version=0,
            ),
        )
        return StepResult("awaiting_approval", draft=draft)


@dataclass
class RunningDesk:
    """One tenant whose tasks are worked on."""

    desk: Desk
    script: Script
    client: Client
    runs: QuoteTaskClient

    def handle(self, task_id: str = "Q1") -> WorkflowHandle[Any, Any]:
        """The newest run of the task."""
        return self.client.get_workflow_handle(quote_workflow_id(self.desk.tenant, TaskId(task_id)))

    async def until(
        self, status: TaskStatus, task_id: str = "Q1", *, passed: int = 0, patience: float = PATIENCE_SECONDS
    ) -> TaskRow:
        """Waits until Postgres holds `status` at a pass above `passed`."""
        deadline = time.monotonic() + patience

        def wanted(row: TaskRow) -> bool:
            return row.state.status == status and row.state.pass_ > passed

        while not wanted(row := await self.desk.row(task_id)):
            assert time.monotonic() < deadline, f"task {task_id} stays {row.state.status}"
            await asyncio.sleep(0.02)
        return row

    async def until_called(self, step: Step) -> None:
        """Waits until an agent was asked to do `step`."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.script.calls[step]:
            assert time.monotonic() < deadline, f"nobody does {step}"
            await asyncio.sleep(0.02)

    async def until_shown(self, status: str, task_id: str = "Q1") -> dict[str, Any]:
        """Waits until the run itself says `status`."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            shown = await self.shown(task_id)
            if shown is not None and shown["status"] == status:
                return shown
            assert time.monotonic() < deadline, f"the run of {task_id} shows {shown}"
            await asyncio.sleep(0.02)

    async def draft_hash(self, task_id: str = "Q1") -> tuple[int, str]:
        """decision_version and content hash of the draft that is shown."""
        row = await self.desk.row(task_id)
        async with self.desk.store.tenant_transaction(self.desk.tenant) as tx:
            draft = await draft_fetch(tx, TaskId(task_id), row.state.decision_version)
        assert draft is not None
        return draft.decision_version, draft.content_hash

    async def reset_to_the_first_task(self, task_id: str = "Q1") -> None:
        """What an operator does with `temporal workflow reset`."""
        handle = self.handle(task_id)
        request = ResetWorkflowExecutionRequest(
            namespace=self.client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=handle.id),
            reason="by hand",
            workflow_task_finish_event_id=4,
            request_id=str(uuid.uuid4()),
        )
        await self.client.workflow_service.reset_workflow_execution(request)

    async def until_closed(self, task_id: str = "Q1") -> WorkflowExecutionStatus | None:
        """Waits until the newest run has closed, and says how."""
        with suppress(WorkflowFailureError):
            await self.handle(task_id).result()
        return (await self.handle(task_id).describe()).status

    async def shown(self, task_id: str = "Q1") -> dict[str, Any] | None:
        """What the run answers to the query `status`, or None before it is there."""
        try:
            return await self.handle(task_id).query("status")
        except RPCError as error:
            # A run that continues another answers nothing before its first turn is scheduled.
            if error.status not in (RPCStatusCode.NOT_FOUND, RPCStatusCode.FAILED_PRECONDITION):
                raise
            return None

    async def decide(
        self, verdict: Verdict = "approve", *, task_id: str = "Q1", subject: str = "chief", comment: str = ""
    ) -> Decision:
        """Decides on the draft that is shown."""
        version, shown_hash = await self.draft_hash(task_id)
        return await decide(
            self.desk.store,
            self.desk.person(subject),
            task_id=task_id,
            decision_version=version,
            content_hash=shown_hash,
            verdict=verdict,
            comment=comment,
        )


@asynccontextmanager
async def running_desk(
    store: Store,
    tenant: TenantId,
    address: str,
    script: Script | None = None,
    *,
    desk: Desk | None = None,
    worker_store: Store | None = None,
    queue: str = "",
    running_tasks: int = RUNNING_TASKS,
) -> AsyncGenerator[RunningDesk]:
    """The tenant's desk (a new one unless told) with its workers on a task queue of their own.

    The workers reach the database by `worker_store`, the people by `store`.
    """
    desk = desk or await open_desk(store, tenant)
    followed = script or Script()
    client = await connect(address, "default")
    services = replace(desk.services, store=worker_store or store)
    own_queue = queue or f"quotes-{uuid.uuid4().hex}"
    activities = ScriptedActivities(services, followed)
    async with quote_desk(client, activities, own_queue, running_tasks=running_tasks) as runs:
        yield RunningDesk(desk, followed, client, runs)


async def cancelled_as_a_step_ends(store: Store, tenant: TenantId, address: str) -> RunningDesk:
    """A task Q42 whose run learns of a step's end and of its own cancel in one turn, as no worker was there before."""
    desk, script = await open_desk(store, tenant), Script(holds={"retrieving": asyncio.Event()})
    client = await connect(address, "default")
    queue = f"quotes-{uuid.uuid4().hex}"
    runs = QuoteTaskClient(client, queue)
    run = RunningDesk(desk, script, client, runs)
    activities = ScriptedActivities(desk.services, script)
    await desk.start("Q42")
    await Relay(store, runs).deliver_due()
    async with step_worker(client, activities, queue):
        async with workflow_worker(client, activities, queue):
            await run.until("retrieving", "Q42")
            await run.until_shown("retrieving", "Q42")
        script.holds["retrieving"].set()
        await run.until("analyzing", "Q42")
        await run.handle("Q42").cancel()
        async with workflow_worker(client, activities, queue):
            await run.until_closed("Q42")
    return run
