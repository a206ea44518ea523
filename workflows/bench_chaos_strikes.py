"""Scenarios in which something is broken: a server, a worker, the whole store of Temporal, or a run by an operator."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from models.chaos_facts import TaskFact, TenantFacts
from models.errors import TemporalUnavailable
from models.ids import TaskId
from models.transitions import OPEN, STEPS
from workflows.bench_chaos import COMPLETE, LACKING, Breakable, Scene, quote, together, token
from workflows.policies import quote_workflow_id

# How long a server stays away before it is started again.
_AWAY_SECONDS = 1.0
_STRIKE_EVERY = 70
_ACTS_OF_A_QUOTE = 3
# So many acts are on their way when it strikes, and so many come while the server is away.
_AT_THE_STRIKE = 4
_INTO_THE_ACTS_SECONDS = 0.004
_STANDING = "standing"
# What a paused worker needs at most to try what it was about to do.
_RESUMED_SECONDS = 3.0
_PAUSED_SECONDS = 30.0
REBUILT_SECONDS = 60.0
_WATCHED_SECONDS = 120.0
_DECIDED_WHILE_AWAY = 3


async def worker(scene: Scene, stack: Breakable) -> None:
    """kill -9 of the worker while `size` quotes are on their way."""
    await stack.start_worker()
    await _under_load(scene, "kill -9 of the worker", stack.kill_worker, stack.start_worker)


async def postgres(scene: Scene, stack: Breakable) -> None:
    """kill -9 of the postmaster while `size` quotes are on their way."""
    await stack.start_worker()
    await _under_load(scene, "kill -9 of PostgreSQL", stack.kill_postgres, stack.start_postgres)


async def temporal(scene: Scene, stack: Breakable) -> None:
    """kill -9 of the Temporal server while `size` quotes are on their way."""
    await stack.start_worker()
    await _under_load(scene, "kill -9 of Temporal", stack.kill_temporal, stack.start_temporal)


async def _under_load(
    scene: Scene, what: str, kill: Callable[[], Awaitable[None]], start: Callable[[], Awaitable[None]]
) -> None:
    load = asyncio.create_task(
        together(scene, [quote(scene, f"load-{number}", number) for number in range(scene.size)])
    )
    await scene.desk.start(_STANDING, COMPLETE.format(number=7))
    strikes = max(1, scene.size // _STRIKE_EVERY)
    times: list[tuple[float, float]] = []
    try:
        for number in range(1, strikes + 1):
            await _answered(scene, load, scene.size * _ACTS_OF_A_QUOTE * number // (strikes + 1))
            acts = asyncio.gather(*(_added(scene, number, place) for place in range(_AT_THE_STRIKE)))
            await asyncio.sleep(_INTO_THE_ACTS_SECONDS)
            at = scene.desk.struck(what)
            await kill()
            more = asyncio.gather(*(_added(scene, number, place + _AT_THE_STRIKE) for place in range(_AT_THE_STRIKE)))
            await asyncio.sleep(_AWAY_SECONDS)
            await start()
            times.append((at, time.time()))
            await asyncio.gather(acts, more)
        await load
    finally:
        load.cancel()
    scene.counts |= {"tasks": scene.size, "strikes": strikes}
    for at, mended in times:
        first = min((rest for rest in scene.rests if rest > mended), default=None)
        if first is None:
            scene.found("", f"no task came to rest after {what}")
        else:
            scene.recoveries.append(first - at)


async def _added(scene: Scene, strike: int, place: int) -> None:
    """Something is added to a task in the very moment of a strike."""
    await scene.desk.supplement(_STANDING, f"The buyer adds {token(strike, place)}.")


async def _answered(scene: Scene, load: "asyncio.Task[None]", count: int) -> None:
    for _ in range(int(_WATCHED_SECONDS / 0.02)):
        if len(scene.desk.answers) >= count or load.done():
            return
        await asyncio.sleep(0.02)


async def pause(scene: Scene, stack: Breakable) -> None:
    """SIGSTOP of a worker around `size` of the steps' commits, past its lease; another goes on, then SIGCONT."""
    points = [f"{step}:{moment}" for moment in ("before", "after") for step in reversed(STEPS)]
    for number, point in enumerate(points[: scene.size]):
        await _paused(scene, stack, point, f"paused-{number}")
    await stack.start_worker()


