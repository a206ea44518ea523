"""Reminders and blocks that end by themselves: once each, and whatever happened meanwhile comes first."""

from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from models.errors import StaleWriter
from models.ids import TaskId, TenantId
from models.reminders import ReminderKind
from models.steps import ReminderInput, ResumeInput, TaskBrief
from models.tasks import Block
from services.task_deadlines import record_reminder, resume_task
from services.task_decision import decide
from services.task_intake import add_supplement
from services.task_reading import task_list, timeline
from services.task_takeover import take_over
from store.pool import Store
from tests.services.quote_desk import Desk, open_desk

NOW = datetime(2030, 1, 1, tzinfo=UTC)
BLOCK = Block(reason="budget_exhausted", resumes_at=NOW + timedelta(hours=3))


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.start()
    return desk


async def remind(desk: Desk, kind: ReminderKind, version: int = 1, *, run_epoch: int = 1) -> TaskBrief:
    row = await desk.row()
    return await record_reminder(
        desk.services,
        ReminderInput(
            tenant_id=desk.tenant,
            task_id=TaskId("Q1"),
            principal=row.starter,
            run_id="run",
            run_epoch=run_epoch,
            decision_version=version,
            kind=kind,
        ),
    )


async def resume(desk: Desk, pass_: int, *, run_epoch: int = 1) -> TaskBrief:
    row = await desk.row()
    return await resume_task(
        desk.services,
        ResumeInput(
            tenant_id=desk.tenant,
            task_id=TaskId("Q1"),
            principal=row.starter,
            run_id="run",
            run_epoch=run_epoch,
            pass_=pass_,
        ),
    )


async def test_each_reminder_is_one_line_and_one_urgency_however_often_its_timer_fires(desk: Desk) -> None:
    await desk.show_draft()
    await desk.put("awaiting_approval", awaiting_since=NOW)
    assert (await desk.inbox()).reminder is not None
    for _ in range(3):
        brief = await remind(desk, "reminder")
        assert brief.reminder is not None
        assert (brief.reminder.kind, brief.reminder.at) == ("escalation", NOW + timedelta(hours=48))
    for _ in range(3):
        assert (await remind(desk, "escalation")).reminder is None
    told = [one.reason for one in await timeline(desk.store, desk.person("sales"), "Q1")]
    assert [told.count(kind) for kind in ("reminder", "escalation")] == [1, 1]
    assert len(await desk.audited("approval_reminded")) == len(await desk.audited("approval_escalated")) == 1
    assert await desk.count("outbox", "kind <> 'start'") == 0, "nothing leaves the house"


async def test_the_list_begins_with_the_most_urgent(desk: Desk) -> None:
    for task_id in ("Q1", "Q2", "Q3"):
        if task_id != "Q1":
            await desk.start(task_id)
        await desk.show_draft(task_id)
    await remind(desk, "reminder")
    listed = await task_list(desk.store, desk.person("chief"))
    assert [(one.task_id, one.urgency) for one in listed] == [
        ("Q1", "reminded"),
        ("Q3", "normal"),
        ("Q2", "normal"),
    ]
    await remind(desk, "escalation")
    assert (await task_list(desk.store, desk.person("chief")))[0].urgency == "escalated"
    await add_supplement(desk.store, desk.person("sales-2"), task_id="Q1", text="And foam.")
    await desk.inbox()
    assert {one.urgency for one in await task_list(desk.store, desk.person("chief"))} == {"normal"}


async def test_the_next_draft_is_reminded_of_anew(desk: Desk) -> None:
    await desk.show_draft()
    await remind(desk, "reminder")
    await add_supplement(desk.store, desk.person("sales-2"), task_id="Q1", text="And foam.")
    await desk.inbox()
    await desk.show_draft()
    assert (await remind(desk, "reminder")).decision_version == 2, "the timer of the older draft means nothing"
    assert await desk.count("reminders") == 1
    await remind(desk, "reminder", 2)
    assert await desk.count("reminders", "kind = 'reminder'") == 2


async def test_a_decision_that_came_before_the_reminder_is_carried_out_instead(desk: Desk) -> None:
    draft = await desk.show_draft()
    await decide(
        desk.store,
        desk.person("chief"),
        task_id="Q1",
        decision_version=1,
        content_hash=draft.content_hash,
        verdict="approve",
    )
    assert (await remind(desk, "reminder")).status == "completed"
    assert await desk.count("reminders") == 0


async def test_another_run_reminds_and_resumes_nothing(desk: Desk) -> None:
    await desk.show_draft()
    with pytest.raises(StaleWriter):
        await remind(desk, "reminder", run_epoch=2)
    row = await desk.put("blocked", block=BLOCK)
    with pytest.raises(StaleWriter):
        await resume(desk, row.state.pass_, run_epoch=2)


async def test_a_block_that_ends_by_itself_goes_back_to_restoring_once(desk: Desk) -> None:
    row = await desk.put("blocked", block=BLOCK)
    assert (await desk.inbox()).resumes_at == BLOCK.resumes_at
    brief = await resume(desk, row.state.pass_)
    assert (brief.status, brief.resumes_at) == ("restoring", None)
    assert (await resume(desk, row.state.pass_)).revision == brief.revision


async def test_a_takeover_that_came_first_is_what_happens(desk: Desk) -> None:
    row = await desk.put("blocked", block=BLOCK)
    await take_over(desk.store, desk.person("ops"), task_id="Q1", choice="abandon")
    assert (await resume(desk, row.state.pass_)).status == "cancelled"


async def test_a_block_that_a_person_must_end_does_not_end_by_itself(desk: Desk) -> None:
    row = await desk.block()
    assert (await resume(desk, row.state.pass_)).status == "blocked"


async def test_the_timer_of_an_older_block_ends_none(desk: Desk) -> None:
    older = await desk.put("blocked", block=BLOCK)
    await desk.put("blocked", block=BLOCK)
    assert (await resume(desk, older.state.pass_)).status == "blocked"
