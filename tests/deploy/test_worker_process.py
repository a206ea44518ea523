"""Workers as processes: ready means polling, and the block's end is theirs."""

import os
import uuid
from pathlib import Path
from typing import Any

import pytest

from deploy.stack import Servers
from deploy.temporal_server import NAMESPACE, TemporalServer
from deploy.worker_process import bare_worker_running, worker_running
from models.errors import StackFailed
from tests.conftest import Database
from workflows.bare import QUEUE, BareTask
from workflows.client import connect


def _gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_the_bare_worker_runs_the_baseline_and_ends_with_its_block(
    temporal: TemporalServer, tmp_path: Path
) -> None:
    servers = Servers("temporary", "", temporal.address, NAMESPACE)
    async with bare_worker_running(servers, tmp_path / "bare.log") as process:
        client = await connect(temporal.address, NAMESPACE)
        handle: Any = await client.start_workflow(BareTask.run, id=f"bare-{uuid.uuid4().hex}", task_queue=QUEUE)
        await handle.execute_update(BareTask.rested)
        await handle.signal(BareTask.decide)
        assert await handle.result() == 6
    assert _gone(process.pid)


async def test_the_worker_is_ready_and_ends_with_its_block(
    database: Database, temporal: TemporalServer, tmp_path: Path
) -> None:
    servers = Servers("temporary", database.app_url, temporal.address, NAMESPACE)
    environment = {"PROOFDESK_TEST_MODE": "1", "PROOFDESK_EMBEDDER": "hashing"}
    async with worker_running(servers, tmp_path / "worker.log", environment=environment) as process:
        assert process.running
    assert _gone(process.pid)


async def test_a_worker_that_cannot_run_names_its_log(
    database: Database, temporal: TemporalServer, tmp_path: Path
) -> None:
    servers = Servers("temporary", database.admin_url, temporal.address, NAMESPACE)
    with pytest.raises(StackFailed, match="unsafe_role"):
        async with worker_running(servers, tmp_path / "worker.log"):
            raise AssertionError("a superuser's URL must not start a worker")
