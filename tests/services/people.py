"""A tenant with people in it, made by the services themselves."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.documents import DocumentVersion, Kind
from models.ids import TenantId
from models.principals import Principal
from services.documents import document_add, document_approve, document_publish, document_submit
from services.principals import principal_add, resolve_principal
from services.tenants import tenant_add
from store.audit import AuditEntry, audit_list
from store.pool import Store
from tests.services.knowledge import WordEmbedder


@dataclass
class Company:
    """One tenant: `op` operates, `kim` and `lee` keep the knowledge, `ana` (sales) and `bob` (no group) request."""

    store: Store
    tenant: TenantId
    embedder: WordEmbedder
    op: Principal
    kim: Principal
    lee: Principal
    ana: Principal
    bob: Principal

    async def person(self, subject: str) -> Principal:
        """Who this is now."""
        return await resolve_principal(self.store, self.tenant, subject)

    async def add(
        self,
        document_id: str,
        text: str = "# Lead time\n\nThe standard lead time is 15 days.",
        *,
        by: Principal | None = None,
        version: int | None = None,
        acl: Sequence[str] = ("sales",),
        kind: Kind = "formal_fact",
        **more: Any,
    ) -> DocumentVersion:
        """A draft of a Markdown text, made by kim unless told otherwise."""
        return await document_add(
            self.store,
            by or self.kim,
            document_id=document_id,
            version=version,
            kind=kind,
            title=more.pop("title", f"Title of {document_id}"),
            acl=acl,
            data=text.encode(),
            file_name="file.md",
            **more,
        )

    async def approved(self, document_id: str, text: str = "# T\n\nSome words here.", **more: Any) -> DocumentVersion:
        """A version that kim made and submitted and lee approved."""
        draft = await self.add(document_id, text, **more)
        await document_submit(self.store, self.kim, document_id, draft.version)
        return await document_approve(self.store, self.lee, document_id, draft.version)

    async def publish(self, document_id: str, version: int, *bounds: Any) -> DocumentVersion:
        """Published by lee."""
        return await document_publish(self.store, self.lee, document_id, version, *bounds, embedder=self.embedder)

    async def audit(self, about: str | None = None) -> list[AuditEntry]:
        """The newest rows first."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            return await audit_list(tx, about=about)

    async def events(self, about: str | None = None) -> list[str]:
        """The events of the audit in their order."""
        return [entry.event for entry in reversed(await self.audit(about))]

    async def value(self, statement: str, *values: object) -> Any:
        """What a statement of the tenant gives."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            return await tx.conn.fetchval(statement, *values)


async def found_company(store: Store, name: str = "T") -> Company:
    """A new tenant with its people."""
    tenant = TenantId(f"{name}-{uuid.uuid4().hex[:8]}")
    await tenant_add(store, tenant, "Asia/Taipei", operator="op")
    op = await resolve_principal(store, tenant, "op")
    people: dict[str, tuple[list[str], list[str]]] = {
        "kim": (["knowledge_owner"], ["quality"]),
        "lee": (["knowledge_owner"], []),
        "ana": (["requester"], ["sales"]),
        "bob": (["requester"], []),
    }
    added = {
        subject: await principal_add(store, op, subject, roles=roles, groups=groups)
        for subject, (roles, groups) in people.items()
    }
    return Company(store, tenant, WordEmbedder(), op, **added)
