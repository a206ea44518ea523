"""The deployment's own tenant with the seeded prompts and operators: `ann` and `ben`."""

from dataclasses import dataclass

from models.principals import Principal
from models.prompts import PROMPT_TENANT, Prompt
from services.principals import principal_add, resolve_principal
from services.prompt_publishing import prompts_seed
from services.prompts import file_prompts
from services.tenants import tenant_add
from store.audit import audit_list
from store.pool import Store


@dataclass
class PromptDesk:
    """Two operators and one who only requests."""

    store: Store
    ann: Principal
    ben: Principal
    eve: Principal

    async def events(self) -> list[str]:
        """The audited acts on prompts in their order, those of the seeding left out."""
        async with self.store.tenant_transaction(PROMPT_TENANT) as tx:
            entries = await audit_list(tx)
        return [one.event for one in reversed(entries) if "prompt" in one.event and one.actor != "deployment"]


async def open_prompt_desk(store: Store) -> PromptDesk:
    """As the first worker and then an operator leave it."""
    await prompts_seed(store)
    await tenant_add(store, PROMPT_TENANT, operator="ann")
    ann = await resolve_principal(store, PROMPT_TENANT, "ann")
    ben = await principal_add(store, ann, "ben", roles=["operator"], groups=[])
    eve = await principal_add(store, ann, "eve", roles=["requester"], groups=[])
    return PromptDesk(store, ann, ben, eve)


def analysis_prompt(version: str, text: str = "Answer as JSON.") -> Prompt:
    """A version of the analysis prompt."""
    return file_prompts()["enterprise-memory"].model_copy(update={"version": version, "text": text})
