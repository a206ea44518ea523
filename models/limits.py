"""Which amounts a stated value leaves open: `15 days` is one, `10 to 15 days` a range, `at most 15 days` a limit."""

from dataclasses import dataclass
from fractions import Fraction

from models.folding import fold, folded_pattern
from models.values import Quantity

_AT_MOST_BEFORE = folded_pattern(
    r"(?:最长|最多|最迟|至多|不超过|不得超过|不会超过|不逾|最長で?|最大で?|遅くとも|上限"
    r"|\b(?:at most|at the latest|no more than|not more than|not exceed(?:ing)?|maximum(?: of)?|max\.?|up to|within"
    r"|under|less than|höchstens|maximal|max\.?|innerhalb(?: von)?|binnen|spätestens|bis zu|nicht mehr als))[^\d]{0,4}$"
)
_AT_MOST_AFTER = folded_pattern(r"\s?(?:以内|之内|内(?!容)|以下|まで|or less|or fewer|maximum|max\b)")
_AT_LEAST_BEFORE = folded_pattern(
    r"(?:最短|最少|最快|至少|起码|不少于|不低于|最短で?|最低|少なくとも"
    r"|\b(?:at least|no less than|not less than|minimum(?: of)?|min\.?|more than|mindestens|wenigstens"
    r"|minimal|nicht unter))[^\d]{0,4}$"
)
_AT_LEAST_AFTER = folded_pattern(r"\s?(?:以上|起(?!算)|or more|at least|minimum)")


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the most of one base unit that a value allows; None is without end."""

    unit: str
    low: Fraction
    high: Fraction | None

    def agrees_with(self, other: "Limits") -> bool:
        """Whether both can be true of one thing: an amount inside a range or a limit, or the same range."""
        if self.unit != other.unit:
            return False
        if self.low == self.high:
            return other.holds(self.low)
        return self.holds(other.low) if other.low == other.high else self == other

    def holds(self, amount: Fraction) -> bool:
        """Whether `amount` lies inside."""
        return self.low <= amount and (self.high is None or amount <= self.high)


def limits_of(text: str, value: Quantity) -> Limits:
    """What `value`, read from `text`, leaves open, by the words around it."""
    unit, low, high = value.comparable
    if low != high:
        return Limits(unit, low, high)
    folded = fold(text)
    before, after = folded[max(0, value.start - 20) : value.start], folded[value.end : value.end + 12]
    if _AT_MOST_BEFORE.search(before) or _AT_MOST_AFTER.match(after):
        return Limits(unit, Fraction(0), high)
    if _AT_LEAST_BEFORE.search(before) or _AT_LEAST_AFTER.match(after):
        return Limits(unit, low, None)
    return Limits(unit, low, high)
