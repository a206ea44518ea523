"""The reconciler: every open task of Postgres gets a run, and a run that was ended from outside ends its task.

A bug in workflow code or in a handler fails the run's turn for ever, and the run itself cannot say so. So the turns of
runs that should have moved are looked at, and some of the others in turn: such a task is parked as `blocked`
(worker_fault) with an alarm, its run is ended, and the next one goes on from Postgres when the block ends.

Why it is so: if Temporal's whole store is lost, no run is known and every open task is started anew under the next
epoch. Only a run that is known to have been terminated, or to have failed for good, makes a task `failed`; one that was
cancelled before it could do anything, `cancelled`. Each task is mended by itself: one whose row cannot be read costs
the others nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import structlog

from models.ids import TenantId
from models.transitions import OPEN
from services.task_reconciling import FAULT_PAUSE, WORKER_FAULT, end_task, park_task, restart_run, unattended_tasks
from store.pool import Store
from store.reconciling import UnattendedTask
from workflows.client import QuoteTaskClient
from workflows.policies import quote_workflow_id

PERIOD_SECONDS = 10.0
# A task that moved lately has a run; one just started may not be listed yet.
QUIET_SECONDS = 10.0
# Of the runs that nothing is asked of, so many are looked at each time: bounded work, and all of a small desk's.
IDLE_LOOKS = 50

_log = structlog.get_logger("reconciler")


class Reconciler:
    """Compares the open tasks of Postgres with the open runs of Temporal."""

    def __init__(
        self,
        store: Store,
        runs: QuoteTaskClient,
        *,
        quiet_seconds: float = QUIET_SECONDS,
        fault_pause: timedelta = FAULT_PAUSE,
    ) -> None:
        self._store = store
        self._runs = runs
        self._quiet_seconds = quiet_seconds
        self._fault_pause = fault_pause
        self._looked_at = 0

    async def run(self, *, period_seconds: float = PERIOD_SECONDS) -> None:
        """Reconciles at once and then periodically, until cancelled; an error of any kind only delays it."""
        while True:
            try:
                mended = await self.reconcile()
                if mended:
                    _log.info("reconciled", tasks=mended)
            except Exception as error:  # noqa: BLE001 -- without it lost runs would stay lost, and nothing would show it
                _log.warning("reconciler_waits", error=type(error).__name__)
            await asyncio.sleep(period_seconds)

    async def reconcile(self) -> int:
        """Mends every quiet open task that has no run of its epoch, or whose run gets nowhere; how many it mended."""
        unattended = await unattended_tasks(self._store, quiet_seconds=self._quiet_seconds)
        if not any(unattended.values()):
            return 0
        running = {workflow_id: epoch async for workflow_id, epoch in self._runs.open_runs()}
        listed = [(tenant_id, task) for tenant_id, tasks in unattended.items() for task in tasks]
        attended = {one: running.get(quote_workflow_id(one[0], one[1].task_id)) == one[1].run_epoch for one in listed}
        mended = 0
        for tenant_id, task in (one for one in listed if not attended[one]):
            mended += await self._alone(self._mend, tenant_id, task)
        troubled = await self._runs.troubled_runs()
        for tenant_id, task in self._watched([one for one in listed if attended[one]], troubled):
            mended += await self._alone(self._park, tenant_id, task)
        return mended

    def _watched(
        self, running: Sequence[tuple[TenantId, UnattendedTask]], troubled: frozenset[str]
    ) -> Sequence[tuple[TenantId, UnattendedTask]]:
        """The tasks whose runs should have moved or are reported as failing, and the next few of the others."""
        urgent = [one for one in running if one[1].is_due or quote_workflow_id(one[0], one[1].task_id) in troubled]
        idle = [one for one in running if one not in urgent]
        begin = self._looked_at if self._looked_at < len(idle) else 0
        self._looked_at = begin + IDLE_LOOKS
        return urgent + idle[begin : self._looked_at]

    async def _alone(
        self, mend: Callable[[TenantId, UnattendedTask], Awaitable[bool]], tenant_id: TenantId, task: UnattendedTask
    ) -> bool:
        try:
            return await mend(tenant_id, task)
        except Exception as error:  # noqa: BLE001 -- a task that cannot be mended must not keep the next ones waiting
            _log.error("task_not_mended", tenant_id=tenant_id, task_id=task.task_id, error=type(error).__name__)
            return False

    async def _park(self, tenant_id: TenantId, task: UnattendedTask) -> bool:
        fault = await self._runs.fault_fetch(tenant_id, task.task_id)
        if fault is None or fault.run_epoch != task.run_epoch:
            return False
        attempts, pause = fault.attempts, self._fault_pause
        if not await park_task(
            self._store, tenant_id, task.task_id, task.run_epoch, cause=fault.cause, attempts=attempts, pause=pause
        ):
            return False
        _log.error("worker_fault", tenant_id=tenant_id, task_id=task.task_id, cause=fault.cause, attempts=attempts)
        self._runs.count_fault()
        await self._runs.terminate(tenant_id, task.task_id, fault.run_id, WORKER_FAULT)
        return True

    async def _end_stuck(self, tenant_id: TenantId, task: UnattendedTask) -> None:
        """An older run that gets nowhere cannot find out that it is not current: it would hold the id for ever."""
        fault = await self._runs.fault_fetch(tenant_id, task.task_id)
        if fault is not None and fault.run_epoch != task.run_epoch:
            await self._runs.terminate(tenant_id, task.task_id, fault.run_id, WORKER_FAULT)

    async def _mend(self, tenant_id: TenantId, task: UnattendedTask) -> bool:
        seen = await self._runs.run_fetch(tenant_id, task.task_id)
        if seen is not None and seen.run_epoch == task.run_epoch:
            if seen.is_open:
                return False  # the list lagged behind
            if seen.ended_from_outside is not None and task.status in OPEN:
                return await end_task(self._store, tenant_id, task.task_id, task.run_epoch, seen.ended_from_outside)
        if seen is not None and seen.is_open:
            await self._end_stuck(tenant_id, task)
        reason = "run_unknown" if seen is None else "run_not_current"
        return await restart_run(self._store, tenant_id, task.task_id, task.run_epoch, reason)
