"""The relay: tells Temporal what Postgres has recorded, at least once and within ten seconds.

Why it is so: the record is committed first, so nothing is lost while Temporal is away; the outbox id is Temporal's
request id, so that told twice is told once. A task without an open run needs no signal: its next run reads Postgres.
"""

import asyncio
from collections.abc import Mapping

import structlog
from temporalio.service import RPCError

from models.errors import ProofdeskError
from models.ids import TenantId
from models.steps import SignalName
from services.outbox import outbox_delivered, outbox_failed, outbox_read, outbox_take
from store.outbox import OutboxKind, OutboxNotice, OutboxRow
from store.pool import Store
from workflows.client import QuoteTaskClient

# A look that finds nothing costs half a millisecond; a decision waits for half of this on average.
IDLE_SECONDS = 0.025
AWAY_SECONDS = 1.0
AT_ONCE = 20
OLDER_RUN_OPEN = "older_run_open"

_SIGNALS: Mapping[OutboxKind, SignalName] = {
    "supplement": "supplement_recorded",
    "decision": "decision_recorded",
    "takeover": "takeover_recorded",
    "recheck": "evidence_changed",
}
_log = structlog.get_logger("relay")


class Relay:
    """Delivers the notices of all tenants; several relays share the work. `wake` ends the pause between two looks."""

    def __init__(self, store: Store, runs: QuoteTaskClient, wake: asyncio.Event | None = None) -> None:
        self._store = store
        self._runs = runs
        self._wake = wake or asyncio.Event()

    async def run(self) -> None:
        """Delivers until cancelled; a server that is away, or an error of any kind, delays and loses nothing."""
        while True:
            try:
                taken = await self.deliver_due()
            except Exception as error:  # noqa: BLE001 -- a relay that ends leaves a worker that looks well and tells nothing
                _log.warning("relay_waits", error=_code(error))
                await asyncio.sleep(AWAY_SECONDS)
                continue
            if taken == 0:
                await self._idle()

    async def deliver_due(self) -> int:
        """Delivers what is due now; how many notices it took up."""
        notices = await outbox_take(self._store, limit=AT_ONCE)
        results = await asyncio.gather(*(self._deliver(notice) for notice in notices), return_exceptions=True)
        failures = [result for result in results if isinstance(result, BaseException)]
        if failures:  # what was not marked is due again when its lease ends
            raise failures[0]
        return len(notices)

    async def _deliver(self, notice: OutboxNotice) -> None:
        row = await outbox_read(self._store, notice)
        if row is None:
            return
        try:
            fault = None if await self._tell(notice.tenant_id, row) else OLDER_RUN_OPEN
        except (ProofdeskError, RPCError) as error:
            fault = _code(error)
        if fault is None:
            await outbox_delivered(self._store, notice.tenant_id, row.outbox_id)
            return
        _log.info("delivery_delayed", tenant_id=notice.tenant_id, outbox_id=row.outbox_id, code=fault)
        await outbox_failed(self._store, notice.tenant_id, row.outbox_id, fault)

    async def _tell(self, tenant_id: TenantId, row: OutboxRow) -> bool:
        """Whether it is told; a start waits until an older run has closed."""
        task_id, request_id = row.task_id, row.outbox_id
        if row.kind == "start":
            if await self._runs.start(tenant_id, task_id, row.run_epoch, request_id=request_id):
                return True
            # Woken, the older run finds that it is not current, and ends.
            reference = f"run/{row.run_epoch}"
            await self._runs.signal(tenant_id, task_id, "evidence_changed", reference, request_id=request_id)
            return False
        if row.kind == "cancel":
            await self._runs.cancel(tenant_id, task_id, "requested", request_id=request_id)
        else:
            await self._runs.signal(tenant_id, task_id, _SIGNALS[row.kind], row.reference, request_id=request_id)
        return True

    async def _idle(self) -> None:
        try:
            async with asyncio.timeout(IDLE_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()


def _code(error: BaseException) -> str:
    if isinstance(error, ProofdeskError):
        return error.code
    if isinstance(error, RPCError):
        return f"temporal_{error.status.name.lower()}"
    return type(error).__name__
