"""What the Temporal server is like by itself: its search attributes, and an empty workflow, timed."""

import statistics
import time
import uuid

from temporalio import workflow
from temporalio.api.operatorservice.v1 import ListSearchAttributesRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Worker

from models.errors import TemporalUnavailable
from workflows.policies import BLOCKED_ATTRIBUTE, STATUS_ATTRIBUTE, TENANT_ATTRIBUTE

# As shipped the development server polls its queues every 50 ms, so every hop waits for that.
SLOW_TICK_SECONDS = 0.045


@workflow.defn
class EmptyWorkflow:
    """Does nothing."""

    @workflow.run
    async def run(self) -> None:
        """Ends at once."""


async def empty_workflow_seconds(client: Client, *, runs: int = 15) -> float:
    """The median duration of an empty workflow on a queue of its own, in seconds."""
    queue = f"probe-{uuid.uuid4().hex}"
    taken: list[float] = []
    async with Worker(client, task_queue=queue, workflows=[EmptyWorkflow]):
        for number in range(runs):
            began = time.perf_counter()
            await client.execute_workflow(EmptyWorkflow.run, id=f"{queue}/{number}", task_queue=queue)
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)


async def missing_search_attributes(client: Client) -> tuple[str, ...]:
    """The search attributes of quote tasks that the namespace does not know.

    TemporalUnavailable when the server knows no such namespace: a client connects without asking.
    """
    try:
        known = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace)
        )
    except RPCError as error:
        if error.status != RPCStatusCode.NOT_FOUND:
            raise TemporalUnavailable(f"Temporal does not answer ({error.status.name}): try again later") from error
        raise TemporalUnavailable(
            f"the Temporal server knows no namespace {client.namespace!r}: register it, or correct "
            "PROOFDESK_TEMPORAL_NAMESPACE"
        ) from error
    wanted = (TENANT_ATTRIBUTE.name, STATUS_ATTRIBUTE.name, BLOCKED_ATTRIBUTE.name)
    return tuple(name for name in wanted if name not in known.custom_attributes)
