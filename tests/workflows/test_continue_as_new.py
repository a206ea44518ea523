"""Continue-as-new under a flood of signals: every run stays short, and nothing that was said is lost on the way."""

import asyncio

from temporalio.client import WorkflowExecutionStatus

from models.ids import TenantId
from services.task_intake import add_supplement
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, running_desk
from tests.workflows.short_histories import EVENTS, short_histories
from workflows.policies import INBOX_LIMIT
from workflows.signals import signal_payload

SIGNALS = 300
AT_ONCE = 20


async def runs_of(run: RunningDesk) -> list[int]:
    """The lengths of the runs that were handed over."""
    listed = run.client.list_workflows(f"WorkflowId = '{run.handle().id}'")
    return [
        (await run.client.get_workflow_handle(one.id, run_id=one.run_id).describe()).history_length
        async for one in listed
        if one.status == WorkflowExecutionStatus.CONTINUED_AS_NEW
    ]


async def until_told(run: RunningDesk, references: set[str]) -> None:
    for _ in range(1_500):
        if references <= run.script.told:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{len(references - run.script.told)} signals were lost")


async def test_each_signal_of_a_flood_is_looked_at_over_many_runs(store: Store, tenant: TenantId) -> None:
    with short_histories() as server:
        async with running_desk(store, tenant, server.address) as run:
            await run.desk.start()
            await run.until_shown("awaiting_approval")
            for begin in range(0, SIGNALS, AT_ONCE):
                told = [signal_payload(f"F{begin + number}") for number in range(AT_ONCE)]
                await asyncio.gather(*(run.handle().signal("decision_recorded", one) for one in told))
                await run.handle().signal("approve", {"by": "cfo"})
                # Beyond its bound an inbox keeps that something came, and not what: the flood stays below it.
                await until_told(run, {f"F{number}" for number in range(begin + 2 * AT_ONCE - INBOX_LIMIT)})
            await until_told(run, {f"F{number}" for number in range(SIGNALS)})
            lengths = await runs_of(run)
            assert len(lengths) >= 3, lengths
            assert max(lengths) < EVENTS + 10 * AT_ONCE
            shown = await run.until_shown("awaiting_approval")
            assert shown["unknown_signals"] == SIGNALS // AT_ONCE
            await run.decide()
            await run.until("completed")


async def test_what_people_say_during_the_flood_is_merged_and_decided_on_once(store: Store, tenant: TenantId) -> None:
    with short_histories() as server:
        async with running_desk(store, tenant, server.address, Script(needs=2)) as run:
            await run.desk.start()
            await run.until_shown("waiting_input")
            stopped = asyncio.Event()

            async def flood() -> None:
                number = 0
                while not stopped.is_set():
                    few = (run.handle().signal("decision_recorded", signal_payload(f"{number}-{n}")) for n in range(5))
                    await asyncio.gather(*few)
                    number += 1
                    await asyncio.sleep(0.03)

            flooding = asyncio.create_task(flood())
            for number in range(8):
                text = f"Remark {number} on the brackets."
                await add_supplement(store, run.desk.person("sales"), task_id="Q1", text=text)
                await asyncio.sleep(0.2)
            await asyncio.sleep(1)
            stopped.set()
            await flooding
            for _ in range(1_000):
                row = await run.desk.row()
                waiting = await run.desk.count("messages", "merged_revision is null")
                if row.state.status == "awaiting_approval" and waiting == 0:
                    break
                await asyncio.sleep(0.02)
            assert len(await runs_of(run)) >= 1
            await run.until_shown("awaiting_approval")
            await run.decide()
            await run.until("completed")
            assert await run.desk.count("messages") == 9
            assert await run.desk.count("messages", "merged_revision is null") == 0
            assert await run.desk.count("decisions", "applied_at is not null") == 1
            shown = [entry["status"] for entry in await run.handle().query("timeline")]
            assert shown[0] == "restoring"
            assert shown[-1] == "completed"
