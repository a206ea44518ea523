"""What a tenant requires of its quotes: `policy@1`, versioned; it cannot switch a guard off."""

from typing import Literal

from pydantic import Field

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
