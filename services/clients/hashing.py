"""An embedder without a model, for benchmarks and tests: equal words give near vectors, at no cost."""

import hashlib
from collections.abc import Sequence

from models.retrieval import Vector, unit_vector
from models.tokens import tokenize

_DIMENSION = 384


class HashingEmbedder:
    """Each token points in a direction of its own, given by its hash; a text is the sum. Deterministic."""

    model = "hashing@1"
    dimension = _DIMENSION

    async def close(self) -> None:
        """Nothing is held."""

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question."""
        return _vector(text)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each passage, in order."""
        return [_vector(text) for text in texts]


def _vector(text: str) -> Vector:
    values = [0.0] * _DIMENSION
    for token in tokenize(text) or ("",):
        digest = hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=32).digest()
        for start in range(0, len(digest), 4):
            place = int.from_bytes(digest[start : start + 3], "big") % _DIMENSION
            values[place] += 1.0 if digest[start + 3] & 1 else -1.0
    unit = unit_vector(tuple(values), _DIMENSION)
    return (1.0, *([0.0] * (_DIMENSION - 1))) if unit is None else unit
