"""People and services of a tenant: who acts is read at the moment of the act, and operators alone change it."""

from collections.abc import Sequence
from typing import get_args

from models.errors import Conflict, InvalidInput, NotFound, Refused
from models.ids import TenantId, parse_name, parse_subject, parse_tenant_id
from models.principals import Principal, Role, require_role
from services.audit import audit_append, audit_object, audited_refusals
from store.audit import AuditValue
from store.pool import Store, TenantTransaction
from store.principal import (
    operator_count,
    principal_fetch,
    principal_insert,
    principal_update,
    tasks_recheck_of_starter,
)
from store.tenant import tenant_lock

_MAX_GROUPS = 100


async def resolve_principal(source: Store | TenantTransaction, tenant_id: TenantId, subject: str) -> Principal:
    """Who `subject` is now, with the roles and groups of this moment.

    In the caller's transaction, or in one of its own, which also audits a refusal. Raises NotFound alike for an
    unknown tenant and an unknown subject, Refused for one that is not active.
    """
    if isinstance(source, TenantTransaction):
        return await _resolved(source, tenant_id, subject)
    about = audit_object("principal", subject)
    async with (
        audited_refusals(source, parse_tenant_id(tenant_id), subject, "act", about),
        source.tenant_transaction(tenant_id) as tx,
    ):
        return await _resolved(tx, tenant_id, subject)


async def principal_add(
    store: Store, actor: Principal, subject: str, *, roles: Sequence[str], groups: Sequence[str]
) -> Principal:
    """Adds a principal; operators only, audited. The same again changes nothing.

    Raises Conflict when the subject has other rights already: change them with `principal_set`.
    """
    async with audited_refusals(
        store, actor.tenant_id, actor.subject, "principal_add", audit_object("principal", subject)
    ):
        new = Principal(
            tenant_id=actor.tenant_id,
            subject=parse_subject(subject),
            roles=parse_roles(roles),
            groups=parse_groups(groups),
            active=True,
        )
        async with store.tenant_transaction(actor.tenant_id) as tx:
            await _require_operator(tx, actor)
            return await insert_principal(tx, actor.subject, new)


async def principal_set(
    store: Store,
    actor: Principal,
    subject: str,
    *,
    roles: Sequence[str] | None = None,
    groups: Sequence[str] | None = None,
    active: bool | None = None,
) -> Principal:
    """Changes what is given and keeps the rest; operators only, audited, in force from the next act on.

    Open tasks that the principal started on evidence it may read no more are told to look again.
    Raises NotFound for an unknown subject, Refused when no active operator would be left.
    """
    async with audited_refusals(
        store, actor.tenant_id, actor.subject, "principal_set", audit_object("principal", subject)
    ):
        checked = parse_subject(subject)
        new_roles = None if roles is None else parse_roles(roles)
        new_groups = None if groups is None else parse_groups(groups)
        async with store.tenant_transaction(actor.tenant_id) as tx:
            await _require_operator(tx, actor)
            held = await principal_fetch(tx, checked)
            if held is None:
                raise _unknown(subject)
            changed = Principal(
                tenant_id=held.tenant_id,
                subject=held.subject,
                roles=held.roles if new_roles is None else new_roles,
                groups=held.groups if new_groups is None else new_groups,
                active=held.active if active is None else active,
            )
            return await _save(tx, actor.subject, held, changed)


async def insert_principal(tx: TenantTransaction, actor: str, new: Principal) -> Principal:
    """Stores and audits a new principal in the caller's transaction; whether the actor may is the caller's question."""
    revision = await principal_insert(tx, new.subject, new.roles, new.groups)
    if revision is None:
        held = await principal_fetch(tx, new.subject)
        if held != new:
            raise Conflict(f"{new.subject!r} exists with other rights: use `principal set` to change them")
        return new
    await _audit(tx, actor, "principal_added", new, revision)
    return new


def parse_roles(raw: Sequence[str]) -> tuple[Role, ...]:
    """The roles, each once, in a fixed order; InvalidInput for a name that is none."""
    known: tuple[Role, ...] = get_args(Role)
    unknown = sorted(set(raw) - set(known))
    if unknown:
        raise InvalidInput(f"{unknown[0][:80]!r} is no role: use {', '.join(known)}")
    return tuple(role for role in known if role in raw)


def parse_groups(raw: Sequence[str]) -> tuple[str, ...]:
    """The groups, each once, sorted; InvalidInput for a name out of form or more than 100."""
    if len(raw) > _MAX_GROUPS:
        raise InvalidInput(f"a principal is in at most {_MAX_GROUPS} groups")
    return tuple(sorted({parse_name(group, "group") for group in raw}))


async def _resolved(tx: TenantTransaction, tenant_id: TenantId, subject: str) -> Principal:
    if tx.tenant_id != tenant_id:
        raise _unknown(subject)
    principal = await principal_fetch(tx, parse_subject(subject))
    if principal is None:
        raise _unknown(subject)
    if not principal.active:
        raise Refused(f"{subject!r} is not active: ask an operator to activate the account")
    return principal


async def _require_operator(tx: TenantTransaction, actor: Principal) -> None:
    """The lock comes before the reading: of two operators who remove each other, the second sees what is left."""
    await tenant_lock(tx)
    require_role(await resolve_principal(tx, actor.tenant_id, actor.subject), "operator")


async def _save(tx: TenantTransaction, actor: str, held: Principal, changed: Principal) -> Principal:
    if changed == held:
        return held
    revision = await principal_update(tx, changed)
    if revision is None:
        raise _unknown(changed.subject)
    if await operator_count(tx) == 0:
        raise Refused(f"{changed.subject!r} is the last active operator: make another principal operator first")
    tasks = await tasks_recheck_of_starter(tx, changed, f"rights of {changed.subject} changed (revision {revision})")
    await _audit(tx, actor, "principal_set", changed, revision, tasks=tasks)
    return changed


async def _audit(
    tx: TenantTransaction, actor: str, event: str, principal: Principal, revision: int, tasks: Sequence[str] = ()
) -> None:
    detail: dict[str, AuditValue] = {
        "roles": list(principal.roles),
        "groups": list(principal.groups),
        "active": principal.active,
        "revision": revision,
        "tasks": list(tasks),
    }
    await audit_append(tx, actor, event, audit_object("principal", principal.subject), detail)


def _unknown(subject: str) -> NotFound:
    return NotFound(f"there is no principal {subject[:80]!r} here: check the tenant and the subject")
