"""Decisions: what was shown, by somebody who took no part, on evidence that holds now, once.

Capabilities: C-8, C-9, C-10, C-12.
"""

import asyncio
from typing import Any

import pytest
import pytest_asyncio

from models.decisions import Decision
from models.drafts import Draft
from models.errors import (
    AlreadyDecided,
    Conflict,
    FourEyes,
    InvalidInput,
    NotFound,
    ProofdeskError,
    Refused,
    StaleVersion,
)
from models.ids import TenantId
from services.task_cancel import cancel_task
from services.task_decision import decide
from services.task_intake import add_supplement
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.quote_desk import Desk, open_desk

SOP = "The standard lead time is 15 days. Packaging is in foam."


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.library.publish("SOP-1", SOP)
    await desk.start()
    return desk


async def _decide(desk: Desk, draft: Draft, subject: str = "chief", **more: Any) -> Decision:
    given: dict[str, Any] = {
        "task_id": "Q1",
        "decision_version": draft.decision_version,
        "content_hash": draft.content_hash,
        "verdict": "approve",
        **more,
    }
    return await decide(desk.store, desk.person(subject), **given)


async def test_a_decision_is_stored_with_audit_and_outbox_and_carried_out_once(desk: Desk) -> None:
    draft = await desk.show_draft(query="lead time")
    decision = await _decide(desk, draft)
    assert (await desk.row()).state.status == "awaiting_approval"
    assert len(await desk.audited("decision_recorded")) == 1
    assert await desk.count("outbox", f"kind = 'decision' and reference = '{decision.decision_id}'") == 1
    brief = await desk.inbox()
    assert (brief.status, brief.outcome) == ("completed", "approved")
    again = await desk.inbox()
    assert again.revision == brief.revision


async def test_the_same_decision_again_is_the_same_answer(desk: Desk) -> None:
    draft = await desk.show_draft()
    first = await _decide(desk, draft)
    assert await _decide(desk, draft) == first
    await desk.inbox()
    assert await _decide(desk, draft) == first
    assert await desk.count("decisions") == 1


async def test_another_decision_names_the_winner(desk: Desk) -> None:
    draft = await desk.show_draft()
    await _decide(desk, draft)
    with pytest.raises(AlreadyDecided, match="chief"):
        await _decide(desk, draft, "deputy", verdict="reject")
    with pytest.raises(AlreadyDecided):
        await _decide(desk, draft, "chief", verdict="reject")
    assert len(await desk.audited("decision_refused")) == 2


async def test_fifty_at_once_give_one_winner(desk: Desk) -> None:
    """Hostile 6."""
    draft = await desk.show_draft()

    async def one(number: int) -> Decision | ProofdeskError:
        try:
            verdict = "approve" if number % 4 < 2 else "reject"
            return await _decide(desk, draft, ("chief", "deputy")[number % 2], verdict=verdict)
        except ProofdeskError as error:
            return error

    answers = await asyncio.gather(*(one(number) for number in range(50)))
    winners = {answer.decision_id for answer in answers if isinstance(answer, Decision)}
    losers = [answer for answer in answers if not isinstance(answer, Decision)]
    assert len(winners) == 1
    assert all(isinstance(answer, AlreadyDecided) for answer in losers)
    assert await desk.count("decisions") == 1
    assert await desk.count("outbox", "kind = 'decision'") == 1


async def test_an_old_version_or_hash_is_refused_with_what_moved(desk: Desk) -> None:
    """Hostile 7."""
    draft = await desk.show_draft()
    with pytest.raises(StaleVersion, match="content hash"):
        await _decide(desk, draft, content_hash="0" * 64)
    with pytest.raises(StaleVersion, match="decision_version 1"):
        await _decide(desk, draft, decision_version=7)
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text="And foam, please.")
    with pytest.raises(StaleVersion, match="added"):
        await _decide(desk, draft)
    await desk.inbox()
    with pytest.raises(StaleVersion, match="decision_version 2"):
        await _decide(desk, draft)
    assert await desk.count("decisions") == 0


