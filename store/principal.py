"""People and services of a tenant."""

from collections.abc import Sequence

from models.ids import Subject
from models.principals import Principal, Role
from store.named_queries import queries
from store.pool import TenantTransaction


async def principal_fetch(tx: TenantTransaction, subject: Subject) -> Principal | None:
    """The principal as it is now, or None."""
    row = await queries.principal_fetch(tx.conn, tenant_id=tx.tenant_id, subject=subject)
    if row is None:
        return None
    return Principal(
        tenant_id=tx.tenant_id,
        subject=subject,
        roles=tuple(row["roles"]),
        groups=tuple(row["groups"]),
        active=row["active"],
    )


async def principal_insert(
    tx: TenantTransaction, subject: Subject, roles: Sequence[Role], groups: Sequence[str]
) -> int | None:
    """The revision of the new principal, or None when the subject is taken."""
    revision: int | None = await queries.principal_insert(
        tx.conn, tenant_id=tx.tenant_id, subject=subject, roles=list(roles), groups=list(groups)
    )
    return revision


async def principal_update(tx: TenantTransaction, principal: Principal) -> int | None:
    """The new revision, or None when there is no such principal."""
    revision: int | None = await queries.principal_update(
        tx.conn,
        tenant_id=tx.tenant_id,
        subject=principal.subject,
        roles=list(principal.roles),
        groups=list(principal.groups),
        active=principal.active,
    )
    return revision


async def principal_count(tx: TenantTransaction) -> int:
    """How many principals the tenant has, active or not."""
    count: int = await queries.principal_count(tx.conn, tenant_id=tx.tenant_id)
    return count


async def operator_count(tx: TenantTransaction) -> int:
    """How many active operators the tenant has."""
    count: int = await queries.operator_count(tx.conn, tenant_id=tx.tenant_id)
    return count


async def tasks_recheck_of_starter(tx: TenantTransaction, principal: Principal, reason: str) -> list[str]:
    """Marks and notifies each open task of the principal whose last evidence it may read no more; their ids."""
    rows = queries.task_recheck_by_starter(
        tx.conn,
        tenant_id=tx.tenant_id,
        subject=principal.subject,
        groups=list(principal.groups),
        active=principal.active,
        reason=reason,
    )
    return [row["task_id"] async for row in rows]
