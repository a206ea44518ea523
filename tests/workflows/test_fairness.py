"""A flood of one tenant does not stand before another tenant's task: each has its turn.

Capabilities: C-27.
"""

import asyncio
from dataclasses import replace

from deploy.temporal_server import TemporalServer
from models.ids import TenantId
from store.bench import bench_drafted_count
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.quote_desk import Desk, open_desk
from tests.workflows.running import Script, running_desk

FLOOD = 30


async def _drafted(desk: Desk) -> int:
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        return await bench_drafted_count(tx)


async def test_a_task_beside_a_flood_is_done_long_before_the_flood(
    store: Store, tenant: TenantId, make_tenant: MakeTenant, temporal: TemporalServer
) -> None:
    """The order decides, so a slow machine changes nothing: first come, first served would make it the last."""
    script = Script()
    script.holds["retrieving"] = asyncio.Event()
    async with running_desk(store, tenant, temporal.address, script, running_tasks=2) as noisy:
        for number in range(FLOOD):
            await noisy.desk.start(task_id=f"F{number}")
        for number in range(FLOOD):
            await noisy.until("retrieving", f"F{number}", patience=60)
        quiet = await open_desk(store, await make_tenant("B"))
        await quiet.start(task_id="Q1")
        script.holds["retrieving"].set()
        await replace(noisy, desk=quiet).until("awaiting_approval", "Q1", patience=60)
        before = await _drafted(noisy.desk)
    assert before < FLOOD / 3, f"{before} of {FLOOD} tasks of the flood were done first"
