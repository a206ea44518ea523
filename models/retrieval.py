"""What governed retrieval is asked and what it answers: a scope, and hits whose originals were read again."""

import math
import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from models.canonical import Segment
from models.contract import Contract, content_hash
from models.documents import Kind
from models.evidence import Evidence
from models.ids import Subject, TenantId

MAX_HITS = 50
MAX_QUERY_CHARACTERS = 2_000
PER_DOCUMENT = 3
LEXICAL_SUPPORT = 0.15

Support = Literal["exact", "lexical", "vector"]
Vector = tuple[float, ...]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[一二三四五六七八九十百千萬万兩两]+")
_NEGATION = re.compile(
    r"不|未|無|无|沒|没|勿|非|ない|なし|ません|\b(?:no|not|never|without|kein\w*|nicht|ohne|nie)\b|n't\b", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\W_]+")
_COMPARED = 600
_ALIKE = 0.8
_VARIANTS = 3


class RetrievalScope(Contract):
    """Who asks, and which kinds may answer. Groups are never part of it: they are read at the moment of the search."""

    tenant_id: TenantId
    subject: Subject
    kinds: tuple[Kind, ...] = Field(default=("formal_fact", "historical_event", "inference"))


class VerifiedHit(Contract):
    """Evidence that passed every check, best first in a result.

    `support` says what found it: an exact term of the query, a good part of its words, or nearness of meaning alone.
    Only the first two can make an answer sufficient. `segments` are the addresses inside the quote, for cutting it.
    """

    evidence: Evidence
    support: Support
    segments: tuple[Segment, ...] = Field(default=(), exclude=True, repr=False)


class IndexedVersion(Contract):
    """What the index holds of one document version; `embedded` vectors were computed, the others were cached."""

    index_version: str
    chunks: int
    embedded: int


def index_version_of(*, embedding_model: str, dimension: int, chunker_version: str, tokenizer_version: str) -> str:
    """The name of the index that these parts make: another part is another index, and rows of two are never mixed."""
    parts = [embedding_model, dimension, chunker_version, tokenizer_version]
    return f"index-{content_hash(parts)[:16]}"


def unit_vector(values: Sequence[float], dimension: int) -> Vector | None:
    """`values` scaled to length 1, or None when they give no direction: wrong length, zero, not finite."""
    if len(values) != dimension or not all(map(math.isfinite, values)):
        return None
    largest = max(map(abs, values), default=0.0)
    if largest == 0.0:
        return None
    scaled = [value / largest for value in values]  # first, so that squares of huge values stay finite
    length = math.hypot(*scaled)
    return tuple(value / length for value in scaled)


def support_of(*, exact: int, keyword_share: float) -> Support:
    """What speaks for a hit besides nearness; `keyword_share` is 0..1 of what the query could reach."""
    if exact > 0:
        return "exact"
    return "lexical" if keyword_share >= LEXICAL_SUPPORT else "vector"


class NearCopies:
    """Remembers the quotes of a result, so that one which repeats an earlier one is left out.

    A near copy that states other numbers or another negation is no repetition but perhaps a contradiction, so up to
    three such variants pass.
    """

    def __init__(self) -> None:
        self._seen: list[tuple[frozenset[str], list[tuple[str, ...]]]] = []

    def passes(self, quote: str) -> bool:
        """Whether `quote` says something that none before it said; it is remembered then."""
        shingles, values = _shingles(quote), _values(quote)
        variants = next((group for other, group in self._seen if _alike(shingles, other)), None)
        if variants is None:
            self._seen.append((shingles, [values]))
            return True
        if values in variants or len(variants) >= _VARIANTS:
            return False
        variants.append(values)
        return True


def _shingles(text: str) -> frozenset[str]:
    plain = _BETWEEN.sub("", text[: 2 * _COMPARED].casefold())[:_COMPARED]
    return frozenset(map("".join, zip(plain, plain[1:], plain[2:], strict=False))) or frozenset({plain})


def _values(text: str) -> tuple[str, ...]:
    return (*_NUMBER.findall(text), "¬", *(word.casefold() for word in _NEGATION.findall(text)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < _ALIKE * max(len(one), len(other)):
        return False
    return len(one & other) >= _ALIKE * len(one | other)
