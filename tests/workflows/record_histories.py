"""Records the golden histories: `python -m tests.workflows.record_histories`.

A change of the workflow that old runs must survive is made with `workflow.patched`, and the old histories stay.
"""

import asyncio
import re
from pathlib import Path

from deploy.embedded import EmbeddedStack
from models.ids import TenantId
from models.tasks import TaskStatus
from services.task_intake import add_supplement
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, running_desk

HISTORIES = Path(__file__).with_name("histories")
RECORDED: tuple[TaskStatus, ...] = ("waiting_input", "awaiting_approval", "completed", "blocked")
_SCRIPTS = {"waiting_input": Script(needs=2), "blocked": Script(blocks=1), "completed": Script(needs=2)}


async def record(run: RunningDesk, status: TaskStatus, task_id: str) -> str:
    """Brings a new task to `status`; the history of its run as JSON."""
    await run.desk.start(task_id)
    if status == "completed":
        await run.until("waiting_input", task_id)
        await run.until_shown("waiting_input", task_id)
        await run.handle(task_id).signal("approve", {})
        await add_supplement(run.desk.store, run.desk.person("sales"), task_id=task_id, text="We confirm.")
        await run.until_shown("awaiting_approval", task_id)
        await run.decide(task_id=task_id)
        await run.until_closed(task_id)
    await run.until(status, task_id)
    if status != "completed":
        await run.until_shown(status, task_id)
        await asyncio.sleep(0.5)
    recorded = (await run.handle(task_id).fetch_history()).to_json()
    return re.sub(r'"identity": "[^"]*"', '"identity": "worker"', recorded)


async def main() -> None:
    """Writes one file for each recorded status."""
    async with EmbeddedStack(durable=False) as addresses:
        store = await Store.open(addresses.database_url_app, size=4)
        for status in RECORDED:
            tenant = TenantId(f"A-{status.replace('_', '-')}")
            async with store.directory_transaction() as directory:
                await directory.conn.execute("insert into tenants (tenant_id) values ($1)", tenant)
            async with running_desk(store, tenant, addresses.temporal_address, _SCRIPTS.get(status)) as run:
                (HISTORIES / f"{status}.json").write_text(await record(run, status, "Q42") + "\n", encoding="utf-8")
        await store.close()


if __name__ == "__main__":
    HISTORIES.mkdir(exist_ok=True)
    asyncio.run(main())
