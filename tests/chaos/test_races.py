"""Small runs of the races of people and signals; `proofdesk bench chaos --full` plays them at full size."""

import pytest

from commands.bench_chaos import SCENARIOS, play
from models.chaos_report import ScenarioName, ScenarioReport
from models.transitions import STEPS

pytestmark = pytest.mark.timeout(170)


async def small(name: ScenarioName) -> ScenarioReport:
    report = await play(name, SCENARIOS[name].small)
    assert report.verdict.findings == ()
    assert report.verdict.failed == 0
    assert report.verdict.unknown == 0
    return report


async def test_shuffled_orders_of_seven_acts_end_as_the_model_says() -> None:
    report = await small("orders")
    assert report.counts["orders"] == SCENARIOS["orders"].small
    assert report.verdict.refused > report.counts["orders"]


async def test_a_cancel_at_each_step_and_racing_a_decision_has_one_winner() -> None:
    report = await small("cancel")
    assert {f"cancelled_in_{step}" for step in STEPS} <= set(report.counts)
    won = {name: count for name, count in report.counts.items() if name.startswith("won_by_")}
    assert sum(won.values()) == SCENARIOS["cancel"].small
    assert len(won) > 1


async def test_the_same_act_again_and_again_has_one_effect() -> None:
    report = await small("duplicates")
    assert report.verdict.acknowledged > 4 * SCENARIOS["duplicates"].small


async def test_26_a_run_that_is_continued_as_new_in_a_flood_of_signals_loses_none() -> None:
    report = await small("flood")
    sent = SCENARIOS["flood"].small
    assert (report.counts["unknown"], report.counts["malformed"]) == (sent, sent)
