"""Choosing between sources that contradict each other: bound to what was shown, visible, and void when it changes."""

from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from models.decisions import Takeover
from models.drafts import Draft
from models.errors import Conflict, FourEyes, InvalidInput, Refused
from models.ids import TaskId, TenantId
from models.source_choices import NamedSource
from services.task_decision import decide
from services.task_intake import add_supplement
from services.task_reading import draft_show
from services.task_takeover import take_over
from store.draft import draft_latest_fetch
from store.pool import Store
from store.task import TaskRow
from tests.services.quote_desk import Desk, open_desk

SHORT = "The standard lead time for machined parts is 10 working days."
LONG = "The standard lead time for machined parts is 15 working days."
ASKED = "Please quote 40 brackets in SUS304, no special inspection. What is the lead time?"
FIELDS = {"material": "SUS304", "quantity": 40, "special_inspection": False}


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.library.publish("SOP-A", SHORT, title="Lead times")
    await desk.library.publish("SOP-B", LONG, title="Lead times")
    await desk.start(text=ASKED, confirmations=FIELDS)
    return desk


async def blocked(desk: Desk) -> TaskRow:
    row = await desk.drive()
    assert row.state.block is not None, row.state.status
    assert row.state.block.reason == "source_conflict"
    return row


async def choose(
    desk: Desk, document_id: str = "SOP-B", version: int = 1, *, topic: str = "lead_time", by: str = "ops"
) -> Takeover:
    source = NamedSource(topic=topic, document_id=document_id, version=version)
    return await take_over(desk.store, desk.person(by), task_id="Q1", choice="choose_source", source=source)


async def latest(desk: Desk) -> Draft:
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        stored = await draft_latest_fetch(tx, TaskId("Q1"))
    assert stored is not None
    draft = stored.read()
    assert draft is not None
    return draft


async def test_a_chosen_source_settles_the_contradiction_and_the_draft_shows_both_and_who_chose(desk: Desk) -> None:
    row = await blocked(desk)
    assert row.state.block is not None
    assert "choose_source" in row.state.block.choices
    assert {(side.topic, side.document_id) for side in row.state.block.conflict} == {
        ("lead_time", "SOP-A"),
        ("lead_time", "SOP-B"),
    }
    taken = await choose(desk)
    assert (await desk.drive()).state.status == "awaiting_approval"
    draft = await latest(desk)
    said = " ".join(claim.text for claim in draft.claims)
    assert "15 working days" in said
    assert "10 working days" not in said
    assert {side.document_id for side in draft.conflicts} == {"SOP-A", "SOP-B"}
    (choice,) = draft.choices
    assert (choice.topic, choice.document_id, choice.version) == ("lead_time", "SOP-B", 1)
    assert (choice.chosen_by, choice.chosen_at) == ("ops", taken.taken_at)
    assert (await draft_show(desk.store, desk.person("chief"), "Q1")).valid
    (detail,) = [one for one in await desk.audited("takeover_recorded")]
    assert (detail["topic"], detail["document_id"], detail["version"]) == ("lead_time", "SOP-B", 1)
    assert detail["content_hash"] == choice.content_hash


async def test_the_chooser_may_not_approve_and_another_approver_may(desk: Desk) -> None:
    await blocked(desk)
    await choose(desk, by="chief")
    await desk.drive()
    draft = await latest(desk)
    given: dict[str, Any] = {
        "task_id": "Q1",
        "decision_version": draft.decision_version,
        "content_hash": draft.content_hash,
        "verdict": "approve",
    }
    with pytest.raises(FourEyes):
        await decide(desk.store, desk.person("chief"), **given)
    assert (await decide(desk.store, desk.person("deputy"), **given)).verdict == "approve"


async def test_the_same_choice_again_is_the_same_answer_and_another_names_the_first(desk: Desk) -> None:
    await blocked(desk)
    assert await choose(desk) == await choose(desk)
    assert await desk.count("source_choices") == await desk.count("takeovers") == 1
    with pytest.raises(Conflict, match="'ops'"):
        await choose(desk, "SOP-A")
    with pytest.raises(Conflict, match="'ops'"):
        await choose(desk, by="chief")


@pytest.mark.parametrize("by", ["sales", "auditor"])
async def test_only_operators_and_approvers_choose(desk: Desk, by: str) -> None:
    await blocked(desk)
    with pytest.raises(Refused):
        await choose(desk, by=by)


