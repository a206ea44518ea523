"""What words for a wanted day were understood as, shown beside the question: a person agrees or says another day."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from models.contract import Contract
from models.extraction import understood_days
from models.tasks import TaskState
from store.message import MessageRow


class DayProposal(Contract):
    """Words of one message, and the first and last day (ISO) that they can mean."""

    message_id: str
    words: str
    first: str
    last: str


def day_proposals(state: TaskState, messages: Sequence[MessageRow], zone: ZoneInfo) -> tuple[DayProposal, ...]:
    """The proposals for a wanted day that is asked; none where it is not, the newest message first.

    Each message's words count from the day on which it arrived where the tenant is.
    """
    asked = "wanted_date" in state.pending or any("wanted_date" in line.pending for line in state.lines)
    if not asked:
        return ()
    return tuple(
        DayProposal(
            message_id=message.message_id, words=message.text[days.start : days.end], first=days.first, last=days.last
        )
        for message in reversed(messages)
        for days in understood_days(message.text, message.received_at.astimezone(zone).date())
    )
