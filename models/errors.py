"""Every error that Proofdesk raises on purpose: one base, a typed `code`, a message that says what to do."""

from datetime import datetime
from typing import ClassVar, Literal


class ProofdeskError(Exception):
    """The base; `code` is stable and safe to show, the message holds no content of others."""

    code: ClassVar[str] = "proofdesk_error"


class InvalidInput(ProofdeskError):
    """What was given cannot be taken; nothing was changed."""

    code = "invalid_input"


class InvalidField(InvalidInput):
    """A structured value does not fit its field."""

    code = "invalid_field"


class NotFound(ProofdeskError):
    """There is no such thing here, or it belongs to somebody else: both answer alike."""

    code = "not_found"


class Refused(ProofdeskError):
    """The actor may not do this."""

    code = "refused"


class FourEyes(Refused):
    """The actor took part in what is to be decided."""

    code = "four_eyes"


class Conflict(ProofdeskError):
    """What is stored differs from what the caller expects; the message names the difference."""

    code = "conflict"


class TaskExists(Conflict):
    """A task of this id was started with other content."""

    code = "task_exists"


class StaleVersion(Conflict):
    """The draft has moved on since it was shown: another version or another content hash."""

    code = "stale_version"


class AlreadyDecided(Conflict):
    """Another decision of this draft stands."""

    code = "already_decided"


class IllegalTransition(Conflict):
    """The state machine has no such edge."""

    code = "illegal_transition"


class StaleWriter(ProofdeskError):
    """A newer run, pass or attempt owns the task; this writer changed nothing and must stop."""

    code = "stale_writer"


class StoreUnavailable(ProofdeskError):
    """PostgreSQL cannot be reached now; trying again later is right."""

    code = "store_unavailable"


class StoreBusy(ProofdeskError):
    """PostgreSQL gave the transaction up (deadlock, serialization, statement timeout); nothing was changed."""

    code = "store_busy"


class TemporalUnavailable(ProofdeskError):
    """Temporal cannot be reached now; trying again later is right."""

    code = "temporal_unavailable"


class UnsafeRole(ProofdeskError):
    """The database role could bypass row security, so start-up is refused."""

    code = "unsafe_role"


class SchemaMismatch(ProofdeskError):
    """The database holds other migrations than this program."""

    code = "schema_mismatch"


class StackBusy(ProofdeskError):
    """Another process runs the embedded stack on this data folder."""

    code = "stack_busy"


class StackFailed(ProofdeskError):
    """The embedded stack could not be started; the message names the log."""

    code = "stack_failed"


class EmbedderFailed(ProofdeskError):
    """The embedding model gave no usable vector."""

    code = "embedder_failed"


class IndexMismatch(ProofdeskError):
    """The tenant's live index was made with another embedding model than this program uses."""

    code = "index_mismatch"


class BudgetExhausted(ProofdeskError):
    """The tenant's tokens of the day do not suffice for the call, which was not made.

    `resumes_at` (UTC) is when the day turns; None when the call is larger than the whole budget of a day.
    """

    code = "budget_exhausted"

    def __init__(self, message: str, resumes_at: datetime | None) -> None:
        super().__init__(message)
        self.resumes_at: datetime | None = resumes_at


class AgentFailed(ProofdeskError):
    """An agent's answer is not of its contract."""

    code = "agent_failed"


class ModelUnavailable(ProofdeskError):
    """A model's server did not answer in time or not at all; whether it worked on the request is unknown."""

    code = "model_unavailable"


class ModelBusy(ModelUnavailable):
    """A model's server took no request for now (rate limit, overload): nothing was worked on."""

    code = "model_busy"


class ModelRefused(ProofdeskError):
    """A model's server refuses the request itself (key, model name, size, spent quota): trying again is no help."""

    code = "model_refused"


UnreadableReason = Literal[
    "empty",
    "no_text",
    "encrypted",
    "corrupt",
    "unsupported_type",
    "type_mismatch",
    "too_large",
    "too_slow",
    "too_much_memory",
    "unsafe_content",
]


class UnreadableDocument(ProofdeskError):
    """A file cannot become knowledge; `reason` says why and the message what to do."""

    code = "unreadable_document"

    def __init__(self, reason: UnreadableReason, message: str) -> None:
        super().__init__(message)
        self.reason: UnreadableReason = reason


class AuditBroken(ProofdeskError):
    """The audit is not the one that was sealed, or its keys cannot be used; the message says where and what to do."""

    code = "audit_broken"
