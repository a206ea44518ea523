"""`proofdesk up` in a data folder: it serves the commands, stops as a whole, and goes on with what waited."""

import json
import os
import signal
import subprocess
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.embedded import running_stack
from models.ids import TenantId
from models.tasks import TaskState
from services.principals import principal_add, resolve_principal
from services.task_waiting import task_rested
from services.tenants import tenant_add
from store.pool import Store
from tests.journeys.processes import PROOFDESK, environment, left_behind, running


class Shell:
    """A terminal in an empty folder, where `proofdesk` is typed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = uuid.uuid4().hex
        self.log = folder / "up.log"
        self.env: Mapping[str, str] = environment(UP_OF_TEST=self.mark, PROOFDESK_TENANT="A")

    def up(self) -> AbstractContextManager["subprocess.Popen[str]"]:
        return running("up", folder=self.folder, env=self.env, until="Temporal 127.0.0.1:", log=self.log)

    def done(self, *words: str) -> dict[str, Any]:
        """The JSON of a command that must succeed."""
        ran = self._run(*words)
        assert ran.returncode == 0, ran.stderr.decode()
        return json.loads(ran.stdout)

    def refused(self, *words: str) -> dict[str, Any]:
        """The error of a command that must be refused."""
        ran = self._run(*words)
        assert (ran.returncode, ran.stdout) == (1, b"")
        return json.loads(ran.stderr)["error"]

    def _run(self, *words: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [PROOFDESK, *words, "--json"], cwd=self.folder, env=dict(self.env), capture_output=True, check=False
        )

    @asynccontextmanager
    async def store(self) -> AsyncGenerator[Store]:
        """The database of the stack that runs here."""
        stack = running_stack(self.folder / ".proofdesk")
        assert stack is not None
        store = await Store.open(stack.database_url_app, size=1)
        try:
            yield store
        finally:
            await store.close()

    async def prepare(self) -> None:
        """Tenant A with a requester."""
        async with self.store() as store:
            await tenant_add(store, "A", operator="op")
            operator = await resolve_principal(store, TenantId("A"), "op")
            await principal_add(store, operator, "ana", roles=["requester"], groups=["sales"])

    async def rested(self, *, after_revision: int = 0) -> TaskState:
        """Task Q1 once nothing moves."""
        async with self.store() as store:
            reader = await resolve_principal(store, TenantId("A"), "ana")
            return (await task_rested(store, reader, "Q1", after_revision=after_revision)).state


@pytest.fixture
def shell(data_folder: Path) -> Shell:
    return Shell(data_folder)


@pytest.mark.timeout(300)  # three starts of everything
async def test_a_task_outlives_a_killed_worker_a_stop_and_a_killed_stack(shell: Shell) -> None:
    with shell.up() as first:
        await shell.prepare()
        (worker,) = [pid for pid in _workers(shell.mark) if _parent(_parent(pid)) == first.pid]
        os.kill(worker, signal.SIGKILL)
        shell.done("task", "start", "Q1", "--as", "ana", "--text", "We ask for 40 pcs of SUS316.")
        waiting = await shell.rested()  # by the worker that `up` started instead
        assert (waiting.status, waiting.pending) == ("waiting_input", ("special_inspection",))
        assert "starting another" in shell.log.read_text()
        first.send_signal(signal.SIGINT)
        assert first.wait(timeout=30) == 0
    assert left_behind(shell.mark) == []
    assert shell.log.read_text().rstrip().endswith("stopped")

    with shell.up() as second:
        assert await shell.rested() == waiting
        shell.done("task", "supplement", "Q1", "--as", "ana", "--text", "No special inspection is needed.")
        after = await shell.rested(after_revision=waiting.revision)
        assert after.block is not None
        assert after.block.reason == "insufficient_evidence"  # as far as it can go: there is no document
        assert after.confirmed.items() >= waiting.confirmed.items()
        told = shell.refused("up")
        assert told["code"] == "stack_busy"
        assert str(second.pid) in told["message"]
        second.kill()
        second.wait(timeout=10)
    assert left_behind(shell.mark, seconds=25.0) == []


def _workers(mark: str) -> list[int]:
    """The pids of the worker processes (not of their keepers) that carry `mark`."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                marked = mark.encode() in (entry / "environ").read_bytes()
            except OSError:
                continue
            if marked and words[1:3] == [b"-m", b"worker"]:
                found.append(int(entry.name))
    return found


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
