"""`proofdesk bench chaos`: floods and failures on servers of the command's own, and what the checker says of each."""

import asyncio
import logging
import shutil
import tempfile
import uuid
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

from commands.output import Output
from deploy.breakable import BreakableStack
from models.chaos_checks import Finding
from models.chaos_report import ChaosReport, ScenarioName, ScenarioReport
from models.errors import InvalidInput
from services.audit_keys import AuditFolder
from services.audit_verifying import AuditReport, audit_verify
from services.clients.hashing import HashingEmbedder
from services.evaluation.chaos_desk import open_chaos_desk
from store.pool import Store
from workflows import bench_chaos_races as races
from workflows import bench_chaos_strikes as strikes
from workflows.bench_chaos import Breakable, Scenario, Scene, reported
from workflows.client import QuoteTaskClient, connect

NAMES: tuple[ScenarioName, ...] = get_args(ScenarioName)


@dataclass(frozen=True, slots=True)
class Planned:
    """A scenario and its sizes; what a size counts, its own docstring says."""

    play: Callable[[Scene, Breakable], Awaitable[None]]
    small: int
    full: int


def _calm(scenario: Scenario) -> Callable[[Scene, Breakable], Awaitable[None]]:
    """A scenario that breaks nothing and needs one worker."""

    async def play(scene: Scene, stack: Breakable) -> None:
        await stack.start_worker()
        await scenario(scene)

    return play


SCENARIOS: Mapping[ScenarioName, Planned] = {
    "orders": Planned(_calm(races.orders), small=60, full=1_000),
    "cancel": Planned(_calm(races.cancel), small=12, full=200),
    "duplicates": Planned(_calm(races.duplicates), small=60, full=1_000),
    "flood": Planned(_calm(races.flood), small=700, full=4_000),
    "worker": Planned(strikes.worker, small=16, full=280),
    "postgres": Planned(strikes.postgres, small=16, full=280),
    "temporal": Planned(strikes.temporal, small=16, full=280),
    "pause": Planned(strikes.pause, small=1, full=8),
    "rebuild": Planned(strikes.rebuild, small=20, full=200),
    "operator": Planned(strikes.operator, small=1, full=5),
}


def chosen(name: str | None) -> tuple[ScenarioName, ...]:
    """The scenarios that a name stands for, all without one; InvalidInput for a name that is none."""
    found: list[ScenarioName] = [one for one in NAMES if name in (None, one)]
    if not found:
        raise InvalidInput(f"{name!r} is no scenario: use one of {', '.join(NAMES)}")
    return tuple(found)


def bench_chaos(out: Output, *, scenario: str | None, full: bool, journals: Path | None) -> ChaosReport:
    """Plays the scenarios one after another and prints what the checker says; `journals` is the folder they go to."""
    # The pool tells of each try to reconnect with a traceback; that a server is away is the point here.
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)
    if journals is not None:
        journals.mkdir(parents=True, exist_ok=True)
    reports: list[ScenarioReport] = []
    for name in chosen(scenario):
        planned = SCENARIOS[name]
        size = planned.full if full else planned.small
        out.say("playing", name=name, size=size)
        reports.append(asyncio.run(play(name, size, journals=journals)))
    report = ChaosReport(scenarios=tuple(reports))
    _print(out, report)
    return report


async def play(name: ScenarioName, size: int, *, journals: Path | None = None) -> ScenarioReport:
    """One scenario on PostgreSQL, Temporal and workers of its own; all of them are gone afterwards."""
    async with AsyncExitStack() as closing:
        folder = Path(tempfile.mkdtemp(prefix="proofdesk-chaos-"))
        closing.callback(shutil.rmtree, folder, ignore_errors=True)
        stack = await closing.enter_async_context(BreakableStack(folder))
        store = await Store.open(stack.servers.database_url, size=12)
        closing.push_async_callback(store.close)
        journal = (journals or folder) / f"{name}-{uuid.uuid4().hex[:8]}.jsonl"
        desk = await open_chaos_desk(store, HashingEmbedder(), journal)
        closing.callback(desk.journal.close)
        client = await connect(stack.servers.temporal_address, stack.servers.namespace)
        scene = Scene(desk, QuoteTaskClient(client), size)
        report = await reported(scene, name, partial(_on, stack, SCENARIOS[name]))
        sealed = await audit_verify(store, desk.people["operator-1"], AuditFolder(folder / "audit"))
        return _with_audit(report, sealed)


def _with_audit(report: ScenarioReport, sealed: AuditReport) -> ScenarioReport:
    """What was struck must not look like an audit that somebody changed."""
    faults = [Finding(rule="audit_complete", task_id="", what=f"{one.fault}: {one.detail}") for one in sealed.faults]
    verdict = report.verdict.model_copy(update={"findings": (*report.verdict.findings, *faults)})
    counts = {**report.counts, "audit_rows": sealed.rows, "seals": sealed.seals}
    return report.model_copy(update={"verdict": verdict, "counts": counts})


async def _on(stack: Breakable, planned: Planned, scene: Scene) -> None:
    await planned.play(scene, stack)


def _print(out: Output, report: ChaosReport) -> None:
    columns = ("scenario", "operations", "acknowledged", "refused", "recovery", "seconds", "verdict")
    out.table(
        report,
        tuple(f"column_{one}" for one in columns),
        ([_cell(out, one, column) for column in columns] for one in report.scenarios),
        empty="none",
    )
    for one in report.scenarios:
        for finding in one.verdict.findings:
            out.say("finding_line", name=one.name, rule=finding.rule, task_id=finding.task_id, what=finding.what)


def _cell(out: Output, report: ScenarioReport, column: str) -> str:
    verdict = report.verdict
    recovery = "" if report.recovery_seconds is None else f"{report.recovery_seconds} s"
    said = out.texts("sound") if verdict.holds else out.texts("findings", count=len(verdict.findings))
    return {
        "scenario": report.name,
        "operations": str(verdict.operations),
        "acknowledged": f"{verdict.acknowledged_share:.1%}",
        "refused": str(verdict.refused),
        "recovery": recovery,
        "seconds": f"{report.seconds} s",
        "verdict": said,
    }[column]
