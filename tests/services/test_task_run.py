"""Runs: only the run that Postgres expects may work on a task."""

import pytest
import pytest_asyncio

from models.ids import TaskId, TenantId
from models.steps import RunInput
from models.tasks import Step, TaskStatus
from models.transitions import STEPS
from services.task_run import open_run
from store.pool import Store
from tests.services.quote_desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.start()
    return desk


async def test_a_created_task_begins_with_restoring_and_opening_twice_is_once(desk: Desk) -> None:
    first, second = await desk.open(), await desk.open()
    assert first == second
    assert first.brief is not None
    assert (first.brief.status, first.brief.pass_) == ("restoring", 2)


@pytest.mark.parametrize("epoch", [0, 2, 99])
async def test_a_run_of_another_epoch_is_refused_and_audited(desk: Desk, epoch: int) -> None:
    """Hostile 29."""
    row = await desk.row()
    opened = await desk.open(run_epoch=epoch)
    assert (opened.accepted, opened.brief) == (False, None)
    assert await desk.row() == row
    assert len(await desk.audited("run_refused")) == 1


async def test_a_run_of_an_unknown_task_or_tenant_is_refused(desk: Desk) -> None:
    assert not (await desk.open("Q9")).accepted
    nowhere = RunInput(tenant_id=TenantId("nowhere"), task_id=TaskId("Q1"), run_epoch=1)
    assert not (await open_run(desk.services, nowhere)).accepted


@pytest.mark.parametrize("status", ["completed", "cancelled", "failed"])
async def test_a_closed_task_is_not_opened_by_a_start(desk: Desk, status: TaskStatus) -> None:
    await desk.put(status)
    row = await desk.row()
    assert not (await desk.open()).accepted
    assert await desk.row() == row


@pytest.mark.parametrize("status", [*STEPS, "waiting_input", "awaiting_approval", "blocked"])
async def test_an_open_task_goes_on_where_it_stood(desk: Desk, status: TaskStatus) -> None:
    row = await desk.put(status)
    opened = await desk.open()
    assert opened.brief is not None
    assert (opened.brief.status, opened.brief.pass_) == (status, row.state.pass_)


@pytest.mark.parametrize("step", STEPS)
async def test_a_retrying_task_resumes_its_step(desk: Desk, step: Step) -> None:
    row = await desk.put("retrying", next_step=step)
    opened = await desk.open()
    assert opened.brief is not None
    assert (opened.brief.status, opened.brief.pass_) == (step, row.state.pass_ + 1)
    assert await desk.open() == opened
