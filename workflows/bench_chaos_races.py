"""Scenarios in which people and signals race: nothing is broken, everything comes at once or in the wrong order."""

import asyncio
import random
import uuid
from collections.abc import Awaitable, Sequence

from models.chaos_journal import Answer
from models.chaos_orders import DECISIONS, MOVES, Ending, Move, ended, ending_of, played
from models.fields import FieldName, FieldValue
from models.ids import TaskId
from models.transitions import STEPS
from services.task_reading import task_show
from workflows.bench_chaos import COMPLETE, IN_FLIGHT, LACKING, Scene, together, token
from workflows.policies import quote_workflow_id

_NO_DRAFT = "0" * 64
_POLLS = 2_000
_AIMS = 12
_ACTORS: dict[Move, str] = {
    "approve_v1": "approver-1",
    "reject_v1": "approver-1",
    "request_changes_v1": "approver-3",
    "late_approve_v1": "approver-2",
    "approve_v2": "approver-1",
}


async def orders(scene: Scene) -> None:
    """`size` shuffled orders of seven acts; every second one does not wait for the work between two acts."""
    choose = random.Random(scene.seed)
    ends: dict[str, Ending] = {}

    async def one(number: int, order: Sequence[Move]) -> None:
        task_id = f"order-{number}"
        if number % 2:
            ends[task_id] = await _raced(scene, task_id, order)
        else:
            ends[task_id] = await _one_by_one(scene, task_id, order)

    shuffled = [choose.sample(MOVES, len(MOVES)) for _ in range(scene.size)]
    await together(scene, [one(number, order) for number, order in enumerate(shuffled)])
    await _compare(scene, ends)
    scene.counts["orders"] = scene.size


async def _compare(scene: Scene, ends: dict[str, Ending]) -> None:
    facts = await scene.settled()
    tasks = {one.state.task_id: one for one in facts.tasks}
    for task_id, expected in ends.items():
        decisions = [one for one in facts.decisions if one.task_id == task_id]
        end = ending_of(tasks[TaskId(task_id)], decisions)
        if end != expected:
            scene.found(task_id, f"it ended as {end}, the model says {expected}")


async def _one_by_one(scene: Scene, task_id: str, order: Sequence[Move]) -> Ending:
    """Every act finds the task at rest, so the model knows each answer."""
    await scene.desk.start(task_id, COMPLETE.format(number=7))
    shown = await scene.rested(task_id)
    hashes = {shown.state.decision_version: shown.draft_content_hash or ""}
    expected = played(order)
    for move, answer in zip(order, expected.answers, strict=True):
        got = await _move(scene, task_id, move, hashes)
        if got != answer:
            scene.found(task_id, f"{move} in {', '.join(order)} was {got}, the model says {answer}")
        if got == "acknowledged" and not (move == "cancel" and shown.state.status == "cancelled"):
            shown = await scene.rested(task_id, after_revision=shown.state.revision)
            hashes.setdefault(shown.state.decision_version, shown.draft_content_hash or "")
    if shown.state.decision_version != expected.decision_version:
        scene.found(task_id, f"it is at draft {shown.state.decision_version}, not {expected.decision_version}")
    return expected.ending


async def _raced(scene: Scene, task_id: str, order: Sequence[Move]) -> Ending:
    """The acts come one after another while the work goes on, so only the answers tell what the end must be."""
    await scene.desk.start(task_id, COMPLETE.format(number=7))
    shown = await scene.rested(task_id)
    hashes = {shown.state.decision_version: shown.draft_content_hash or ""}
    taken: list[Move] = []
    for move in order:
        if DECISIONS.get(move, (0, ""))[0] == 2:
            seen = await scene.desk.shown(task_id)
            hashes.setdefault(seen.state.decision_version, seen.draft_content_hash or "")
        if await _move(scene, task_id, move, hashes) == "acknowledged":
            taken.append(move)
    return ended(taken)


async def _move(scene: Scene, task_id: str, move: Move, hashes: dict[int, str]) -> Answer:
    if move == "supplement":
        return await scene.desk.supplement(task_id, f"The buyer adds {token(task_id)}.")
    if move == "cancel":
        return await scene.desk.cancel(task_id)
    version, verdict = DECISIONS[move]
    comment = f"Please word it more plainly, {token(task_id, move)}." if verdict == "request_changes" else ""
    draft_hash = hashes.get(version) or _NO_DRAFT
    return await scene.desk.decide(task_id, verdict, version, draft_hash, by=_ACTORS[move], comment=comment)


async def cancel(scene: Scene) -> None:
    """A cancel aimed at each step until it met it, and `size` cancels that race an approval and a rejection."""
    await together(scene, [_cancelled_in(scene, step) for step in STEPS])
    await together(scene, [_raced_cancel(scene, number) for number in range(scene.size)])


async def _cancelled_in(scene: Scene, step: str) -> None:
    """Starts tasks and cancels each as soon as it is seen in `step`; the audit says where the cancel met it."""
    for aim in range(_AIMS):
        task_id = f"cancel-{step}-{aim}"
        await scene.desk.start(task_id, COMPLETE.format(number=7))
        for _ in range(_POLLS):
            shown = await task_show(scene.desk.store, scene.desk.people["sales-1"], task_id)
            if shown.state.status in (step, "awaiting_approval"):
                break
        await scene.desk.cancel(task_id)
        rested = await scene.rested(task_id)
        if rested.state.status != "cancelled":
            scene.found(task_id, f"it was cancelled in {step} and is {rested.state.status}")
        if step in await _status_at_cancel(scene, task_id):
            scene.counts[f"cancelled_in_{step}"] = aim + 1
            return
    scene.found("", f"no cancel met {step} in {_AIMS} tries")


