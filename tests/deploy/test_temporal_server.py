"""The one command line of Temporal, and that the server understands it."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from temporalio.client import Client

from deploy.temporal_server import NAMESPACE, TemporalServer, temporal_binary, temporal_command


def _values(command: list[str], option: str) -> list[str]:
    return [value for name, value in pairwise(command) if name == option]


def test_the_line_is_the_tuned_one(tmp_path: Path) -> None:
    command = temporal_command(port=7000, database_file=tmp_path / "t.db")
    dynamic = dict(value.split("=") for value in _values(command, "--dynamic-config-value"))
    for queue in ("transfer", "timer", "visibility"):
        assert dynamic[f"history.{queue}ProcessorMaxPollRPS"] == "2000"
    assert dynamic["matching.numTaskqueueReadPartitions"] == dynamic["matching.numTaskqueueWritePartitions"] == "1"
    assert dynamic["matching.enableFairness"] == "true"
    assert "frontend.WorkflowTimeSkippingEnabled" not in dynamic
    assert _values(command, "--sqlite-pragma") == ["journal_mode=wal", "synchronous=1"]
    assert _values(command, "--ip") == ["127.0.0.1"]
    assert "--headless" in command
    assert _values(temporal_command(port=1, database_file=None, ui_port=2), "--ui-port") == ["2"]


async def test_it_answers_a_query_by_search_attributes(temporal: TemporalServer) -> None:
    client = await Client.connect(temporal.address, namespace=NAMESPACE)
    assert await client.count_workflows("TenantId = 'x' and TaskStatus = 'y' and BlockedReason = 'z'")


def test_the_search_attributes_are_exactly_ours(temporal: TemporalServer) -> None:
    listed = subprocess.run(
        [str(temporal_binary()), "operator", "search-attribute", "list", "--address", temporal.address, "-o", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    custom = json.loads(listed.stdout)["customAttributes"]
    assert custom == dict.fromkeys(("TenantId", "TaskStatus", "BlockedReason"), "INDEXED_VALUE_TYPE_KEYWORD")


@pytest.mark.parametrize("ui", [False, True])
def test_it_comes_back_on_its_file_at_another_port(tmp_path: Path, ui: bool) -> None:
    for _ in range(2):
        server = TemporalServer.start(tmp_path, ui=ui)
        assert (server.ui_port is not None) == ui
        server.stop()
        assert not server.process.running
    assert (tmp_path / "temporal.db").exists()
