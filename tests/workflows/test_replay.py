"""Golden histories: runs that exist must go on after every change of the workflow, and hold no text of a customer.

Capabilities: C-18, C-19.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.client import WorkflowHistory
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.worker import Replayer

from tests.workflows.forgetful_workflow import ForgetfulQuoteTask, HeedlessQuoteTask
from tests.workflows.record_histories import HISTORIES, RECORDED, SWALLOWED
from workflows.quote_task import QuoteTask
from workflows.workers import workflow_runner

FILES = sorted(HISTORIES.glob("*.json"))
RESTED = [path for path in FILES if path.stem != SWALLOWED]


def history(path: Path) -> WorkflowHistory:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    started = recorded["events"][0]["workflowExecutionStartedEventAttributes"]
    return WorkflowHistory.from_json(started["workflowId"], recorded)


async def replayed(path: Path, kind: type[QuoteTask]) -> Exception | None:
    replayer = Replayer(workflows=[kind], data_converter=pydantic_data_converter, workflow_runner=workflow_runner())
    result = await replayer.replay_workflow(history(path), raise_on_replay_failure=False)
    return result.replay_failure


def test_each_recorded_status_has_its_history() -> None:
    assert {path.stem for path in FILES} >= set(RECORDED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
async def test_a_recorded_run_replays(path: Path) -> None:
    assert await replayed(path, QuoteTask) is None


@pytest.mark.parametrize("path", RESTED, ids=lambda path: path.stem)
async def test_a_changed_order_of_events_is_noticed(path: Path) -> None:
    assert await replayed(path, ForgetfulQuoteTask) is not None


async def test_a_cancel_that_an_older_sdk_swallows_as_a_step_ends_is_honoured() -> None:
    """The history lacks the mark of this SDK's own mending, so its replay swallows the cancel as older ones did."""
    path = HISTORIES / f"{SWALLOWED}.json"
    assert "langUsedFlags" not in path.read_text(encoding="utf-8")
    assert await replayed(path, QuoteTask) is None
    assert await replayed(path, HeedlessQuoteTask) is not None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_history_holds_ids_and_numbers_only(path: Path) -> None:
    payloads = list(_payloads(json.loads(path.read_text(encoding="utf-8"))))
    assert payloads
    for payload in payloads:
        assert len(payload) < 64_000
        for told in (b"brackets", b"We confirm", b'"quote"', b'"text"'):
            assert told not in payload


def _payloads(node: object) -> Iterator[bytes]:
    if isinstance(node, dict):
        held: dict[str, object] = node  # pyright: ignore[reportUnknownVariableType] -- JSON
        data = held.get("data")
        if isinstance(data, str):
            yield base64.b64decode(data)
        for value in held.values():
            yield from _payloads(value)
    elif isinstance(node, list):
        values: list[object] = node  # pyright: ignore[reportUnknownVariableType] -- JSON
        for value in values:
            yield from _payloads(value)
