"""The table of failures: each error of Proofdesk means one thing to the workflow, and no text of a stranger travels."""

import asyncio
from inspect import isclass
from typing import get_args

import pytest
from temporalio.exceptions import ApplicationError

from activities.failures import HANDLING, UNEXPECTED, Handling, application_error, handling_of, translated
from models import errors
from models.errors import (
    AgentFailed,
    FourEyes,
    IllegalTransition,
    NotFound,
    ProofdeskError,
    StaleWriter,
    StoreBusy,
    StoreUnavailable,
    TemporalUnavailable,
    UnreadableDocument,
)

KINDS = [kind for kind in vars(errors).values() if isclass(kind) and issubclass(kind, ProofdeskError)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_has_a_place_in_the_table(kind: type[ProofdeskError]) -> None:
    if kind.__bases__ == (ProofdeskError,):
        assert kind in HANDLING, "a new kind of error has a row of its own: nothing is retried by default"
    if kind is not ProofdeskError:
        assert handling_of(kind) in get_args(Handling)


@pytest.mark.parametrize(
    ("error", "handling", "non_retryable"),
    [
        (StoreUnavailable("away"), "no_attempt", False),
        (TemporalUnavailable("away"), "no_attempt", False),
        (StoreBusy("deadlock"), "attempt", False),
        (AgentFailed("no JSON"), "attempt", False),
        (StaleWriter("late"), "superseded", True),
        (NotFound("gone"), "permanent", True),
        (FourEyes("same"), "permanent", True),
        (IllegalTransition("edge"), "permanent", True),
        (UnreadableDocument("empty", "empty"), "permanent", True),
    ],
)
def test_type_handling_and_retry_follow_the_class(error: ProofdeskError, handling: str, non_retryable: bool) -> None:
    failure = application_error(error)
    assert (failure.type, list(failure.details), failure.non_retryable) == (error.code, [handling], non_retryable)


async def test_an_unknown_error_shows_its_class_and_none_of_its_words() -> None:
    async def fails() -> None:
        raise ValueError("the customer's text")

    with pytest.raises(ApplicationError) as raised:
        await translated(fails())
    failure = raised.value
    assert (failure.type, failure.message, list(failure.details)) == (UNEXPECTED, "ValueError", ["attempt"])
    assert failure.__cause__ is None
    assert failure.__suppress_context__


async def test_a_cancel_is_no_failure() -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await translated(cancelled())
