"""PostgreSQL out of the worker's reach for a while: no attempt is used up, nothing is lost, and it is shown."""

import asyncio
import time
import uuid
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from activities.quote_task import QuoteTaskActivities
from deploy.temporal_server import TemporalServer
from models.ids import TaskId, TenantId
from models.steps import RunInput
from models.tasks import Step
from services.task_intake import add_supplement
from store.pool import Store
from tests.conftest import Database
from tests.workflows.running import Script, running_desk
from workflows.policies import HISTORY_EVENTS, INBOX_LIMIT
from workflows.quote_task import NOT_CURRENT
from workflows.signals import signal_payload
from workflows.workers import workflow_worker


class Cable:
    """A connection to PostgreSQL that can be pulled out and put back."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 5432)
        self._url = url
        self._port = 0
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """The database's URL through this cable."""
        return self._url.replace(f":{self._target[1]}/", f":{self._port}/")

    async def plug_in(self) -> None:
        """Connections are taken and passed on."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def pull_out(self) -> None:
        """Every connection breaks and no new one is taken."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._open):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(*self._target)
        self._open |= {writer, there_writer}
        with suppress(OSError):
            await asyncio.gather(_copy(reader, there_writer), _copy(there_reader, writer))
        self._open -= {writer, there_writer}


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
    target.close()


async def test_a_store_that_goes_away_during_a_step_uses_no_attempt_up(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    cable, step = Cable(database.app_url), asyncio.Event()
    await cable.plug_in()
    far = await Store.open(cable.url, size=4)
    held: Step = "analyzing"
    script = Script(holds={held: step})
    async with running_desk(store, tenant, temporal.address, script, worker_store=far) as run:
        await run.desk.start()
        await run.until_called(held)
        await cable.pull_out()
        step.set()
        shown = await run.until_shown("retrying")
        assert shown["error_code"] == "store_unavailable"
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Anodised, please.")
        await asyncio.sleep(1.5)
        await cable.plug_in()
        await run.until("awaiting_approval", patience=60)
        assert await run.desk.count("dead_letters") == 0
        assert await run.desk.count("task_events", "status = 'retrying'") == 0
        assert await run.desk.count("messages", "merged_revision is null") == 0
        await run.decide()
        await run.until("completed")
    await far.close()
    await cable.pull_out()


async def test_what_was_signalled_while_the_store_was_away_is_looked_at_afterwards(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    cable = Cable(database.app_url)
    await cable.plug_in()
    far = await Store.open(cable.url, size=4)
    async with running_desk(store, tenant, temporal.address, worker_store=far) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        await cable.pull_out()
        await run.handle().signal("decision_recorded", signal_payload("forged"))
        await run.until_shown("retrying")
        await cable.plug_in()
        await run.until_shown("awaiting_approval")
        (row,) = await run.desk.audited("unverified_signal")
        assert row["count"] == 1
    await far.close()
    await cable.pull_out()


async def test_a_flood_of_signals_while_the_store_is_away_outgrows_no_history_and_is_not_forgotten(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    cable = Cable(database.app_url)
    await cable.plug_in()
    far = await Store.open(cable.url, size=4)
    async with running_desk(store, tenant, temporal.address, worker_store=far) as run:
        await run.desk.start()
        await run.until("awaiting_approval")
        await run.until_shown("awaiting_approval")
        await cable.pull_out()
        first = (await run.handle().describe()).run_id
        for start in range(0, HISTORY_EVENTS, 50):
            told = (run.handle().signal("decision_recorded", signal_payload(f"F{start + one}")) for one in range(50))
            await asyncio.gather(*told)
        deadline = time.monotonic() + 30
        while (described := await run.handle().describe()).run_id == first:
            assert time.monotonic() < deadline, f"still the first run, {described.history_length} events"
            await asyncio.sleep(0.1)
        await cable.plug_in()
        await run.until_shown("awaiting_approval")
        audited = await run.desk.audited("unverified_signal")
        assert sum(row["count"] for row in audited) >= INBOX_LIMIT
        await run.decide()
        await run.until("completed")
    await far.close()
    await cable.pull_out()


async def test_a_run_under_a_foreign_id_that_was_never_let_in_cancels_nothing(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer
) -> None:
    cable, queue = Cable(database.app_url), f"foreign-{uuid.uuid4().hex}"
    await cable.plug_in()
    far = await Store.open(cable.url, size=2)
    async with running_desk(store, tenant, temporal.address) as run:
        await run.desk.start()
        await run.until_shown("awaiting_approval")
        before = await run.desk.row()
        activities = QuoteTaskActivities(replace(run.desk.services, store=far))
        given = RunInput(tenant_id=tenant, task_id=TaskId("Q1"), run_epoch=1)
        async with workflow_worker(run.client, activities, queue):
            await cable.pull_out()
            foreign = await run.client.start_workflow("QuoteTask", given, id=f"other/{queue}", task_queue=queue)
            deadline = time.monotonic() + 30
            while (shown := await foreign.query("status"))["status"] != "retrying":
                assert time.monotonic() < deadline, shown
                await asyncio.sleep(0.05)
            await foreign.cancel()
            await cable.plug_in()
            assert await foreign.result() == NOT_CURRENT
        assert await run.desk.row() == before
    await far.close()
    await cable.pull_out()
