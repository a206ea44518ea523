"""The outbox: what is to be told to the workflow, written with its cause, and the notices that a relay finds it by."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from models.ids import Subject, TaskId, TenantId
from store.named_queries import queries
from store.pool import DirectoryTransaction, TenantTransaction

OutboxKind = Literal["start", "supplement", "decision", "takeover", "cancel", "recheck"]


@dataclass(frozen=True, slots=True)
class OutboxNotice:
    """That a tenant has something to be delivered."""

    tenant_id: TenantId
    outbox_id: str


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """What is to be told, to the run of which epoch."""

    outbox_id: str
    task_id: TaskId
    kind: OutboxKind
    reference: str
    attempts: int
    delivered_at: datetime | None
    run_epoch: int
    starter: Subject


async def outbox_insert(tx: TenantTransaction, task_id: TaskId, kind: OutboxKind, reference: str) -> str:
    """Queues a notification in the transaction of its cause; gives the outbox id."""
    row = await queries.outbox_insert(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, kind=kind, reference=reference)
    return str(row["outbox_id"])


async def outbox_known(tx: TenantTransaction, task_id: TaskId, kind: OutboxKind, reference: str) -> bool:
    """Whether the task ever queued this notification."""
    known: bool = await queries.outbox_known(
        tx.conn, tenant_id=tx.tenant_id, task_id=task_id, kind=kind, reference=reference
    )
    return known


async def outbox_claim(directory: DirectoryTransaction, *, limit: int, lease_seconds: float) -> Sequence[OutboxNotice]:
    """Up to `limit` due notices, leased: nobody else is given them before the lease is over."""
    rows: Any = queries.outbox_claim(directory.conn, limit=limit, lease_seconds=lease_seconds)
    return [OutboxNotice(row["tenant_id"], row["outbox_id"]) async for row in rows]


async def outbox_due_count(directory: DirectoryTransaction) -> int:
    """How many notices are due now."""
    count: int = await queries.outbox_due_count(directory.conn)
    return count


async def outbox_fetch(tx: TenantTransaction, outbox_id: str) -> OutboxRow | None:
    """What a notice stands for, with the task's epoch of now; None when there is no such row."""
    row: Any = await queries.outbox_fetch(tx.conn, tenant_id=tx.tenant_id, outbox_id=outbox_id)
    return None if row is None else OutboxRow(**dict(row.items()))


async def outbox_deliver(tx: TenantTransaction, outbox_id: str) -> None:
    """Marks the notification as delivered and removes its notice."""
    await queries.outbox_deliver(tx.conn, tenant_id=tx.tenant_id, outbox_id=outbox_id)


async def outbox_fail(tx: TenantTransaction, outbox_id: str, error_code: str) -> None:
    """Counts a failed delivery and makes the notice due again, at most 10 s later."""
    await queries.outbox_fail(tx.conn, tenant_id=tx.tenant_id, outbox_id=outbox_id, error_code=error_code)
