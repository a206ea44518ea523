"""`proofdesk audit verify` as an auditor sees it, and the worker that will not start on an older backup."""

import asyncio
from pathlib import Path

import pytest

from deploy.stack import Servers
from deploy.temporal_server import TemporalServer
from deploy.worker_process import worker_running
from models.errors import StackFailed
from models.ids import TenantId
from services.audit import audit_append
from services.audit_keys import AuditFolder
from services.audit_sealing import AuditSealer
from store.connection import connected
from store.pool import Store
from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database


@pytest.fixture
def line(database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CommandLine:
    use_database(database, monkeypatch)
    monkeypatch.setenv("PROOFDESK_AUDIT_FOLDER", str(tmp_path / "audit"))
    told = CommandLine("A")
    assert told("tenant", "add", "A", "--operator", "op").status == 0
    told.done("op", "principal", "add", "eva", "--role", "auditor")
    return told


async def sealed(database: Database, folder: Path) -> None:
    store = await Store.open(database.app_url, size=1)
    await AuditSealer(store, AuditFolder(folder)).seal(TenantId("A"))
    await store.close()


async def falsified(database: Database, statement: str) -> None:
    async with connected(database.admin_url) as admin:
        await admin.execute(statement)


def test_an_auditor_learns_whether_the_audit_is_what_was_written(
    line: CommandLine, database: Database, tmp_path: Path
) -> None:
    asyncio.run(sealed(database, tmp_path / "audit"))
    intact = line.done("eva", "audit", "verify")
    assert (intact["intact"], intact["faults"], intact["seals"]) == (True, [], 1)
    asyncio.run(falsified(database, "update audit_log set actor = 'nobody' where event = 'principal_added'"))
    broken = line.by("eva", "audit", "verify", "--json")
    assert broken.status == 1
    assert [one["fault"] for one in broken.json["faults"]] == ["row_changed", "row_changed"]
    told = line.by("eva", "audit", "verify", "--lang", "zh-TW")
    assert told.status == 1
    assert "稽核紀錄遭變更" in told.out


def test_whoever_is_no_auditor_is_refused(line: CommandLine) -> None:
    line.done("op", "principal", "add", "ana", "--role", "requester")
    assert line.refused("ana", "audit", "verify")["code"] == "refused"


async def test_80_a_worker_will_not_start_on_a_database_older_than_its_anchor(
    database: Database, temporal: TemporalServer, tmp_path: Path, tenant: TenantId, store: Store
) -> None:
    servers = Servers("temporary", database.app_url, temporal.address, "default")
    environment = {
        "PROOFDESK_TEST_MODE": "1",
        "PROOFDESK_EMBEDDER": "hashing",
        "PROOFDESK_AUDIT_FOLDER": str(tmp_path / "audit"),
    }
    async with store.tenant_transaction(tenant) as tx:
        await audit_append(tx, "ana", "thing_done", "thing/1", {})
    folder = AuditFolder(tmp_path / "audit")
    async with worker_running(servers, tmp_path / "first.log", environment=environment):
        for _ in range(200):
            if folder.anchor(tenant) is not None:
                break
            await asyncio.sleep(0.1)
    assert folder.anchor(tenant) is not None
    await falsified(database, "delete from audit_seals")
    with pytest.raises(StackFailed):
        async with worker_running(servers, tmp_path / "second.log", environment=environment):
            pass
    assert "audit_broken" in (tmp_path / "second.log").read_text(encoding="utf-8")
