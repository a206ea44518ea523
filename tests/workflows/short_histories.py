"""A Temporal server that lets a run continue as new after a few dozen events, with the virtual clock of tests."""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from deploy.temporal_server import TemporalServer

EVENTS = 40


@contextmanager
def short_histories(*, time_skipping: bool = False) -> Generator[TemporalServer]:
    """The server for the length of the block."""
    folder = Path(tempfile.mkdtemp(prefix="proofdesk-temporal-"))
    server = TemporalServer.start(folder, time_skipping=time_skipping, history_events=EVENTS)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)
