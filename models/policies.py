"""What a tenant requires of its quotes: `policy@1`, versioned; it cannot switch a guard off."""

from datetime import timedelta
from typing import Literal

from pydantic import Field, model_validator

from models.contract import Contract
from models.fields import FieldName


class TopicTerms(Contract):
    """A topic of the tenant's own with the words that name it, in any language."""

    topic: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    terms: tuple[str, ...] = Field(min_length=1, max_length=100)


class Policy(Contract):
    """Required fields and topics, extra topics, deadlines; four eyes is a constant, not a choice."""

    schema_version: Literal["policy@1"] = "policy@1"
    required_fields: tuple[FieldName, ...] = ("material", "quantity", "special_inspection")
    required_topics: tuple[str, ...] = ("lead_time",)
    topics: tuple[TopicTerms, ...] = ()
    four_eyes: Literal[True] = True
    approval_required: Literal[True] = True
    expiry_hours: int = Field(default=24 * 7, ge=1, le=24 * 90)
    # Unset, they come one and two days after the draft was shown, sooner where it expires within a week.
    reminder_hours: int | None = Field(default=None, ge=1, le=24 * 90)
    escalation_hours: int | None = Field(default=None, ge=1, le=24 * 90)

    @property
    def expires_after(self) -> timedelta:
        """How long a shown draft awaits its decision."""
        return timedelta(hours=self.expiry_hours)

    @property
    def reminds_after(self) -> timedelta:
        """When the approvers are reminded: before the escalation."""
        if self.reminder_hours is not None:
            return timedelta(hours=self.reminder_hours)
        return min(timedelta(hours=24), self.expires_after / 7)

    @property
    def escalates_after(self) -> timedelta:
        """When a draft that nobody decided on becomes urgent: before it expires."""
        if self.escalation_hours is not None:
            return timedelta(hours=self.escalation_hours)
        return min(timedelta(hours=48), self.expires_after * 2 / 7)

    @model_validator(mode="after")
    def _ordered(self) -> "Policy":
        if not self.reminds_after < self.escalates_after < self.expires_after:
            held = [_hours(one) for one in (self.reminds_after, self.escalates_after, self.expires_after)]
            raise ValueError(
                f"reminder_hours ({held[0]}) comes before escalation_hours ({held[1]}) and that before expiry_hours "
                f"({held[2]}): set the ones that do not fit"
            )
        return self


def _hours(after: timedelta) -> str:
    return f"{after / timedelta(hours=1):.3g}"
