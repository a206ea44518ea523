"""Setting a tenant up. Bootstrap: the first operator comes with the tenant, and every later act has an actor.

Whoever holds the address of the database may add tenants; the audit names them `deployment`. From then on only the
tenant's own operators change its people, so the same command cannot give anybody a way into a tenant that exists.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from models.contract import Contract
from models.errors import Conflict, InvalidInput, NotFound, Refused
from models.ids import TenantId, parse_subject, parse_tenant_id
from models.principals import Principal
from models.tenants import Tenant
from services.audit import DEPLOYMENT, audit_append, audited_refusals
from services.principals import insert_principal
from store.pool import Store, TenantTransaction, Transaction
from store.principal import principal_count, principal_fetch
from store.tenant import tenant_fetch, tenant_insert, tenant_lock, tenant_midnight_fetch, time_zone_check


class AddedTenant(Contract):
    """A tenant after `tenant_add`; `created` is False when it was there with the same values."""

    tenant: Tenant
    created: bool


async def tenant_zone(tx: TenantTransaction) -> ZoneInfo:
    """The zone in which the days of the transaction's tenant begin and end."""
    tenant = await tenant_fetch(tx, tx.tenant_id)
    try:
        return ZoneInfo("UTC" if tenant is None else tenant.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")  # a name that the database knows and this machine does not


async def tenant_add(store: Store, tenant_id: str, time_zone: str = "UTC", *, operator: str | None) -> AddedTenant:
    """Adds a tenant and its first operator in one transaction; the same values again change nothing.

    Without an operator only a tenant without people is made, for programs that add them later in the same way.
    Raises InvalidInput for a bad id or time zone, Conflict for another time zone than the tenant has, Refused when
    the tenant has people already and `operator` is not one of its operators.
    """
    checked = parse_tenant_id(tenant_id)
    async with audited_refusals(store, checked, DEPLOYMENT, "tenant_add", "tenant"):
        first = None if operator is None else _operator(checked, operator)
        async with store.tenant_transaction(checked) as tx:
            if not await time_zone_check(tx, time_zone):
                raise InvalidInput(f"{time_zone[:80]!r} is no time zone: use a name such as Asia/Taipei or UTC")
            created = await tenant_insert(tx, time_zone)
            await tenant_lock(tx)
            tenant = await tenant_read(tx, checked)
            if tenant.time_zone != time_zone:
                held = tenant.time_zone
                raise Conflict(f"tenant {checked!r} exists with the time zone {held}: give that one, or another id")
            if created:
                await audit_append(tx, DEPLOYMENT, "tenant_added", "tenant", {"time_zone": time_zone})
            if first is not None:
                await _ensure_operator(tx, first)
        return AddedTenant(tenant=tenant, created=created)


async def tenant_read(tx: Transaction, tenant_id: TenantId) -> Tenant:
    """The tenant; NotFound when there is none."""
    tenant = await tenant_fetch(tx, tenant_id)
    if tenant is None:
        raise NotFound(f"there is no tenant {tenant_id!r}")
    return tenant


async def tenant_midnight(store: Store, tenant_id: TenantId, day: date) -> datetime:
    """The moment, in UTC, at which `day` begins where the tenant lives; NotFound for an unknown tenant."""
    async with store.directory_transaction() as directory:
        moment = await tenant_midnight_fetch(directory, tenant_id, day)
    if moment is None:
        raise NotFound(f"there is no tenant {tenant_id!r}")
    return moment


def _operator(tenant_id: TenantId, subject: str) -> Principal:
    return Principal(tenant_id=tenant_id, subject=parse_subject(subject), roles=("operator",), groups=(), active=True)


async def _ensure_operator(tx: TenantTransaction, first: Principal) -> None:
    held = await principal_fetch(tx, first.subject)
    if held is not None and held.active and "operator" in held.roles:
        return
    if await principal_count(tx) > 0:
        raise Refused(f"tenant {tx.tenant_id!r} has people already: one of its operators adds {first.subject!r}")
    await insert_principal(tx, DEPLOYMENT, first)
