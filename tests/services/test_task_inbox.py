"""The inbox: signals prove nothing, rows that were written with their own checks have effect, once."""

from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from models.errors import Conflict, FourEyes, InvalidInput, Refused, StaleWriter
from models.ids import TaskId, TenantId
from models.steps import CancelInput, ExpiryInput, InboxInput, Signalled, TaskBrief
from models.tasks import Block
from services.task_cancel import cancel_run, cancel_task
from services.task_decision import decide
from services.task_inbox import expire_approval, read_inbox
from services.task_intake import add_supplement
from services.task_takeover import take_over
from store.pool import Store
from store.task import task_recheck_set
from tests.services.quote_desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.start()
    return desk


async def _expire(desk: Desk, decision_version: int = 1) -> TaskBrief:
    row = await desk.row()
    return await expire_approval(
        desk.services,
        ExpiryInput(
            tenant_id=desk.tenant,
            task_id=TaskId("Q1"),
            principal=row.starter,
            run_id="run",
            run_epoch=row.state.run_epoch,
            decision_version=decision_version,
        ),
    )


@pytest.mark.parametrize("name", ["supplement_recorded", "decision_recorded", "takeover_recorded", "evidence_changed"])
@pytest.mark.parametrize("reference", ["", "M1", "no\0thing", "' or true --", "0b8f6c1e-3b60-4c1d-9d3e-6f0f3c1f2a77"])
async def test_a_signal_that_names_nothing_of_the_task_changes_nothing(desk: Desk, name: Any, reference: str) -> None:
    """Hostile 23."""
    await desk.show_draft()
    row = await desk.row()
    await desk.inbox("Q1", *(Signalled(name=name, reference=reference) for _ in range(50)))
    assert await desk.row() == row
    (detail,) = await desk.audited("unverified_signal")
    assert (detail["count"], detail["names"], len(detail["references"])) == (50, [f"{name}=50"], 1)


async def test_a_decision_of_another_task_is_not_verified(desk: Desk) -> None:
    """Hostile 25."""
    await desk.show_draft()
    await desk.start("Q2")
    other = await desk.show_draft("Q2")
    decision = await decide(
        desk.store,
        desk.person("chief"),
        task_id="Q2",
        decision_version=1,
        content_hash=other.content_hash,
        verdict="approve",
    )
    signal = Signalled(name="decision_recorded", reference=decision.decision_id)
    brief = await desk.inbox("Q1", signal)
    assert brief.status == "awaiting_approval"
    assert len(await desk.audited("unverified_signal")) == 1
    assert (await desk.inbox("Q2", signal)).status == "completed"
    assert len(await desk.audited("unverified_signal")) == 1


async def test_rejected_signals_are_audited(desk: Desk) -> None:
    """Hostile 24."""
    await desk.inbox("Q1", rejected=3)
    assert await desk.audited("signal_rejected") == [{"count": 3}]


async def test_another_run_is_told_to_stop(desk: Desk) -> None:
    row = await desk.row()
    given = CancelInput(
        tenant_id=desk.tenant, task_id=TaskId("Q1"), principal=row.starter, run_id="r", run_epoch=9, reason="x"
    )
    with pytest.raises(StaleWriter):
        await cancel_run(desk.services, given)


async def test_the_inbox_of_another_run_is_not_read(desk: Desk) -> None:
    row = await desk.row()
    given = InboxInput(
        tenant_id=desk.tenant, task_id=TaskId("Q1"), principal=row.starter, run_id="r", run_epoch=2, rejected_signals=1
    )
    with pytest.raises(StaleWriter):
        await read_inbox(desk.services, given)
    assert await desk.audited("signal_rejected") == []


async def test_a_supplement_voids_the_draft_and_begins_the_next_version(desk: Desk) -> None:
    await desk.show_draft()
    await add_supplement(desk.store, desk.person("sales-2"), task_id="Q1", text="And foam.")
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version, brief.reason) == ("restoring", 2, "")
    assert await desk.count("drafts", "voided_at is not null and void_reason = 'supplement'") == 1
    assert (await desk.inbox()).revision == brief.revision


async def test_changed_evidence_sends_a_shown_draft_back(desk: Desk) -> None:
    await desk.show_draft()
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        await task_recheck_set(tx, TaskId("Q1"), "SOP-1 withdrawn")
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version) == ("retrieving", 2)
    assert (await desk.row()).recheck_reason is None


async def test_changed_evidence_does_not_unblock(desk: Desk) -> None:
    await desk.block()
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        await task_recheck_set(tx, TaskId("Q1"), "SOP-1 withdrawn")
    assert (await desk.inbox()).status == "blocked"


async def test_a_draft_nobody_decided_on_blocks_and_is_void(desk: Desk) -> None:
    await desk.show_draft()
    brief = await _expire(desk)
    assert (brief.status, brief.blocked_reason, brief.decision_version) == ("blocked", "approval_expired", 2)
    assert (await _expire(desk)).revision == brief.revision


async def test_a_decision_that_came_before_the_deadline_stands(desk: Desk) -> None:
    draft = await desk.show_draft()
    await decide(
        desk.store,
        desk.person("chief"),
        task_id="Q1",
        decision_version=1,
        content_hash=draft.content_hash,
        verdict="reject",
    )
    brief = await _expire(desk)
    assert (brief.status, brief.outcome) == ("completed", "rejected")


