"""How a claim is compared with what it cites: number by number, denial by denial, and as one run of words.

Independent of how claims are made. The comparison is blind to width, case, script and punctuation, and to how a number
is written; it is not blind to anything else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from models.folding import fold, folded_pattern
from models.normalization import exact_terms
from models.values import Number, numbers_in

Fault = Literal["number_mismatch", "unit_mismatch", "negation_mismatch", "joined_quote", "unsupported_text"]
Token = str | Number

_LENGTHS = frozenset({"mm", "cm", "um"})
_NEGATION = folded_pattern(
    r"不(?!锈|動態|动态|同|僅|仅|只|二价|良)|未(?!来)|无(?!铅|缝|氧)|没|非(?!常|标)|勿|免(?!费)|除外|排除|以外|取消"
    r"|ない|なく|なし|無し|ません|まぬ|せず|不要"
    r"|\b(?:no(?!\.)|not|never|without|neither|nor|cannot|none|except|excluding|unless)\b|n['’]t\b"
    r"|\b(?:kein\w*|nicht|ohne|nie|niemals|weder|noch nicht|außer|ausgenommen)\b"
    r"|\b(?:sans|pas|sin|senza|sem)\b|않|없|아니"
)
_SEPARATOR = re.compile(r"[;；。！？!?\n、（）()\[\]【】]|[,，.](?!\d)|(?<!\d)[,，.]")
_MIN_RUN = 2


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str
    tokens: tuple[Token, ...]


def wording_faults(said: str, sources: Sequence[str]) -> frozenset[Fault]:
    """In what `said` differs from the `sources` that it cites; empty when one of them says it in one run.

    `said` is the claim without its label and the name of its source.
    """
    claim = _reading(said)
    cited = [_reading(source) for source in sources]
    faults: set[Fault] = set()
    faults.update(_number_faults(said, claim, cited, sources))
    holders = [one for one in cited if _find(claim.tokens, one.tokens) >= 0]
    if holders:
        if not any(_same_polarity(said, one.text) for one in holders):
            faults.add("negation_mismatch")
        return frozenset(faults)
    if _differs_by_denial(said, sources):
        faults.add("negation_mismatch")
    elif _covered(claim.tokens, cited):
        faults.add("joined_quote")
    elif not faults:
        faults.add("unsupported_text")
    return frozenset(faults)


def sum_is_right(said: str, sources: Sequence[str]) -> bool | None:
    """Whether `a + b = c` holds with every part cited and one unit throughout; None when `said` is no sum.

    Between the numbers only `+`, `=` and blanks may stand, so that nothing else hides in it.
    """
    left, mark, right = fold(said).partition("=")
    if not mark:
        return None
    parts, totals = numbers_in(left), numbers_in(right)
    if len(parts) < 2 or len(totals) != 1:
        return False
    if _between(left, parts).strip("+ ") or _between(right, totals).strip() or left.count("+") != len(parts) - 1:
        return False
    known = [number for source in sources for number in numbers_in(source)]
    unit = totals[0].unit
    if unit is None or any(part.unit != unit or not any(_equal(part, one) for one in known) for part in parts):
        return False
    return sum((_likely(part) for part in parts), Fraction(0)) == _likely(totals[0])


def numbers_of(text: str) -> tuple[Number, ...]:
    """The numbers that `text` states."""
    return numbers_in(text)


def shares_value(one: Number, others: Sequence[Number]) -> bool:
    """Whether `one` stands among `others` with the same amount and unit."""
    return any(_equal(one, other) for other in others)


def _between(text: str, numbers: Sequence[Number]) -> str:
    rest: list[str] = []
    at = 0
    for number in numbers:
        rest.append(text[at : number.start])
        at = number.end
    return "".join([*rest, text[at:]])


def _reading(text: str) -> _Reading:
    folded = fold(text)
    tokens: list[Token] = []
    at = 0
    for number in numbers_in(text):
        tokens.extend(char for char in folded[at : number.start] if char.isalnum() or char in "±+%<>≤≥")
        tokens.append(number)
        at = max(at, number.end)
    tokens.extend(char for char in folded[at:] if char.isalnum() or char in "±+%<>≤≥")
    return _Reading(text, tuple(tokens))


def _number_faults(said: str, claim: _Reading, cited: Sequence[_Reading], sources: Sequence[str]) -> frozenset[Fault]:
    known = [token for one in cited for token in one.tokens if isinstance(token, Number)]
    faults: set[Fault] = set()
    for token in claim.tokens:
        if not isinstance(token, Number) or shares_value(token, known):
            continue
        same_amount = any(_likely(token) == _likely(other) for other in known)
        faults.add("unit_mismatch" if same_amount else "number_mismatch")
    terms = {term.term for source in sources for term in exact_terms(source)}
    if any(term.term not in terms for term in exact_terms(said)):
        faults.add("number_mismatch")
    return frozenset(faults)


def _equal(one: Number, other: Number) -> bool:
    return one.unit == other.unit and _likely(one) == _likely(other)


def _likely(number: Number) -> Fraction:
    """`1.200` of countable things is one thousand two hundred; of a length it is one and a fifth."""
    return min(number.readings) if number.unit in _LENGTHS else max(number.readings)


def _same(one: Token, other: Token) -> bool:
    if isinstance(one, Number) and isinstance(other, Number):
        return _equal(one, other)
    return isinstance(one, str) and isinstance(other, str) and one == other


def _find(needle: Sequence[Token], tokens: Sequence[Token]) -> int:
    """Where `needle` stands in `tokens` as one run; -1 when it does not, or when there is nothing to find."""
    if not needle:
        return -1
    for at in range(len(tokens) - len(needle) + 1):
        if all(_same(one, tokens[at + index]) for index, one in enumerate(needle)):
            return at
    return -1


def _covered(claim: Sequence[Token], cited: Sequence[_Reading]) -> bool:
    """Whether `claim` is patched together from runs of what it cites."""
    at = 0
    while at < len(claim):
        length = max((_run(claim, at, one.tokens) for one in cited), default=0)
        if length < _MIN_RUN and not (length == 1 and isinstance(claim[at], Number)):
            return False
        at += length
    return True


def _run(claim: Sequence[Token], at: int, tokens: Sequence[Token]) -> int:
    best = 0
    for start in range(len(tokens)):
        length = 0
        while (
            at + length < len(claim)
            and start + length < len(tokens)
            and _same(claim[at + length], tokens[start + length])
        ):
            length += 1
        best = max(best, length)
    return best


def _same_polarity(said: str, source: str) -> bool:
    """Whether the clause of `source` that holds `said` denies as often as `said` does."""
    return any(
        len(_NEGATION.findall(fold(said))) == len(_NEGATION.findall(fold(region))) for region in _regions(said, source)
    )


def _regions(said: str, source: str) -> list[str]:
    """The shortest runs of whole clauses of `source` that hold `said`."""
    cuts = [0, *(found.end() for found in _SEPARATOR.finditer(source)), len(source)]
    wanted = _reading(said).tokens
    regions: list[str] = []
    for left in range(len(cuts) - 1):
        for right in range(left + 1, len(cuts)):
            region = source[cuts[left] : cuts[right]]
            if _find(wanted, _reading(region).tokens) >= 0:
                regions.append(region)
                break
    shortest = min(map(len, regions), default=0)
    return [region for region in regions if len(region) == shortest]


def _differs_by_denial(said: str, sources: Sequence[str]) -> bool:
    bare = _reading(_NEGATION.sub(" ", fold(said)))
    if not bare.tokens:
        return False
    for source in sources:
        found = _find(bare.tokens, _reading(_NEGATION.sub(" ", fold(source))).tokens)
        if found >= 0 and _NEGATION.findall(fold(said)) != _NEGATION.findall(fold(source)):
            return True
    return False
