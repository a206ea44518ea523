"""Hostile case 84: at the level `debug`, too, a log holds nobody's words."""

import subprocess
import sys
from pathlib import Path

from deploy.stack import Servers
from deploy.temporal_server import TemporalServer
from deploy.worker_process import worker_running
from models.ids import TenantId
from services.task_cancel import cancel_task
from services.task_intake import add_supplement, start_task
from services.task_waiting import task_rested
from store.pool import Store
from tests.conftest import Database
from tests.services.quote_desk import open_desk

ROOT = Path(__file__).parents[2]
SECRET = "Zinnober7731"
LIBRARY_FAILS = f"""
import logging
from services.logs import configure_logs
from services.settings import Settings
configure_logs(Settings(log_level="debug"))
log = logging.getLogger("some.library")
log.debug("payload {SECRET}")
log.error("payload %s", "{SECRET}")
try:
    raise ValueError("row {SECRET}")
except ValueError:
    log.exception("while doing {SECRET}", stack_info=True)
"""


def test_of_a_library_only_its_name_and_the_class_of_the_error_are_written() -> None:
    ended = subprocess.run([sys.executable, "-c", LIBRARY_FAILS], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stderr.splitlines() == ["some.library ERROR", "some.library ERROR ValueError"]
    assert ended.stdout == ""


async def test_84_a_whole_quote_at_debug_leaves_none_of_its_words_in_the_log(
    store: Store, tenant: TenantId, database: Database, temporal: TemporalServer, tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    servers = Servers("running", database.app_url, temporal.address, "default")
    environment = {
        "PROOFDESK_LOG_LEVEL": "debug",
        "PROOFDESK_TEST_MODE": "1",
        "PROOFDESK_EMBEDDER": "hashing",
        "PROOFDESK_AUDIT_FOLDER": str(tmp_path / "audit"),
    }
    desk = await open_desk(store, tenant)
    sales = desk.person("sales")
    async with worker_running(servers, log, environment=environment):
        await start_task(store, sales, task_id="Q1", text=f"We ask for 40 {SECRET} brackets.", customer_ref=SECRET)
        shown = await task_rested(store, sales, "Q1")
        assert shown.state.status == "waiting_input"
        await add_supplement(store, sales, task_id="Q1", text=f"It is made of {SECRET}.")
        shown = await task_rested(store, sales, "Q1", after_revision=shown.state.revision)
        await cancel_task(store, sales, task_id="Q1", reason=SECRET)
        shown = await task_rested(store, sales, "Q1", after_revision=shown.state.revision)
        assert shown.state.status == "cancelled"
    written = log.read_text(encoding="utf-8")
    assert '"event": "worker ready"' in written
    assert SECRET.lower() not in written.lower()