@pytest.mark.parametrize(
    ("document_id", "version", "topic", "says"),
    [
        ("SOP-C", 1, "lead_time", "SOP-A v1, SOP-B v1"),
        ("SOP-B", 2, "lead_time", "no side"),
        ("SOP-B", 1, "warranty", "the topics are lead_time"),
        ("SOP-B", 1, "", "the topics are lead_time"),
        ("' or true --", 1, "lead_time", "no side"),
    ],
)
async def test_what_is_no_side_of_the_contradiction_is_refused(
    desk: Desk, document_id: str, version: int, topic: str, says: str
) -> None:
    await desk.library.publish("SOP-C", "The warranty is 2 years.")
    await blocked(desk)
    with pytest.raises(InvalidInput, match=says):
        await choose(desk, document_id, version, topic=topic)
    assert await desk.count("takeovers") == 0


async def test_a_block_of_another_kind_offers_no_choice_of_a_source(desk: Desk) -> None:
    await desk.block()
    with pytest.raises(InvalidInput, match="retry, provide, abandon"):
        await choose(desk)


_STALE = {
    "withdrawn": "update document_versions set status = 'withdrawn' where document_id = 'SOP-B'",
    "ended": "update document_versions set effective_to = now() where document_id = 'SOP-B'",
    "changed": "update document_versions set content_hash = 'x' where document_id = 'SOP-B'",
}


@pytest.mark.parametrize("change", sorted(_STALE))
async def test_a_source_that_is_no_longer_what_was_shown_cannot_be_chosen(desk: Desk, change: str) -> None:
    await blocked(desk)
    await desk.library.run(_STALE[change])
    with pytest.raises(Conflict, match="no longer what was shown"):
        await choose(desk)


async def test_a_source_that_the_chooser_may_not_read_cannot_be_chosen(desk: Desk) -> None:
    await blocked(desk)
    await desk.library.run("update principals set groups = '{}' where subject = 'ops'")
    with pytest.raises(Refused, match="may not read"):
        await choose(desk)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_STALE["withdrawn"], "version"),
        (_STALE["ended"], "validity"),
        (_STALE["changed"], "hash"),
        ("update principals set groups = '{}' where subject = 'sales'", "permission"),
    ],
)
async def test_a_choice_is_void_when_its_version_changes(desk: Desk, change: str, reason: str) -> None:
    await blocked(desk)
    await choose(desk)
    await desk.library.run(change)
    await desk.drive()
    assert await desk.count("source_choices", f"void_reason = '{reason}'") == 1
    assert len(await desk.audited("source_choice_voided")) == 1


async def test_a_void_choice_does_not_come_back_with_its_version(desk: Desk) -> None:
    await blocked(desk)
    await choose(desk)
    await desk.library.run("update document_versions set effective_to = now() where document_id = 'SOP-B'")
    assert (await desk.drive()).state.status == "awaiting_approval", "only one side is left"
    assert (await latest(desk)).choices == ()
    await desk.library.run("update document_versions set effective_to = null where document_id = 'SOP-B'")
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text="Please go on.")
    await blocked(desk)


async def test_a_side_that_was_not_weighed_is_asked_about(desk: Desk) -> None:
    await blocked(desk)
    await choose(desk)
    await desk.drive()
    await desk.library.publish("SOP-D", "The standard lead time for machined parts is 22 working days.")
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text="Please go on.")
    row = await blocked(desk)
    assert row.state.block is not None
    assert {side.document_id for side in row.state.block.conflict} == {"SOP-A", "SOP-B", "SOP-D"}
    await choose(desk, "SOP-D")
    await desk.drive()
    draft = await latest(desk)
    assert [choice.document_id for choice in draft.choices] == ["SOP-D"]
    assert "22 working days" in " ".join(claim.text for claim in draft.claims)


async def test_a_choice_holds_for_the_drafts_that_follow(desk: Desk) -> None:
    await blocked(desk)
    await choose(desk)
    await desk.drive()
    await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text="Please pack them in foam.")
    row = await desk.drive()
    assert (row.state.status, row.state.decision_version) == ("awaiting_approval", 2)
    assert [choice.document_id for choice in (await latest(desk)).choices] == ["SOP-B"]


async def test_a_document_that_contradicts_itself_is_not_settled_by_choosing_it(desk: Desk) -> None:
    text = f"{LONG}\n\nThe standard lead time for machined parts is 30 working days."
    await desk.library.publish("SOP-E", text, starts=timedelta(days=-2))
    await desk.library.run("update document_versions set status = 'withdrawn' where document_id = 'SOP-B'")
    await blocked(desk)
    await choose(desk, "SOP-E")
    row = await blocked(desk)
    assert row.state.block is not None
    assert {side.document_id for side in row.state.block.conflict} == {"SOP-E"}
    assert "choose_source" not in row.state.block.choices
