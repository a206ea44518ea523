"""THE table: what an error of an activity means for the workflow that called it.

The answer travels in the failure itself, so that a replay sees what was decided then. No message of an unknown error
travels: it may quote somebody's text.
"""

import asyncio
import traceback
from collections.abc import Awaitable, Mapping
from typing import Literal, TypeVar

import structlog
from temporalio.exceptions import ApplicationError

from models.errors import (
    AgentFailed,
    AuditBroken,
    BudgetExhausted,
    Conflict,
    EmbedderFailed,
    IndexMismatch,
    InvalidInput,
    ModelRefused,
    ModelUnavailable,
    NotFound,
    ProofdeskError,
    Refused,
    SchemaMismatch,
    StackBusy,
    StackFailed,
    StaleWriter,
    StoreBusy,
    StoreUnavailable,
    TemporalUnavailable,
    UnreadableDocument,
    UnsafeRole,
)

# attempt: tried again, three times in all; permanent: trying again cannot help; no_attempt: the outside is away and
# nothing is counted; superseded: another run or attempt owns the task.
Handling = Literal["attempt", "permanent", "no_attempt", "superseded"]

HANDLING: Mapping[type[ProofdeskError], Handling] = {
    StoreBusy: "attempt",
    AgentFailed: "attempt",
    ModelUnavailable: "attempt",
    EmbedderFailed: "attempt",
    StackBusy: "attempt",
    StackFailed: "attempt",
    StoreUnavailable: "no_attempt",
    TemporalUnavailable: "no_attempt",
    StaleWriter: "superseded",
    NotFound: "permanent",
    InvalidInput: "permanent",
    Refused: "permanent",
    Conflict: "permanent",
    UnsafeRole: "permanent",
    SchemaMismatch: "permanent",
    IndexMismatch: "permanent",
    UnreadableDocument: "permanent",
    ModelRefused: "permanent",
    AuditBroken: "permanent",
    # A step turns it into a block that ends with the day; elsewhere trying again cannot help before that.
    BudgetExhausted: "permanent",
}
UNEXPECTED = "unexpected_error"

T = TypeVar("T")
_log = structlog.get_logger("activities")


async def translated(call: Awaitable[T]) -> T:
    """The result of a service call; whatever it raises becomes one ApplicationError of the table."""
    try:
        return await call
    except asyncio.CancelledError:
        raise
    except Exception as error:  # noqa: BLE001 -- an untyped error would be retried or shown with its text
        raise application_error(error) from None


def application_error(error: Exception) -> ApplicationError:
    """The failure that the workflow sees: the error's code as type, its handling as the only detail."""
    if not isinstance(error, ProofdeskError):
        _log.error(UNEXPECTED, error=type(error).__name__, trace=traceback.format_tb(error.__traceback__))
        return ApplicationError(type(error).__name__, "attempt", type=UNEXPECTED)
    handling = handling_of(type(error))
    permanent = handling in ("permanent", "superseded")
    return ApplicationError(str(error), handling, type=error.code, non_retryable=permanent)


def handling_of(kind: type[ProofdeskError]) -> Handling:
    """The handling of the nearest class that the table names; every direct child of ProofdeskError is in it."""
    return next(HANDLING[parent] for parent in kind.__mro__ if parent in HANDLING)
