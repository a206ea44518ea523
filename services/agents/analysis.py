"""The Analysis Agent: by rules alone, or a model whose proposal the rules bear out."""

import asyncio
from collections.abc import Sequence

from models.analysis import analyze
from models.evidence import Evidence
from models.ids import TenantId
from models.memory import MemoryDecision, MemoryInput
from models.prompts import Prompt
from models.proposals import analysis_view, check_proposal, shown_evidence
from services.agents.asking import ask
from services.ports import Llm
from store.pool import Store

# Of what a model may be handed, what is kept free for state, topics, findings and JSON's own marks.
_OVERHEAD = 4_000


async def propose(
    store: Store, tenant_id: TenantId, llm: Llm, prompt: Prompt, handed: MemoryInput
) -> tuple[MemoryDecision, Sequence[Evidence]]:
    """The model's decision and the evidence it was handed; it is not asked where the rules say no already.

    Raises AgentFailed for a decision that the rules do not bear out, and what `ask` raises.
    """
    # Many sources take a while to compare; the loop has other tasks.
    ruled = await asyncio.to_thread(analyze, handed)
    if ruled.status != "ready_for_review":
        return ruled, ()
    shown = shown_evidence(handed, llm.max_input_characters - _OVERHEAD)
    view = await asyncio.to_thread(analysis_view, handed, shown)
    decision = await ask(store, tenant_id, "analysis", llm, prompt, view, MemoryDecision)
    await asyncio.to_thread(check_proposal, handed, decision, shown)
    return decision, shown
