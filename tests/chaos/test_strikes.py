"""Small runs of the scenarios in which a server or a worker is killed or paused under load."""

import pytest

from commands.bench_chaos import SCENARIOS, play
from models.chaos_report import ScenarioName

pytestmark = pytest.mark.timeout(170)


@pytest.mark.parametrize("name", ["worker", "postgres", "temporal"])
async def test_what_is_killed_under_load_costs_nothing_that_was_acknowledged(name: ScenarioName) -> None:
    report = await play(name, SCENARIOS[name].small)
    assert report.verdict.findings == ()
    assert report.counts["strikes"] == 1
    assert report.recovery_seconds is not None
    assert report.recovery_seconds < 60
    assert report.verdict.operations >= SCENARIOS[name].small * 3


async def test_a_worker_that_was_paused_past_its_lease_writes_nothing() -> None:
    report = await play("pause", SCENARIOS["pause"].small)
    assert report.verdict.findings == ()
    assert report.counts["paused_at_reviewing:before"] == 1
