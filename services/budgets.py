"""The token budget of a tenant's day: reserved before a call of a model, settled after it.

Why it is so: calls run in many processes at once, so one conditional statement of the database decides who may go. What
is reserved counts as spent until it is settled. A process that dies leaves its reservation standing: tokens that may
have been spent are never given back, and nothing is locked for longer than that one day, because every day (of the
tenant's time zone, by the database's clock) begins with nothing reserved and nothing used. The estimate is the bound of
the call: prompt and longest answer. A call that took more is booked in full and the next one finds the day exceeded.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import structlog

from models.budgets import MOST_TOKENS, BudgetDay
from models.errors import BudgetExhausted, InvalidInput, NotFound, StoreBusy, StoreUnavailable
from models.ids import TenantId
from models.principals import Principal, require_role
from services.audit import audit_append, audited_refusals
from services.principals import resolve_principal
from store import budget
from store.pool import Store, TenantTransaction

_SETTLE_TRIES = 3
_log = structlog.get_logger("budgets")


@dataclass(slots=True)
class Booking:
    """A call that may be made now. Set `used` to the tokens it took, in and out together, 0 if it was never made."""

    estimate: int
    used: int | None = None


@asynccontextmanager
async def booked(store: Store, tenant_id: TenantId, *, purpose: str, estimate: int) -> AsyncGenerator[Booking]:
    """Lets one call of a model of at most `estimate` tokens run on the tenant's budget of the day.

    Raises BudgetExhausted before the block when the day's tokens do not suffice. After the block, however it ends
    (an error or a cancel too), `booking.used` is settled; where it was not set, the estimate is. Open it outside of
    any transaction: the call may take minutes.
    """
    if not 0 <= estimate <= MOST_TOKENS:
        raise InvalidInput(f"an estimate of {estimate} tokens is not valid: use 0 to {MOST_TOKENS}")
    async with store.tenant_transaction(tenant_id) as tx:
        booking_id = await budget.budget_reserve(tx, purpose=purpose, estimate=estimate)
        refusal = None if booking_id is not None else await _refusal(tx, estimate)
    if booking_id is None or refusal is not None:
        raise refusal or NotFound(f"there is no tenant {tenant_id!r}")
    booking = Booking(estimate)
    try:
        yield booking
    finally:
        await _undisturbed(store, tenant_id, booking_id, booking)


async def budget_read(store: Store, actor: Principal) -> BudgetDay:
    """The tenant's budget on its present day; operators and auditors only."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        current = await resolve_principal(tx, actor.tenant_id, actor.subject)
        require_role(current, "operator", "auditor")
        return await _read(tx)


async def budget_set(store: Store, actor: Principal, daily_tokens: int | None) -> BudgetDay:
    """Sets what the tenant may spend in a day from now on (None: no limit); operators only, audited.

    What was used today counts against the new budget at once. InvalidInput for a number out of range.
    """
    async with (
        audited_refusals(store, actor.tenant_id, actor.subject, "budget_set", "budget"),
        store.tenant_transaction(actor.tenant_id) as tx,
    ):
        current = await resolve_principal(tx, actor.tenant_id, actor.subject)
        require_role(current, "operator")
        if daily_tokens is not None and not 0 <= daily_tokens <= MOST_TOKENS:
            raise InvalidInput(f"a daily budget of {daily_tokens} tokens is not valid: use 0 to {MOST_TOKENS}")
        await budget.budget_set(tx, daily_tokens, current.subject)
        detail = {"daily_tokens": "unlimited" if daily_tokens is None else daily_tokens}
        await audit_append(tx, current.subject, "budget_set", "budget", detail)
        return await _read(tx)


async def _read(tx: TenantTransaction) -> BudgetDay:
    found = await budget.budget_fetch(tx)
    if found is None:
        raise NotFound(f"there is no tenant {tx.tenant_id!r}")
    return found


async def _refusal(tx: TenantTransaction, estimate: int) -> BudgetExhausted | None:
    """Why the reservation failed; the refusal is counted. None when there is no such tenant."""
    refused = await budget.budget_refuse(tx)
    if refused is None:
        return None
    daily_tokens, next_day = refused
    if daily_tokens is not None and estimate > daily_tokens:
        return BudgetExhausted(
            f"a call of up to {estimate} tokens never fits into {daily_tokens} a day: raise the budget "
            "(`proofdesk budget set`), then take the task over with `retry`",
            None,
        )
    return BudgetExhausted(
        f"the tokens of the day are used up until {next_day:%Y-%m-%d %H:%M} UTC: wait, or raise the budget "
        "(`proofdesk budget set`)",
        next_day,
    )


async def _undisturbed(store: Store, tenant_id: TenantId, booking_id: UUID, booking: Booking) -> None:
    """Settles to the end even if the caller is cancelled meanwhile."""
    settling = asyncio.create_task(_settle(store, tenant_id, booking_id, booking))
    try:
        await asyncio.shield(settling)
    except asyncio.CancelledError:
        await settling
        raise


async def _settle(store: Store, tenant_id: TenantId, booking_id: UUID, booking: Booking) -> None:
    used = None if booking.used is None else min(max(booking.used, 0), MOST_TOKENS)
    for _ in range(_SETTLE_TRIES):
        try:
            async with store.tenant_transaction(tenant_id) as tx:
                await budget.budget_settle(tx, booking_id, used)
        except StoreBusy:
            continue
        except StoreUnavailable:
            break
        else:
            return
    # The answer is there and worth more than the difference: the reservation goes on counting as spent.
    _log.warning("booking_not_settled", tenant_id=tenant_id, booking_id=str(booking_id))
