"""Token budgets: what a tenant may spend on models in one day, and where that day stands."""

from datetime import date, datetime

from pydantic import Field

from models.contract import Contract
from models.errors import InvalidInput

# Above what any deployment spends in a day, and far from where a 64-bit sum would end.
MOST_TOKENS = 10**12
UNLIMITED = "unlimited"


class PurposeUse(Contract):
    """What one purpose (`analysis`, `review`, ...) took on a day: calls, and tokens in and out together."""

    purpose: str
    calls: int
    tokens: int


class BudgetDay(Contract):
    """The tenant's budget on its present day.

    `daily_tokens` is None when nothing limits it. `reserved` are calls under way, or never settled because their
    process died: they count as spent. `next_day` is when the day turns, in UTC.
    """

    day: date
    next_day: datetime
    daily_tokens: int | None = Field(ge=0)
    set_by: str | None
    used: int
    reserved: int
    calls: int
    refused: int
    by_purpose: tuple[PurposeUse, ...] = ()

    @property
    def left(self) -> int | None:
        """Tokens that a call may still reserve; None when nothing limits it, never below 0."""
        return None if self.daily_tokens is None else max(0, self.daily_tokens - self.used - self.reserved)


def parse_daily_tokens(raw: str) -> int | None:
    """The budget that `raw` says: a whole number of tokens, or `unlimited` (None). InvalidInput for anything else."""
    if raw == UNLIMITED:
        return None
    plain = raw.replace("_", "").replace(",", "")
    if not (plain.isascii() and plain.isdigit()) or len(plain) > 20 or int(plain) > MOST_TOKENS:
        raise InvalidInput(f"{raw[:40]!r} is no daily budget: give tokens from 0 to {MOST_TOKENS}, or {UNLIMITED!r}")
    return int(plain)
