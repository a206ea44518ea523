"""The audit: appended in the transaction of what it tells of, never changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from store.named_queries import queries
from store.pool import TenantTransaction

# Ids, numbers, statuses and hashes: never content.
AuditValue = str | int | bool | None | Sequence[str]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One row of the audit."""

    seq: int
    at: datetime
    actor: str
    event: str
    object: str
    detail: Mapping[str, AuditValue]


async def audit_insert(
    tx: TenantTransaction, *, actor: str, event: str, about: str, detail: Mapping[str, AuditValue]
) -> int:
    """Appends a row and returns its sequence number."""
    seq: int = await queries.audit_insert(
        tx.conn, tenant_id=tx.tenant_id, actor=actor, event=event, object=about, detail=dict(detail)
    )
    return seq


async def audit_refusal_insert(
    tx: TenantTransaction, *, actor: str, event: str, about: str, detail: Mapping[str, AuditValue]
) -> int | None:
    """Appends a row on what was refused; None when the tenant itself does not exist."""
    seq: int | None = await queries.audit_refusal_insert(
        tx.conn, tenant_id=tx.tenant_id, actor=actor, event=event, object=about, detail=dict(detail)
    )
    return seq


async def audit_list(tx: TenantTransaction, *, about: str | None = None, top: int = 100) -> list[AuditEntry]:
    """The newest rows first, of one object or of all."""
    rows = queries.audit_list(tx.conn, tenant_id=tx.tenant_id, object=about, top=top)
    return [
        AuditEntry(row["seq"], row["at"], row["actor"], row["event"], row["object"], row["detail"])
        async for row in rows
    ]
