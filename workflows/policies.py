"""How long the parts of a quote task may take, how often they are tried, and what a run is called."""

import re
from datetime import timedelta

from temporalio.common import RetryPolicy, SearchAttributeKey

from models.errors import InvalidInput
from models.ids import TaskId, TenantId, parse_task_id, parse_tenant_id

TASK_QUEUE = "proofdesk"
WORKFLOW_TYPE = "QuoteTask"
EPOCH_MEMO = "run_epoch"

TENANT_ATTRIBUTE = SearchAttributeKey.for_keyword("TenantId")
STATUS_ATTRIBUTE = SearchAttributeKey.for_keyword("TaskStatus")
BLOCKED_ATTRIBUTE = SearchAttributeKey.for_keyword("BlockedReason")

# Temporal tries nothing again by itself: an attempt that it repeats leaves no trace that a query could show.
ONCE = RetryPolicy(maximum_attempts=1)
ATTEMPTS = 3
RETRY_DELAY = timedelta(seconds=1)
RETRY_FACTOR = 4

# A few milliseconds of PostgreSQL.
LOCAL_SECONDS = timedelta(seconds=20)
STEP_SECONDS = timedelta(minutes=5)
HEARTBEAT_SECONDS = timedelta(seconds=10)

UNREACHABLE_FIRST = timedelta(seconds=0.5)
UNREACHABLE_CAP = timedelta(seconds=10)
UNREACHABLE_LIMIT = timedelta(hours=24)

# A block that ended by itself and came back at once is not ended again before this: clocks differ a little.
RESUME_PAUSE = timedelta(seconds=30)

# A turn of a run is repeated after 10, 20, ... seconds: the third one comes within half a minute.
FAILED_TURNS = 3
TIMED_OUT_TURNS = 6

# What repeats or cannot be read is looked at together, at most this often.
REREAD_SECONDS = timedelta(seconds=10)
INBOX_LIMIT = 100
SEEN_LIMIT = 100
TIMELINE_LIMIT = 100

# The bound of a run is 2,000 events and 2 MB; the rest is for what a step and its end still add.
HISTORY_EVENTS = 1_800
HISTORY_BYTES = 1_800_000

_QUOTE_ID = re.compile(r"quote/([^/]+)/([^/]+)")


def quote_workflow_id(tenant_id: TenantId, task_id: TaskId) -> str:
    """The workflow id of a quote task."""
    return f"quote/{tenant_id}/{task_id}"


def quote_task_of(workflow_id: str) -> tuple[TenantId, TaskId]:
    """The inverse of `quote_workflow_id`; InvalidInput for any other id."""
    parts = _QUOTE_ID.fullmatch(workflow_id)
    if parts is None:
        raise InvalidInput(f"{workflow_id[:120]!r} is no workflow of a quote task: they are quote/TENANT/TASK")
    return parse_tenant_id(parts[1]), parse_task_id(parts[2])


def step_queue(task_queue: str) -> str:
    """The queue of the long steps that belongs to the workflows' `task_queue`."""
    return f"{task_queue}-steps"


def retry_delay(attempt: int) -> timedelta:
    """The pause after the failed attempt of this number (1, 2, ...)."""
    return RETRY_DELAY * RETRY_FACTOR ** (attempt - 1)


def unreachable_delay(times: int) -> timedelta:
    """The pause after the store or Temporal was away for the `times`-th time in a row (1, 2, ...)."""
    return min(UNREACHABLE_FIRST * 2 ** min(times - 1, 10), UNREACHABLE_CAP)
