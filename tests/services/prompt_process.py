"""A process that follows the prompts in force, run as `python -m tests.services.prompt_process URL`.

Prints the version of `enterprise-memory` at the beginning and at every change.
"""

import asyncio
import sys

import structlog

from services.prompt_registry import PromptRegistry
from store.pool import Store


async def main(database_url: str) -> None:
    """Follows until it is ended."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    store = await Store.open(database_url, size=2)
    registry = PromptRegistry()
    await registry.refresh(store)
    following = asyncio.create_task(registry.follow(store))
    said = ""
    while not following.done():
        version = registry.current("enterprise-memory").version
        if version != said:
            sys.stdout.write(f"{version}\n")
            sys.stdout.flush()
            said = version
        await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
