"""Everything of one tenant at once: for the checker of chaos runs, which looks when nothing moves any more."""

from collections.abc import AsyncIterable
from typing import TypeVar

from models.chaos_facts import AuditFact, DecisionFact, DraftFact, MessageFact, TaskFact, TenantFacts
from models.contract import Contract
from store.connection import Row
from store.named_queries import queries
from store.pool import TenantTransaction

Fact = TypeVar("Fact", bound=Contract)


async def chaos_facts(tx: TenantTransaction) -> TenantFacts:
    """Tasks, messages, decisions, drafts and audit of the transaction's tenant."""
    conn, tenant_id = tx.conn, tx.tenant_id
    return TenantFacts(
        tasks=await _all(TaskFact, queries.chaos_task_list(conn, tenant_id=tenant_id)),
        messages=await _all(MessageFact, queries.chaos_message_list(conn, tenant_id=tenant_id)),
        decisions=await _all(DecisionFact, queries.chaos_decision_list(conn, tenant_id=tenant_id)),
        drafts=await _all(DraftFact, queries.chaos_draft_list(conn, tenant_id=tenant_id)),
        audit=await _all(AuditFact, queries.chaos_audit_list(conn, tenant_id=tenant_id)),
        undelivered=await queries.chaos_undelivered(conn, tenant_id=tenant_id),
    )


async def _all(kind: type[Fact], rows: AsyncIterable[Row]) -> tuple[Fact, ...]:
    return tuple([kind.model_validate(dict(row.items())) async for row in rows])
