"""Records the golden histories: `python -m tests.workflows.record_histories`.

A change of the workflow that old runs must survive is made with `workflow.patched`; its new path gets a history beside
the old ones, which stay as they are: a file that is there is not recorded again.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from temporalio.client import WorkflowExecutionStatus, WorkflowHandle, WorkflowHistory

from deploy.embedded import EmbeddedStack
from models.ids import TenantId
from services.task_intake import add_supplement
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, cancelled_as_a_step_ends, running_desk
from tests.workflows.short_histories import short_histories
from workflows.signals import signal_payload

HISTORIES = Path(__file__).with_name("histories")
TASK = "Q42"
SWALLOWED = "cancelled_as_a_step_ends"


@dataclass(frozen=True)
class Recording:
    """How a task is brought to where its history is worth keeping; the handle is of the run that is recorded.

    Without a play it is the run that learns of its cancel as a step ends.
    """

    play: Callable[[RunningDesk], Awaitable[WorkflowHandle[object, object]]] | None
    script: Callable[[], Script] = field(default=Script)
    short: bool = False


async def _waiting_input(run: RunningDesk) -> WorkflowHandle[object, object]:
    return await _shown(run, "waiting_input")


async def _awaiting_approval(run: RunningDesk) -> WorkflowHandle[object, object]:
    return await _shown(run, "awaiting_approval")


async def _blocked(run: RunningDesk) -> WorkflowHandle[object, object]:
    return await _shown(run, "blocked")


async def _completed(run: RunningDesk) -> WorkflowHandle[object, object]:
    await _shown(run, "waiting_input")
    await run.handle(TASK).signal("approve", {})
    await add_supplement(run.desk.store, run.desk.person("sales"), task_id=TASK, text="We confirm.")
    await run.until_shown("awaiting_approval", TASK)
    await run.decide(task_id=TASK)
    await run.until_closed(TASK)
    return run.handle(TASK)


async def _reminded(run: RunningDesk) -> WorkflowHandle[object, object]:
    """The draft was shown two days and an hour ago, as soon as the run looks again; then it is decided on."""
    await _shown(run, "awaiting_approval")
    since = datetime.now(UTC) - timedelta(hours=49)
    await run.desk.library.run(
        "update tasks set state = jsonb_set(state, '{awaiting_since}', to_jsonb($1::text))", since.isoformat()
    )
    await run.handle(TASK).signal("decision_recorded", signal_payload("look"))
    deadline = time.monotonic() + 30
    while await run.desk.count("reminders") < 2:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    await run.decide(task_id=TASK)
    await run.until_closed(TASK)
    return run.handle(TASK)


async def _resumed(run: RunningDesk) -> WorkflowHandle[object, object]:
    await run.desk.start(TASK)
    return await _shown(run, "awaiting_approval", is_started=True)


async def _continued(run: RunningDesk) -> WorkflowHandle[object, object]:
    """The run that was handed over under a flood of signals."""
    await _shown(run, "awaiting_approval")
    described = await run.handle(TASK).describe()
    first = run.client.get_workflow_handle(described.id, run_id=described.run_id)
    number = 0
    while (await first.describe()).status == WorkflowExecutionStatus.RUNNING:
        await run.handle(TASK).signal("decision_recorded", signal_payload(f"F{number}"))
        number += 1
        await asyncio.sleep(0.02)
    return first


RECORDED: Mapping[str, Recording] = {
    "waiting_input": Recording(_waiting_input, lambda: Script(needs=2)),
    "awaiting_approval": Recording(_awaiting_approval),
    "completed": Recording(_completed, lambda: Script(needs=2)),
    "blocked": Recording(_blocked, lambda: Script(blocks=1)),
    "reminded": Recording(_reminded),
    "resumed": Recording(_resumed, lambda: Script(exhausted=[datetime.now(UTC) + timedelta(seconds=1)])),
    "continued": Recording(_continued, short=True),
    SWALLOWED: Recording(None),
}


async def _shown(run: RunningDesk, status: str, *, is_started: bool = False) -> WorkflowHandle[object, object]:
    if not is_started:
        await run.desk.start(TASK)
    await run.until_shown(status, TASK)
    await asyncio.sleep(0.5)
    return run.handle(TASK)


async def record(store: Store, name: str, address: str) -> str:
    """The history of one recording as JSON."""
    tenant = TenantId(f"A-{name.replace('_', '-')}")
    async with store.directory_transaction() as directory:
        await directory.conn.execute("insert into tenants (tenant_id) values ($1)", tenant)
    recording = RECORDED[name]
    if recording.play is None:
        with _older_sdk():
            run = await cancelled_as_a_step_ends(store, tenant, address)
        return _plain(await run.handle(TASK).fetch_history())
    async with running_desk(store, tenant, address, recording.script()) as run:
        handle = await recording.play(run)
        return _plain(await handle.fetch_history())


@contextmanager
def _older_sdk() -> Generator[None]:
    """The SDK as it was once: an activity that has ended lets a cancel of the same turn vanish."""
    module: Any = import_module("temporalio.worker._workflow_instance")
    instance = module._WorkflowInstanceImpl  # its behaviour has no switch
    mended = instance._await_temporal_operation

    async def swallowing(self: object, ended: object, apply_cancel: object, **more: object) -> object:
        return await mended(self, ended, apply_cancel, **{**more, "completed_cancellation_flag": None})

    instance._await_temporal_operation = swallowing
    try:
        yield
    finally:
        instance._await_temporal_operation = mended


def _plain(history: WorkflowHistory) -> str:
    return re.sub(r'"identity": "[^"]*"', '"identity": "worker"', history.to_json())


async def main() -> None:
    """Writes one file for each recording that has none yet."""
    missing = [name for name in RECORDED if not (HISTORIES / f"{name}.json").exists()]
    async with EmbeddedStack(durable=False) as addresses:
        store = await Store.open(addresses.database_url_app, size=4)
        with short_histories() as short:
            for name in missing:
                address = short.address if RECORDED[name].short else addresses.temporal_address
                recorded = await record(store, name, address)
                (HISTORIES / f"{name}.json").write_text(recorded + "\n", encoding="utf-8")
        await store.close()


if __name__ == "__main__":
    HISTORIES.mkdir(exist_ok=True)
    asyncio.run(main())
