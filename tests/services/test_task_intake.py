"""Starting and supplementing: once for each content, in every open status, and never in silence.

Capabilities: C-7.
"""

from typing import Any

import pytest
import pytest_asyncio

from models.errors import Conflict, InvalidField, InvalidInput, NotFound, Refused, TaskExists
from models.ids import TenantId
from models.tasks import TaskStatus
from models.transitions import OPEN
from services.task_cancel import cancel_task
from services.task_intake import add_supplement, start_task
from services.task_messages import AttachedFile
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.quote_desk import RESTING, Desk, open_desk

MAIL = b"From: a@example.com\r\nSubject: 40 brackets\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nWe need 40.\r\n"


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    return await open_desk(store, tenant)


async def _add(desk: Desk, subject: str = "sales", **given: Any) -> Any:
    complete: dict[str, Any] = {"task_id": "Q1", **given}
    return await add_supplement(desk.store, desk.person(subject), **complete)


async def test_a_start_makes_task_message_audit_outbox_and_notice_together(desk: Desk) -> None:
    brief = await desk.start()
    assert (brief.status, brief.revision, brief.run_epoch, brief.starter) == ("created", 1, 1, "sales")
    assert await desk.count("messages", "kind = 'request' and ordinal = 1 and merged_revision is null") == 1
    assert await desk.count("outbox", "kind = 'start' and reference = '1'") == 1
    assert await desk.count("outbox_notices", f"tenant_id = '{desk.tenant}'") == 1
    assert len(await desk.audited("task_started")) == 1


async def test_the_same_request_again_is_the_same_task(desk: Desk) -> None:
    """Hostile 4."""
    first = await desk.start(confirmations={"quantity": 40}, customer_ref="PO-7")
    assert await desk.start(confirmations={"quantity": 40}, customer_ref="PO-7") == first
    assert await desk.count("outbox") == 1
    assert await desk.count("messages") == 1


@pytest.mark.parametrize("other", [{"text": "Another."}, {"confirmations": {"quantity": 41}}, {"customer_ref": "PO-8"}])
async def test_the_same_id_with_other_content_names_the_task_that_stands(desk: Desk, other: dict[str, Any]) -> None:
    await desk.start()
    with pytest.raises(TaskExists, match="Q1"):
        await desk.start(**other)
    assert await desk.count("outbox") == 1
    assert len(await desk.audited("task_start_refused")) == 1


@pytest.mark.parametrize("task_id", ["", "../x", "a b", "x" * 65, "..", "A\0"])
async def test_an_id_out_of_form_is_refused(desk: Desk, task_id: str) -> None:
    with pytest.raises(InvalidInput):
        await desk.start(task_id)
    assert await desk.count("tasks") == 0


@pytest.mark.parametrize("text", ["", "  \n\t", "\0\x01", None])
async def test_an_empty_request_is_refused(desk: Desk, text: str | None) -> None:
    with pytest.raises(InvalidInput):
        await start_task(desk.store, desk.person("sales"), task_id="Q1", text=text)


@pytest.mark.parametrize("value", [0, -1, True, 1.5, "40", float("nan"), 2**53])
async def test_a_value_that_does_not_fit_its_field_is_refused(desk: Desk, value: Any) -> None:
    """Hostile 10."""
    with pytest.raises(InvalidField):
        await desk.start(confirmations={"quantity": value})
    assert await desk.count("tasks") == 0


async def test_an_unknown_field_is_refused(desk: Desk) -> None:
    with pytest.raises(InvalidField):
        await desk.start(confirmations={"price": 1})


@pytest.mark.parametrize("subject", ["chief", "auditor", "ops"])
async def test_only_requesters_start(desk: Desk, subject: str) -> None:
    with pytest.raises(Refused):
        await start_task(desk.store, desk.person(subject), task_id="Q1", text="40 brackets")


async def test_a_mail_is_parsed_at_intake_and_its_bytes_are_kept(desk: Desk) -> None:
    await start_task(
        desk.store, desk.person("sales"), task_id="Q1", file=AttachedFile(MAIL, "rfq.eml", "message/rfc822")
    )
    assert await desk.count("messages", "text like '%We need 40.%' and file_name = 'rfq.eml'") == 1
    assert await desk.count("originals") == 1


