"""The row of a quote task: its state, who holds it, and its timeline."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.ids import Subject, TaskId
from models.reminders import ReminderKind
from models.steps import TimelineEntry
from models.tasks import BlockedReason, Step, TaskState, TaskStatus
from store.named_queries import queries
from store.pool import TenantTransaction


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as Postgres holds it; `attempt` is the lowest attempt that may still write."""

    state: TaskState
    starter: Subject
    request_hash: str
    attempt: int
    cancel_requested_by: str | None
    cancel_reason: str | None
    recheck_reason: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ListedTask:
    """One line of a list of tasks."""

    state: TaskState
    starter: Subject
    created_at: datetime
    updated_at: datetime
    reminders: frozenset[ReminderKind]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A step that was given up."""

    pass_: int
    step: str
    reason: str
    error_code: str
    attempts: int
    created_at: datetime
    resolved_at: datetime | None


async def task_insert(tx: TenantTransaction, state: TaskState, *, starter: str, request_hash: str) -> bool:
    """Whether the task was made; False when its id is taken."""
    row = await queries.task_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=state.task_id,
        request_hash=request_hash,
        starter=starter,
        state=state.model_dump(mode="json"),
    )
    return row is not None


async def task_fetch(tx: TenantTransaction, task_id: TaskId) -> TaskRow | None:
    """The task, or None."""
    return _task(await queries.task_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id))


async def task_progress_fetch(tx: TenantTransaction, task_id: TaskId) -> tuple[TaskStatus, int, bool] | None:
    """Status, revision, and whether something was said that is not merged yet; None when there is no such task."""
    row = await queries.task_progress_fetch(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return None if row is None else (row["status"], row["revision"], row["unmerged"])


async def task_lock(tx: TenantTransaction, task_id: TaskId) -> TaskRow | None:
    """The task, held until the transaction ends, or None."""
    return _task(await queries.task_lock(tx.conn, tenant_id=tx.tenant_id, task_id=task_id))


async def task_save_if_revision(
    tx: TenantTransaction, state: TaskState, *, expected_revision: int, attempt: int
) -> bool:
    """Compare-and-swap: whether `state` was written over `expected_revision`."""
    row = await queries.task_save_if_revision(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=state.task_id,
        state=state.model_dump(mode="json"),
        attempt=attempt,
        expected_revision=expected_revision,
    )
    return row is not None


async def task_cancel_request(tx: TenantTransaction, task_id: TaskId, *, actor: str, reason: str) -> None:
    """Marks the task as to be cancelled; a first request stands."""
    await queries.task_cancel_request(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, actor=actor, reason=reason)


async def task_recheck_set(tx: TenantTransaction, task_id: TaskId, reason: str | None) -> None:
    """Marks the task's evidence as to be asked for again, or (None) as asked for."""
    await queries.task_recheck_set(tx.conn, tenant_id=tx.tenant_id, task_id=task_id, reason=reason)


async def task_list(
    tx: TenantTransaction,
    *,
    status: TaskStatus | None,
    blocked_reason: BlockedReason | None,
    starter: str | None,
    limit: int,
) -> list[ListedTask]:
    """Tasks of the tenant, the most urgent first, then the last changed."""
    rows = queries.task_list(
        tx.conn, tenant_id=tx.tenant_id, status=status, blocked_reason=blocked_reason, starter=starter, limit=limit
    )
    return [
        ListedTask(
            _state(row["state"]),
            Subject(row["starter"]),
            row["created_at"],
            row["updated_at"],
            frozenset(row["reminders"]),
        )
        async for row in rows
    ]


async def task_event_insert(tx: TenantTransaction, state: TaskState, reason: str) -> None:
    """A line of the timeline: the status of `state`, and why."""
    await queries.task_event_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=state.task_id,
        status=state.status,
        pass_=state.pass_,
        run_epoch=state.run_epoch,
        reason=reason,
    )


async def task_event_list(tx: TenantTransaction, task_id: TaskId) -> tuple[TimelineEntry, ...]:
    """The timeline, first event first."""
    rows = queries.task_event_list(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return tuple([TimelineEntry(at=row["at"], status=row["status"], reason=row["reason"]) async for row in rows])


async def dead_letter_insert(
    tx: TenantTransaction, state: TaskState, *, step: Step, reason: BlockedReason, error_code: str, attempts: int
) -> None:
    """Records a step that was given up, once for each entry into it."""
    await queries.dead_letter_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        task_id=state.task_id,
        pass_=state.pass_,
        step=step,
        reason=reason,
        error_code=error_code,
        attempts=attempts,
    )


async def dead_letter_resolve(tx: TenantTransaction, task_id: TaskId) -> None:
    """Marks the task's dead letters as taken up by a person."""
    await queries.dead_letter_resolve(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)


async def dead_letter_list(tx: TenantTransaction, task_id: TaskId) -> Sequence[DeadLetter]:
    """The dead letters of a task, first one first."""
    rows = queries.dead_letter_list(tx.conn, tenant_id=tx.tenant_id, task_id=task_id)
    return [
        DeadLetter(
            row["pass"],
            row["step"],
            row["reason"],
            row["error_code"],
            row["attempts"],
            row["created_at"],
            row["resolved_at"],
        )
        async for row in rows
    ]


def _task(row: Any) -> TaskRow | None:
    if row is None:
        return None
    fields: dict[str, Any] = dict(row.items())
    fields["state"] = _state(fields["state"])
    return TaskRow(**fields)


def _state(stored: Any) -> TaskState:
    return TaskState.model_validate(stored)
