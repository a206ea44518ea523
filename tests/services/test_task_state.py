"""Committing a step: once for each pass, by the writer who holds the task, with everything that belongs to it.

Capabilities: C-5, C-21.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from models.errors import AgentFailed, BudgetExhausted, IllegalTransition, NotFound, StaleWriter
from models.ids import TenantId
from models.steps import StepFailure, StepInput, TaskBrief
from models.tasks import TaskStatus
from services.task_cancel import cancel_task
from services.task_intake import add_supplement
from services.task_run import block_task, mark_retrying
from services.task_state import MERGES, Outgoing, StepResult, check_token, run_step
from store.message import message_list
from store.pool import Store
from store.task import TaskRow, task_lock, task_recheck_set, task_save_if_revision
from tests.services.quote_desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.start()
    return desk


class Work:
    """A step that hands on and counts how often it was done."""

    def __init__(self, target: TaskStatus) -> None:
        self.target: TaskStatus = target
        self.rows: list[TaskRow] = []

    async def __call__(self, row: TaskRow) -> StepResult:
        self.rows.append(row)
        handoff = Outgoing("retrieval", "analysis", "memory-input@1", {"n": len(self.rows)})
        return StepResult(self.target, "done", changes={"review_rounds": 1}, handoff=handoff)


async def _retrieving(desk: Desk) -> StepInput:
    await desk.put("retrieving")
    return await desk.step("retrieving")


async def _add(desk: Desk, text: str = "And foam.") -> None:
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=text)


async def _rows_of(desk: Desk) -> Sequence[int]:
    return [await desk.count(table) for table in ("checkpoints", "handoffs", "task_events", "audit_log")]


async def test_state_checkpoint_handoff_event_and_audit_come_together(desk: Desk) -> None:
    given = await _retrieving(desk)
    before = await _rows_of(desk)
    brief = await run_step(desk.services, given, Work("analyzing"))
    assert (brief.status, brief.pass_, brief.revision) == (
        "analyzing",
        given.token.pass_ + 1,
        given.expected_revision + 1,
    )
    after = await _rows_of(desk)
    assert [right - left for left, right in zip(before, after, strict=True)] == [1, 1, 1, 1]


async def test_a_repeated_step_finds_its_checkpoint(desk: Desk) -> None:
    given, work = await _retrieving(desk), Work("analyzing")
    first = await run_step(desk.services, given, work)
    rows = await _rows_of(desk)
    again = given.model_copy(update={"token": given.token.model_copy(update={"attempt": 2})})
    assert await run_step(desk.services, again, work) == first
    assert len(work.rows) == 1
    assert await _rows_of(desk) == rows


async def test_two_copies_of_a_step_have_one_effect(desk: Desk) -> None:
    given, work = await _retrieving(desk), Work("analyzing")
    answers = await asyncio.gather(*(run_step(desk.services, given, work) for _ in range(8)))
    assert len(set(answer.model_dump_json() for answer in answers)) == 1
    assert await desk.count("checkpoints") == 1


@pytest.mark.parametrize("stale", [{"run_epoch": 0}, {"pass_": 0}, {"attempt": 1}, {"pass_": 99}, {"run_epoch": 99}])
async def test_another_run_pass_or_attempt_changes_nothing(desk: Desk, stale: dict[str, int]) -> None:
    given = await _retrieving(desk)
    await mark_retrying(desk.services, StepFailure(failed=given, error_code="store_busy", attempts=1))
    row = await desk.row()
    current = given.model_copy(update={"expected_revision": row.state.revision})
    late = current.model_copy(update={"token": given.token.model_copy(update={"attempt": 2, **stale})})
    rows = await _rows_of(desk)
    with pytest.raises(StaleWriter):
        await run_step(desk.services, late, Work("analyzing"))
    assert (await desk.row()).state == row.state
    assert await _rows_of(desk) == rows


async def test_a_step_that_is_not_the_tasks_own_is_refused(desk: Desk) -> None:
    given = (await _retrieving(desk)).model_copy(update={"step": "reviewing"})
    with pytest.raises(IllegalTransition):
        await run_step(desk.services, given, Work("awaiting_approval"))


async def test_a_later_step_is_refused_even_where_its_move_would_fit(desk: Desk) -> None:
    given = (await _retrieving(desk)).model_copy(update={"step": "reviewing"})
    with pytest.raises(IllegalTransition):
        await run_step(desk.services, given, Work("analyzing"))


@pytest.mark.parametrize("stale", [{"run_epoch": 0}, {"run_epoch": 2}, {"pass_": 9}, {"attempt": -1}])
async def test_each_part_of_the_token_counts(desk: Desk, stale: dict[str, int]) -> None:
    given = await _retrieving(desk)
    row = await desk.row()
    check_token(row, given.token)
    with pytest.raises(StaleWriter):
        check_token(row, given.token.model_copy(update=stale))


async def test_a_step_that_fails_leaves_nothing(desk: Desk) -> None:
    given = await _retrieving(desk)

    async def fail(_: TaskRow) -> StepResult:
        raise AgentFailed("no answer")

    rows, row = await _rows_of(desk), await desk.row()
    with pytest.raises(AgentFailed):
        await run_step(desk.services, given, fail)
    assert (await desk.row(), await _rows_of(desk)) == (row, rows)


async def test_a_move_the_table_lacks_leaves_nothing(desk: Desk) -> None:
    given = await _retrieving(desk)
    rows, row = await _rows_of(desk), await desk.row()
    with pytest.raises(IllegalTransition):
        await run_step(desk.services, given, Work("completed"))
    assert (await desk.row(), await _rows_of(desk)) == (row, rows)


async def test_an_unknown_task_is_not_found(desk: Desk) -> None:
    given = (await _retrieving(desk)).model_copy(update={"task_id": "Q9"})
    with pytest.raises(NotFound):
        await run_step(desk.services, given, Work("analyzing"))


async def _bump(desk: Desk) -> None:
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        row = await task_lock(tx, (await desk.step("retrieving")).task_id)
        assert row is not None
        state = row.state.model_copy(update={"revision": row.state.revision + 1})
        await task_save_if_revision(tx, state, expected_revision=row.state.revision, attempt=row.attempt)


async def test_a_state_that_moved_is_read_again(desk: Desk) -> None:
    given, rounds = await _retrieving(desk), 0

    async def disturbed(row: TaskRow) -> StepResult:
        nonlocal rounds
        rounds += 1
        if rounds <= 3:
            await _bump(desk)
        return StepResult("analyzing", f"at {row.state.revision}")

    brief = await run_step(desk.services, given, disturbed)
    assert (rounds, brief.status) == (4, "analyzing")
    assert brief.revision == given.expected_revision + 4


async def test_a_state_that_moves_for_ever_blocks_the_task(desk: Desk) -> None:
    given, rounds = await _retrieving(desk), 0

    async def disturbed(_: TaskRow) -> StepResult:
        nonlocal rounds
        rounds += 1
        await _bump(desk)
        return StepResult("analyzing")

    brief = await run_step(desk.services, given, disturbed)
    assert (rounds, brief.status, brief.blocked_reason) == (MERGES, "blocked", "revision_conflict")
    assert await desk.count("dead_letters", "error_code = 'revision_conflict'") == 1


async def test_what_was_said_meanwhile_sends_the_task_back(desk: Desk) -> None:
    given = await _retrieving(desk)
    await _add(desk)
    brief = await run_step(desk.services, given, Work("analyzing"))
    assert brief.status == "restoring"
    assert await desk.count("handoffs") == 0
    assert (await desk.row()).state.review_rounds == 0


async def test_a_cancel_asked_for_meanwhile_ends_the_task(desk: Desk) -> None:
    given = await _retrieving(desk)
    await cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason="customer left")
    await cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason="again")
    brief = await run_step(desk.services, given, Work("analyzing"))
    assert (brief.status, brief.outcome, brief.reason) == ("cancelled", "cancelled", "cancelled")
    assert "customer left" not in brief.model_dump_json(), "a person's words go into no workflow history"
    assert await desk.count("task_events", "status = 'cancelled' and reason = 'customer left'") == 1
    assert await desk.count("outbox", "kind = 'cancel'") == 1


async def test_evidence_that_changed_meanwhile_is_asked_for_again(desk: Desk) -> None:
    await desk.put("analyzing")
    given = await desk.step("analyzing")
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        await task_recheck_set(tx, given.task_id, "SOP-1 v2 published")
    brief = await run_step(desk.services, given, Work("reviewing"))
    assert (brief.status, brief.reason) == ("retrieving", "SOP-1 v2 published")


async def test_a_failed_attempt_shows_and_is_fenced_off(desk: Desk) -> None:
    given = await _retrieving(desk)
    failure = StepFailure(failed=given, error_code="embedder_failed", attempts=1)
    brief = await mark_retrying(desk.services, failure)
    assert (brief.status, brief.resume_step, brief.pass_) == ("retrying", "retrieving", given.token.pass_)
    assert await mark_retrying(desk.services, failure) == brief.model_copy(update={"reason": ""})
    with pytest.raises(StaleWriter):
        await run_step(desk.services, given, Work("analyzing"))
    done = await run_step(desk.services, await desk.step("retrieving", attempt=2), Work("analyzing"))
    assert (done.status, done.pass_) == ("analyzing", given.token.pass_ + 1)


async def test_a_failure_told_late_leaves_the_task_where_it_is(desk: Desk) -> None:
    given = await _retrieving(desk)
    done = await run_step(desk.services, given, Work("analyzing"))
    failure = StepFailure(failed=given, error_code="timeout", attempts=3)
    assert (await mark_retrying(desk.services, failure)).status == "analyzing"
    assert (await block_task(desk.services, failure)).revision == done.revision


async def test_the_last_failure_blocks_with_a_dead_letter(desk: Desk) -> None:
    given = await _retrieving(desk)
    failure = StepFailure(failed=given, error_code="embedder_failed", attempts=3)
    brief = await block_task(desk.services, failure)
    assert (brief.status, brief.blocked_reason) == ("blocked", "attempts_exhausted")
    assert await block_task(desk.services, failure) == brief
    assert await desk.count("dead_letters", "attempts = 3 and resolved_at is null") == 1


async def test_a_failure_of_a_task_to_be_cancelled_cancels_it(desk: Desk) -> None:
    given = await _retrieving(desk)
    await cancel_task(desk.store, desk.person("ops"), task_id="Q1", reason="double")
    failure = StepFailure(failed=given, error_code="timeout", attempts=1)
    assert (await mark_retrying(desk.services, failure)).status == "cancelled"


async def test_supplements_that_race_with_steps_are_never_lost(desk: Desk) -> None:
    """Each message ends up merged, whichever commit came first."""
    await desk.put("restoring")

    async def merge(row: TaskRow) -> StepResult:
        async with desk.store.tenant_transaction(desk.tenant) as tx:
            ids = [one.message_id for one in await message_list(tx, row.state.task_id) if one.merged_revision is None]
        return StepResult("retrieving", merged=tuple(ids))

    async def steps() -> TaskBrief:
        while True:
            brief = await run_step(desk.services, await desk.step("restoring"), merge)
            if brief.status != "restoring":
                return brief
            await asyncio.sleep(0)

    await asyncio.gather(steps(), *(_add(desk, f"Part {number}") for number in range(12)))
    for _ in range(3):
        if (await desk.row()).state.status == "retrieving":
            await run_step(desk.services, await desk.step("retrieving"), Work("analyzing"))
        if (await desk.row()).state.status == "restoring":
            await steps()
    assert await desk.count("messages", "merged_revision is null") == 0
    assert await desk.count("messages") == 13


async def test_a_budget_that_is_used_up_blocks_until_the_day_turns_and_is_no_attempt(desk: Desk) -> None:
    given = await _retrieving(desk)
    resumes_at = datetime(2031, 5, 6, 16, 0, tzinfo=UTC)

    async def work(_: TaskRow) -> StepResult:
        raise BudgetExhausted("the tokens of the day are used up", resumes_at)

    brief = await run_step(desk.services, given, work)
    assert (brief.status, brief.blocked_reason, brief.resumes_at) == ("blocked", "budget_exhausted", resumes_at)
    assert await desk.count("dead_letters") == 0
    row = await desk.row()
    assert row.state.block is not None
    assert row.state.block.choices == ("retry", "provide", "abandon")
    assert (await run_step(desk.services, given, work)) == brief
