"""A tenant's tokens of the day: whoever reserves first calls, nothing that may have been spent is given back.

Capabilities: C-27.
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from models.budgets import BudgetDay
from models.errors import AgentFailed, BudgetExhausted, InvalidInput, NotFound, Refused
from models.ids import TenantId
from services.budgets import booked, budget_read, budget_set
from store.pool import Store
from tests.conftest import Database
from tests.services.people import Company, found_company


@pytest_asyncio.fixture
async def company(store: Store) -> AsyncGenerator[Company]:
    yield await found_company(store)


async def _day(company: Company) -> BudgetDay:
    return await budget_read(company.store, company.op)


async def _call(store: Store, tenant: TenantId, estimate: int = 100, used: int | None = None) -> bool:
    try:
        async with booked(store, tenant, purpose="analysis", estimate=estimate) as booking:
            await asyncio.sleep(0.2)
            booking.used = used
    except BudgetExhausted:
        return False
    return True


async def test_without_a_budget_nothing_is_refused_and_everything_is_counted(company: Company) -> None:
    assert (await _day(company)).daily_tokens is None
    for used in (70, 80):
        async with booked(company.store, company.tenant, purpose="review", estimate=100) as booking:
            booking.used = used
    day = await _day(company)
    assert (day.used, day.reserved, day.calls, day.refused, day.left) == (150, 0, 2, 0, None)
    assert [(one.purpose, one.calls, one.tokens) for one in day.by_purpose] == [("review", 2, 150)]


async def test_of_twenty_calls_at_once_with_budget_for_one_exactly_one_runs(
    company: Company, database: Database
) -> None:
    await budget_set(company.store, company.op, 100)
    other = await Store.open(database.app_url, size=10)
    stores = [company.store, other] * 10
    ran = await asyncio.gather(*(_call(store, company.tenant, used=100) for store in stores))
    await other.close()
    assert sum(ran) == 1
    day = await _day(company)
    assert (day.used, day.reserved, day.calls, day.refused, day.left) == (100, 0, 1, 19, 0)


async def test_two_processes_share_one_budget(company: Company, database: Database) -> None:
    await budget_set(company.store, company.op, 300)
    command = [sys.executable, "-m", "tests.services.spending_process", database.app_url, company.tenant]
    processes = [
        await asyncio.create_subprocess_exec(*command, "10", "100", "0.1", stdout=subprocess.PIPE) for _ in range(2)
    ]
    printed = [(await process.communicate())[0].decode().split()[-1] for process in processes]
    assert sum(map(int, printed)) == 3
    assert (await _day(company)).used == 300


async def test_a_killed_process_gives_nothing_back_and_locks_nothing_but_its_estimate(
    company: Company, database: Database
) -> None:
    await budget_set(company.store, company.op, 250)
    command = [sys.executable, "-m", "tests.services.spending_process", database.app_url, company.tenant]
    process = await asyncio.create_subprocess_exec(*command, "1", "100", "60", stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"booked\n"
    process.kill()
    await process.wait()
    day = await _day(company)
    assert (day.used, day.reserved, day.left) == (0, 100, 150)
    assert await _call(company.store, company.tenant, used=100)
    assert not await _call(company.store, company.tenant)


async def test_each_day_begins_with_nothing_spent(company: Company) -> None:
    await budget_set(company.store, company.op, 100)
    today = (await _day(company)).day
    async with company.store.tenant_transaction(company.tenant) as tx:
        for other in (today - timedelta(days=1), today + timedelta(days=1)):
            await tx.conn.execute(
                "insert into token_days (tenant_id, day, reserved) values ($1, $2, 100)", company.tenant, other
            )
    assert await _call(company.store, company.tenant, used=100)
    assert not await _call(company.store, company.tenant)


async def test_a_refusal_says_when_the_tenants_own_day_turns(company: Company) -> None:
    await budget_set(company.store, company.op, 100)
    assert await _call(company.store, company.tenant, used=90)
    with pytest.raises(BudgetExhausted) as refused:
        async with booked(company.store, company.tenant, purpose="analysis", estimate=11):
            pytest.fail("the call may not run")
    resumes_at = refused.value.resumes_at
    assert resumes_at is not None
    assert timedelta(0) < resumes_at - datetime.now(UTC) <= timedelta(days=1)
    assert resumes_at.astimezone(UTC).strftime("%H:%M") == "16:00"  # midnight in Taipei
    assert resumes_at == (await _day(company)).next_day


async def test_a_call_larger_than_the_day_never_fits_and_no_time_is_promised(company: Company) -> None:
    await budget_set(company.store, company.op, 100)
    with pytest.raises(BudgetExhausted, match="raise the budget") as refused:
        async with booked(company.store, company.tenant, purpose="analysis", estimate=101):
            pytest.fail("the call may not run")
    assert refused.value.resumes_at is None
    assert (await _day(company)).refused == 1


async def test_what_a_call_took_beyond_its_estimate_is_booked_and_stops_the_next(company: Company) -> None:
    await budget_set(company.store, company.op, 100)
    ran = [await _call(company.store, company.tenant, estimate=40, used=90) for _ in range(5)]
    assert ran == [True, False, False, False, False]
    assert (await _day(company)).used == 90


async def test_a_call_that_failed_costs_its_estimate_unless_it_says_otherwise(company: Company) -> None:
    for used in (None, 0, 25):
        with pytest.raises(AgentFailed):
            async with booked(company.store, company.tenant, purpose="analysis", estimate=100) as booking:
                booking.used = used
                raise AgentFailed("it answered nothing of use")
    day = await _day(company)
    assert (day.used, day.reserved) == (125, 0)


async def test_a_cancelled_call_is_settled_at_its_estimate(company: Company) -> None:
    calling = asyncio.create_task(_call(company.store, company.tenant))
    await asyncio.sleep(0.1)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    day = await _day(company)
    assert (day.used, day.reserved) == (100, 0)


async def test_an_answer_is_not_lost_when_the_database_is_away_at_its_end(company: Company, database: Database) -> None:
    leaving = await Store.open(database.app_url, size=2)
    async with booked(leaving, company.tenant, purpose="analysis", estimate=100) as booking:
        booking.used = 10
        await leaving.close()
    day = await _day(company)
    assert (day.used, day.reserved) == (0, 100)


async def test_only_operators_set_it_and_each_change_is_audited(company: Company) -> None:
    with pytest.raises(Refused):
        await budget_set(company.store, company.ana, 10**9)
    with pytest.raises(InvalidInput):
        await budget_set(company.store, company.op, -1)
    with pytest.raises(Refused):
        await budget_read(company.store, company.ana)
    assert (await budget_set(company.store, company.op, 500)).daily_tokens == 500
    assert (await budget_set(company.store, company.op, None)).left is None
    assert await company.events("budget") == ["budget_set_refused", "budget_set_refused", "budget_set", "budget_set"]


async def test_one_tenants_calls_cost_another_nothing(company: Company, store: Store) -> None:
    other = await found_company(store, "U")
    await budget_set(store, company.op, 100)
    await budget_set(store, other.op, 100)
    assert await _call(store, company.tenant, used=100)
    assert await _call(store, other.tenant, used=100)
    assert (await _day(other)).used == 100


async def test_an_unknown_tenant_and_a_senseless_estimate_are_refused(store: Store, company: Company) -> None:
    with pytest.raises(NotFound):
        async with booked(store, TenantId("nobody"), purpose="analysis", estimate=1):
            pytest.fail("the call may not run")
    with pytest.raises(InvalidInput):
        async with booked(store, company.tenant, purpose="analysis", estimate=-1):
            pytest.fail("the call may not run")
