"""What a chaos run reports: for each scenario its verdict, how long the mending took, and what it counted."""

from typing import Literal

from models.chaos_checks import ChaosVerdict
from models.contract import Contract

ScenarioName = Literal[
    "orders",
    "cancel",
    "duplicates",
    "flood",
    "worker",
    "postgres",
    "temporal",
    "pause",
    "rebuild",
    "operator",
]


class ScenarioReport(Contract):
    """One scenario. Seconds are of wall clock; `recovery_seconds` is from the strike to the first task that rests
    after it, the longest of several strikes, and None where nothing was struck. `counts` are the scenario's own.
    """

    name: ScenarioName
    seconds: float
    recovery_seconds: float | None
    counts: dict[str, float]
    verdict: ChaosVerdict


class ChaosReport(Contract):
    """One run of `proofdesk bench chaos`."""

    scenarios: tuple[ScenarioReport, ...]

    @property
    def holds(self) -> bool:
        """Whether every scenario was sound."""
        return all(one.verdict.holds for one in self.scenarios)
