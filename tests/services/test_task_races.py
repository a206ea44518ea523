"""Many people and copies of the workflow at once on one task: one outcome, nothing lost, no deadlock."""

import asyncio
from collections.abc import Awaitable

import pytest
import pytest_asyncio

from models.errors import ProofdeskError, StoreBusy, TaskExists
from models.ids import TenantId
from models.steps import TaskBrief
from models.tasks import TakeoverChoice
from services.task_cancel import cancel_task
from services.task_decision import decide
from services.task_intake import add_supplement, start_task
from services.task_takeover import take_over
from store.pool import Store
from tests.services.quote_desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    return await open_desk(store, tenant)


async def _told(act: Awaitable[object]) -> object:
    try:
        return await act
    except ProofdeskError as error:
        return error


async def test_twenty_starts_at_once_are_one_task(desk: Desk) -> None:
    briefs = await asyncio.gather(*(desk.start() for _ in range(20)))
    assert len({brief.model_dump_json() for brief in briefs}) == 1
    assert (await desk.count("messages"), await desk.count("outbox")) == (1, 1)


async def test_of_starts_with_different_content_one_wins(desk: Desk) -> None:
    starts = [
        start_task(desk.store, desk.person("sales"), task_id="Q1", text=f"We ask for {number} brackets.")
        for number in range(10)
    ]
    answers = await asyncio.gather(*map(_told, starts))
    assert sum(isinstance(answer, TaskBrief) for answer in answers) == 1
    assert sum(isinstance(answer, TaskExists) for answer in answers) == 9
    assert await desk.count("messages") == 1


@pytest.mark.parametrize("round_", range(3))
async def test_decisions_supplements_cancels_and_inboxes_at_once(desk: Desk, round_: int) -> None:
    await desk.start()
    draft = await desk.show_draft()

    def decision(number: int) -> Awaitable[object]:
        return decide(
            desk.store,
            desk.person(("chief", "deputy")[number % 2]),
            task_id="Q1",
            decision_version=1,
            content_hash=draft.content_hash,
            verdict=("approve", "reject")[number % 2],
        )

    acts: list[Awaitable[object]] = []
    for number in range(8):
        acts.append(decision(number))
        acts.append(add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=f"Part {number}"))
        acts.append(desk.inbox())
        if number == 2 + 2 * round_:
            acts.append(cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason="customer left"))
    answers = await asyncio.gather(*map(_told, acts))
    assert not [answer for answer in answers if isinstance(answer, StoreBusy)]
    await desk.inbox()
    state = (await desk.row()).state
    applied = await desk.count("decisions", "applied_at is not null")
    completions = await desk.count("task_events", "status = 'completed'")
    assert applied == completions == await desk.count("decisions", "voided_at is null") <= 1
    assert state.status in ("restoring", "completed", "cancelled")
    if state.status == "restoring":
        assert state.decision_version == 2
    if await desk.count("messages", "merged_revision is null"):
        assert state.status != "completed" or state.run_epoch > 1


async def test_two_takeovers_at_once_are_one(desk: Desk) -> None:
    await desk.start()
    await desk.block()
    chosen: list[tuple[str, TakeoverChoice]] = [("ops", "retry"), ("chief", "abandon"), ("ops", "retry")]
    takeovers = [take_over(desk.store, desk.person(who), task_id="Q1", choice=choice) for who, choice in chosen]
    await asyncio.gather(*map(_told, takeovers))
    assert await desk.count("takeovers") == 1
    assert await desk.count("outbox", "kind = 'takeover'") == 1
