"""The state of one run of `QuoteTask`, in one place: what it carries over, shows and answers to queries."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from temporalio import workflow

from models.ids import Subject
from models.run_views import RunDraft, RunStatus
from models.steps import CarriedRun, RunInput, StepFailure, StepInput, TaskBrief, TimelineEntry
from models.tasks import BlockedReason, Step, StepToken, TaskStatus
from workflows.policies import BLOCKED_ATTRIBUTE, STATUS_ATTRIBUTE, TENANT_ATTRIBUTE, TIMELINE_LIMIT
from workflows.signals import Inbox


@dataclass
class RunState:
    """One run. `brief` is where Postgres said the task stands; `is_fresh` says that nothing happened since."""

    given: RunInput
    inbox: Inbox
    timeline: list[TimelineEntry]
    brief: TaskBrief | None = None
    is_fresh: bool = False
    failure: StepFailure | None = None
    gives_up: bool = False
    attempt: int = 1
    error_code: str | None = None
    unreachable_times: int = 0
    unreachable_since: datetime | None = None
    resumed_at: datetime | None = None
    _shown: tuple[TaskStatus, BlockedReason | None] | None = field(default=None)

    @classmethod
    def begun(cls, given: RunInput, run_id: str) -> "RunState":
        """The state that a run begins with, from its input and what its predecessor carried over."""
        carried = given.carried or CarriedRun()
        inbox = Inbox(seen=carried.signals_seen, rejected=carried.signals_rejected, unknown=carried.unknown_signals)
        inbox.put_back(carried.signals_waiting, carried.signals_unreported)
        bare = given.model_copy(update={"run_id": run_id, "carried": None})
        return cls(bare, inbox, list(carried.timeline), unreachable_since=carried.unreachable_since)

    def carried(self) -> RunInput:
        """The input of the run that continues this one, and looks at what waits; this one's inbox is empty then."""
        waiting, unreported = self.inbox.take()
        carried = CarriedRun(
            timeline=tuple(self.timeline),
            signals_seen=tuple(self.inbox.seen),
            signals_rejected=self.inbox.rejected,
            unknown_signals=self.inbox.unknown,
            signals_waiting=waiting,
            signals_unreported=unreported,
            unreachable_since=self.unreachable_since,
        )
        return self.given.model_copy(update={"run_id": "", "carried": carried})

    def saw(self, brief: TaskBrief, *, fresh: bool = False) -> None:
        """Takes over what Postgres says, into timeline and search attributes."""
        before, self.brief, self.is_fresh = self.brief, brief, fresh
        self.unreachable_times, self.unreachable_since = 0, None
        if before is not None and before.pass_ != brief.pass_:
            self.attempt = 1
        if brief.status != "retrying":
            self.error_code = None
        if before is None or (before.status, before.pass_) != (brief.status, brief.pass_):
            last = self.timeline[-1].status if self.timeline else None
            if before is not None or last != brief.status:
                self.note(brief.status, brief.reason)
        self.show(brief.status, brief.blocked_reason)

    def note(self, status: TaskStatus, reason: str) -> None:
        """A line of the timeline, now."""
        entry = TimelineEntry(at=workflow.now(), status=status, reason=reason)
        self.timeline = [*self.timeline, entry][-TIMELINE_LIMIT:]

    def show(self, status: TaskStatus, blocked_reason: BlockedReason | None = None) -> None:
        """Writes the search attributes when they change."""
        if self._shown == (status, blocked_reason):
            return
        updates: list[Any] = [STATUS_ATTRIBUTE.value_set(status)]
        if self._shown is None:
            updates.append(TENANT_ATTRIBUTE.value_set(self.given.tenant_id))
        if blocked_reason is not None:
            updates.append(BLOCKED_ATTRIBUTE.value_set(blocked_reason))
        elif self._shown is None or self._shown[1] is not None:
            updates.append(BLOCKED_ATTRIBUTE.value_unset())
        self._shown = (status, blocked_reason)
        sdk: Any = workflow  # its signature leaves the value's type open
        sdk.upsert_search_attributes(updates)

    def step_input(self, step: Step, brief: TaskBrief) -> StepInput:
        """The attempt of `step` that is due, fenced by the token of this run and pass."""
        return StepInput(
            **self.identity(),
            step=step,
            token=StepToken(run_epoch=self.given.run_epoch, pass_=brief.pass_, attempt=self.attempt),
            expected_revision=brief.revision,
        )

    def identity(self) -> dict[str, Any]:
        """Tenant, task, principal and run id: what every activity input begins with."""
        starter = Subject("workflow") if self.brief is None else self.brief.starter
        given = self.given
        return {
            "tenant_id": given.tenant_id,
            "task_id": given.task_id,
            "principal": starter,
            "run_id": given.run_id,
        }

    def status_view(self) -> RunStatus:
        """The answer to the query `status`."""
        brief = self.brief
        shown: TaskStatus = "created" if self._shown is None else self._shown[0]
        return RunStatus(
            tenant_id=self.given.tenant_id,
            task_id=self.given.task_id,
            run_epoch=self.given.run_epoch,
            status=shown,
            revision=0 if brief is None else brief.revision,
            decision_version=0 if brief is None else brief.decision_version,
            pending=() if brief is None else brief.pending,
            blocked_reason=None if brief is None else brief.blocked_reason,
            outcome=None if brief is None else brief.outcome,
            error_code=self.error_code,
            signals_rejected=self.inbox.rejected,
            unknown_signals=self.inbox.unknown,
        )

    def draft_view(self) -> RunDraft | None:
        """The answer to the query `draft`; None while there is none to decide on."""
        brief = self.brief
        if brief is None or brief.content_hash is None:
            return None
        version = brief.decision_version
        draft_id = f"{self.given.task_id}/{version}"
        return RunDraft(draft_id=draft_id, decision_version=version, content_hash=brief.content_hash)
