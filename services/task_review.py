"""Reviewing: the originals are opened again and the Review Agent checks the draft against them, knowing nothing else.

Why it is so: a source that stopped to hold between the search and now is no fault of the draft, so the task asks again;
a draft that differs from its sources is, and goes back once with the findings. Whoever fails twice needs a person.
"""

import asyncio
from collections.abc import Sequence

from models.drafts import Draft
from models.evidence import Checks, Evidence
from models.ids import DocumentId
from models.review import Finding, OriginalKey
from models.review import review_draft as findings_of
from models.steps import StepInput, TaskBrief
from models.tasks import Block
from services.policies import policy_current
from services.principals import resolve_principal
from services.task_evidence import failed_evidence
from services.task_handoffs import handed_to
from services.task_restoring import rights_block
from services.task_retrieval import memory_input
from services.task_services import TaskServices
from services.task_state import Outgoing, StepResult, run_step
from store.checkpoint import task_evidence_list
from store.document import original_text_fetch
from store.message import message_list
from store.pool import TenantTransaction
from store.task import TaskRow


async def review_draft(services: TaskServices, given: StepInput) -> TaskBrief:
    """Puts the draft before the approvers, back to the analysis with the findings, or before a person.

    Raises AgentFailed when what was handed over is not what was sealed.
    """

    async def work(row: TaskRow) -> StepResult:
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            block = await rights_block(tx, row.starter)
            if block is not None:
                return StepResult("blocked", block.reason, changes={"block": block})
            draft = await handed_to(tx, row, "review", Draft)
            if _gone(await failed_evidence(tx, row.state.task_id, row.starter, draft.evidence)):
                return StepResult("retrieving", "a source no longer holds")
            findings = await asyncio.to_thread(  # a long draft takes a while; the loop has other tasks
                findings_of,
                draft,
                originals=await _originals(tx, row, draft.evidence),
                confirmed=row.state.confirmed,
                allowed=row.state.evidence_ids,
                now=await tx.now(),
            )
            if not findings:
                return StepResult("awaiting_approval", "reviewed", draft=draft)
            return await _rejected(tx, row, findings)

    return await run_step(services, given, work)


def _gone(failed: Sequence[tuple[Evidence, Checks]]) -> bool:
    """Whether a document is no longer in the starter's scope: a new search will leave it out."""
    return any(
        one.source == "document" and not (checks.version and checks.permission and checks.validity)
        for one, checks in failed
    )


async def _originals(tx: TenantTransaction, row: TaskRow, evidence: Sequence[Evidence]) -> dict[OriginalKey, str]:
    """The canonical text of every cited original that the starter may read now."""
    starter = await resolve_principal(tx, tx.tenant_id, row.starter)
    texts: dict[OriginalKey, str] = {
        ("message", one.message_id, 1): one.text for one in await message_list(tx, row.state.task_id)
    }
    for document_id, version in sorted(
        {(one.document_id, one.version) for one in evidence if one.source == "document"}
    ):
        original = await original_text_fetch(tx, DocumentId(document_id), version, starter.groups)
        if original is not None:
            texts["document", document_id, version] = original.text
    return texts


async def _rejected(tx: TenantTransaction, row: TaskRow, findings: Sequence[Finding]) -> StepResult:
    codes = ", ".join(sorted({one.code for one in findings}))
    if row.state.review_rounds > 0:
        block = Block(reason="review_rejected", detail=codes)
        return StepResult("blocked", f"review_rejected: {codes}", changes={"block": block})
    held = await policy_current(tx)
    evidence = await task_evidence_list(tx, row.state.task_id, row.state.evidence_ids)
    texts = [f"{one.code}: {one.message}" for one in findings]
    handed = memory_input(row, held.policy, evidence, row.state.revision + 1, findings=texts)
    return StepResult(
        "analyzing",
        f"review: {codes}",
        changes={"review_rounds": row.state.review_rounds + 1},
        handoff=Outgoing("review", "analysis", handed.schema_version, handed.model_dump(mode="json")),
    )
