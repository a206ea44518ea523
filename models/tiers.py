"""The quantity that a statement is limited to (`over 1,000 pcs`, 500 件以下), where it says so simply."""

import re
from dataclasses import dataclass
from fractions import Fraction

from models.folding import fold, folded_pattern
from models.values import TIME_UNITS, numbers_in, quantities_in

_PIECES = frozenset({"piece", "box", None})
_AT_LEAST = folded_pattern(
    r"\s*(?:[)）]\s*)?(?:以上|及以上|起|\+|or (?:more|above|over)|and (?:more|above|over|up)|und (?:mehr|darüber)"
    r"|oder mehr)"
)
_AT_MOST = folded_pattern(
    r"\s*(?:[)）]\s*)?(?:以下|以内|まで|or (?:less|fewer|below)|and (?:less|below|under)|oder weniger)"
)
_BELOW = folded_pattern(r"\s*(?:未满|未満|不到)")
_ABOVE = folded_pattern(r"\s*(?:を超え|超(?!过))")
_BEFORE_NUMBER: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "at_most",
        folded_pattern(
            r"(?:最多|不超过|不多于|上限|\bup to|\bmax(?:imum|\.)?(?: of)?|\bat most|\bno more than|\bbis(?: zu)?"
            r"|\bhöchstens|≤|<=|≦)\s*$"
        ),
    ),
    (
        "at_least",
        folded_pattern(
            r"(?:至少|不少于|(?<!未)达|(?<!未)(?<!不)满"
            r"|\bat least|\bfrom|\bmin(?:imum|\.)?(?: of)?|\bab|\bmindestens|≥|>=|≧)\s*$"
        ),
    ),
    (
        "above",
        folded_pattern(
            r"(?:超过|大于|多于|高于|逾|\bover|\bmore than|\babove|\bexceed(?:ing|s)?|\büber|\bmehr als|>)\s*$"
        ),
    ),
    (
        "below",
        folded_pattern(
            r"(?:少于|低于|小于|不足|未满|未达|不到|不满"
            r"|\bless than|\bunder|\bbelow|\bfewer than|\bunter|\bweniger als|<)\s*$"
        ),
    ),
)
_COUNTED = folded_pattern(r"数量|批量|订单|订购|qty|quantit|\blots?\b|\borders?\b|menge|ロット|個数|losgröße")


@dataclass(frozen=True, slots=True)
class Tier:
    """A half-open or closed range of pieces, both ends inclusive; None is open."""

    low: Fraction | None
    high: Fraction | None

    def holds(self, quantity: int) -> bool:
        """Whether `quantity` lies in the range."""
        return (self.low is None or quantity >= self.low) and (self.high is None or quantity <= self.high)


def read_tier(text: str) -> Tier | None:
    """The quantity that a statement is limited to, where it says so simply."""
    folded = fold(text)
    counted = _COUNTED.search(folded) is not None
    for quantity in quantities_in(text):
        if quantity.unit in _PIECES and quantity.low < quantity.high:
            return Tier(quantity.low, quantity.high)
    for number in numbers_in(text):
        if number.unit in TIME_UNITS or number.unit not in _PIECES or (number.unit is None and not counted):
            continue
        tier = _compared(folded, number.start, number.end, max(number.readings))
        if tier is not None:
            return tier
    return None


def _compared(folded: str, start: int, end: int, value: Fraction) -> Tier | None:
    for name, words in _BEFORE_NUMBER:
        if words.search(folded[max(0, start - 16) : start]):
            return _TIERS[name](value)
    for name, words in (("at_least", _AT_LEAST), ("at_most", _AT_MOST), ("below", _BELOW), ("above", _ABOVE)):
        if words.match(folded, end):
            return _TIERS[name](value)
    return None


def _at_most(value: Fraction) -> Tier:
    return Tier(None, value)


def _at_least(value: Fraction) -> Tier:
    return Tier(value, None)


def _above(value: Fraction) -> Tier:
    return Tier(value + 1, None)


def _below(value: Fraction) -> Tier:
    return Tier(None, value - 1)


_TIERS = {"at_most": _at_most, "at_least": _at_least, "above": _above, "below": _below}
