"""The reconciler: every open task of Postgres gets a run, and a run that was ended from outside ends its task.

Why it is so: if Temporal's whole store is lost, no run is known and every open task is started anew under the next
epoch. Only a run that is known to have been terminated, or to have failed for good, makes a task `failed`; one that was
cancelled before it could do anything, `cancelled`. Each task is mended by itself: one whose row cannot be read costs
the others nothing.
"""

import asyncio

import structlog

from models.ids import TenantId
from models.transitions import OPEN
from services.task_reconciling import end_task, restart_run, unattended_tasks
from store.pool import Store
from store.reconciling import UnattendedTask
from workflows.client import QuoteTaskClient
from workflows.policies import quote_workflow_id

PERIOD_SECONDS = 10.0
# A task that moved lately has a run; one just started may not be listed yet.
QUIET_SECONDS = 10.0

_log = structlog.get_logger("reconciler")


class Reconciler:
    """Compares the open tasks of Postgres with the open runs of Temporal."""

    def __init__(self, store: Store, runs: QuoteTaskClient, *, quiet_seconds: float = QUIET_SECONDS) -> None:
        self._store = store
        self._runs = runs
        self._quiet_seconds = quiet_seconds

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
        """Mends every quiet open task that has no run of its epoch; how many it mended."""
        unattended = await unattended_tasks(self._store, quiet_seconds=self._quiet_seconds)
        if not any(unattended.values()):
            return 0
        running = {workflow_id: epoch async for workflow_id, epoch in self._runs.open_runs()}
        mended = 0
        for tenant_id, tasks in unattended.items():
            for task in tasks:
                if running.get(quote_workflow_id(tenant_id, task.task_id)) != task.run_epoch:
                    mended += await self._mend_alone(tenant_id, task)
        return mended

    async def _mend_alone(self, tenant_id: TenantId, task: UnattendedTask) -> bool:
        try:
            return await self._mend(tenant_id, task)
        except Exception as error:  # noqa: BLE001 -- a task that cannot be mended must not keep the next ones waiting
            _log.error("task_not_mended", tenant_id=tenant_id, task_id=task.task_id, error=type(error).__name__)
            return False

    async def _mend(self, tenant_id: TenantId, task: UnattendedTask) -> bool:
        seen = await self._runs.run_fetch(tenant_id, task.task_id)
        if seen is not None and seen.run_epoch == task.run_epoch:
            if seen.is_open:
                return False  # the list lagged behind
            if seen.ended_from_outside is not None and task.status in OPEN:
                return await end_task(self._store, tenant_id, task.task_id, task.run_epoch, seen.ended_from_outside)
        reason = "run_unknown" if seen is None else "run_not_current"
        return await restart_run(self._store, tenant_id, task.task_id, task.run_epoch, reason)
