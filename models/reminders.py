"""When the approvers of a waiting draft are reminded, and how urgent it is then; nothing of it leaves the house."""

from collections.abc import Collection
from datetime import datetime
from typing import Literal

from models.contract import Contract
from models.policies import Policy

ReminderKind = Literal["reminder", "escalation"]
Urgency = Literal["normal", "reminded", "escalated"]

_URGENCIES: dict[ReminderKind, Urgency] = {"reminder": "reminded", "escalation": "escalated"}


class DueReminder(Contract):
    """The next reminder of a draft and its moment, which the workflow's timer waits for."""

    kind: ReminderKind
    at: datetime


def next_reminder(since: datetime, policy: Policy, recorded: Collection[ReminderKind]) -> DueReminder | None:
    """What comes next for a draft that awaits its decision since `since`; None after the escalation.

    A reminder that the escalation overtook does not come any more.
    """
    if "escalation" in recorded:
        return None
    if "reminder" in recorded:
        return DueReminder(kind="escalation", at=since + policy.escalates_after)
    return DueReminder(kind="reminder", at=since + policy.reminds_after)


def urgency_of(recorded: Collection[ReminderKind]) -> Urgency:
    """How urgent a draft is after these reminders."""
    if "escalation" in recorded:
        return _URGENCIES["escalation"]
    return _URGENCIES["reminder"] if "reminder" in recorded else "normal"
