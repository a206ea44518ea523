"""Retrieving: verified sentences of what the starter may read, and of the task's own messages, each with its place.

Capabilities: C-24, C-47.
"""

import pytest
import pytest_asyncio

from models.contract import content_hash
from models.evidence import Evidence
from models.ids import TaskId, TenantId
from models.memory import MemoryInput
from models.tasks import ConfirmedValue, FieldSource
from services.task_handoffs import handed_to
from services.task_retrieval import retrieve_evidence
from store.checkpoint import handoff_latest_fetch, task_evidence_list
from store.pool import Store
from store.task import task_recheck_set
from tests.conftest import MakeTenant
from tests.services.quote_desk import Desk, open_desk

SOP = "The standard lead time is 15 days. Packaging is in foam. Payment is due within 30 days."


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.library.publish("SOP-1", SOP)
    await desk.start(text="We ask for 40 brackets. Special inspection is needed.")
    await desk.put("retrieving")
    return desk


async def _retrieve(desk: Desk) -> tuple[Evidence, ...]:
    brief = await retrieve_evidence(desk.services, await desk.step("retrieving"))
    assert brief.status == "analyzing"
    row = await desk.row()
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        return await task_evidence_list(tx, TaskId("Q1"), row.state.evidence_ids)


async def test_sentences_of_sources_and_messages_become_evidence_with_their_places(desk: Desk) -> None:
    evidence = await _retrieve(desk)
    assert [(one.source, one.quote) for one in evidence] == [
        ("document", "The standard lead time is 15 days."),
        ("document", "Packaging is in foam."),
        ("document", "Payment is due within 30 days."),
        ("message", "We ask for 40 brackets."),
        ("message", "Special inspection is needed."),
    ]
    for one in evidence[:3]:
        assert SOP[one.locator.char_start : one.locator.char_end] == one.quote
        assert (one.document_id, one.version, one.locator.page, one.checks.passed) == ("SOP-1", 1, 1, True)


async def test_the_next_agent_is_given_the_state_of_the_new_revision_and_this_evidence(desk: Desk) -> None:
    evidence = await _retrieve(desk)
    row = await desk.row()
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        handoff = await handoff_latest_fetch(tx, TaskId("Q1"), "analysis", row.state.pass_)
        given = await handed_to(tx, row, "analysis", MemoryInput)
    assert handoff is not None
    assert handoff.payload_hash == content_hash(handoff.payload)
    assert (given.state_revision, given.evidence, given.findings) == (row.state.revision, evidence, ())


@pytest.mark.parametrize(
    "change",
    [
        "update document_versions set status = 'withdrawn'",
        "update document_versions set effective_to = effective_from + interval '1 second'",
        "update document_versions set acl = '{other}'",
        "update principals set groups = '{other}' where subject = 'sales'",
        "update document_versions set canonical_text = replace(canonical_text, '15', '10')",
    ],
)
async def test_what_does_not_hold_now_is_not_found(desk: Desk, change: str) -> None:
    await desk.library.run(change)
    assert {one.source for one in await _retrieve(desk)} == {"message"}


async def test_another_tenants_knowledge_is_not_found(desk: Desk, make_tenant: MakeTenant) -> None:
    other = await open_desk(desk.store, await make_tenant("B"))
    await other.library.publish("SOP-B", "The standard lead time is 3 days.")
    assert all("3 days" not in one.quote for one in await _retrieve(desk) if one.source == "document")


async def test_another_tasks_messages_are_not_found(desk: Desk) -> None:
    await desk.start("Q2", "Lead time must be 2 days.")
    assert all("2 days" not in one.quote for one in await _retrieve(desk))


async def test_another_retrieval_has_evidence_of_its_own(desk: Desk) -> None:
    first = await _retrieve(desk)
    await desk.put("retrieving")
    second = await _retrieve(desk)
    assert not {one.evidence_id for one in first} & {one.evidence_id for one in second}
    assert [one.quote for one in first] == [one.quote for one in second]


async def test_a_change_told_before_the_search_is_answered_by_it(desk: Desk) -> None:
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        await task_recheck_set(tx, TaskId("Q1"), "SOP-1 v2 published")
    await _retrieve(desk)
    assert (await desk.row()).recheck_reason is None


async def test_confirmed_names_are_searched_for_too(desk: Desk) -> None:
    await desk.library.publish("PN-7", "BRK-070 is heat treated before it is packed.")
    row = await desk.row()
    source = FieldSource(message_id="M1", author=row.starter, confirmed_by="extraction")
    await desk.put("retrieving", confirmed={"part_number": ConfirmedValue(value="BRK-070", source=source)})
    assert "PN-7" in {one.document_id for one in await _retrieve(desk)}
