"""What `proofdesk bench` refuses before it starts anything."""

import pytest

from tests.commands.command_line import CommandLine
from workflows import bench_rivals
from workflows.bench_rivals import Rival


def test_an_unknown_benchmark_is_named_with_those_there_are() -> None:
    ran = CommandLine("A")("bench", "nothing", "--json")
    assert ran.status == 1
    assert "transaction, search, quote" in ran.error["message"]


def test_without_a_rival_the_command_says_how_to_install_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rivals, "RIVALS", (Rival("workflows.rival_dbos", ("no_such_module",), "none"),))
    ran = CommandLine("A")("bench", "rivals", "--json")
    assert (ran.status, ran.error["code"]) == (1, "invalid_input")
    assert "pip install '.[rivals]'" in ran.error["message"]
