"""A tenant's token budget: reserved in one conditional statement, settled once."""

from datetime import datetime
from uuid import UUID

from models.budgets import BudgetDay, PurposeUse
from models.ids import Subject
from store.named_queries import queries
from store.pool import TenantTransaction


async def budget_reserve(tx: TenantTransaction, *, purpose: str, estimate: int) -> UUID | None:
    """Reserves `estimate` tokens of the tenant's present day; None, with nothing changed, when they are not left.

    Also None for a tenant that nobody knows.
    """
    booking_id: UUID | None = await queries.budget_reserve(
        tx.conn, tenant_id=tx.tenant_id, purpose=purpose, estimate=estimate
    )
    return booking_id


async def budget_refuse(tx: TenantTransaction) -> tuple[int | None, datetime] | None:
    """Counts a refusal; the budget and when the day turns, in UTC. None for a tenant that nobody knows."""
    row = await queries.budget_refuse(tx.conn, tenant_id=tx.tenant_id)
    return None if row is None else (row["daily_tokens"], row["next_day"])


async def budget_settle(tx: TenantTransaction, booking_id: UUID, used: int | None) -> bool:
    """Whether the booking was open: it took `used` tokens, or its estimate when None."""
    row = await queries.budget_settle(tx.conn, tenant_id=tx.tenant_id, booking_id=booking_id, used=used)
    return row is not None


async def budget_set(tx: TenantTransaction, daily_tokens: int | None, set_by: Subject) -> None:
    """Sets what the tenant may spend in a day, from the next reservation on; None limits nothing."""
    await queries.budget_set(tx.conn, tenant_id=tx.tenant_id, daily_tokens=daily_tokens, set_by=set_by)


async def budget_fetch(tx: TenantTransaction) -> BudgetDay | None:
    """The budget on the tenant's present day; None for a tenant that nobody knows."""
    row = await queries.budget_fetch(tx.conn, tenant_id=tx.tenant_id)
    if row is None:
        return None
    uses = [
        PurposeUse.model_validate(dict(use.items()))
        async for use in queries.budget_purpose_list(tx.conn, tenant_id=tx.tenant_id, day=row["day"])
    ]
    return BudgetDay.model_validate({**dict(row.items()), "by_purpose": tuple(uses)})
