"""RFQs of several lines in five languages, as people may word them, through the real workflow.

Capabilities: C-4, C-89.
"""

import uuid
from pathlib import Path

import pytest

from activities.quote_task import QuoteTaskActivities
from deploy.temporal_server import TemporalServer
from services.clients.embedding import BundledEmbedder
from services.evaluation.task_cases import read_cases
from services.evaluation.tasks import evaluate_tasks
from services.task_services import TaskServices
from store.pool import Store
from worker import quote_desk
from workflows.client import connect

CASES = read_cases(Path(__file__).parent.parent / "golden" / "quote_lines.jsonl")


def test_the_file_tries_every_kind_in_several_languages() -> None:
    assert len(CASES) >= 40
    assert {case.lang for case in CASES} == {"zh-TW", "zh-CN", "en", "ja", "de"}
    assert len({case.note for case in CASES}) >= 15


@pytest.mark.timeout(300)
async def test_every_request_of_several_lines_comes_out_as_it_must(store: Store, temporal: TemporalServer) -> None:
    embedder = BundledEmbedder()
    client = await connect(temporal.address, "default")
    services = TaskServices(store=store, embedder=embedder)
    async with quote_desk(client, QuoteTaskActivities(services), f"lines-{uuid.uuid4().hex}"):
        report = await evaluate_tasks(store, embedder, CASES)
    await embedder.close()
    assert report.failed == ()
    assert report.reasked == 0
    assert report.citation_correct == 1.0
