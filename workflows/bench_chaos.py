"""What the scenarios of a chaos run have in common: the load, the end on mended servers, and the verdict."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from models.chaos_checks import ChaosVerdict, Finding, check
from models.chaos_facts import TenantFacts
from models.chaos_report import ScenarioName, ScenarioReport
from models.contract import text_hash
from models.fields import FieldName, FieldValue
from services.evaluation.chaos_desk import ChaosDesk
from services.task_reading import ShownTask
from workflows.client import QuoteTaskClient

COMPLETE = "RFQ: {number} pcs of SUS304, no special inspection. What is the lead time?"
LACKING = "RFQ: {number} pcs of SUS304. What is the lead time?"
IN_FLIGHT = 8
# What the end of a run consists of: so many new tasks are started and approved.
_LAST_TASKS = 3


class Breakable(Protocol):
    """What a scenario may do to the servers; `deploy.breakable` does it."""

    async def kill_postgres(self) -> None: ...
    async def start_postgres(self) -> None: ...
    async def kill_temporal(self) -> None: ...
    async def start_temporal(self) -> None: ...
    def lose_temporal(self) -> None: ...
    async def start_worker(self, name: str = "worker", *, fault: str | None = None) -> None: ...
    async def kill_worker(self, name: str = "worker") -> None: ...
    async def stop_worker(self, name: str = "worker") -> None: ...
    def resume_worker(self, name: str = "worker") -> None: ...
    def is_paused(self, name: str = "worker") -> bool: ...
    async def operator(self, words: Sequence[str]) -> str: ...


@dataclass
class Scene:
    """One scenario on its way: who acts, on how many tasks, and what it saw."""

    desk: ChaosDesk
    runs: QuoteTaskClient
    size: int
    seed: int = 1
    # How long a task may take to come to rest, in seconds.
    patience: float = 90.0
    findings: list[Finding] = field(default_factory=list[Finding])
    counts: dict[str, float] = field(default_factory=dict[str, float])
    recoveries: list[float] = field(default_factory=list[float])
    rests: list[float] = field(default_factory=list[float])

    def found(self, task_id: str, what: str) -> None:
        """The scenario's model says otherwise."""
        self.findings.append(Finding(rule="as_the_model_says", task_id=task_id, what=what))

    async def rested(self, task_id: str, *, after_revision: int = 0) -> ShownTask:
        """The task at rest; the moment is kept for the recovery times. TimeoutError as `ChaosDesk.rested`."""
        shown = await self.desk.rested(task_id, after_revision=after_revision, seconds=self.patience)
        self.rests.append(time.time())
        return shown

    async def settled(self) -> TenantFacts:
        """What Postgres holds once nothing moves any more, or when the patience ends."""
        return await self.desk.settled(seconds=self.patience)

    async def approved(self, task_id: str, shown: ShownTask, *, by: str = "approver-1") -> bool:
        """Whether the draft that is shown could be approved."""
        version, draft_hash = shown.state.decision_version, shown.draft_content_hash or ""
        return await self.desk.decide(task_id, "approve", version, draft_hash, by=by) == "acknowledged"


Scenario = Callable[[Scene], Awaitable[None]]


def token(*parts: object) -> str:
    """A word of letters that no rule knows, the same for the same parts."""
    digits = text_hash("/".join(str(part) for part in parts))[:12]
    return "".join("abcdefghijklmnop"[int(digit, 16)] for digit in digits)


async def together(scene: Scene, calls: Sequence[Awaitable[None]], *, in_flight: int = IN_FLIGHT) -> None:
    """Runs all calls, so many at once; one whose task never comes to rest costs the others nothing."""
    gate = asyncio.Semaphore(in_flight)

    async def one(call: Awaitable[None]) -> None:
        async with gate:
            await patient(scene, call)

    await asyncio.gather(*(one(call) for call in calls))


async def patient(scene: Scene, call: Awaitable[None]) -> None:
    """A task that never comes to rest is a finding, and what was acknowledged until then is checked all the same."""
    try:
        await call
    except TimeoutError as error:
        scene.findings.append(Finding(rule="settled", task_id="", what=str(error)))


async def quote(scene: Scene, task_id: str, number: int) -> None:
    """A customer's way: a request, what was missing or is added, and the approval of what came of it."""
    is_lacking = number % 2 == 0
    text = (LACKING if is_lacking else COMPLETE).format(number=number + 1)
    if await scene.desk.start(task_id, text) != "acknowledged":
        return
    shown = await scene.rested(task_id)
    confirmed: Mapping[FieldName, FieldValue] = (
        {"special_inspection": False} if is_lacking else {"quantity": number + 1_000}
    )
    added = await scene.desk.supplement(task_id, f"The buyer adds {token(task_id)}.", confirmations=confirmed)
    if added == "acknowledged":
        shown = await scene.rested(task_id, after_revision=shown.state.revision)
    if shown.state.status == "awaiting_approval" and await scene.approved(task_id, shown):
        await scene.rested(task_id, after_revision=shown.state.revision)


async def close_out(scene: Scene) -> None:
    """The last operations of a run, on mended servers."""
    names = [f"last-{number}" for number in range(_LAST_TASKS)]
    shown: dict[str, ShownTask] = {}
    for number, name in enumerate(names):
        await scene.desk.start(name, COMPLETE.format(number=number + 1))
    for name in names:
        shown[name] = await scene.rested(name)
    for name in names:
        await scene.approved(name, shown[name])


async def played_out(scene: Scene, scenario: Scenario) -> ChaosVerdict:
    """The scenario, the last operations, and the checker's verdict once nothing moves any more."""
    await patient(scene, scenario(scene))
    await patient(scene, close_out(scene))
    facts = await scene.settled()
    return check(scene.desk.journal.read(), facts, extra=scene.findings)


async def reported(scene: Scene, name: ScenarioName, scenario: Scenario) -> ScenarioReport:
    """The report on one scenario."""
    began = time.monotonic()
    verdict = await played_out(scene, scenario)
    journal = scene.desk.journal.read()
    tried_again = sum(one.attempts - 1 for one in journal.operations)
    return ScenarioReport(
        name=name,
        seconds=round(time.monotonic() - began, 2),
        recovery_seconds=round(max(scene.recoveries), 2) if scene.recoveries else None,
        counts={**scene.counts, "tried_again": tried_again},
        verdict=verdict,
    )
