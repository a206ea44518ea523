"""Reviewing: the originals are opened again and the Review Agent checks the draft against them, knowing nothing else.

Why it is so: a source that stopped to hold between the search and now is no fault of the draft, so the task asks again;
a draft that differs from its sources is, and goes back once with the findings. Whoever fails twice needs a person.
The rules always decide first; where a model is bound to the review, it is asked about what they passed and can only
object.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from models.drafts import Draft
from models.evidence import Checks, Evidence
from models.ids import DocumentId
from models.review import Finding, OriginalKey
from models.review import review_draft as findings_of
from models.steps import StepInput, TaskBrief
from models.tasks import Block
from services.agents.review import object_to
from services.policies import policy_current
from services.principals import resolve_principal
from services.task_evidence import failed_evidence
from services.task_handoffs import handed_to
from services.task_restoring import rights_block
from services.task_retrieval import memory_input
from services.task_services import TaskServices
from services.task_sources import standing_choices
from services.task_state import Outgoing, StepResult, run_step
from store.checkpoint import task_evidence_list
from store.document import original_text_fetch
from store.message import message_list
from store.pool import TenantTransaction
from store.task import TaskRow


async def review_draft(services: TaskServices, given: StepInput) -> TaskBrief:
    """Puts the draft before the approvers, back to the analysis with the findings, or before a person.

    Raises AgentFailed when what was handed over is not what was sealed, and whatever asking the reviewing model raises:
    where a second opinion is bound, nothing passes without it.
    """
    prompt = services.prompts.current("draft-review")
    asked: dict[str, tuple[Finding, ...]] = {}  # a state that moved meanwhile costs no second call for the same draft

    async def second(opened: _Opened) -> tuple[Finding, ...]:
        llm, key = services.models.review, opened.draft.content_hash
        if llm is not None and key not in asked:
            asked[key] = await object_to(services.store, given.tenant_id, llm, prompt, opened.draft, opened.originals)
        return asked.get(key, ())

    async def work(row: TaskRow) -> StepResult:
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            opened = await _open(tx, row)
        if isinstance(opened, StepResult):
            return opened
        # A long draft takes a while; the loop has other tasks.
        findings = await asyncio.to_thread(
            findings_of,
            opened.draft,
            originals=opened.originals,
            confirmed=row.state.confirmed,
            allowed=row.state.evidence_ids,
            now=opened.now,
            lines=row.state.lines,
        )
        findings = findings or await second(opened)
        if not findings:
            return StepResult("awaiting_approval", "reviewed", draft=opened.draft)
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            return await _rejected(tx, row, findings)

    return await run_step(services, given, work)


@dataclass(frozen=True, slots=True)
class _Opened:
    """The draft with its originals as they are at this moment."""

    draft: Draft
    originals: dict[OriginalKey, str]
    now: datetime


async def _open(tx: TenantTransaction, row: TaskRow) -> _Opened | StepResult:
    """What is to be reviewed, or what becomes of the task when that is no question any more."""
    block = await rights_block(tx, row.starter)
    if block is not None:
        return StepResult("blocked", block.reason, changes={"block": block})
    draft = await handed_to(tx, row, "review", Draft)
    if _gone(await failed_evidence(tx, row.state.task_id, row.starter, draft.evidence)):
        return StepResult("retrieving", "a source no longer holds")
    return _Opened(draft, await _originals(tx, row, draft.evidence), await tx.now())


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
    choices = await standing_choices(tx, row)
    handed = memory_input(row, held.policy, evidence, row.state.revision + 1, choices=choices, findings=texts)
    return StepResult(
        "analyzing",
        f"review: {codes}",
        changes={"review_rounds": row.state.review_rounds + 1},
        handoff=Outgoing("review", "analysis", handed.schema_version, handed.model_dump(mode="json")),
    )
