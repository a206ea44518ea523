"""Drafts as they were shown to approvers: written once, voided at most once, never changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.drafts import Draft
from models.ids import TaskId
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A stored draft; `content_hash` is what was shown, `body` what is stored now."""

    decision_version: int
    revision: int
    content_hash: str
    body: Any
    created_at: datetime
    voided_at: datetime | None
    void_reason: str | None

    def read(self) -> Draft | None:
        """The draft, or None when what is stored is not the draft that was shown."""
        try:
            draft = Draft.model_validate(self.body)
        except ValueError:
            return None
        return draft if draft.content_hash == self.content_hash else None


async def draft_insert(tx: TenantTransaction, draft: Draft) -> None:
    """Stores the draft of its decision_version: a second one breaks the key."""
    await queries.draft_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=draft.task_id,
        decision_version=draft.decision_version,
        revision=draft.revision,
        content_hash=draft.content_hash,
        body=draft.model_dump(mode="json"),
    )


async def draft_fetch(tx: TenantTransaction, task_id: TaskId, decision_version: int) -> DraftRow | None:
    """The draft of one decision_version, or None."""
    row = await queries.draft_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, decision_version=decision_version)
    return None if row is None else DraftRow(**dict(row.items()))


async def draft_latest_fetch(tx: TenantTransaction, task_id: TaskId) -> DraftRow | None:
    """The task's last draft, voided or not, or None."""
    row = await queries.draft_latest_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return None if row is None else DraftRow(**dict(row.items()))


async def draft_void(tx: TenantTransaction, task_id: TaskId, decision_version: int, reason: str) -> None:
    """Marks a draft as void; a first reason stands."""
    await queries.draft_void(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, decision_version=decision_version, reason=reason
    )


async def draft_hidden_text_list(
    tx: TenantTransaction, task_id: TaskId, documents: Sequence[tuple[str, int]]
) -> list[tuple[str, int]]:
    """Which of the documents (id, version), and which messages of the task, held text that nobody sees."""
    rows: Any = queries.draft_hidden_text_list(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=task_id,
        document_ids=[document_id for document_id, _ in documents],
        versions=[version for _, version in documents],
    )
    return [(row["document_id"], row["version"]) async for row in rows]
