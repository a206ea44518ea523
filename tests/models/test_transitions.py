"""Every pair of statuses: what the design names is allowed, everything else is refused.

Capabilities: C-2.
"""

from datetime import UTC, datetime

import pytest

from models.errors import IllegalTransition
from models.ids import TaskId, TenantId
from models.tasks import Block, Step, TaskState, TaskStatus
from models.transitions import OPEN, STATUSES, TRANSITIONS, check_step, check_transition, interrupted, moved

_NOW = datetime(2026, 3, 1, tzinfo=UTC)
# One line a status: c created, r restoring, t retrieving, a analyzing, v reviewing, w awaiting_approval, d completed,
# i waiting_input, y retrying, b blocked, f failed, x cancelled.
_LETTERS: dict[str, TaskStatus] = dict(zip("crtavwdiybfx", STATUSES, strict=True))
_ALLOWED = {
    "c": "r ybfx",
    "r": "rti ybfx",
    "t": "rta ybfx",
    "a": "rtv ybfx",
    "v": "rtaw ybfx",
    "w": "rtd ybfx",
    "d": "r",
    "i": "r ybfx",
    "y": "rtav ybfx",
    "b": "r ybfx",
    "f": "",
    "x": "",
}


@pytest.mark.parametrize("current", _LETTERS)
@pytest.mark.parametrize("target", _LETTERS)
def test_every_pair(current: str, target: str) -> None:
    if target in _ALLOWED[current]:
        check_transition(_LETTERS[current], _LETTERS[target])
    else:
        with pytest.raises(IllegalTransition):
            check_transition(_LETTERS[current], _LETTERS[target])


def test_the_table_has_every_status_once() -> None:
    assert len(STATUSES) == 12
    assert set(TRANSITIONS) == set(STATUSES)
    assert set(STATUSES) - OPEN == {"completed", "failed", "cancelled"}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("step", ["restoring", "retrieving", "analyzing", "reviewing"])
def test_only_its_own_step_is_done_or_the_one_it_retries(status: TaskStatus, step: Step) -> None:
    allowed = status in (step, "retrying")
    if allowed:
        check_step(status, step, step)
    else:
        with pytest.raises(IllegalTransition):
            check_step(status, step, step)


def test_a_retry_goes_back_to_its_own_step_only() -> None:
    with pytest.raises(IllegalTransition):
        check_step("retrying", "restoring", "reviewing")


def _state(status: TaskStatus) -> TaskState:
    fresh = TaskState(tenant_id=TenantId("A"), task_id=TaskId("Q1"), revision=7, status=status, review_rounds=1)
    return fresh.model_copy(update={"pass_": 4})


def test_a_move_raises_pass_and_revision_and_leaves_what_belonged_to_the_status() -> None:
    state = _state("blocked").model_copy(update={"block": Block(reason="rights_lost")})
    after = moved(state, "restoring", now=_NOW, decision_version=2)
    assert (after.pass_, after.revision, after.status, after.next_step) == (5, 8, "restoring", "restoring")
    assert after.block is None
    assert after.decision_version == 2


def test_waiting_for_approval_is_dated_and_leaving_it_is_not() -> None:
    shown = moved(_state("reviewing"), "awaiting_approval", now=_NOW)
    assert shown.awaiting_since == _NOW
    assert moved(shown, "completed", now=_NOW, outcome="approved").awaiting_since is None


def test_a_new_retrieval_allows_a_new_review_round() -> None:
    assert moved(_state("restoring"), "retrieving", now=_NOW).review_rounds == 0
    assert moved(_state("retrieving"), "analyzing", now=_NOW).review_rounds == 1


def test_a_move_that_the_table_lacks_is_refused() -> None:
    with pytest.raises(IllegalTransition):
        moved(_state("cancelled"), "restoring", now=_NOW)


@pytest.mark.parametrize(
    ("target", "step", "cancel", "unmerged", "recheck", "instead"),
    [
        ("awaiting_approval", "reviewing", False, False, False, None),
        ("awaiting_approval", "reviewing", True, True, True, "cancelled"),
        ("awaiting_approval", "reviewing", False, True, True, "restoring"),
        ("awaiting_approval", "reviewing", False, False, True, "retrieving"),
        ("waiting_input", "restoring", False, False, True, None),
        ("retrieving", "restoring", False, False, True, None),
        ("waiting_input", "restoring", False, True, False, "restoring"),
        ("analyzing", "retrieving", False, False, True, "retrieving"),
        ("blocked", "analyzing", False, True, False, "restoring"),
    ],
)
def test_what_happened_meanwhile_comes_first(
    target: TaskStatus, step: Step, cancel: bool, unmerged: bool, recheck: bool, instead: TaskStatus | None
) -> None:
    assert interrupted(target, step=step, cancel=cancel, unmerged=unmerged, recheck=recheck) == instead
