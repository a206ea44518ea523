"""`task-state@1`: the short-term memory of a task, and the closed sets that describe where it stands."""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from models.contract import Contract, is_empty
from models.fields import FieldName, FieldValue
from models.ids import EvidenceId, Subject, TaskId, TenantId

TaskStatus = Literal[
    "created",
    "restoring",
    "retrieving",
    "analyzing",
    "reviewing",
    "awaiting_approval",
    "completed",
    "waiting_input",
    "retrying",
    "blocked",
    "failed",
    "cancelled",
]
Step = Literal["restoring", "retrieving", "analyzing", "reviewing"]
Outcome = Literal["approved", "rejected", "abandoned", "cancelled", "terminated"]
BlockedReason = Literal[
    "source_conflict",
    "insufficient_evidence",
    "review_rejected",
    "attempts_exhausted",
    "revision_conflict",
    "approval_expired",
    "rights_lost",
    "unreadable_input",
    "budget_exhausted",
    "worker_fault",
]
TakeoverChoice = Literal["retry", "provide", "choose_source", "abandon"]


class FieldSource(Contract):
    """Where a confirmed value comes from: a span of a message, or a structured confirmation in it."""

    message_id: str
    author: Subject
    confirmed_by: Literal["extraction", "confirmation"]
    char_start: int | None = None
    char_end: int | None = None


class ConfirmedValue(Contract):
    """A value that nobody is asked for again."""

    value: FieldValue
    source: FieldSource


class FieldConflict(Contract):
    """What is said of one field side by side; only a structured confirmation resolves it.

    Two or more values, or one value and, in `undecided`, the messages that say it is not fixed after all.
    """

    field: FieldName
    candidates: tuple[ConfirmedValue, ...]
    undecided: tuple[FieldSource, ...] = ()


class ReplacedValue(Contract):
    """A confirmed value that a person replaced: kept with its source."""

    field: FieldName
    old: ConfirmedValue
    replaced_by: FieldSource


class LineDoubt(Contract):
    """A message that may have added or withdrawn a line; a person says whether the line is to be quoted."""

    kind: Literal["addition", "withdrawal"]
    source: FieldSource


LineStatus = Literal["complete", "waiting", "withdrawn"]


class LineItem(Contract):
    """One line of an RFQ of several: its own fields, what it waits for, and where it was named.

    `line` counts from 1 and never changes; `position` is the customer's own number of it, `label` the customer's words.
    A line that was withdrawn keeps everything and is quoted no more.
    """

    line: int
    label: str = ""
    position: str | None = None
    status: LineStatus = "waiting"
    source: FieldSource
    confirmed: dict[FieldName, ConfirmedValue] = Field(default_factory=dict[FieldName, ConfirmedValue])
    pending: tuple[FieldName, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    replaced: tuple[ReplacedValue, ...] = ()
    doubt: LineDoubt | None = None
    withdrawn_by: FieldSource | None = None


class TopicAnswer(Contract):
    """What was open in a draft and a message answers, for the confirmed values of that moment (`fields_hash`)."""

    topic: str
    message_id: str
    author: Subject
    fields_hash: str


class ConflictSide(Contract):
    """One side of a contradiction between sources, on a topic (none where a model saw it)."""

    document_id: str
    version: int
    quote: str
    evidence_id: EvidenceId
    topic: str = Field(default="", exclude_if=is_empty)


class Block(Contract):
    """Why a person must act, and what they may choose; with `resumes_at` the task goes on by itself then."""

    reason: BlockedReason
    detail: str = ""
    missing_topics: tuple[str, ...] = ()
    conflict: tuple[ConflictSide, ...] = ()
    choices: tuple[TakeoverChoice, ...] = ("retry", "provide", "abandon")
    resumes_at: datetime | None = None


class TaskState(Contract):
    """The truth about one task at one revision. `pass_` (JSON: `pass`) rises at every entry into a step.

    An RFQ of several lines has `lines`; its fields stand there alone, and `pending` names what any line waits for.
    Without lines the key is left out, so that a task of one line has the same JSON and hashes as ever.
    """

    schema_version: Literal["task-state@1"] = "task-state@1"
    tenant_id: TenantId
    task_id: TaskId
    revision: int
    status: TaskStatus
    confirmed: dict[FieldName, ConfirmedValue] = Field(default_factory=dict[FieldName, ConfirmedValue])
    pending: tuple[FieldName, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    replaced: tuple[ReplacedValue, ...] = ()
    next_step: Step | None = None
    evidence_ids: tuple[EvidenceId, ...] = ()
    decision_version: int = 1
    run_epoch: int = 1
    pass_: int = Field(default=1, alias="pass", serialization_alias="pass")
    block: Block | None = None
    outcome: Outcome | None = None
    awaiting_since: datetime | None = None
    review_rounds: int = 0
    answers: tuple[TopicAnswer, ...] = Field(default=(), exclude_if=is_empty)
    lines: tuple[LineItem, ...] = Field(default=(), exclude_if=is_empty)

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


class StepToken(Contract):
    """The fencing token: compared in the order run_epoch, pass, attempt; an older one changes nothing."""

    run_epoch: int
    pass_: int
    attempt: int
