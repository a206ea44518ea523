"""Analyzing: the agent proposes, the program checks the proposal and composes the draft, or says why there is none."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.analysis import analyze
from models.chunking import CHUNKER_VERSION
from models.conflicts import conflict_sides, missing_topics
from models.contract import content_hash
from models.drafting import compose_draft, validate_decision
from models.drafts import DraftFlag, RunMetadata
from models.evidence import Evidence
from models.memory import MemoryDecision, MemoryInput
from models.prompts import Prompt, PromptId, prompt_bindings
from models.proposals import proposed_sides
from models.settled_drafts import with_settled
from models.source_choices import conflict_block
from models.steps import StepInput, TaskBrief
from models.tasks import Block
from services.agents.analysis import propose
from services.policies import policy_current
from services.task_handoffs import handed_to
from services.task_services import TaskServices
from services.task_state import Outgoing, StepResult, run_step
from store.draft import draft_hidden_text_list
from store.pool import TenantTransaction
from store.task import TaskRow


@dataclass(frozen=True, slots=True)
class _Proposed:
    """A decision, and the evidence that a model was handed for it (none where the rules decided)."""

    decision: MemoryDecision
    shown: Sequence[Evidence] = ()


async def analyze_task(services: TaskServices, given: StepInput) -> TaskBrief:
    """Hands a draft to the review, or blocks the task: too little evidence, or sources that contradict each other.

    Raises AgentFailed when the agent's answer is not of its contract or names evidence that it was not given, and
    whatever asking its model raises.
    """
    asked: dict[str, _Proposed] = {}  # a state that moved meanwhile costs no second call for the same input
    prompts = services.prompts.current_all()  # the same versions to the end of the step

    async def work(row: TaskRow) -> StepResult:
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            handed = await handed_to(tx, row, "analysis", MemoryInput)
            held = await policy_current(tx)
            flags = await _source_flags(tx, handed)
        key = content_hash(handed)
        if key not in asked:
            asked[key] = await _propose(services, given, prompts, handed)
        decision = asked[key].decision
        validate_decision(handed, decision)
        if decision.status != "ready_for_review":
            return _blocked(handed, asked[key])
        metadata = _metadata(services, prompts, handed, held.policy_version)
        draft = compose_draft(handed, decision, tenant_id=given.tenant_id, run_metadata=metadata, flags=flags)
        draft = with_settled(draft, handed)
        payload: dict[str, Any] = draft.model_dump(mode="json")
        return StepResult("reviewing", handoff=Outgoing("analysis", "review", draft.schema_version, payload))

    return await run_step(services, given, work)


async def _source_flags(tx: TenantTransaction, handed: MemoryInput) -> tuple[DraftFlag, ...]:
    """What an approver should know of the sources besides what their sentences say."""
    documents = sorted({(one.document_id, one.version) for one in handed.evidence if one.source == "document"})
    hidden = await draft_hidden_text_list(tx, handed.task_id, documents)
    return tuple(DraftFlag(flag="hidden_text", document_id=name, version=version) for name, version in hidden)


async def _propose(
    services: TaskServices, given: StepInput, prompts: Mapping[PromptId, Prompt], handed: MemoryInput
) -> _Proposed:
    """The proposal of the agent that the deployment chose."""
    llm = services.models.analysis
    if llm is None:
        # Many sources take a while to compare; the loop has other tasks.
        return _Proposed(await asyncio.to_thread(analyze, handed))
    return _Proposed(*await propose(services.store, given.tenant_id, llm, prompts["enterprise-memory"], handed))


def _blocked(handed: MemoryInput, proposed: _Proposed) -> StepResult:
    decision = proposed.decision
    if decision.status == "source_conflict":
        sides = conflict_sides(handed) or proposed_sides(decision, proposed.shown)
        block = conflict_block(sides)
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
        prompts=prompt_bindings(services.models.bindings, prompts),
        embedding_model=services.embedder.model,
        dimension=services.embedder.dimension,
        chunker_version=CHUNKER_VERSION,
        index_version=", ".join(indexes) or "none",
        policy_version=policy_version,
    )
