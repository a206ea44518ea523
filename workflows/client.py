"""The only user of Temporal's client: starting, signalling, cancelling and looking at the runs of quote tasks.

Requests are built by hand where they carry a `request_id`: the same one again is the same start, signal or cancel.
"""

from collections.abc import AsyncGenerator, Awaitable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from temporalio.api.common.v1 import Payload, Payloads, Priority, WorkflowExecution, WorkflowType
from temporalio.api.enums.v1 import (
    EventType,
    WorkflowIdConflictPolicy,
    WorkflowIdReusePolicy,
    WorkflowTaskFailedCause,
)
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import (
    GetWorkflowExecutionHistoryReverseRequest,
    RequestCancelWorkflowExecutionRequest,
    SignalWorkflowExecutionRequest,
    StartWorkflowExecutionRequest,
)
from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.client import WorkflowExecution as ListedExecution
from temporalio.common import SearchAttributePair, TypedSearchAttributes
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import encode_search_attributes
from temporalio.exceptions import TemporalError
from temporalio.runtime import Runtime
from temporalio.service import RPCError, RPCStatusCode

from models.errors import TemporalUnavailable
from models.ids import TaskId, TenantId
from models.steps import RunInput, SignalName
from services.task_reconciling import CANCELLED
from workflows.policies import (
    EPOCH_MEMO,
    FAILED_TURNS,
    STATUS_ATTRIBUTE,
    TASK_QUEUE,
    TENANT_ATTRIBUTE,
    TIMED_OUT_TURNS,
    WORKFLOW_TYPE,
    quote_workflow_id,
)
from workflows.signals import signal_payload

