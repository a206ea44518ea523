"""How a quote task must end, whatever order seven people's acts come in: a small machine to compare the product with.

It knows nothing of workflows, signals or transactions. Two questions are answered: `played` says what becomes of each
act and of the task when every act finds the task at rest; `ended` says where the task must rest when the acts raced
with the work and only those in its argument were acknowledged, in that order.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from models.chaos_facts import DecisionFact, TaskFact
from models.chaos_journal import Answer
from models.contract import Contract
from models.decisions import Verdict
from models.tasks import Outcome, TaskStatus

Move = Literal["supplement", "approve_v1", "reject_v1", "request_changes_v1", "late_approve_v1", "cancel", "approve_v2"]
MOVES: tuple[Move, ...] = get_args(Move)

# Which draft a decision is of, and what it says.
DECISIONS: dict[Move, tuple[int, Verdict]] = {
    "approve_v1": (1, "approve"),
    "reject_v1": (1, "reject"),
    "request_changes_v1": (1, "request_changes"),
    "late_approve_v1": (1, "approve"),
    "approve_v2": (2, "approve"),
}
_OUTCOMES: dict[Verdict, Outcome] = {"approve": "approved", "reject": "rejected"}


class Ending(Contract):
    """Where a task rests; `decisions` are those that stand, by draft."""

    status: TaskStatus
    outcome: Outcome | None
    decisions: tuple[tuple[int, Verdict], ...]


class Played(Contract):
    """What became of each act, and the end."""

    answers: tuple[Answer, ...]
    decision_version: int
    ending: Ending


def played(order: Sequence[Move]) -> Played:
    """The acts of `order` one after another on a task that shows its first draft and rests before each."""
    task = _Task()
    answers: list[Answer] = ["acknowledged" if task.takes(move) else "refused" for move in order]
    return Played(answers=tuple(answers), decision_version=task.version, ending=task.ending())


def ended(acknowledged: Sequence[Move]) -> Ending:
    """The end after these acts were acknowledged in this order, however they raced with the work."""
    taken: list[tuple[int, Verdict]] = [DECISIONS[move] for move in acknowledged if move in DECISIONS]
    decisions = tuple(taken)
    if "cancel" in acknowledged:
        return Ending(status="cancelled", outcome="cancelled", decisions=decisions)
    last = acknowledged[-1] if acknowledged else None
    verdict = DECISIONS[last][1] if last in DECISIONS else None
    if verdict in ("approve", "reject"):
        return Ending(status="completed", outcome=_OUTCOMES[verdict], decisions=decisions)
    return Ending(status="awaiting_approval", outcome=None, decisions=decisions)


def ending_of(task: TaskFact, decisions: Sequence[DecisionFact]) -> Ending:
    """Where the product's task rests; `decisions` in the order of their drafts."""
    standing: list[tuple[int, Verdict]] = [(one.decision_version, one.verdict) for one in decisions if not one.voided]
    return Ending(status=task.state.status, outcome=task.state.outcome, decisions=tuple(standing))


class _Task:
    """A task that rests whenever it is asked."""

    def __init__(self) -> None:
        self.version = 1
        self._status: TaskStatus = "awaiting_approval"
        self._outcome: Outcome | None = None
        self._decided: dict[int, Verdict] = {}

    def takes(self, move: Move) -> bool:
        """Whether the act is taken."""
        if move == "supplement":
            return self._begins_next_draft() if self._status != "cancelled" else False
        if move == "cancel":
            return self._is_cancelled()
        return self._decides(*DECISIONS[move])

    def ending(self) -> Ending:
        decisions: tuple[tuple[int, Verdict], ...] = tuple(self._decided.items())
        return Ending(status=self._status, outcome=self._outcome, decisions=decisions)

    def _begins_next_draft(self) -> bool:
        self.version, self._status, self._outcome = self.version + 1, "awaiting_approval", None
        return True

    def _is_cancelled(self) -> bool:
        if self._status == "completed":
            return False
        self._status, self._outcome = "cancelled", "cancelled"
        return True

    def _decides(self, version: int, verdict: Verdict) -> bool:
        if version in self._decided or version != self.version or self._status != "awaiting_approval":
            return False
        self._decided[version] = verdict
        if verdict == "request_changes":
            return self._begins_next_draft()
        self._status, self._outcome = "completed", _OUTCOMES[verdict]
        return True
