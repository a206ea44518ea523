"""Looking at tasks: nothing changes, and a citation is what its original says now.

Capabilities: C-46.
"""

from typing import Any

import pytest
import pytest_asyncio

from models.errors import InvalidInput, NotFound, Refused
from models.ids import TenantId
from services.task_reading import draft_show, task_list, task_show, timeline
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


async def test_a_task_shows_its_state_and_messages_without_their_text(desk: Desk) -> None:
    shown = await task_show(desk.store, desk.person("auditor"), "Q1")
    assert (shown.state.status, shown.starter, shown.draft_content_hash) == ("created", "sales", None)
    assert [(one.kind, one.author, one.merged) for one in shown.messages] == [("request", "sales", False)]
    assert "brackets" not in shown.model_dump_json()


@pytest.mark.parametrize("task_id", ["Q9", "../Q1", "", "Q1\0", "x" * 500])
async def test_a_missing_and_a_foreign_task_look_alike(desk: Desk, make_tenant: MakeTenant, task_id: str) -> None:
    """Hostile 1."""
    other = await open_desk(desk.store, await make_tenant("B"))
    for show in (task_show, draft_show, timeline):
        with pytest.raises(NotFound) as missing:
            await show(desk.store, desk.person("sales"), task_id)
        with pytest.raises(NotFound) as foreign:
            await show(other.store, other.person("sales"), "Q1")
        assert str(foreign.value).replace("Q1", task_id[:80]).split("'")[0] == str(missing.value).split("'")[0]
    assert await task_list(other.store, other.person("sales")) == ()


async def test_who_holds_no_role_sees_nothing(desk: Desk) -> None:
    await desk.library.run("update principals set roles = '{}' where subject = 'sales-2'")
    with pytest.raises(Refused):
        await task_show(desk.store, desk.person("sales-2"), "Q1")
    with pytest.raises(Refused):
        await task_list(desk.store, desk.person("sales-2"))


async def test_a_list_is_filtered_and_its_length_is_held(desk: Desk) -> None:
    """Hostile 12."""
    for number in range(4):
        await desk.start(f"T{number}")
    await desk.block(task_id="T1")
    ops = desk.person("ops")
    assert len(await task_list(desk.store, ops)) == 5
    assert [one.task_id for one in await task_list(desk.store, ops, status="blocked")] == ["T1"]
    assert [one.task_id for one in await task_list(desk.store, ops, blocked_reason="insufficient_evidence")] == ["T1"]
    assert await task_list(desk.store, ops, blocked_reason="rights_lost") == ()
    assert len(await task_list(desk.store, ops, limit=-5)) == 1
    assert len(await task_list(desk.store, ops, limit=10**9)) == 5
    assert (await task_list(desk.store, ops, limit=1))[0].task_id == "T1"


async def test_a_draft_is_shown_with_its_citations_read_again(desk: Desk) -> None:
    draft = await desk.show_draft(query="lead time")
    shown = await draft_show(desk.store, desk.person("chief"), "Q1")
    assert (shown.valid, shown.draft, shown.content_hash) == (True, draft, draft.content_hash)
    assert {(one.evidence.document_id, one.evidence.quote) for one in shown.citations} >= {
        ("SOP-1", "The standard lead time is 15 days.")
    }
    assert all(one.checks.passed for one in shown.citations)


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        ("update document_versions set status = 'withdrawn'", "version"),
        ("update document_versions set effective_to = effective_from + interval '1 second'", "validity"),
        ("update document_versions set canonical_text = replace(canonical_text, '15', '10')", "hash"),
    ],
)
async def test_a_source_that_changed_shows_which_check_fails_and_no_quote(
    desk: Desk, change: str, failing: str
) -> None:
    await desk.show_draft(query="lead time")
    await desk.library.run(change)
    shown = await draft_show(desk.store, desk.person("chief"), "Q1")
    failed = [one for one in shown.citations if not one.checks.passed]
    assert failed
    assert all(one.evidence.quote == "" and not getattr(one.checks, failing) for one in failed)


async def test_who_may_not_read_a_source_sees_no_draft(desk: Desk) -> None:
    await desk.show_draft(query="lead time")
    shown = await draft_show(desk.store, desk.person("auditor"), "Q1")
    assert shown.draft is None
    assert shown.withheld
    assert "15 days" not in shown.model_dump_json()


async def test_a_draft_that_was_voided_says_so(desk: Desk) -> None:
    await desk.show_draft()
    await desk.library.run("update drafts set voided_at = now(), void_reason = 'supplement'")
    shown = await draft_show(desk.store, desk.person("chief"), "Q1", decision_version=1)
    assert (shown.valid, shown.void_reason) == (False, "supplement")


async def test_a_draft_changed_in_the_table_is_not_shown(desk: Desk) -> None:
    await desk.show_draft()
    await desk.library.run("update drafts set body = jsonb_set(body, '{claims,0,text}', '\"other\"')")
    with pytest.raises(InvalidInput):
        await draft_show(desk.store, desk.person("chief"), "Q1")


@pytest.mark.parametrize("version", [None, 1, 99, -1])
async def test_no_draft_is_not_found(desk: Desk, version: Any) -> None:
    with pytest.raises(NotFound):
        await draft_show(desk.store, desk.person("chief"), "Q1", decision_version=version)


async def test_the_timeline_tells_every_status(desk: Desk) -> None:
    await desk.open()
    entries = await timeline(desk.store, desk.person("sales"), "Q1")
    assert [(one.status, one.reason) for one in entries] == [("created", ""), ("restoring", "started")]


@pytest.mark.parametrize(
    ("change", "hash_holds", "span_holds"),
    [
        ("update messages set text = 'We ask for 90 brackets.'", False, False),
        ("update messages set text = text || ' Or 90.'", False, True),
        (
            "update messages set text = 'We ask for 90 brackets.', content_hash = "
            "encode(sha256('We ask for 90 brackets.'), 'hex')",
            False,
            False,
        ),
    ],
)
async def test_a_message_that_was_changed_is_no_evidence(
    desk: Desk, change: str, hash_holds: bool, span_holds: bool
) -> None:
    await desk.show_draft()
    await desk.library.run(change)
    (citation,) = (await draft_show(desk.store, desk.person("chief"), "Q1")).citations
    assert (citation.checks.hash, citation.checks.span) == (hash_holds, span_holds)
