"""`QuoteTask`: the order of events of one quote. What is true stands in Postgres; a run only drives it on.

Why it is so: every decision of the loop rests on the last brief from Postgres, so a run can be lost, reset or replaced
at any moment. Each turn of the loop calls one activity; whatever that says is where the next turn begins.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from temporalio import workflow
from temporalio.common import RawValue
from temporalio.exceptions import TemporalError

from activities.quote_task import QuoteTaskActivities as Activities
from models.errors import NotFound
from models.run_views import RunDraft, RunStatus
from models.steps import (
    TERMINAL_STATUSES,
    CancelInput,
    ExpiryInput,
    InboxInput,
    ReminderInput,
    ResumeInput,
    RunInput,
    StepFailure,
    TaskBrief,
    TimelineEntry,
)
from models.tasks import Step
from models.transitions import RESTS, STEPS
from workflows.attempts import AttemptFailed, Superseded, Unreachable, call_local, call_step
from workflows.policies import (
    ATTEMPTS,
    EPOCH_MEMO,
    HISTORY_BYTES,
    HISTORY_EVENTS,
    REREAD_SECONDS,
    RESUME_PAUSE,
    UNREACHABLE_LIMIT,
    quote_workflow_id,
    retry_delay,
    unreachable_delay,
)
from workflows.run_state import RunState

MALFORMED = "malformed input"
NOT_CURRENT = "not the current run"

# What came after the first recorded histories.
REMINDERS = "reminders"
RESUMES = "blocks-that-end-by-themselves"


@dataclass(frozen=True, slots=True)
class Deadline:
    """The next thing that happens at a rest by itself."""

    at: datetime
    kind: Literal["reminder", "escalation", "expiry", "resume"]


@workflow.defn(name="QuoteTask")
class QuoteTask:
    """One run of a quote task; it goes on from whatever status Postgres holds."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        # Taken raw: an input that does not fit a type would fail the workflow task for ever and hold the id.
        parsed = _run_input(given)
        self._is_malformed = parsed is None
        placeholder = RunInput.model_construct(tenant_id="", task_id="", run_epoch=0, run_id="", carried=None)
        mine = parsed or placeholder
        if workflow.info().workflow_id != quote_workflow_id(mine.tenant_id, mine.task_id):
            mine = mine.model_copy(update={"run_epoch": 0})  # under a foreign id no run is current
        self._run = RunState.begun(mine, workflow.info().run_id)

    @workflow.run
    async def run(self, *_: Any) -> str:
        """Goes from status to status until the task is closed; how the run ended."""
        if self._is_malformed:
            return MALFORMED
        try:
            while not self._is_closed():
                self._continue_as_new_if_large()
                self._raise_if_cancelled()
                try:
                    await self._next()
                except (Unreachable, AttemptFailed) as error:
                    await self._wait_until_reachable(error.code)
        except Superseded:
            return NOT_CURRENT
        except asyncio.CancelledError:
            if workflow.cancellation_reason() is None:
                raise  # the worker only forgets this run
            return await self._cancelled()
        return self._brief.status

    @workflow.signal(dynamic=True)
    def notified(self, name: str, values: Sequence[RawValue]) -> None:
        """Takes any signal, raw; the loop looks at it."""
        self._run.inbox.add(name, [_decoded(value) for value in values])

    @workflow.query
    def status(self) -> RunStatus:
        """Where the run believes the task to stand."""
        return self._run.status_view()

    @workflow.query
    def timeline(self) -> list[TimelineEntry]:
        """The last statuses that this run and its predecessors saw."""
        return self._run.timeline

    @workflow.query
    def draft(self) -> RunDraft | None:
        """Which draft is on the table, without its text."""
        return self._run.draft_view()

    @property
    def _brief(self) -> TaskBrief:
        brief = self._run.brief
        assert brief is not None, "the run is opened first"
        return brief

    async def _next(self) -> None:
        """What the task's status asks for: exactly one thing."""
        run = self._run
        if run.brief is None:
            await self._open()
        elif run.failure is not None:
            await self._after_failure(run.failure)
        elif run.brief.cancel_requested and run.brief.status not in TERMINAL_STATUSES:
            await self._cancel(run.brief.reason or "cancelled")
        elif run.brief.status in RESTS:
            await self._rest(run.brief)
        elif run.brief.status in TERMINAL_STATUSES:
            await self._read_inbox()
        else:
            await self._step(run.brief)

    async def _open(self) -> None:
        """A run that is not the task's current one ends here; it is audited where it was refused."""
        run = self._run
        given = run.given
        opened = await call_local(Activities.open_run, given)
        if not opened.accepted or opened.brief is None:
            raise Superseded(opened.reason)
        if workflow.memo_value(EPOCH_MEMO, default=None) != given.run_epoch:
            workflow.upsert_memo({EPOCH_MEMO: given.run_epoch})
        run.saw(opened.brief)

    async def _step(self, brief: TaskBrief) -> None:
        """One attempt of the step that the status stands for."""
        step = _step_of(brief)
        given = self._run.step_input(step, brief)
        attempt = given.token.attempt
        try:
            self._run.saw(await call_step(given))
        except Superseded:
            await self._reread(brief)
        except AttemptFailed as error:
            self._fail(StepFailure(failed=given, error_code=error.code, attempts=attempt), error.permanent)
        except Unreachable as error:
            since = self._run.unreachable_since
            if since is None or workflow.now() - since < UNREACHABLE_LIMIT:
                raise
            self._fail(StepFailure(failed=given, error_code=error.code, attempts=attempt), gives_up=True)

    def _fail(self, failure: StepFailure, gives_up: bool) -> None:
        self._run.failure = failure
        self._run.gives_up = gives_up or failure.attempts >= ATTEMPTS
        self._run.error_code = failure.error_code

    async def _after_failure(self, failure: StepFailure) -> None:
        """Shows `retrying` and pauses before the next attempt, or blocks the task after the last one."""
        run = self._run
        if run.gives_up:
            run.saw(await call_local(Activities.block_task, failure))
            run.failure = None
            return
        run.show("retrying")
        brief = await call_local(Activities.mark_retrying, failure)
        run.saw(brief)
        run.failure = None
        if brief.status == "retrying":
            run.attempt = failure.attempts + 1
            await workflow.sleep(retry_delay(failure.attempts))

    async def _rest(self, brief: TaskBrief) -> None:
        """Waits until something is said or decided, or until a deadline comes; Postgres says what it means."""
        if not self._run.is_fresh:
            await self._read_inbox()
            return
        deadline = self._deadline(brief)
        if await self._is_notified(None if deadline is None else deadline.at):
            if self._run.inbox.has_any:
                await self._read_inbox()
        elif deadline is not None:
            await self._deadline_came(deadline, brief)

    def _deadline(self, brief: TaskBrief) -> Deadline | None:
        """What comes next if nobody does anything."""
        if brief.status == "blocked":
            if brief.resumes_at is None or not workflow.patched(RESUMES):
                return None
            resumed = self._run.resumed_at
            earliest = brief.resumes_at if resumed is None else max(brief.resumes_at, resumed + RESUME_PAUSE)
            return Deadline(earliest, "resume")
        if brief.status != "awaiting_approval" or brief.expires_at is None:
            return None
        expiry = Deadline(brief.expires_at, "expiry")
        reminder = brief.reminder
        if reminder is None or reminder.at >= expiry.at or not workflow.patched(REMINDERS):
            return expiry
        return Deadline(reminder.at, reminder.kind)

    async def _deadline_came(self, deadline: Deadline, brief: TaskBrief) -> None:
        run = self._run
        mine: dict[str, Any] = {**run.identity(), "run_epoch": run.given.run_epoch}
        match deadline.kind:
            case "expiry":
                given = ExpiryInput(**mine, decision_version=brief.decision_version)
                after = await call_local(Activities.expire_approval, given)
            case "resume":
                run.resumed_at = workflow.now()
                after = await call_local(Activities.resume_task, ResumeInput(**mine, pass_=brief.pass_))
            case kind:
                asked = ReminderInput(**mine, decision_version=brief.decision_version, kind=kind)
                after = await call_local(Activities.record_reminder, asked)
                if after.reminder != brief.reminder:
                    run.note(after.status, kind)
        run.saw(after, fresh=True)

    async def _is_notified(self, deadline: datetime | None) -> bool:
        """True when there is something to look at (or the history is full), False when the deadline came first."""
        inbox = self._run.inbox
        if not await _within(lambda: inbox.has_any or _is_large(), deadline):
            return False
        if inbox.has_any and not inbox.has_new:
            later = workflow.now() + REREAD_SECONDS
            await _within(lambda: inbox.has_new, later if deadline is None else min(later, deadline))
        return True

    async def _read_inbox(self) -> None:
        """Lets Postgres say what is to be done; what cannot be asked now waits again."""
        run = self._run
        signals, unreported = run.inbox.take()
        given = InboxInput(
            **run.identity(), run_epoch=run.given.run_epoch, signals=signals, rejected_signals=unreported
        )
        try:
            run.saw(await call_local(Activities.read_inbox, given), fresh=True)
        except (Unreachable, AttemptFailed):
            run.inbox.put_back(signals, unreported)
            raise

    async def _reread(self, before: TaskBrief) -> None:
        """A step that was refused asks where the task stands; if nowhere else, this run is not the one to go on."""
        await self._read_inbox()
        after = self._brief
        if (after.pass_, after.revision) == (before.pass_, before.revision):
            raise Superseded("the step belongs to another writer")

    async def _wait_until_reachable(self, code: str) -> None:
        """A pause that grows to ten seconds; shown as `retrying`, counted as no attempt."""
        run = self._run
        if code == NotFound.code:
            raise Superseded("there is no such task any more")
        run.error_code = code
        run.unreachable_times += 1
        run.unreachable_since = run.unreachable_since or workflow.now()
        run.show("retrying")
        await workflow.sleep(unreachable_delay(run.unreachable_times))

    async def _cancel(self, reason: str) -> None:
        run = self._run
        given = CancelInput(**run.identity(), run_epoch=run.given.run_epoch, reason=reason)
        # Shielded: a second cancel must not leave the task open in Postgres and closed in Temporal.
        run.saw(await asyncio.shield(call_local(Activities.cancel_run, given)), fresh=True)

    async def _cancelled(self) -> str:
        """Carries Temporal's cancel out, and nothing else; a decision that came first stands."""
        while True:
            try:
                await self._cancel((workflow.cancellation_reason() or "cancelled by an operator")[:200])
            except Superseded:
                return NOT_CURRENT
            except (Unreachable, AttemptFailed) as error:
                await self._wait_until_reachable(error.code)
            else:
                break
        if self._brief.status == "cancelled":
            raise asyncio.CancelledError
        return self._brief.status

    def _is_closed(self) -> bool:
        """Whether the task is closed and nothing waits that was said to this run."""
        brief = self._run.brief
        if brief is None or brief.status not in TERMINAL_STATUSES or self._run.inbox.has_any:
            return False
        return workflow.all_handlers_finished()

    def _raise_if_cancelled(self) -> None:
        """A cancel that an activity's end swallowed is honoured before anything else is scheduled."""
        brief = self._run.brief
        if workflow.cancellation_reason() is not None and not (brief and brief.status in TERMINAL_STATUSES):
            raise asyncio.CancelledError

    def _continue_as_new_if_large(self) -> None:
        # What waits in the inbox goes along: it cannot be emptied while the store is away, and the history would grow.
        if _is_large() and workflow.all_handlers_finished():
            workflow.continue_as_new(self._run.carried())


