"""Analyzing: the agent proposes, the program checks the proposal and composes the draft, or says why there is none."""

import asyncio
from collections.abc import Mapping
from typing import Any

from models.analysis import analyze
from models.chunking import CHUNKER_VERSION
from models.conflicts import conflict_sides, missing_topics
from models.drafting import compose_draft, validate_decision
from models.drafts import DraftFlag, RunMetadata
from models.memory import MemoryDecision, MemoryInput
from models.prompts import Prompt, PromptId, prompt_bindings
from models.steps import StepInput, TaskBrief
from models.tasks import Block
from services.policies import policy_current
from services.task_handoffs import handed_to
from services.task_services import TaskServices
from services.task_state import Outgoing, StepResult, run_step
from store.draft import draft_hidden_text_list
from store.pool import TenantTransaction
from store.task import TaskRow


async def analyze_task(services: TaskServices, given: StepInput) -> TaskBrief:
    """Hands a draft to the review, or blocks the task: too little evidence, or sources that contradict each other.

    Raises AgentFailed when the agent's answer is not of its contract or names evidence that it was not given.
    """

    async def work(row: TaskRow) -> StepResult:
        prompts = services.prompts.current_all()  # the same versions to the end of the step
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            handed = await handed_to(tx, row, "analysis", MemoryInput)
            held = await policy_current(tx)
            flags = await _source_flags(tx, handed)
        # Many sources take a while to compare; the loop has other tasks.
        decision = await asyncio.to_thread(_propose, services, handed)
        validate_decision(handed, decision)
        if decision.status != "ready_for_review":
            return _blocked(handed, decision)
        metadata = _metadata(services, prompts, handed, held.policy_version)
        draft = compose_draft(handed, decision, tenant_id=given.tenant_id, run_metadata=metadata, flags=flags)
        payload: dict[str, Any] = draft.model_dump(mode="json")
        return StepResult("reviewing", handoff=Outgoing("analysis", "review", draft.schema_version, payload))

    return await run_step(services, given, work)


async def _source_flags(tx: TenantTransaction, handed: MemoryInput) -> tuple[DraftFlag, ...]:
    """What an approver should know of the sources besides what their sentences say."""
    documents = sorted({(one.document_id, one.version) for one in handed.evidence if one.source == "document"})
    hidden = await draft_hidden_text_list(tx, handed.task_id, documents)
    return tuple(DraftFlag(flag="hidden_text", document_id=name, version=version) for name, version in hidden)


def _propose(services: TaskServices, handed: MemoryInput) -> MemoryDecision:
    """The proposal of the agent that the deployment chose."""
    match services.analysis:
        case "extractive":
            return analyze(handed)


def _blocked(handed: MemoryInput, decision: MemoryDecision) -> StepResult:
    if decision.status == "source_conflict":
        sides = conflict_sides(handed)
        block = Block(
            reason="source_conflict",
            detail=", ".join(sorted({f"{side.document_id} v{side.version}" for side in sides})),
            conflict=sides,
        )
    else:
        topics = missing_topics(handed)
        missing = (*topics, *decision.missing_fields)
        block = Block(reason="insufficient_evidence", detail=", ".join(missing), missing_topics=topics)
    return StepResult("blocked", f"{block.reason}: {block.detail}", changes={"block": block})


def _metadata(
    services: TaskServices, prompts: Mapping[PromptId, Prompt], handed: MemoryInput, policy_version: int
) -> RunMetadata:
    indexes = sorted({one.index_version for one in handed.evidence if one.index_version is not None})
    return RunMetadata(
        prompts=prompt_bindings(services.analysis, prompts),
        embedding_model=services.embedder.model,
        dimension=services.embedder.dimension,
        chunker_version=CHUNKER_VERSION,
        index_version=", ".join(indexes) or "none",
        policy_version=policy_version,
    )
