"""The audit of acts: what was done stands in the act's own transaction, what was refused in one of its own.

Events are in the past tense (`document_published`, `document_publish_refused`). Rows hold ids, numbers and hashes only.
"""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from models.contract import text_hash
from models.errors import Conflict, InvalidInput, NotFound, ProofdeskError, Refused, UnreadableDocument
from models.ids import TenantId
from store.audit import AuditValue, audit_insert, audit_refusal_insert
from store.pool import Store, TenantTransaction

# Whoever holds the database's address sets tenants up; there is no principal yet who could.
DEPLOYMENT = "deployment"
_REFUSALS = (Refused, NotFound, Conflict, InvalidInput, UnreadableDocument)
_PLAIN = re.compile(r"[A-Za-z0-9._@+-]{1,128}")


async def audit_append(
    tx: TenantTransaction, actor: str, event: str, about: str, detail: Mapping[str, AuditValue]
) -> int:
    """Appends `event` of `actor` on the object `about` to the transaction; the row's sequence number."""
    return await audit_insert(tx, actor=actor, event=event, about=about, detail=detail)


@asynccontextmanager
async def audited_refusals(store: Store, tenant_id: TenantId, actor: str, act: str, about: str) -> AsyncGenerator[None]:
    """When the block refuses (typed errors of input, rights, state), `<act>_refused` is audited and the error goes on.

    The row has a transaction of its own, because the act's was rolled back. Open it outside of any transaction.
    """
    try:
        yield
    except _REFUSALS as error:
        async with store.tenant_transaction(tenant_id) as tx:
            await audit_refusal_insert(
                tx, actor=audit_name(actor), event=f"{act}_refused", about=about, detail=_refusal(error)
            )
        raise


def audit_object(kind: str, *names: object) -> str:
    """`kind/name/...`; a name out of form may be content, so its hash stands for it."""
    return "/".join([kind, *(audit_name(str(name)) for name in names)])


def audit_name(raw: str) -> str:
    """`raw` if it has the form of an id, else the beginning of its hash."""
    return raw if _PLAIN.fullmatch(raw) else f"sha256:{text_hash(raw.encode('utf-8', 'replace').decode())[:16]}"


def _refusal(error: ProofdeskError) -> Mapping[str, AuditValue]:
    if isinstance(error, UnreadableDocument):
        return {"code": error.code, "reason": error.reason}
    return {"code": error.code}