async def _within(condition: Any, deadline: datetime | None) -> bool:
    """Whether `condition` came true before `deadline`."""
    left = None if deadline is None else deadline - workflow.now()
    if left is not None and left <= timedelta():
        return bool(condition())
    try:
        await workflow.wait_condition(condition, timeout=left)
    except TimeoutError:
        return False
    return True


def _is_large() -> bool:
    info = workflow.info()
    return (
        info.is_continue_as_new_suggested()
        or info.get_current_history_length() > HISTORY_EVENTS
        or info.get_current_history_size() > HISTORY_BYTES
    )


def _step_of(brief: TaskBrief) -> Step:
    """The step that a status stands for; a task that is `retrying` resumes its own."""
    if brief.status == "retrying" and brief.resume_step is not None:
        return brief.resume_step
    return next(step for step in STEPS if step == brief.status)


def _run_input(given: Sequence[object]) -> RunInput | None:
    try:
        (only,) = given
        return RunInput.model_validate(only)
    except ValueError:
        return None


def _decoded(value: RawValue) -> object:
    """What a signal carries, or None where it cannot be read: a handler must not raise."""
    try:
        return workflow.payload_converter().from_payload(value.payload)
    except (TemporalError, RuntimeError, KeyError, ValueError, TypeError, RecursionError):
        return None