@pytest.mark.parametrize("subject", ["sales", "both", "ops", "auditor"])
async def test_who_took_part_or_holds_no_role_may_not(desk: Desk, subject: str) -> None:
    await add_supplement(desk.store, desk.person("both"), task_id="Q1", text="In blue.")
    draft = await desk.show_draft()
    with pytest.raises(Refused):
        await _decide(desk, draft, subject)
    assert await desk.count("decisions") == 0


async def test_an_author_is_barred_by_four_eyes(desk: Desk) -> None:
    await add_supplement(desk.store, desk.person("chief"), task_id="Q1", text="In blue.")
    draft = await desk.show_draft()
    with pytest.raises(FourEyes):
        await _decide(desk, draft, "chief")
    assert (await _decide(desk, draft, "deputy")).actor == "deputy"


async def test_an_approver_who_started_the_task_is_barred(desk: Desk) -> None:
    await desk.library.run("update principals set roles = array['requester','approver'] where subject = 'sales'")
    draft = await desk.show_draft()
    with pytest.raises(FourEyes):
        await _decide(desk, draft, "sales")


async def test_whoever_took_the_task_over_is_barred(desk: Desk) -> None:
    await desk.block()
    await desk.library.run(
        "insert into takeovers (tenant_id, task_id, pass, takeover_id, choice, actor) "
        "values ($1, 'Q1', 2, gen_random_uuid(), 'retry', 'chief')",
        desk.tenant,
    )
    draft = await desk.show_draft()
    with pytest.raises(FourEyes):
        await _decide(desk, draft)


async def test_an_unknown_person_is_refused(desk: Desk) -> None:
    draft = await desk.show_draft()
    with pytest.raises(NotFound):
        await _decide(desk, draft, "nobody")


async def test_rights_are_those_of_this_moment(desk: Desk) -> None:
    """Hostile 18."""
    draft = await desk.show_draft()
    await desk.library.run("update principals set roles = '{auditor}' where subject = 'chief'")
    with pytest.raises(Refused):
        await _decide(desk, draft)
    await desk.library.run("update principals set active = false where subject = 'deputy'")
    with pytest.raises(Refused):
        await _decide(desk, draft, "deputy")
    assert len(await desk.audited("decision_refused")) == 2


@pytest.mark.parametrize("status", ["created", "retrieving", "waiting_input", "blocked"])
async def test_before_a_draft_is_shown_nothing_can_be_decided(desk: Desk, status: Any) -> None:
    """Hostile 27."""
    await desk.put(status)
    with pytest.raises(StaleVersion):
        await decide(
            desk.store,
            desk.person("chief"),
            task_id="Q1",
            decision_version=1,
            content_hash="0" * 64,
            verdict="approve",
        )


@pytest.mark.parametrize("status", ["completed", "cancelled", "failed"])
async def test_after_the_end_nothing_can_be_decided(desk: Desk, status: Any) -> None:
    """Hostile 28."""
    draft = await desk.show_draft()
    await desk.put(status)
    with pytest.raises(Conflict):
        await _decide(desk, draft)
    assert await desk.count("outbox", "kind = 'decision'") == 0


async def test_an_approver_who_may_not_read_a_source_is_refused(desk: Desk) -> None:
    await desk.library.run("update principals set groups = '{other}' where subject = 'chief'")
    draft = await desk.show_draft(query="lead time")
    with pytest.raises(Refused, match="may not read"):
        await _decide(desk, draft)
    assert (await desk.row()).recheck_reason is None


@pytest.mark.parametrize(
    "change",
    [
        "update document_versions set status = 'withdrawn'",
        "update document_versions set effective_to = effective_from + interval '1 second'",
        "update document_versions set canonical_text = replace(canonical_text, '15', '10')",
    ],
)
async def test_evidence_that_no_longer_holds_is_refused_and_asked_for_again(desk: Desk, change: str) -> None:
    draft = await desk.show_draft(query="lead time")
    await desk.library.run(change)
    with pytest.raises(Conflict, match="SOP-1"):
        await _decide(desk, draft)
    assert await desk.count("outbox", "kind = 'recheck'") == 1
    assert len(await desk.audited("decision_refused")) == 1
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version) == ("retrieving", 2)