async def _paused(scene: Scene, stack: Breakable, point: str, task_id: str) -> None:
    await stack.start_worker("paused", fault=f"pause:{point}")
    await scene.desk.start(task_id, COMPLETE.format(number=7))
    deadline = time.monotonic() + _PAUSED_SECONDS
    while not stack.is_paused("paused"):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the worker never came to {point}")
        await asyncio.sleep(0.02)
    at = scene.desk.struck(f"SIGSTOP at {point}")
    await stack.start_worker("other")
    shown = await scene.rested(task_id)
    scene.recoveries.append(time.time() - at)
    if shown.state.status != "awaiting_approval":
        reason = shown.state.block.reason if shown.state.block else ""
        scene.found(task_id, f"another worker was there and it is {shown.state.status} {reason}")
    before = await scene.settled()
    stack.resume_worker("paused")
    await asyncio.sleep(_RESUMED_SECONDS)
    if await scene.desk.facts() != before:
        scene.found(task_id, f"the worker that was paused at {point} wrote something")
    scene.counts[f"paused_at_{point}"] = 1
    await stack.stop_worker("paused")
    if await scene.approved(task_id, shown):
        await scene.rested(task_id, after_revision=shown.state.revision)
    await stack.stop_worker("other")


async def rebuild(scene: Scene, stack: Breakable) -> None:
    """The whole store of Temporal is deleted under `size` tasks at rest; some are decided while it is away."""
    await stack.start_worker()
    await together(scene, [_opened(scene, number) for number in range(scene.size)])
    before = await scene.settled()
    at = scene.desk.struck("kill -9 of Temporal and the loss of its store")
    await stack.kill_temporal()
    decided = await _decided_while_away(scene, before)
    stack.lose_temporal()
    await stack.start_temporal()
    waiting = {one.state.task_id: one for one in before.tasks if one.state.task_id not in decided}
    await _until_driven(scene, waiting)
    seconds = time.time() - at
    scene.recoveries.append(seconds)
    if seconds > REBUILT_SECONDS:
        scene.found("", f"the last of {scene.size} tasks had its run again after {seconds:.0f} s")
    after = await scene.settled()
    _compare(scene, before, after, waiting)
    scene.counts |= {"tasks": scene.size, "decided_while_away": len(decided)}
    await _go_on(scene, after, list(waiting)[:6])


async def _opened(scene: Scene, number: int) -> None:
    """A task that rests: it waits for input, for an approval, or for a person because nothing was found."""
    task_id = f"open-{number}"
    by = "outsider-1" if number % 4 == 3 else "sales-1"
    text = LACKING if number % 4 == 2 else COMPLETE
    await scene.desk.start(task_id, text.format(number=number + 1), by=by)
    shown = await scene.rested(task_id)
    scene.counts[f"at_{shown.state.status}"] = scene.counts.get(f"at_{shown.state.status}", 0) + 1


async def _decided_while_away(scene: Scene, facts: TenantFacts) -> set[TaskId]:
    """Decisions are taken in without Temporal; whoever drives the task next carries them out."""
    waiting = [one.state.task_id for one in facts.tasks if one.state.status == "awaiting_approval"]
    decided: set[TaskId] = set()
    for task_id in waiting[:_DECIDED_WHILE_AWAY]:
        if await scene.approved(task_id, await scene.desk.shown(task_id)):
            decided.add(task_id)
    return decided


async def _until_driven(scene: Scene, tasks: Mapping[TaskId, TaskFact]) -> None:
    """Until each task has a run of the next epoch that shows the task's own status."""
    deadline = time.monotonic() + _WATCHED_SECONDS
    left = dict(tasks)
    while left and time.monotonic() < deadline:
        for task_id, fact in list(left.items()):
            if await _is_driven(scene, task_id, fact):
                del left[task_id]
        await asyncio.sleep(0.2)
    for task_id in left:
        scene.found(task_id, f"it had no run again after {_WATCHED_SECONDS:.0f} s")


async def _is_driven(scene: Scene, task_id: TaskId, fact: TaskFact) -> bool:
    try:
        seen = await scene.runs.run_fetch(scene.desk.tenant, task_id)
    except TemporalUnavailable:
        return False
    if seen is None or not seen.is_open or seen.run_epoch != fact.state.run_epoch + 1:
        return False
    return await _shown_by_run(scene, task_id) == fact.state.status


async def _shown_by_run(scene: Scene, task_id: str) -> str:
    """What the newest run answers to the query `status`."""
    workflow_id = quote_workflow_id(scene.desk.tenant, TaskId(task_id))
    shown = await scene.runs.client.get_workflow_handle(workflow_id).query("status")
    return str(shown["status"])


