"""The seals over the audit: appended like the audit itself, read in their order."""

from collections.abc import Sequence
from dataclasses import dataclass

from models.audit_chain import AuditRow, ChainPoint, Seal
from store.connection import Row
from store.named_queries import queries
from store.pool import DirectoryTransaction, TenantTransaction

# No transaction lasts longer (statement_timeout 30 s, idle 60 s): a number below is committed or will never be.
SETTLED_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class NeverSealed:
    """A row without a seal; `is_settled` where seals far younger than its number exist: it was put in later."""

    seq: int
    is_settled: bool


async def audit_written_fetch(directory: DirectoryTransaction) -> int:
    """The last number given to an audit row of any tenant; 0 before the first."""
    last: int | None = await queries.audit_written_fetch(directory.conn)
    return last or 0


async def audit_seal_last(tx: TenantTransaction) -> ChainPoint:
    """Number and head of the last seal; the beginning of the chain when there is none."""
    row = await queries.audit_seal_last(tx.conn, tenant_id=tx.tenant_id)
    return ChainPoint() if row is None else ChainPoint(row["number"], row["head"])


async def audit_unsealed_list(tx: TenantTransaction, *, top: int) -> list[AuditRow]:
    """Up to `top` committed rows that no seal covers yet, by number."""
    rows = queries.audit_unsealed_list(tx.conn, tenant_id=tx.tenant_id, settled_seconds=SETTLED_SECONDS, top=top)
    return [_row(row) async for row in rows]


async def audit_seal_insert(
    tx: TenantTransaction,
    *,
    number: int,
    seqs: Sequence[int],
    row_hashes: Sequence[bytes],
    head: bytes,
    key_id: str,
    signature: bytes,
) -> bool:
    """Appends a seal; False when its number is taken."""
    row = await queries.audit_seal_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        number=number,
        seqs=list(seqs),
        row_hashes=list(row_hashes),
        highest_seq=max(seqs),
        head=head,
        key_id=key_id,
        signature=signature,
    )
    return row is not None


async def audit_seal_list(tx: TenantTransaction, *, after: int, top: int) -> list[Seal]:
    """Up to `top` seals with a higher number than `after`, in order."""
    rows = queries.audit_seal_list(tx.conn, tenant_id=tx.tenant_id, after=after, top=top)
    return [
        Seal(
            row["number"],
            tuple(row["seqs"]),
            tuple(row["row_hashes"]),
            row["head"],
            row["sealed_at"],
            row["key_id"],
            row["signature"],
        )
        async for row in rows
    ]


async def audit_row_list(tx: TenantTransaction, seqs: Sequence[int]) -> dict[int, AuditRow]:
    """The rows of these numbers that exist."""
    rows = queries.audit_row_list(tx.conn, tenant_id=tx.tenant_id, seqs=list(seqs))
    return {row["seq"]: _row(row) async for row in rows}


async def audit_never_sealed_list(tx: TenantTransaction, *, top: int) -> list[NeverSealed]:
    """Up to `top` rows that no seal covers, however old."""
    rows = queries.audit_never_sealed_list(tx.conn, tenant_id=tx.tenant_id, settled_seconds=SETTLED_SECONDS, top=top)
    return [NeverSealed(row["seq"], row["is_settled"]) async for row in rows]


def _row(row: Row) -> AuditRow:
    return AuditRow(row["seq"], row["at"], row["actor"], row["event"], row["object"], row["detail"])
