"""The nondeterministic outside as the services see it; everything else is called directly."""

from collections.abc import Sequence
from typing import Protocol

from models.retrieval import Vector


class Embedder(Protocol):
    """Turns text into unit vectors of one space; vectors of different `model`s are never compared."""

    @property
    def model(self) -> str:
        """The name and version of the space, as stored with every vector."""
        ...

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question; goes before waiting passages. Raises EmbedderFailed."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each passage, in order. Raises EmbedderFailed."""
        ...
