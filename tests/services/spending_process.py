"""A process that tries to make calls on a tenant's budget, run as `python -m tests.services.spending_process`.

Arguments: database URL, tenant, number of calls at once, estimate, seconds a call takes. Prints how many ran; with a
call longer than the test it is there to be killed and says `booked` as soon as a call may run.
"""

import asyncio
import sys

from models.errors import BudgetExhausted
from models.ids import TenantId
from services.budgets import booked
from store.pool import Store


async def main(database_url: str, tenant: str, calls: int, estimate: int, seconds: float) -> None:
    """Spends what it may."""
    store = await Store.open(database_url, size=5)

    async def call() -> bool:
        try:
            async with booked(store, TenantId(tenant), purpose="analysis", estimate=estimate) as booking:
                sys.stdout.write("booked\n")
                sys.stdout.flush()
                await asyncio.sleep(seconds)
                booking.used = estimate
        except BudgetExhausted:
            return False
        return True

    ran = await asyncio.gather(*(call() for _ in range(calls)))
    sys.stdout.write(f"{sum(ran)}\n")
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])))
