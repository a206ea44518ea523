"""Small runs of what an operator or a lost disk does to Temporal: Postgres says where every task goes on."""

import pytest

from commands.bench_chaos import SCENARIOS, play

pytestmark = pytest.mark.timeout(170)


async def test_the_store_of_temporal_may_be_lost_under_open_tasks() -> None:
    report = await play("rebuild", SCENARIOS["rebuild"].small)
    assert report.verdict.findings == ()
    assert report.recovery_seconds is not None
    assert report.recovery_seconds < 60
    rests = [report.counts[f"at_{status}"] for status in ("waiting_input", "awaiting_approval", "blocked")]
    assert sum(rests) == report.counts["tasks"] == SCENARIOS["rebuild"].small
    assert report.counts["decided_while_away"] == 3


async def test_34_reset_and_terminate_by_the_operator_at_each_rest() -> None:
    report = await play("operator", SCENARIOS["operator"].small)
    assert report.verdict.findings == ()
    assert [report.counts[f"at_{status}"] for status in ("waiting_input", "awaiting_approval", "blocked")] == [2, 2, 2]