_AWAY = frozenset(
    {
        RPCStatusCode.UNAVAILABLE,
        RPCStatusCode.DEADLINE_EXCEEDED,
        RPCStatusCode.RESOURCE_EXHAUSTED,
        RPCStatusCode.INTERNAL,
        RPCStatusCode.UNKNOWN,
        RPCStatusCode.CANCELLED,
        RPCStatusCode.ABORTED,
    }
)
_TAIL_EVENTS = 50
_FROM_OUTSIDE = {
    # A run that could act on its cancel has closed its task before.
    WorkflowExecutionStatus.CANCELED: CANCELLED,
    WorkflowExecutionStatus.TERMINATED: "terminated",
    WorkflowExecutionStatus.TIMED_OUT: "timed_out",
    WorkflowExecutionStatus.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class RunSeen:
    """The newest run of a task; the epoch is None for a run that Proofdesk neither started nor accepted."""

    run_epoch: int | None
    is_open: bool
    ended_from_outside: str | None


async def connect(address: str, namespace: str) -> Client:
    """A client whose payloads are contracts; TemporalUnavailable when no server answers."""
    try:
        return await Client.connect(address, namespace=namespace, data_converter=pydantic_data_converter)
    except RuntimeError as error:
        raise TemporalUnavailable(
            f"no Temporal server answers at {address}: start it, or correct the address"
        ) from error


@dataclass(frozen=True, slots=True)
class RunFault:
    """The newest run of a task whose turn fails again and again; `cause` is Temporal's word for it, never a message."""

    run_id: str
    run_epoch: int | None
    attempts: int
    cause: str


@dataclass(frozen=True, slots=True)
class QuoteTaskClient:
    """What the relay, the reconciler and the command line ask of Temporal.

    Every method raises TemporalUnavailable while the server is away, and RPCError for a request it refuses.
    """

    client: Client
    task_queue: str = TASK_QUEUE

    async def start(self, tenant_id: TenantId, task_id: TaskId, run_epoch: int, *, request_id: str) -> bool:
        """Whether the run of `run_epoch` (or a later one) is there; False while another run holds the id."""
        request = await self._start_request(tenant_id, task_id, run_epoch, request_id)
        try:
            with _translated():
                await self.client.workflow_service.start_workflow_execution(request, retry=True)
        except RPCError as error:
            if error.status != RPCStatusCode.ALREADY_EXISTS:
                raise
            seen = await self.run_fetch(tenant_id, task_id)
            return seen is not None and seen.is_open and (seen.run_epoch or 0) >= run_epoch
        return True

    async def signal(
        self, tenant_id: TenantId, task_id: TaskId, name: SignalName, reference: str, *, request_id: str
    ) -> bool:
        """Whether there was an open run to tell."""
        request = SignalWorkflowExecutionRequest(
            namespace=self.client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=quote_workflow_id(tenant_id, task_id)),
            signal_name=name,
            input=Payloads(payloads=await self._encoded(signal_payload(reference))),
            identity=self.client.identity,
            request_id=request_id,
        )
        with _translated():
            return await _found(self.client.workflow_service.signal_workflow_execution(request, retry=True))

    async def cancel(self, tenant_id: TenantId, task_id: TaskId, reason: str, *, request_id: str) -> bool:
        """Whether there was an open run to cancel."""
        request = RequestCancelWorkflowExecutionRequest(
            namespace=self.client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=quote_workflow_id(tenant_id, task_id)),
            identity=self.client.identity,
            request_id=request_id,
            reason=reason,
        )
        with _translated():
            return await _found(self.client.workflow_service.request_cancel_workflow_execution(request, retry=True))

    async def run_fetch(self, tenant_id: TenantId, task_id: TaskId) -> RunSeen | None:
        """The newest run of the task, or None when Temporal knows none."""
        try:
            with _translated():
                shown = await self.client.get_workflow_handle(quote_workflow_id(tenant_id, task_id)).describe()
        except RPCError as error:
            if error.status != RPCStatusCode.NOT_FOUND:
                raise
            return None
        return RunSeen(
            run_epoch=await self._epoch_of(shown),
            is_open=shown.status == WorkflowExecutionStatus.RUNNING,
            ended_from_outside=None if shown.status is None else _FROM_OUTSIDE.get(shown.status),
        )

    async def fault_fetch(self, tenant_id: TenantId, task_id: TaskId) -> RunFault | None:
        """Why the newest run of the task gets nowhere, or None: its turn failed, and failed again when it was repeated.

        A turn that only timed out may have had no worker: it counts after more repetitions.
        """
        handle = self.client.get_workflow_handle(quote_workflow_id(tenant_id, task_id))
        try:
            with _translated():
                shown = await handle.describe()
                attempts = shown.raw_description.pending_workflow_task.attempt
                if shown.status != WorkflowExecutionStatus.RUNNING or attempts < FAILED_TURNS:
                    return None
                cause = await self._failure_of(shown.id, shown.run_id)
        except RPCError as error:
            if error.status != RPCStatusCode.NOT_FOUND:
                raise
            return None
        if cause is None and attempts < TIMED_OUT_TURNS:
            return None
        return RunFault(shown.run_id, await self._epoch_of(shown), attempts, cause or "timed_out")

    async def terminate(self, tenant_id: TenantId, task_id: TaskId, run_id: str, reason: str) -> bool:
        """Whether there was this run to end at once."""
        handle = self.client.get_workflow_handle(quote_workflow_id(tenant_id, task_id), run_id=run_id)
        with _translated():
            return await _found(handle.terminate(reason=reason))

    def count_fault(self) -> None:
        """One more in the metric `proofdesk_worker_faults`."""
        runtime = self.client.service_client.config.runtime or Runtime.default()
        runtime.metric_meter.create_counter("proofdesk_worker_faults", "Tasks parked for a fault of the worker").add(1)

    async def _failure_of(self, workflow_id: str, run_id: str) -> str | None:
        """The cause of the failed turn that the history ends with, or None."""
        request = GetWorkflowExecutionHistoryReverseRequest(
            namespace=self.client.namespace,
            execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id),
            maximum_page_size=_TAIL_EVENTS,
        )
        answer = await self.client.workflow_service.get_workflow_execution_history_reverse(request, retry=True)
        for event in answer.history.events:
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
                return None
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED:
                name = WorkflowTaskFailedCause.Name(event.workflow_task_failed_event_attributes.cause)
                cause = name.removeprefix("WORKFLOW_TASK_FAILED_CAUSE_").lower()
                # Something arrived as the turn ended: a flood, and no fault.
                return None if cause == "unhandled_command" else cause
        return None

    async def troubled_runs(self) -> frozenset[str]:
        """The workflow ids of open runs that Temporal itself reports as failing; none where it reports nothing."""
        problems = "'category=WorkflowTaskFailed', 'category=WorkflowTaskTimedOut'"
        query = f"WorkflowType = '{WORKFLOW_TYPE}' AND TemporalReportedProblems IN ({problems})"
        try:
            with _translated():
                return frozenset([found.id async for found in self.client.list_workflows(query)])
        except RPCError as error:
            if error.status != RPCStatusCode.INVALID_ARGUMENT:
                raise
            return frozenset()

    async def open_runs(self) -> AsyncGenerator[tuple[str, int | None]]:
        """Workflow id and epoch of every open run; the list may lag behind by a moment."""
        with _translated():
            query = f"WorkflowType = '{WORKFLOW_TYPE}' AND ExecutionStatus = 'Running'"
            async for found in self.client.list_workflows(query):
                yield found.id, await self._epoch_of(found)

    async def _start_request(
        self, tenant_id: TenantId, task_id: TaskId, run_epoch: int, request_id: str
    ) -> StartWorkflowExecutionRequest:
        given = RunInput(tenant_id=tenant_id, task_id=task_id, run_epoch=run_epoch)
        request = StartWorkflowExecutionRequest(
            namespace=self.client.namespace,
            workflow_id=quote_workflow_id(tenant_id, task_id),
            workflow_type=WorkflowType(name=WORKFLOW_TYPE),
            task_queue=TaskQueue(name=self.task_queue),
            input=Payloads(payloads=await self._encoded(given)),
            identity=self.client.identity,
            request_id=request_id,
            workflow_id_reuse_policy=WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
            # Not USE_EXISTING: an older run that is about to end would swallow the start.
            workflow_id_conflict_policy=WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
            priority=Priority(fairness_key=tenant_id),
            request_eager_execution=True,
        )
        (memo,) = await self._encoded(run_epoch)
        request.memo.fields[EPOCH_MEMO].CopyFrom(memo)
        pairs: list[SearchAttributePair[str]] = [
            SearchAttributePair(TENANT_ATTRIBUTE, tenant_id),
            SearchAttributePair(STATUS_ATTRIBUTE, "created"),
        ]
        encode_search_attributes(TypedSearchAttributes(pairs), request.search_attributes)
        return request

    async def _encoded(self, value: object) -> list[Payload]:
        return await self.client.data_converter.encode([value])

    async def _epoch_of(self, shown: ListedExecution) -> int | None:
        payload = shown.raw_info.memo.fields.get(EPOCH_MEMO)
        if payload is None:
            return None
        try:
            (epoch,) = await self.client.data_converter.decode([payload])
        except (TemporalError, RuntimeError, KeyError, ValueError, TypeError):
            return None  # written by somebody else: one such run must not hide all others
        return epoch if isinstance(epoch, int) else None


async def _found(call: Awaitable[object]) -> bool:
    try:
        await call
    except RPCError as error:
        if error.status != RPCStatusCode.NOT_FOUND:
            raise
        return False
    return True


@contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except RPCError as error:
        if error.status not in _AWAY:
            raise
        raise TemporalUnavailable(f"Temporal does not answer ({error.status.name}): try again later") from error
    except RuntimeError as error:  # a connection that never came about
        raise TemporalUnavailable("Temporal cannot be reached: try again later") from error
