"""Who may use an embedding model next: one caller at a time, and a question before every passage that waits."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class QueryFirst:
    """A lock with two queues; inside each, first come, first served."""

    def __init__(self) -> None:
        self._busy = False
        self._queries: deque[asyncio.Future[None]] = deque()
        self._passages: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def turn(self, *, is_query: bool) -> AsyncGenerator[None]:
        """Holds the model for the length of the block."""
        await self._wait(self._queries if is_query else self._passages)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, queue: "deque[asyncio.Future[None]]") -> None:
        if not self._busy:
            self._busy = True
            return
        mine = asyncio.get_running_loop().create_future()
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            # Cancelled after the turn was given: it goes to the next one, or the model would wait for ever.
            if mine.done() and not mine.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        for queue in (self._queries, self._passages):
            while queue:
                following = queue.popleft()
                if not following.done():
                    following.set_result(None)
                    return
        self._busy = False
