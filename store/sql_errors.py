"""What PostgreSQL reports, as Proofdesk's errors: judged by SQLSTATE, never by the text of a message."""

from collections.abc import Generator
from contextlib import contextmanager

import asyncpg

from models.errors import ProofdeskError, StoreBusy, StoreUnavailable

# connection exceptions; insufficient resources (too many connections, disk full); server shutting down or starting
_UNAVAILABLE = ("08", "53", "57P")
# transaction rollback (serialization, deadlock); lock not available; query cancelled (statement timeout);
# idle-in-transaction timeout
_BUSY = ("40", "55P03", "57014", "25P03", "25P04")
_LOGIN = ("28", "3D")


@contextmanager
def translated_errors() -> Generator[None]:
    """Turns failures of the connection and of the transaction into StoreUnavailable and StoreBusy.

    Other errors of the database (a constraint, a missing grant) pass unchanged: their meaning is the caller's.
    """
    try:
        yield
    except asyncpg.PostgresError as error:
        translated = from_postgres(error)
        if translated is None:
            raise
        raise translated from error
    except (OSError, TimeoutError) as error:
        raise StoreUnavailable(
            f"PostgreSQL cannot be reached ({type(error).__name__}): check that it runs and PROOFDESK_DATABASE_URL"
        ) from error


def from_postgres(error: asyncpg.PostgresError) -> ProofdeskError | None:
    """The error for a SQLSTATE, or None where the state says something about the statement itself."""
    state = str(getattr(error, "sqlstate", None) or "")
    if state.startswith(_LOGIN):
        return StoreUnavailable(f"PostgreSQL refused the login (SQLSTATE {state}): check PROOFDESK_DATABASE_URL")
    if state.startswith(_BUSY):
        return StoreBusy(f"PostgreSQL gave the transaction up (SQLSTATE {state}): nothing was changed, try again")
    if state.startswith(_UNAVAILABLE):
        return StoreUnavailable(f"PostgreSQL is not available now (SQLSTATE {state}): try again later")
    return None
