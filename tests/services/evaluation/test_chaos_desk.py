"""The people of a chaos run write down what they ask before they ask it, and what came back."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from models.chaos_checks import check
from models.errors import ProofdeskError, Refused, StoreBusy, StoreUnavailable
from services.clients.hashing import HashingEmbedder
from services.evaluation import chaos_desk
from services.evaluation.chaos_desk import ChaosDesk, open_chaos_desk
from store.pool import Store

TEXT = "RFQ: 7 pcs of SUS304. What is the lead time?"


@pytest_asyncio.fixture
async def desk(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[ChaosDesk]:
    monkeypatch.setattr(chaos_desk, "_PAUSE_SECONDS", 0.0)
    opened = await open_chaos_desk(store, HashingEmbedder(), tmp_path / "journal.jsonl")
    yield opened
    opened.journal.close()


def answering(monkeypatch: pytest.MonkeyPatch, *errors: ProofdeskError) -> None:
    """The next starts fail with these errors; later ones are the product's."""
    real, left = chaos_desk.start_task, list(errors)

    async def start(*given: object, **more: object) -> object:
        if left:
            raise left.pop(0)
        return await real(*given, **more)  # pyright: ignore[reportArgumentType] -- passed on as it came

    monkeypatch.setattr(chaos_desk, "start_task", start)


async def test_what_is_acknowledged_is_there(desk: ChaosDesk) -> None:
    assert await desk.start("Q1", TEXT) == "acknowledged"
    assert await desk.supplement("Q1", "It may be blue.", confirmations={"quantity": 8}) == "acknowledged"
    assert await desk.decide("Q1", "approve", 1, "0" * 64) == "refused"
    assert await desk.cancel("Q1", by="sales-1") == "acknowledged"
    journal, facts = desk.journal.read(), await desk.facts()
    assert [one.sent.kind for one in journal.operations] == ["start", "supplement", "approve", "cancel"]
    assert [one.kind for one in facts.messages] == ["request", "supplement"]
    assert facts.messages[1].text_hash == journal.operations[1].sent.text_hash
    assert facts.tasks[0].cancel_requested
    told = {one.rule for one in check(journal, facts).findings}
    assert told == {"settled", "last_operations"}  # no worker carried anything out


async def test_a_store_that_is_away_is_asked_again_and_every_attempt_is_written_down(
    desk: ChaosDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, StoreUnavailable("away"), StoreBusy("busy"))
    assert await desk.start("Q1", TEXT) == "acknowledged"
    (operation,) = desk.journal.read().operations
    assert (operation.attempts, operation.answer) == (3, "acknowledged")


async def test_a_store_that_stays_away_is_no_acknowledgement(desk: ChaosDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, *(StoreUnavailable("away") for _ in range(desk.attempts)))
    assert await desk.start("Q1", TEXT) == "failed"
    (operation,) = desk.journal.read().operations
    assert (operation.attempts, operation.answer, operation.code) == (desk.attempts, "failed", "store_unavailable")


async def test_a_refusal_is_final(desk: ChaosDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, Refused("no"))
    assert await desk.start("Q1", TEXT) == "refused"
    assert [(one.attempts, one.code) for one in desk.journal.read().operations] == [(1, "refused")]


async def test_no_answer_is_unknown(desk: ChaosDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(chaos_desk, "start_task", never)
    desk.attempts, desk.patience = 1, 0.05
    assert await desk.start("Q1", TEXT) == "unknown"
    assert [one.answer for one in desk.journal.read().operations] == ["unknown"]


async def test_a_task_that_never_rests_is_named(desk: ChaosDesk) -> None:
    await desk.start("Q1", TEXT)
    with pytest.raises(TimeoutError, match="'Q1' is still created"):
        await desk.rested("Q1", seconds=0.1)
    assert (await desk.settled(seconds=0.1)).undelivered == 1


async def test_what_a_person_saw_as_confirmed_is_written_down(desk: ChaosDesk) -> None:
    await desk.start("Q1", TEXT)
    await desk.shown("Q1")
    (seen,) = desk.journal.read().sights
    assert (seen.task_id, seen.confirmed) == ("Q1", {})