async def test_a_file_that_cannot_be_read_is_kept_with_its_reason(desk: Desk) -> None:
    """Hostile 55."""
    await start_task(desk.store, desk.person("sales"), task_id="Q1", file=AttachedFile(b"", "a.txt", None))
    assert await desk.count("messages", "'unreadable:empty' = any(parse_flags) and text = ''") == 1


@pytest.mark.parametrize("status", sorted(OPEN))
async def test_a_supplement_is_taken_in_every_open_status(desk: Desk, status: TaskStatus) -> None:
    await desk.start()
    await desk.put(status)
    brief = await _add(desk, text="And foam.")
    assert (brief.status, brief.run_epoch) == (status, 1)
    assert await desk.count("outbox", "kind = 'supplement'") == 1
    after = await desk.inbox()
    assert after.status == ("restoring" if status in RESTING else status)


async def test_a_supplement_to_a_completed_task_opens_the_next_run(desk: Desk) -> None:
    await desk.start()
    await desk.show_draft()
    await desk.put("completed", outcome="approved")
    first = await _add(desk, text="And foam.")
    second = await _add(desk, text="And tape.")
    assert (first.status, first.run_epoch, second.run_epoch) == ("completed", 2, 2)
    assert await desk.count("outbox", "kind = 'start' and reference = '2'") == 1
    assert not (await desk.open(run_epoch=1)).accepted
    opened = await desk.open(run_epoch=2)
    assert opened.brief is not None
    assert (opened.brief.status, opened.brief.decision_version, opened.brief.outcome) == ("restoring", 2, None)


@pytest.mark.parametrize("status", ["cancelled", "failed"])
async def test_a_closed_task_takes_nothing(desk: Desk, status: TaskStatus) -> None:
    await desk.start()
    await desk.put(status)
    with pytest.raises(Conflict, match="new task"):
        await _add(desk, text="And foam.")
    assert await desk.count("messages") == 1


async def test_the_same_supplement_counts_once(desk: Desk) -> None:
    await desk.start()
    for _ in range(3):
        await _add(desk, text="And foam.")
    for _ in range(3):
        await _add(desk, text="And tape.", idempotency_key="k1")
    assert await desk.count("messages") == 3
    assert await desk.count("outbox", "kind = 'supplement'") == 2


async def test_a_key_used_for_something_else_is_refused(desk: Desk) -> None:
    await desk.start()
    await _add(desk, text="And foam.", idempotency_key="k1")
    with pytest.raises(Conflict, match="key"):
        await _add(desk, text="And tape.", idempotency_key="k1")


async def test_a_confirmation_may_return_to_an_earlier_value(desk: Desk) -> None:
    await desk.start()
    for quantity in (40, 40, 60, 40):
        await _add(desk, confirmations={"quantity": quantity})
    assert await desk.count("messages", "kind = 'confirmation'") == 3


@pytest.mark.parametrize("subject", ["auditor"])
async def test_who_only_watches_adds_nothing(desk: Desk, subject: str) -> None:
    await desk.start()
    with pytest.raises(Refused):
        await _add(desk, subject, text="And foam.")


async def test_another_tenants_task_looks_missing(desk: Desk, make_tenant: MakeTenant) -> None:
    await desk.start()
    other = await open_desk(desk.store, await make_tenant("B"))
    with pytest.raises(NotFound) as foreign:
        await _add(other, text="And foam.")
    with pytest.raises(NotFound) as missing:
        await _add(desk, task_id="Q9", text="And foam.")
    assert str(foreign.value).replace("Q1", "Q9") == str(missing.value)


async def test_a_task_to_be_cancelled_takes_nothing(desk: Desk) -> None:
    await desk.start()
    await cancel_task(desk.store, desk.person("sales"), task_id="Q1", reason="customer left")
    with pytest.raises(Conflict, match="cancelled"):
        await _add(desk, text="And foam.")
