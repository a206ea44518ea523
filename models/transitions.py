"""The state machine of a quote task as one table; whatever is not in it is refused."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, get_args

from models.errors import IllegalTransition
from models.tasks import Step, TaskState, TaskStatus

STATUSES: tuple[TaskStatus, ...] = get_args(TaskStatus)
STEPS: tuple[Step, ...] = get_args(Step)
CLOSED: frozenset[TaskStatus] = frozenset({"completed", "failed", "cancelled"})
OPEN: frozenset[TaskStatus] = frozenset(STATUSES) - CLOSED
RESTS: frozenset[TaskStatus] = frozenset({"waiting_input", "awaiting_approval", "blocked"})


def _to(*targets: TaskStatus) -> frozenset[TaskStatus]:
    return frozenset(targets)


# From every open status: a person cancels, an attempt fails, a person must act, the run is lost.
_ANY_OPEN = _to("cancelled", "retrying", "blocked", "failed")
# What is said or decided about a task already under way is merged before anything else happens.
_SUPPLEMENTED = _ANY_OPEN | _to("restoring")
# Evidence that changed under the task is asked for again.
_RECHECKED = _SUPPLEMENTED | _to("retrieving")

TRANSITIONS: Mapping[TaskStatus, frozenset[TaskStatus]] = {
    "created": _ANY_OPEN | _to("restoring"),
    "restoring": _SUPPLEMENTED | _to("retrieving", "waiting_input"),
    "retrieving": _RECHECKED | _to("analyzing"),
    "analyzing": _RECHECKED | _to("reviewing"),
    "reviewing": _RECHECKED | _to("awaiting_approval", "analyzing"),
    "awaiting_approval": _RECHECKED | _to("completed"),
    "waiting_input": _SUPPLEMENTED,
    "retrying": _SUPPLEMENTED | _to(*STEPS),
    "blocked": _SUPPLEMENTED,
    "completed": _to("restoring"),
    "failed": _to(),
    "cancelled": _to(),
}


def check_transition(current: TaskStatus, target: TaskStatus) -> None:
    """Raise IllegalTransition unless a task may go from `current` to `target`."""
    if target not in TRANSITIONS[current]:
        allowed = ", ".join(sorted(TRANSITIONS[current])) or "nothing further"
        raise IllegalTransition(f"a task that is {current} cannot become {target}; possible: {allowed}")


def check_step(status: TaskStatus, next_step: Step | None, step: Step) -> None:
    """Raise IllegalTransition unless `step` is what a task in `status` does now: its own, or the one it retries."""
    if status != step and not (status == "retrying" and next_step == step):
        raise IllegalTransition(f"a task that is {status} does not do {step} now: read its state again")


def moved(state: TaskState, target: TaskStatus, *, now: datetime, **changes: object) -> TaskState:
    """`state` in `target` at the next revision and pass, with `changes` of its other fields.

    What belongs to the status left behind (block, outcome, waiting since) goes, and `next_step` says what comes next.
    Raises IllegalTransition.
    """
    check_transition(state.status, target)
    entered: dict[str, object] = {
        "block": None,
        "outcome": None,
        "awaiting_since": now if target == "awaiting_approval" else None,
        "next_step": _next_step(target),
        "pass_": state.pass_ + 1,
    }
    if target == "retrieving":
        entered["review_rounds"] = 0
    return state.model_copy(update={**entered, **changes, "status": target, "revision": state.revision + 1})


def interrupted(
    target: TaskStatus, *, step: Step | None, cancel: bool, unmerged: bool, recheck: bool
) -> Literal["cancelled", "restoring", "retrieving"] | None:
    """Where a task goes instead of `target`, because something happened while `step` was done; None if nowhere else."""
    if cancel:
        return "cancelled"
    if unmerged and target != "restoring":
        return "restoring"
    if recheck and step != "restoring" and target != "retrieving":
        return "retrieving"
    return None


def _next_step(target: TaskStatus) -> Step | None:
    if target in ("waiting_input", "blocked"):
        return "restoring"
    return next((step for step in STEPS if step == target), None)
