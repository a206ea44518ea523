"""The checker turns red when a guard of the product is switched off, and only then: the product is the real one."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from activities.quote_task import QuoteTaskActivities
from deploy.temporal_server import TemporalServer
from models.chaos_checks import ChaosVerdict
from models.tasks import TaskState, TaskStatus
from services import task_intake, task_state
from services.clients.hashing import HashingEmbedder
from services.evaluation.chaos_desk import open_chaos_desk
from services.task_services import TaskServices
from store.connection import connected
from store.pool import Store
from tests.conftest import Database
from worker import quote_desk
from workflows.bench_chaos import COMPLETE, LACKING, Scene, played_out, token
from workflows.client import connect

Journey = Callable[[Scene], Awaitable[None]]


async def verdict_on(journey: Journey, store: Store, temporal: TemporalServer, folder: Path) -> ChaosVerdict:
    """What the checker says of a journey with the product's own workers."""
    client = await connect(temporal.address, "default")
    desk = await open_chaos_desk(store, HashingEmbedder(), folder / "journal.jsonl")
    activities = QuoteTaskActivities(TaskServices(store, HashingEmbedder()))
    async with quote_desk(client, activities, f"chaos-{uuid.uuid4().hex}") as runs:
        try:
            return await played_out(Scene(desk, runs, size=1, patience=8.0), journey)
        finally:
            desk.journal.close()


async def journey(scene: Scene) -> None:
    """A request, the same supplement twice, and two people who decide at once."""
    desk = scene.desk
    await desk.start("Q1", LACKING.format(number=7))
    shown = await scene.rested("Q1")
    for _ in range(2):
        await desk.supplement("Q1", f"The buyer adds {token(1)}.", confirmations={"special_inspection": False})
    shown = await scene.rested("Q1", after_revision=shown.state.revision)
    version, draft_hash = shown.state.decision_version, shown.draft_content_hash or ""
    await asyncio.gather(
        desk.decide("Q1", "approve", version, draft_hash, by="approver-1"),
        desk.decide("Q1", "reject", version, draft_hash, by="approver-2"),
    )
    await scene.rested("Q1", after_revision=shown.state.revision)
    await desk.start("Q2", COMPLETE.format(number=7))
    await scene.rested("Q2")
    await desk.supplement("Q2", f"The buyer adds {token(2)}.")


def rules(verdict: ChaosVerdict) -> set[str]:
    return {one.rule for one in verdict.findings}


async def test_with_every_guard_in_place_there_is_no_finding(
    store: Store, temporal: TemporalServer, tmp_path: Path
) -> None:
    verdict = await verdict_on(journey, store, temporal, tmp_path)
    assert verdict.findings == ()
    assert verdict.refused == 1


async def test_a_supplement_that_may_come_twice_is_named(
    store: Store, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_new(*_: object, **__: object) -> bool:
        return False

    monkeypatch.setattr(task_intake, "_is_repeated", is_new)
    assert "exactly_once" in rules(await verdict_on(journey, store, temporal, tmp_path))


async def test_two_decisions_of_one_draft_are_named(
    store: Store, database: Database, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_decision(*_: object) -> None:
        return None

    async with connected(database.owner_url) as owner:
        await owner.execute("alter table decisions drop constraint decisions_pkey")
    monkeypatch.setattr("services.task_decision.decision_fetch", no_decision)
    assert "one_decision" in rules(await verdict_on(journey, store, temporal, tmp_path))


async def test_a_supplement_that_is_never_merged_is_named(
    store: Store, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: object) -> bool:
        return False

    monkeypatch.setattr("services.task_inbox.message_unmerged_exists", nothing)
    assert "settled" in rules(await verdict_on(journey, store, temporal, tmp_path))


async def test_a_confirmed_field_that_is_forgotten_is_named(
    store: Store, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved, forgotten = task_state.moved, "material"

    def forgetful(state: TaskState, target: TaskStatus, **more: Any) -> TaskState:
        after = moved(state, target, **more)
        if target != "awaiting_approval":
            return after
        kept = {name: value for name, value in after.confirmed.items() if name != forgotten}
        return after.model_copy(update={"confirmed": kept})

    monkeypatch.setattr(task_state, "moved", forgetful)
    assert "fields_kept" in rules(await verdict_on(journey, store, temporal, tmp_path))


async def test_an_act_that_is_audited_twice_is_named(
    store: Store, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append: Any = task_intake.audit_append

    async def twice(*given: Any) -> int:
        await append(*given)
        return await append(*given)

    monkeypatch.setattr(task_intake, "audit_append", twice)
    assert "audit_complete" in rules(await verdict_on(journey, store, temporal, tmp_path))


async def test_a_decision_that_nobody_audits_is_named(
    store: Store, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unwritten(*_: object) -> int:
        return 0

    monkeypatch.setattr("services.task_decision.audit_append", unwritten)
    assert "audit_complete" in rules(await verdict_on(journey, store, temporal, tmp_path))
