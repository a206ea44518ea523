"""The Review Agent's second opinion: a model that never saw how the draft came about and can only object to it."""

from collections.abc import Mapping

from models.drafts import Draft
from models.ids import TenantId
from models.prompts import Prompt
from models.review import Finding, OriginalKey
from models.review_answers import ReviewFindings, findings_of_model, review_view
from services.agents.asking import ask
from services.ports import Llm
from store.pool import Store


async def object_to(
    store: Store,
    tenant_id: TenantId,
    llm: Llm,
    prompt: Prompt,
    draft: Draft,
    originals: Mapping[OriginalKey, str],
) -> tuple[Finding, ...]:
    """What the model objects to; empty when it finds nothing. The rules have passed the draft before.

    Raises AgentFailed and what `ask` raises: a review that did not take place passes nothing.
    """
    view = review_view(draft, originals, llm.max_input_characters)
    answer = await ask(store, tenant_id, "review", llm, prompt, view, ReviewFindings)
    return findings_of_model(draft, answer)
