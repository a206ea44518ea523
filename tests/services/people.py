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

    async def seed_task(
        self, task_id: str, status: str, cited: Sequence[tuple[str, int]], *, starter: str = "ana"
    ) -> None:
        """A task at pass 2 with its evidence, put straight into the tables; its pass 1 cites OLD-1."""
        state = {"status": status, "revision": 1, "decision_version": 1, "run_epoch": 1, "pass": 2}
        async with self.store.tenant_transaction(self.tenant) as tx:
            await tx.conn.execute(
                "insert into tasks (tenant_id, task_id, request_hash, starter, state) values ($1, $2, 'h', $3, $4)",
                self.tenant,
                task_id,
                starter,
                state,
            )
            evidence = [(1, "OLD-1", 1), *((2, *one) for one in cited)]
            for place, (number, document_id, version) in enumerate(evidence):
                await tx.conn.execute(
                    """
                    insert into task_evidence (
                        tenant_id, task_id, evidence_id, pass, source, document_id, version, body
                    )
                    values ($1, $2, $3, $4, 'document', $5, $6, '{}')
                    """,
                    self.tenant,
                    task_id,
                    f"E-{place}",
                    number,
                    document_id,
                    version,
                )

    async def rechecked(self) -> dict[str, str]:
        """task → why it was told to look again; each told task has a notice of that reason in the outbox."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            marked = await tx.conn.fetch("select task_id, recheck_reason from tasks where recheck_reason is not null")
            outbox = await tx.conn.fetch("select task_id, reference, outbox_id from outbox where kind = 'recheck'")
            notices = await tx.conn.fetch("select outbox_id from outbox_notices where tenant_id = $1", self.tenant)
        reasons = {row["task_id"]: row["recheck_reason"] for row in marked}
        assert set(reasons.items()) <= {(row["task_id"], row["reference"]) for row in outbox}
        assert {row["task_id"] for row in outbox} == set(reasons)
        assert {row["outbox_id"] for row in outbox} == {row["outbox_id"] for row in notices}
        return reasons


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
