"""The chain over a tenant's audit: what is hashed, what is signed, and what a break in it is called.

Rows are appended by many transactions at once, so their numbers have gaps and one may appear after a higher one. A seal
therefore lists the rows that it covers, in the order of its chain, with the hash of each; seals are numbered without
gaps, each over the head of the one before.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

from models.contract import Contract, canonical_json
from models.ids import TenantId

GENESIS: Final = bytes(32)
_ROW: Final = b"proofdesk-audit-row@1"
_HEAD: Final = b"proofdesk-audit-head@1"
_SIGNED: Final = b"proofdesk-audit-seal@1"

Break = Literal[
    "row_changed",
    "row_missing",
    "rows_swapped",
    "row_added_later",
    "seal_missing",
    "seal_changed",
    "seal_forged",
    "tail_missing",
    "anchor_mismatch",
    "anchor_missing",
    "anchor_forged",
]


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One row of the audit as the chain sees it; `detail` is the JSON value."""

    seq: int
    at: datetime
    actor: str
    event: str
    object: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seal:
    """Some rows in chain order, the head of the chain after them, and its signature. Hashes are 32 bytes (SHA-256)."""

    number: int
    seqs: tuple[int, ...]
    row_hashes: tuple[bytes, ...]
    head: bytes
    sealed_at: datetime
    key_id: str
    signature: bytes


class Anchor(Contract):
    """The last seal of a tenant as it is kept outside the database."""

    tenant_id: TenantId
    number: int
    head: str
    key_id: str
    signature: str


class AuditFault(Contract):
    """One break: what it is, and the row or the seal where it shows."""

    fault: Break
    seq: int | None = None
    seal: int | None = None
    detail: str


Verify = Callable[[str, bytes, bytes], bool]  # (key id, signed bytes, signature)


def row_hash(tenant_id: TenantId, row: AuditRow) -> bytes:
    """SHA-256 over every field, each with its length in front, so that no two rows give the same bytes."""
    at = row.at.astimezone(UTC).isoformat(timespec="microseconds")
    fields = (tenant_id, str(row.seq), at, row.actor, row.event, row.object, canonical_json(dict(row.detail)))
    return _hash(_ROW, (field.encode() for field in fields))


def chain_head(
    tenant_id: TenantId, previous: bytes, number: int, seqs: Sequence[int], hashes: Sequence[bytes]
) -> bytes:
    """The head after seal `number`: it depends on every row and every seal before."""
    listed = (part for seq, digest in zip(seqs, hashes, strict=True) for part in (str(seq).encode(), digest))
    return _hash(_HEAD, (tenant_id.encode(), str(number).encode(), previous, *listed))


def signed_bytes(tenant_id: TenantId, number: int, head: bytes) -> bytes:
    """What the signature of a seal, and of its anchor, covers."""
    return _hash(_SIGNED, (tenant_id.encode(), str(number).encode(), head))


def _hash(domain: bytes, fields: Iterable[bytes]) -> bytes:
    digest = hashlib.sha256(domain)
    for field in fields:
        digest.update(len(field).to_bytes(8, "big"))
        digest.update(field)
    return digest.digest()


@dataclass(frozen=True, slots=True)
class ChainPoint:
    """How far a chain was checked."""

    number: int = 0
    head: bytes = GENESIS


