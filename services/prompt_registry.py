"""The prompts that hold now, in the memory of every process and never older than a few seconds.

Why it is so: reading a prompt must cost nothing and never fail, so a step takes what is in memory. One number of the
database tells once a second whether another version may hold. While the database is away, or what it holds cannot be
used, the last known prompts go on and the log says so. A step takes all prompts at once and uses them to its end.
"""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

import structlog

from models.prompts import PROMPT_TENANT, Prompt, PromptId
from services.prompts import file_prompts
from store.pool import Store
from store.prompt import StoredPrompt, prompt_activation_last, prompt_active_list

POLL_SECONDS = 1.0
_log = structlog.get_logger("prompts")


class PromptRegistry:
    """What holds now; before the first look at the database it is what the program brought along."""

    def __init__(self) -> None:
        self._prompts: Mapping[PromptId, Prompt] = file_prompts()
        self._seen = 0
        self._away = False

    def current(self, prompt_id: PromptId) -> Prompt:
        """The prompt of that id as it holds now, from memory."""
        return self._prompts[prompt_id]

    def current_all(self) -> Mapping[PromptId, Prompt]:
        """All prompts as they hold now; the mapping never changes, so a step may use it to its end."""
        return self._prompts

    async def refresh(self, store: Store) -> bool:
        """Whether another version holds than before. Raises StoreUnavailable or StoreBusy, with nothing changed."""
        async with store.tenant_transaction(PROMPT_TENANT) as tx:
            last = await prompt_activation_last(tx)
            if last == self._seen:
                return False
            active = await prompt_active_list(tx)
        before, self._prompts, self._seen = self._prompts, self._taken_up(active), last
        for prompt_id, prompt in self._prompts.items():
            if prompt != before[prompt_id]:
                _log.info("prompt_taken_up", prompt_id=prompt_id, version=prompt.version, text_hash=prompt.text_hash)
        return self._prompts != before

    async def follow(self, store: Store) -> None:
        """Looks once a second until cancelled; an error of any kind leaves the last known prompts in force."""
        while True:
            try:
                await self.refresh(store)
            except Exception as error:  # noqa: BLE001 -- a loop that ends leaves a worker that looks well and never reloads
                if not self._away:
                    versions = {prompt_id: prompt.version for prompt_id, prompt in self._prompts.items()}
                    _log.warning("prompts_not_refreshed", error=type(error).__name__, in_force=versions)
                self._away = True
            else:
                if self._away:
                    _log.info("prompts_refreshed_again")
                self._away = False
            await asyncio.sleep(POLL_SECONDS)

    def _taken_up(self, active: Mapping[str, StoredPrompt]) -> Mapping[PromptId, Prompt]:
        """The active versions; of a prompt that cannot be used as stored, the last known one."""
        taken: dict[PromptId, Prompt] = {}
        for prompt_id, known in self._prompts.items():
            stored = active.get(prompt_id)
            prompt = known if stored is None else stored.read()
            if prompt is None or not fits_program(prompt):
                _log.error("prompt_not_usable", prompt_id=prompt_id, in_force=known.version)
                prompt = known
            taken[prompt_id] = prompt
        return MappingProxyType(taken)


def fits_program(prompt: Prompt) -> bool:
    """Whether the program hands in and reads what the prompt speaks of."""
    own = file_prompts()[prompt.id]
    return (prompt.input, prompt.output) == (own.input, own.output)
