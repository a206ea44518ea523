"""Killing or pausing the process around a step's commit: nothing is lost and nothing is done twice."""

import asyncio
import signal
import sys
import time
from pathlib import Path

import pytest
import pytest_asyncio

from deploy.breakable import process_is_paused
from models.ids import TenantId
from models.steps import StepInput
from services.faults import fault_point
from services.task_state import StepResult, run_step
from store.pool import Store
from store.task import TaskRow
from tests.conftest import Database
from tests.services.quote_desk import Desk, open_desk

_WORKER = """
import asyncio, sys
from models.steps import StepInput
from services.task_services import TaskServices
from services.task_state import StepResult, run_step
from store.pool import Store
from tests.services.knowledge import WordEmbedder

async def work(row):
    return StepResult("analyzing", "done")

async def main(url, fault, given):
    store = await Store.open(url, size=1)
    services = TaskServices(store, WordEmbedder(), fault=fault)
    await run_step(services, StepInput.model_validate_json(given), work)
    await store.close()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.start()
    await desk.put("retrieving")
    return desk


async def _started(database: Database, fault: str, given: StepInput) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", _WORKER, database.app_url, fault, given.model_dump_json(), cwd=Path(__file__).parents[2]
    )


async def _run(database: Database, fault: str, given: StepInput) -> int | None:
    return await (await _started(database, fault, given)).wait()


async def _paused(pid: int) -> None:
    deadline = time.monotonic() + 30
    while not process_is_paused(pid):
        assert time.monotonic() < deadline, "the process never stood still"
        await asyncio.sleep(0.02)


async def _work(_: TaskRow) -> StepResult:
    return StepResult("analyzing", "done")


@pytest.mark.parametrize(("moment", "committed"), [("before", 0), ("after", 1)])
async def test_a_worker_killed_around_the_commit(desk: Desk, database: Database, moment: str, committed: int) -> None:
    given = await desk.step("retrieving")
    assert await _run(database, f"retrieving:{moment}", given) == -signal.SIGKILL
    assert await desk.count("checkpoints") == committed
    second = given.model_copy(update={"token": given.token.model_copy(update={"attempt": 2})})
    brief = await run_step(desk.services, second, _work)
    assert (brief.status, brief.pass_) == ("analyzing", given.token.pass_ + 1)
    assert await desk.count("checkpoints") == 1
    assert await desk.count("task_events", "status = 'analyzing'") == 1


async def test_a_worker_paused_before_the_commit_writes_nothing_once_another_did_the_step(
    desk: Desk, database: Database
) -> None:
    given = await desk.step("retrieving")
    process = await _started(database, "pause:retrieving:before", given)
    await _paused(process.pid)
    assert await desk.count("checkpoints") == 0
    second = given.model_copy(update={"token": given.token.model_copy(update={"attempt": 2})})
    await run_step(desk.services, second, _work)
    after = await desk.row()
    process.send_signal(signal.SIGCONT)
    assert await process.wait() == 0  # it answers with what the other one did
    assert await desk.row() == after
    assert await desk.count("checkpoints") == 1


async def test_a_fault_of_another_step_kills_nobody(desk: Desk, database: Database) -> None:
    assert await _run(database, "reviewing:before", await desk.step("retrieving")) == 0


def test_without_a_fault_nothing_happens() -> None:
    fault_point(None, "retrieving:before")
    fault_point("retrieving:after", "retrieving:before")