async def test_the_deadline_of_an_older_draft_means_nothing(desk: Desk) -> None:
    await desk.show_draft()
    await desk.put("awaiting_approval", decision_version=2)
    assert (await _expire(desk, 1)).status == "awaiting_approval"


async def test_the_deadline_is_told_with_the_draft(desk: Desk) -> None:
    await desk.show_draft()
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        now = await tx.now()
    await desk.put("awaiting_approval", awaiting_since=now)
    assert (await desk.inbox()).expires_at == now + timedelta(days=7)


async def _take_over(desk: Desk, subject: str = "ops", **given: Any) -> Any:
    complete: dict[str, Any] = {"task_id": "Q1", "choice": "retry", **given}
    return await take_over(desk.store, desk.person(subject), **complete)


async def test_a_retry_goes_back_to_restoring_and_closes_the_dead_letter(desk: Desk) -> None:
    row = await desk.block("attempts_exhausted")
    await desk.library.run(
        "insert into dead_letters (tenant_id, task_id, pass, step, reason, error_code, attempts) "
        "values ($1, 'Q1', $2, 'retrieving', 'attempts_exhausted', 'x', 3)",
        desk.tenant,
        row.state.pass_,
    )
    takeover = await _take_over(desk)
    assert await _take_over(desk) == takeover
    assert (await desk.inbox()).status == "restoring"
    assert await desk.count("dead_letters", "resolved_at is null") == 0
    assert await desk.count("outbox", "kind = 'takeover'") == 1


async def test_what_is_provided_is_a_message_of_its_author(desk: Desk) -> None:
    await desk.block()
    await _take_over(desk, "chief", choice="provide", text="Lead time is 12 days.", confirmations={"quantity": 3})
    assert (await desk.inbox()).status == "restoring"
    assert await desk.count("messages", "kind = 'takeover' and author = 'chief'") == 1
    draft = await desk.show_draft()
    with pytest.raises(FourEyes):
        await decide(
            desk.store,
            desk.person("chief"),
            task_id="Q1",
            decision_version=1,
            content_hash=draft.content_hash,
            verdict="approve",
        )


async def test_abandoning_cancels(desk: Desk) -> None:
    await desk.block()
    await _take_over(desk, choice="abandon")
    brief = await desk.inbox()
    assert (brief.status, brief.outcome) == ("cancelled", "abandoned")


async def test_a_second_takeover_names_the_first(desk: Desk) -> None:
    await desk.block()
    await _take_over(desk)
    with pytest.raises(Conflict, match="ops"):
        await _take_over(desk, "chief", choice="abandon")


@pytest.mark.parametrize("subject", ["sales", "auditor"])
async def test_only_operators_and_approvers_take_over(desk: Desk, subject: str) -> None:
    await desk.block()
    with pytest.raises(Refused):
        await _take_over(desk, subject)


@pytest.mark.parametrize(
    "wrong", [{"choice": "choose_source"}, {"choice": "provide"}, {"choice": "retry", "text": "x"}]
)
async def test_a_takeover_out_of_form_is_refused(desk: Desk, wrong: dict[str, Any]) -> None:
    await desk.block()
    with pytest.raises(InvalidInput):
        await _take_over(desk, **wrong)


async def test_a_choice_that_the_block_does_not_offer_is_refused(desk: Desk) -> None:
    await desk.put("blocked", block=Block(reason="rights_lost", choices=("retry", "abandon")))
    with pytest.raises(InvalidInput, match="retry, abandon"):
        await _take_over(desk, choice="provide", text="x")


async def test_a_task_that_is_not_blocked_is_not_taken_over(desk: Desk) -> None:
    with pytest.raises(Conflict):
        await _take_over(desk)


@pytest.mark.parametrize("status", ["created", "retrieving", "waiting_input", "awaiting_approval", "blocked"])
async def test_temporals_own_cancel_ends_an_open_task(desk: Desk, status: Any) -> None:
    await desk.show_draft()
    row = await desk.put(status)
    given = CancelInput(
        tenant_id=desk.tenant,
        task_id=TaskId("Q1"),
        principal=row.starter,
        run_id="r",
        run_epoch=1,
        reason="cancelled with the temporal command",
    )
    brief = await cancel_run(desk.services, given)
    assert (brief.status, brief.outcome) == ("cancelled", "cancelled")
    assert await desk.count("drafts", "voided_at is null") == 0
    assert await cancel_run(desk.services, given) == brief


async def test_a_cancel_asked_for_is_carried_out_at_rest(desk: Desk) -> None:
    await desk.show_draft()
    asked = await cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason="customer left")
    assert (asked.status, asked.cancel_requested) == ("awaiting_approval", True)
    brief = await desk.inbox()
    assert (brief.status, brief.outcome) == ("cancelled", "cancelled")


async def test_only_the_starter_approvers_and_operators_cancel(desk: Desk) -> None:
    with pytest.raises(Refused):
        await cancel_task(desk.store, desk.person("sales-2"), task_id="Q1", reason="x")
    with pytest.raises(InvalidInput):
        await cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason=" ")
    await desk.put("completed")
    with pytest.raises(Conflict):
        await cancel_task(desk.store, desk.person("ops"), task_id="Q1", reason="x")
