"""What `proofdesk bench chaos` refuses and prints; the scenarios themselves are played below tests/chaos."""

import json
from pathlib import Path

import pytest

from commands import bench_chaos
from models.chaos_checks import ChaosVerdict, Finding
from models.chaos_report import ScenarioName, ScenarioReport
from tests.commands.command_line import CommandLine

line = CommandLine("A")


def report(name: ScenarioName, *findings: Finding) -> ScenarioReport:
    verdict = ChaosVerdict(
        operations=8,
        acknowledged=6,
        refused=1,
        failed=1,
        unknown=0,
        acknowledged_share=0.8571,
        findings=findings,
    )
    return ScenarioReport(name=name, seconds=3.5, recovery_seconds=1.25, counts={"tasks": 4}, verdict=verdict)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Scenarios that cost nothing: the second one of all has a finding."""
    sizes: list[tuple[str, int]] = []

    async def play(name: ScenarioName, size: int, *, journals: Path | None = None) -> ScenarioReport:
        sizes.append((name, size))
        lost = Finding(rule="exactly_once", task_id="Q7", what="supplement by sales-1 has 0 effects")
        return report(name, *([lost] if name == "cancel" else []))

    monkeypatch.setattr(bench_chaos, "play", play)
    return sizes


def test_a_scenario_that_is_none_is_named_with_those_there_are() -> None:
    ran = line("bench", "chaos", "--scenario", "nothing", "--json")
    assert (ran.status, ran.error["code"]) == (1, "invalid_input")
    assert "orders, cancel, duplicates" in ran.error["message"]


@pytest.mark.parametrize("option", [("--scenario", "orders"), ("--full",), ("--journals", "folder")])
def test_options_of_chaos_belong_to_nothing_else(option: tuple[str, ...]) -> None:
    ran = line("bench", "transaction", *option, "--json")
    assert (ran.status, ran.error["code"]) == (1, "invalid_input")


def test_every_scenario_is_played_and_a_finding_is_an_exit_of_one(played: list[tuple[str, int]]) -> None:
    ran = line("bench", "chaos", "--json")
    assert ran.status == 1
    assert played == [(name, planned.small) for name, planned in bench_chaos.SCENARIOS.items()]
    told = json.loads(ran.out)["scenarios"]
    assert [one["name"] for one in told] == list(bench_chaos.SCENARIOS)
    assert told[1]["verdict"]["findings"][0]["rule"] == "exactly_once"
    assert told[0]["recovery_seconds"] == 1.25


def test_a_sound_run_is_an_exit_of_zero(played: list[tuple[str, int]]) -> None:
    ran = line("bench", "chaos", "--scenario", "orders", "--full")
    assert ran.status == 0
    assert played == [("orders", 1_000)]
    assert "sound" in ran.out


def test_people_read_the_findings_in_their_language(played: list[tuple[str, int]]) -> None:
    ran = line("bench", "chaos", "--scenario", "cancel", "--lang", "zh-TW")
    assert ran.status == 1
    assert "Q7" in ran.err
    assert "1 項異常" in ran.out
    assert len(played) == 1
