"""When a waiting draft is reminded of, in which order, and how urgent it is then."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from models.policies import Policy
from models.reminders import ReminderKind, next_reminder, urgency_of

SINCE = datetime(2030, 1, 1, 12, tzinfo=UTC)


def hours(policy: Policy) -> tuple[float, float, float]:
    hour = timedelta(hours=1)
    return policy.reminds_after / hour, policy.escalates_after / hour, policy.expires_after / hour


def test_unset_they_come_after_one_and_two_days_of_a_week() -> None:
    assert hours(Policy()) == (24, 48, 168)


@pytest.mark.parametrize("expiry", [1, 2, 24, 48, 49, 100, 168, 500, 2160])
def test_unset_they_keep_their_order_whatever_the_expiry(expiry: int) -> None:
    reminder, escalation, end = hours(Policy(expiry_hours=expiry))
    assert 0 < reminder < escalation < end == expiry
    assert (reminder, escalation) <= (24, 48)


@pytest.mark.parametrize(
    "given",
    [
        {"reminder_hours": 48},
        {"reminder_hours": 60},
        {"escalation_hours": 24},
        {"escalation_hours": 168},
        {"escalation_hours": 200},
        {"reminder_hours": 5, "escalation_hours": 5},
        {"reminder_hours": 6, "escalation_hours": 5},
        {"expiry_hours": 10, "escalation_hours": 10},
        {"expiry_hours": 10, "reminder_hours": 9},
    ],
)
def test_another_order_is_refused_naming_all_three(given: dict[str, int]) -> None:
    with pytest.raises(ValidationError, match=r"reminder_hours .* before escalation_hours .* before expiry_hours"):
        Policy.model_validate(given)


def test_set_they_are_as_set() -> None:
    assert hours(Policy(reminder_hours=2, escalation_hours=90, expiry_hours=100)) == (2, 90, 100)


@pytest.mark.parametrize(
    ("recorded", "comes", "after"),
    [
        ((), "reminder", 24),
        (("reminder",), "escalation", 48),
        (("escalation",), None, 0),
        (("reminder", "escalation"), None, 0),
    ],
)
def test_what_comes_next_follows_from_what_was_recorded(
    recorded: tuple[ReminderKind, ...], comes: str | None, after: int
) -> None:
    due = next_reminder(SINCE, Policy(), recorded)
    assert (due.kind if due else None) == comes
    assert due is None or due.at == SINCE + timedelta(hours=after)


def test_the_urgency_is_that_of_the_last_one() -> None:
    assert urgency_of(()) == "normal"
    assert urgency_of(["reminder"]) == "reminded"
    assert urgency_of(["reminder", "escalation"]) == "escalated"
