"""What comes in from outside is bounded and validated, whatever it is."""

from datetime import UTC, datetime
from typing import Any

import pytest

from models.ids import TaskId, TenantId
from models.steps import RunInput, Signalled, TimelineEntry
from workflows.policies import (
    INBOX_LIMIT,
    SEEN_LIMIT,
    TIMELINE_LIMIT,
    quote_task_of,
    quote_workflow_id,
    retry_delay,
    unreachable_delay,
)
from workflows.run_state import RunState
from workflows.signals import Inbox, parse_signal, signal_payload

GOOD = [signal_payload("M2-abc")]


def test_a_signal_is_one_reference() -> None:
    assert parse_signal("decision_recorded", GOOD) == Signalled(name="decision_recorded", reference="M2-abc")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [None],
        ["M2-abc"],
        [["M2-abc"]],
        [{}],
        [{"reference": ""}],
        [{"reference": 7}],
        [{"reference": None}],
        [{"reference": ["x"]}],
        [{"reference": "x", "actor": "cfo"}],
        [{"reference": "x" * 201}],
        [{"reference": "品" * 20}],
        [{"reference": "no\0thing"}],
        [{"id": "x"}],
        [{1: "x"}],
        [{"reference": "x"}, {"reference": "y"}],
    ],
)
def test_whatever_else_it_is_is_rejected(arguments: list[Any]) -> None:
    assert parse_signal("decision_recorded", arguments) is None
    inbox = Inbox()
    inbox.add("decision_recorded", arguments)
    assert (inbox.rejected, inbox.has_new, inbox.has_any) == (1, False, True)
    assert inbox.take() == ((), 1)
    assert not inbox.has_any


def test_an_unknown_name_is_counted_and_kept_nowhere() -> None:
    inbox = Inbox()
    for number in range(1_000):
        inbox.add(f"approve-{number}", GOOD)
    assert inbox.unknown == 1_000
    assert inbox.take() == ((), 1_000)
    assert inbox.seen == []


def test_the_inbox_is_bounded_and_says_that_there_was_more() -> None:
    inbox = Inbox()
    for number in range(10_000):
        inbox.add("supplement_recorded", [signal_payload(f"M{number}")])
    signals, _ = inbox.take()
    assert len(signals) == INBOX_LIMIT
    assert len(inbox.seen) <= SEEN_LIMIT


def test_the_same_signal_waits_once_and_repeated_it_is_looked_at_later() -> None:
    inbox = Inbox()
    for _ in range(1_000):
        inbox.add("decision_recorded", GOOD)
    assert len(inbox.take()[0]) == 1
    inbox.add("decision_recorded", GOOD)
    assert not inbox.has_new
    assert inbox.has_any, "it may have been forged before the real one came, so it is not dropped"


def test_what_could_not_be_asked_waits_again() -> None:
    inbox = Inbox()
    inbox.add("decision_recorded", GOOD)
    inbox.add("approve", GOOD)
    taken = inbox.take()
    inbox.put_back(*taken)
    assert inbox.has_new
    assert inbox.take() == taken


def test_what_was_seen_is_carried_over() -> None:
    inbox = Inbox()
    inbox.add("decision_recorded", GOOD)
    inbox.take()
    later = Inbox(seen=inbox.seen, rejected=3, unknown=4)
    later.add("decision_recorded", GOOD)
    assert not later.has_new
    assert (later.rejected, later.unknown) == (3, 4)


def test_what_a_run_hands_on_stays_below_64_kb_whatever_was_said_to_it() -> None:
    run = RunState.begun(RunInput(tenant_id=TenantId("A" * 40), task_id=TaskId("Q" * 64), run_epoch=1), "run")
    entry = TimelineEntry(at=datetime(2030, 1, 1, tzinfo=UTC), status="awaiting_approval", reason="x" * 200)
    run.timeline = [entry] * TIMELINE_LIMIT
    for number in range(3 * INBOX_LIMIT):
        run.inbox.add("decision_recorded", [signal_payload(f"{number}".rjust(200, "x"))])
        if number == INBOX_LIMIT:
            run.inbox.take()
    carried = run.carried()
    assert carried.carried is not None
    assert len(carried.carried.signals_waiting) == INBOX_LIMIT
    assert len(carried.model_dump_json()) < 64 * 1024
    again = RunState.begun(carried, "next")
    assert again.inbox.take()[0] == carried.carried.signals_waiting


def test_a_workflow_id_names_tenant_and_task_and_back() -> None:
    tenant, task = quote_task_of("quote/A/Q42")
    assert quote_workflow_id(tenant, task) == "quote/A/Q42"


@pytest.mark.parametrize("other", ["", "quote/A", "quote/A/Q/1", "order/A/Q42", "quote//Q42", "quote/A B/Q1"])
def test_another_id_is_no_quote(other: str) -> None:
    with pytest.raises(Exception, match=r"valid|no workflow"):
        quote_task_of(other)


def test_pauses_grow_and_the_one_for_a_server_that_is_away_ends_at_ten_seconds() -> None:
    assert retry_delay(1) < retry_delay(2)
    pauses = [unreachable_delay(times).total_seconds() for times in range(1, 40)]
    assert pauses[0] == 0.5
    assert pauses == sorted(pauses)
    assert max(pauses) == 10
