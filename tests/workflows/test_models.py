"""A model behind the analysis in the real workflow: its failures are attempts, and after the third a person is asked.

Capabilities: C-25, C-54.
"""

import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from activities.quote_task import QuoteTaskActivities
from deploy.temporal_server import TemporalServer
from models.ids import TaskId, TenantId
from services.task_takeover import take_over
from store.pool import Store
from store.task import dead_letter_list
from tests.services.agents.scripted_models import Answer, bound, decided, honest
from tests.services.clients.model_server import Asked, Fails, ModelServer, Says, Scripted, model_server
from tests.services.quote_desk import open_desk
from tests.workflows.running import RunningDesk, Script
from worker import quote_desk
from workflows.client import connect

REQUEST = "RFQ: 40 pcs brackets in SUS304, no special inspection. What is the lead time?"


@asynccontextmanager
async def desk_with_model(
    store: Store, tenant: TenantId, address: str, answer: Answer
) -> AsyncGenerator[tuple[RunningDesk, ModelServer]]:
    """The product's own activities, with this model behind the analysis."""
    plain = await open_desk(store, tenant)
    await plain.library.publish("SOP-LT", "The standard lead time is 15 working days. Packaging is in foam.")
    client = await connect(address, "default")
    async with (
        model_server(answer) as server,
        bound(plain, server, "analysis") as desk,
        quote_desk(client, QuoteTaskActivities(desk.services), f"models-{uuid.uuid4().hex}") as runs,
    ):
        yield RunningDesk(desk, Script(), client, runs), server


async def test_a_good_answer_reaches_the_approver(store: Store, tenant: TenantId, temporal: TemporalServer) -> None:
    async with desk_with_model(store, tenant, temporal.address, honest) as (run, server):
        await run.desk.start(text=REQUEST)
        await run.until("awaiting_approval")
        await run.decide()
        await run.until("completed")
        assert len(server.asked) == 1


def invented(asked: Asked) -> Says:
    return decided(asked, ("The standard lead time is 15 working days", ["E-made-up"]))


def refused(_: Asked) -> Scripted:
    return Fails(403)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("answer", "attempts", "code"), [(invented, 3, "agent_failed"), (refused, 1, "model_refused")])
async def test_what_no_attempt_mends_blocks_and_goes_on_when_it_is_mended(
    store: Store, tenant: TenantId, temporal: TemporalServer, answer: Answer, attempts: int, code: str
) -> None:
    async with desk_with_model(store, tenant, temporal.address, answer) as (run, server):
        await run.desk.start(text=REQUEST)
        row = await run.until("blocked")
        assert row.state.block is not None
        assert row.state.block.reason == "attempts_exhausted"
        assert len(server.asked) == attempts
        async with store.tenant_transaction(tenant) as tx:
            (letter,) = await dead_letter_list(tx, TaskId("Q1"))
        assert (letter.step, letter.error_code) == ("analyzing", code)
        server.script = honest
        await take_over(store, run.desk.person("ops"), task_id="Q1", choice="retry")
        await run.until("awaiting_approval")


async def test_a_model_that_stumbles_once_is_tried_again(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    asked: list[Asked] = []

    def answer(one: Asked) -> Scripted:
        asked.append(one)
        return Says("not JSON") if len(asked) == 1 else honest(one)

    async with desk_with_model(store, tenant, temporal.address, answer) as (run, _):
        await run.desk.start(text=REQUEST)
        await run.until("awaiting_approval")
        assert await run.desk.count("task_events", "status = 'retrying'") == 1