def _compare(scene: Scene, before: TenantFacts, after: TenantFacts, waiting: Mapping[TaskId, TaskFact]) -> None:
    """The same state under the next epoch; nothing was asked again and no draft was made twice."""
    now = {one.state.task_id: one.state for one in after.tasks}
    for task_id, fact in waiting.items():
        expected = fact.state.model_copy(
            update={"run_epoch": fact.state.run_epoch + 1, "revision": fact.state.revision + 1}
        )
        if now[task_id] != expected:
            scene.found(task_id, f"it was {fact.state.status} and is {now[task_id].status}, or differs otherwise")
    for name, old, new in (("message", before.messages, after.messages), ("draft", before.drafts, after.drafts)):
        if old != new:
            scene.found("", f"there were {len(old)} {name}s and there are {len(new)}, or one differs")


async def _go_on(scene: Scene, facts: TenantFacts, tasks: Sequence[TaskId]) -> None:
    """What was rebuilt goes on: an answer, an approval or an end, as each task waits for."""
    states = {one.state.task_id: one.state for one in facts.tasks}
    for task_id in tasks:
        state = states[task_id]
        shown = await scene.desk.shown(task_id)
        if state.status == "waiting_input":
            confirmed = f"The buyer adds {token(task_id)}."
            await scene.desk.supplement(task_id, confirmed, confirmations={"special_inspection": False})
        elif state.status == "awaiting_approval":
            await scene.approved(task_id, shown)
        else:
            await scene.desk.cancel(task_id, by="approver-3")
        await scene.rested(task_id, after_revision=shown.state.revision)


async def operator(scene: Scene, stack: Breakable) -> None:
    """`size` rounds of reset and terminate by the `temporal` command at each status at which a task rests."""
    await stack.start_worker()
    for number in range(scene.size):
        names = [f"{act}-{number}-{place}" for act in ("reset", "ended") for place in range(3)]
        await together(scene, [_rest_of_its_own(scene, name, place % 3) for place, name in enumerate(names)])
        before = await scene.settled()
        await asyncio.gather(*(_reset(scene, stack, before, name) for name in names[:3]))
        at = scene.desk.struck("terminate by the operator")
        await asyncio.gather(*(_terminated(scene, stack, name) for name in names[3:]))
        scene.recoveries.append(time.time() - at)
        await _go_on(scene, await scene.settled(), [TaskId(name) for name in names[:3]])


async def _rest_of_its_own(scene: Scene, task_id: str, place: int) -> None:
    by = "outsider-1" if place == 2 else "sales-1"
    await scene.desk.start(task_id, (LACKING if place == 1 else COMPLETE).format(number=7), by=by)
    shown = await scene.rested(task_id)
    scene.counts[f"at_{shown.state.status}"] = scene.counts.get(f"at_{shown.state.status}", 0) + 1


async def _reset(scene: Scene, stack: Breakable, before: TenantFacts, task_id: str) -> None:
    """A run that begins anew finds the task where it stood."""
    state = next(one.state for one in before.tasks if one.state.task_id == task_id)
    workflow_id = quote_workflow_id(scene.desk.tenant, TaskId(task_id))
    handle = scene.runs.client.get_workflow_handle(workflow_id)
    first = (await handle.describe()).run_id
    await stack.operator(
        ["workflow", "reset", "--workflow-id", workflow_id, "--type", "FirstWorkflowTask", "--reason", "by hand"]
    )
    deadline = time.monotonic() + _PAUSED_SECONDS
    while (await handle.describe()).run_id == first or await _shown_by_run(scene, task_id) != state.status:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the run of {task_id!r} does not show {state.status} after its reset")
        await asyncio.sleep(0.1)
    if (await scene.desk.shown(task_id)).state != state:
        scene.found(task_id, f"it was {state.status} and the reset changed it")


async def _terminated(scene: Scene, stack: Breakable, task_id: str) -> None:
    """The reconciler ends a task whose run was ended by hand."""
    workflow_id = quote_workflow_id(scene.desk.tenant, TaskId(task_id))
    await stack.operator(["workflow", "terminate", "--workflow-id", workflow_id, "--reason", "by hand"])
    deadline = time.monotonic() + REBUILT_SECONDS
    while True:
        state = (await scene.desk.shown(task_id)).state
        if state.status not in OPEN or time.monotonic() > deadline:
            break
        await asyncio.sleep(0.1)
    if (state.status, state.outcome) != ("failed", "terminated"):
        scene.found(task_id, f"its run was terminated and it is {state.status} ({state.outcome})")
