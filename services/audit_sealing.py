"""The sealer: chains and signs what the tenants' audits gained, each second, and anchors the head outside the database.

Why it is so: a row is written in the transaction of its act and must not wait for other acts, so the order of the chain
is given afterwards, by one seal after the other; a UNIQUE number decides between two sealers.
"""

import asyncio
import time

import structlog

from models.audit_chain import Anchor, ChainPoint, chain_head, check_anchor, row_hash, signed_bytes
from models.errors import AuditBroken
from models.ids import TenantId
from services.audit_keys import AuditFolder
from store.audit_seal import (
    audit_seal_insert,
    audit_seal_last,
    audit_seal_list,
    audit_unsealed_list,
    audit_written_fetch,
)
from store.pool import Store, TenantTransaction
from store.reconciling import tenant_ids

PERIOD_SECONDS = 1.0
# A row may be committed so long after its number was given; until then each look visits every tenant.
_LATE_SECONDS = 120.0
_ROWS = 2000

_log = structlog.get_logger("audit")


class AuditSealer:
    """Seals the audits of all tenants with the key of `folder`; AuditBroken when its key cannot be used."""

    def __init__(self, store: Store, folder: AuditFolder) -> None:
        self._store = store
        self._folder = folder
        self._signer = folder.signer()
        self._seen = -1
        self._look_until = 0.0

    async def run(self, *, period_seconds: float = PERIOD_SECONDS) -> None:
        """Seals until cancelled; an error of any kind only delays it, and is logged."""
        while True:
            try:
                await self.seal_what_is_new()
            except Exception as error:  # noqa: BLE001 -- a sealer that ends leaves rows that anybody could change unseen
                self._seen = -1
                code: str = getattr(error, "code", type(error).__name__)
                _log.warning("sealer_waits", error=code)
            await asyncio.sleep(period_seconds)

    async def seal_what_is_new(self) -> int:
        """Seals every tenant unless no row was written of late; how many rows it sealed."""
        async with self._store.directory_transaction() as directory:
            written = await audit_written_fetch(directory)
            if written != self._seen:
                self._look_until = time.monotonic() + _LATE_SECONDS
            elif time.monotonic() > self._look_until:
                return 0
            tenants = await tenant_ids(directory)
        sealed = 0
        for tenant_id in tenants:
            try:
                sealed += await self.seal(tenant_id)
            except AuditBroken as error:
                _log.error("audit_broken", tenant_id=tenant_id, fault=str(error))
        self._seen = written
        return sealed

    async def seal(self, tenant_id: TenantId) -> int:
        """Seals what the tenant's audit gained; how many rows. AuditBroken when the chain is not the anchored one."""
        sealed = 0
        while True:
            async with self._store.tenant_transaction(tenant_id) as tx:
                made = await self._next(tx)
            if made is None:
                return sealed
            anchor, rows = made
            self._folder.keep(anchor)
            sealed += rows
            if rows < _ROWS:
                return sealed

    async def _next(self, tx: TenantTransaction) -> tuple[Anchor, int] | None:
        last = await audit_seal_last(tx)
        rows = await audit_unsealed_list(tx, top=_ROWS)
        if not rows:
            return None
        await require_anchored(tx, self._folder, last)
        tenant_id, number = tx.tenant_id, last.number + 1
        seqs, hashes = [row.seq for row in rows], [row_hash(tenant_id, row) for row in rows]
        head = chain_head(tenant_id, last.head, number, seqs, hashes)
        signature = self._signer.sign(signed_bytes(tenant_id, number, head))
        if not await audit_seal_insert(
            tx,
            number=number,
            seqs=seqs,
            row_hashes=hashes,
            head=head,
            key_id=self._signer.key_id,
            signature=signature,
        ):
            return None
        anchor = Anchor(
            tenant_id=tenant_id,
            number=number,
            head=head.hex(),
            key_id=self._signer.key_id,
            signature=signature.hex(),
        )
        return anchor, len(rows)


async def require_anchored(tx: TenantTransaction, folder: AuditFolder, last: ChainPoint) -> None:
    """AuditBroken unless the tenant's chain holds the seal that is anchored outside of the database.

    A chain without an anchor passes here: the first worker with a new folder could not begin otherwise. `audit verify`
    names it.
    """
    anchor = folder.anchor(tx.tenant_id)
    if anchor is None:
        return
    before = await audit_seal_list(tx, after=anchor.number - 1, top=1)
    heads = {seal.number: seal.head for seal in before}
    for fault in check_anchor(tx.tenant_id, anchor, heads, last.number, folder.verify):
        raise AuditBroken(
            f"the audit of tenant {tx.tenant_id} is not the one that was sealed: {fault.detail}. Restore the newer "
            f"backup; if this state of the database is meant, keep {folder.path / 'heads'} as evidence and move the "
            "file of the tenant away"
        )


async def require_all_anchored(store: Store, folder: AuditFolder) -> None:
    """AuditBroken if the database lacks what is anchored for any tenant: an older backup was put in its place."""
    for tenant_id in folder.tenants():
        async with store.tenant_transaction(tenant_id) as tx:
            await require_anchored(tx, folder, await audit_seal_last(tx))