def check_seal(
    tenant_id: TenantId, before: ChainPoint, seal: Seal, rows: Mapping[int, AuditRow], verify: Verify
) -> list[AuditFault]:
    """What is wrong with one seal and the rows that it covers; `rows` holds those of its numbers that exist."""
    faults: list[AuditFault] = []
    if seal.number != before.number + 1:
        missing = _counted("seal", before.number + 1, seal.number - 1)
        faults.append(AuditFault(fault="seal_missing", seal=before.number + 1, detail=f"{missing} missing"))
        # The link to what came before is gone; the rest of the chain is still worth a look.
        intact = True
    else:
        head = chain_head(tenant_id, before.head, seal.number, seal.seqs, seal.row_hashes)
        intact = head == seal.head
    if not intact:
        detail = f"seal {seal.number} does not follow from the rows and seals before it"
        faults.append(AuditFault(fault="seal_changed", seal=seal.number, detail=detail))
    if not verify(seal.key_id, signed_bytes(tenant_id, seal.number, seal.head), seal.signature):
        detail = f"seal {seal.number} is not signed by the key {seal.key_id}, or that key is not known here"
        faults.append(AuditFault(fault="seal_forged", seal=seal.number, detail=detail))
    return faults + _row_faults(tenant_id, seal, rows)


def _row_faults(tenant_id: TenantId, seal: Seal, rows: Mapping[int, AuditRow]) -> list[AuditFault]:
    sealed = dict(zip(seal.seqs, seal.row_hashes, strict=True))
    faults: list[AuditFault] = []
    changed: list[int] = []
    for seq in seal.seqs:
        if seq not in rows:
            detail = f"row {seq} was deleted after seal {seal.number}"
            faults.append(AuditFault(fault="row_missing", seq=seq, seal=seal.number, detail=detail))
        elif row_hash(tenant_id, rows[seq]) != sealed[seq]:
            changed.append(seq)
    swapped = _swapped(tenant_id, changed, rows, sealed)
    for seq in changed:
        other = swapped.get(seq)
        if other is None:
            detail = f"row {seq} was edited after seal {seal.number}"
            faults.append(AuditFault(fault="row_changed", seq=seq, seal=seal.number, detail=detail))
        else:
            detail = f"rows {seq} and {other} hold each other's content"
            faults.append(AuditFault(fault="rows_swapped", seq=seq, seal=seal.number, detail=detail))
    return faults


def _swapped(
    tenant_id: TenantId, changed: Sequence[int], rows: Mapping[int, AuditRow], sealed: Mapping[int, bytes]
) -> dict[int, int]:
    """Changed row → the row whose sealed content it holds now."""
    by_hash = {sealed[seq]: seq for seq in changed}
    found: dict[int, int] = {}
    for seq in changed:
        for other in changed:
            row = rows[seq]
            moved = AuditRow(other, row.at, row.actor, row.event, row.object, row.detail)
            if other != seq and by_hash.get(row_hash(tenant_id, moved)) == other:
                found[seq] = other
    return found


def check_anchor(
    tenant_id: TenantId, anchor: Anchor | None, heads: Mapping[int, bytes], last: int, verify: Verify
) -> list[AuditFault]:
    """Whether the chain in the database is the one that the anchor was written for, and reaches as far.

    `heads` holds the head of the anchored seal if the database has it, `last` is the number of its last seal (0: none).
    """
    if anchor is None:
        if not last:
            return []
        detail = f"the database has {last} seals, but no anchor of this tenant is kept outside of it"
        return [AuditFault(fault="anchor_missing", detail=detail)]
    head, signature = _unhex(anchor.head), _unhex(anchor.signature)
    if anchor.tenant_id != tenant_id or not verify(
        anchor.key_id, signed_bytes(tenant_id, anchor.number, head), signature
    ):
        return [AuditFault(fault="anchor_forged", seal=anchor.number, detail="the anchor is not signed by a known key")]
    if anchor.number > last:
        missing = _counted("seal", last + 1, anchor.number)
        detail = f"{missing} and their rows are missing: the tail was cut, or an older backup was restored"
        return [AuditFault(fault="tail_missing", seal=last + 1, detail=detail)]
    if heads.get(anchor.number) != head:
        detail = f"seal {anchor.number} is another one than was anchored: the chain was made anew"
        return [AuditFault(fault="anchor_mismatch", seal=anchor.number, detail=detail)]
    return []


def _unhex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _counted(noun: str, first: int, last: int) -> str:
    return f"{noun} {first}" if first >= last else f"{noun}s {first} to {last}"