async def test_a_draft_changed_in_the_table_is_not_decided_on(desk: Desk) -> None:
    draft = await desk.show_draft()
    await desk.library.run("update drafts set body = jsonb_set(body, '{claims,0,text}', '\"other\"')")
    with pytest.raises(StaleVersion):
        await _decide(desk, draft)


async def test_a_draft_changed_after_its_approval_voids_the_decision(desk: Desk) -> None:
    draft = await desk.show_draft()
    await _decide(desk, draft)
    await desk.library.run("update drafts set body = jsonb_set(body, '{claims,0,text}', '\"other\"')")
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version, brief.outcome) == ("retrieving", 2, None)
    (voided,) = await desk.audited("decision_voided")
    assert voided["reason"] == "content_hash"
    assert await desk.count("decisions", "voided_at is not null and applied_at is null") == 1


async def test_evidence_withdrawn_between_decision_and_its_effect_voids_it(desk: Desk) -> None:
    draft = await desk.show_draft(query="lead time")
    await _decide(desk, draft)
    await desk.library.run("update document_versions set status = 'withdrawn'")
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version) == ("retrieving", 2)


async def test_a_request_for_changes_is_a_supplement_of_its_author(desk: Desk) -> None:
    draft = await desk.show_draft()
    await _decide(desk, draft, verdict="request_changes", comment="Say 60.", confirmations={"quantity": 60})
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version) == ("restoring", 2)
    assert await desk.count("messages", "kind = 'request_changes' and author = 'chief'") == 1
    draft = await desk.show_draft()
    with pytest.raises(FourEyes):
        await _decide(desk, draft)


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "request_changes"},
        {"verdict": "approve", "confirmations": {"quantity": 60}},
        {"comment": "x" * 10_001},
    ],
)
async def test_a_decision_out_of_form_is_refused(desk: Desk, wrong: dict[str, Any]) -> None:
    draft = await desk.show_draft()
    with pytest.raises(InvalidInput):
        await _decide(desk, draft, **wrong)


async def test_a_cancel_that_came_first_wins_and_so_does_a_decision(desk: Desk) -> None:
    draft = await desk.show_draft()
    await cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason="not needed")
    with pytest.raises(Conflict):
        await _decide(desk, draft)
    await desk.start("Q2")
    other = await desk.show_draft("Q2")
    await _decide(desk, other, task_id="Q2")
    with pytest.raises(AlreadyDecided):
        await cancel_task(desk.store, desk.person("sales"), task_id="Q2", reason="not needed")


async def test_a_supplement_after_the_decision_reopens_the_task(desk: Desk) -> None:
    draft = await desk.show_draft()
    await _decide(desk, draft)
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text="And foam, please.")
    brief = await desk.inbox()
    assert (brief.status, brief.decision_version, brief.run_epoch) == ("restoring", 2, 1)
    assert await desk.count("task_events", "status = 'completed'") == 1


async def test_another_tenants_task_looks_missing(desk: Desk, make_tenant: MakeTenant) -> None:
    draft = await desk.show_draft()
    other = await open_desk(desk.store, await make_tenant("B"))
    with pytest.raises(NotFound) as foreign:
        await _decide(other, draft)
    with pytest.raises(NotFound) as missing:
        await _decide(desk, draft, task_id="Q9")
    assert str(foreign.value).replace("Q1", "Q9") == str(missing.value)


async def test_a_draft_whose_sources_changed_waits_for_the_next_one(desk: Desk) -> None:
    draft = await desk.show_draft()
    await desk.library.run("update tasks set recheck_reason = 'SOP-1 v2 published'")
    with pytest.raises(StaleVersion, match="sources"):
        await _decide(desk, draft)