async def _status_at_cancel(scene: Scene, task_id: str) -> list[str]:
    facts = await scene.desk.facts()
    status, met = "created", list[str]()
    for row in facts.audit:
        if row.task_id == task_id and row.event == "task_moved":
            status = str(row.detail["to"])
        elif row.task_id == task_id and row.event == "cancel_requested":
            met.append(status)
    return met


async def _raced_cancel(scene: Scene, number: int) -> None:
    task_id = f"race-{number}"
    await scene.desk.start(task_id, COMPLETE.format(number=7))
    shown = await scene.rested(task_id)
    moves: list[Move] = ["approve_v1", "cancel", "reject_v1"]
    random.Random(scene.seed * 1_000 + number).shuffle(moves)
    hashes = {1: shown.draft_content_hash or ""}
    answers = await asyncio.gather(*(_move(scene, task_id, move, hashes) for move in moves))
    winners: list[Move] = [move for move, answer in zip(moves, answers, strict=True) if answer == "acknowledged"]
    if len(winners) != 1:
        scene.found(task_id, f"{len(winners)} of three won: {', '.join(winners)}")
        return
    rested = await scene.rested(task_id, after_revision=shown.state.revision)
    if rested.state.status != ended(winners).status:
        scene.found(task_id, f"{winners[0]} won and it is {rested.state.status}")
    scene.counts[f"won_by_{winners[0]}"] = scene.counts.get(f"won_by_{winners[0]}", 0) + 1


async def duplicates(scene: Scene) -> None:
    """The same start, supplement, decision, cancel and signal, each `size` times."""
    desk, task_id = scene.desk, "twice"
    await _all(scene, [desk.start(task_id, LACKING.format(number=7)) for _ in range(scene.size)])
    shown = await scene.rested(task_id)
    more: dict[FieldName, FieldValue] = {"special_inspection": False}
    text = f"The buyer adds {token(task_id)}."
    await _all(scene, [desk.supplement(task_id, text, confirmations=more) for _ in range(scene.size)])
    shown = await scene.rested(task_id, after_revision=shown.state.revision)
    version, draft_hash = shown.state.decision_version, shown.draft_content_hash or ""
    await _all(scene, [desk.decide(task_id, "approve", version, draft_hash) for _ in range(scene.size)])
    await scene.rested(task_id, after_revision=shown.state.revision)
    await _signals(scene)
    await desk.start("ended", COMPLETE.format(number=7))
    await scene.rested("ended")
    await _all(scene, [desk.cancel("ended") for _ in range(scene.size)])
    await scene.rested("ended")


async def _signals(scene: Scene) -> None:
    """A true signal, again and again: half under one request id, half under ids of their own."""
    desk, task_id = scene.desk, TaskId("signalled")
    await desk.start(task_id, COMPLETE.format(number=7))
    shown = await scene.rested(task_id)
    await scene.approved(task_id, shown)
    decision = next(one for one in (await desk.facts()).decisions if one.task_id == task_id)
    same = str(uuid.uuid4())

    async def one(number: int) -> None:
        request_id = same if number % 2 else str(uuid.uuid4())
        reference = decision.decision_id
        await scene.runs.signal(desk.tenant, task_id, "decision_recorded", reference, request_id=request_id)

    await together(scene, [one(number) for number in range(scene.size)])
    await scene.rested(task_id, after_revision=shown.state.revision)


async def _all(scene: Scene, acts: Sequence[Awaitable[Answer]]) -> None:
    gate = asyncio.Semaphore(2 * IN_FLIGHT)

    async def one(act: Awaitable[Answer]) -> None:
        async with gate:
            await act

    await asyncio.gather(*(one(act) for act in acts))


async def flood(scene: Scene) -> None:
    """`size` signals of an unknown name and as many malformed ones, while people add to the task: none is lost."""
    desk, task_id = scene.desk, TaskId("flooded")
    await desk.start(task_id, LACKING.format(number=7))
    shown = await scene.rested(task_id)
    workflow_id = quote_workflow_id(desk.tenant, task_id)
    handle = scene.runs.client.get_workflow_handle(workflow_id)
    first = (await handle.describe()).run_id

    async def noise(number: int) -> None:
        await handle.signal("noise" if number % 2 else "supplement_recorded", {"number": number})

    async def people() -> None:
        for number in range(10):
            await desk.supplement(task_id, f"The buyer adds {token(task_id, number)}.")
            await asyncio.sleep(0.2)

    await asyncio.gather(together(scene, [noise(number) for number in range(2 * scene.size)]), people())
    await desk.supplement(task_id, "The buyer settles it.", confirmations={"special_inspection": False})
    await scene.rested(task_id, after_revision=shown.state.revision)
    status = await _counted(scene, workflow_id)
    last = (await handle.describe()).run_id
    scene.counts |= {"signals": 2 * scene.size, "unknown": status[0], "malformed": status[1]}
    if status != (scene.size, scene.size):
        scene.found(task_id, f"{scene.size} signals of each kind were sent and the run knows {status}")
    if last == first:
        scene.found(task_id, "the run was never continued as new")


async def _counted(scene: Scene, workflow_id: str) -> tuple[int, int]:
    """(unknown, malformed) as the newest run knows them, once that does not change any more."""
    known = (-1, -1)
    for _ in range(60):
        shown = await scene.runs.client.get_workflow_handle(workflow_id).query("status")
        now = (int(shown["unknown_signals"]), int(shown["signals_rejected"]))
        if now in (known, (scene.size, scene.size)):
            return now
        known = now
        await asyncio.sleep(0.5)
    return known
