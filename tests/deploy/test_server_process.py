"""One server under its keeper."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.server_process import ServerProcess, accepts_connections, free_port
from models.errors import StackFailed


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_lives_in_a_session_of_its_own_until_it_is_stopped(tmp_path: Path) -> None:
    """Ctrl-C and a closed terminal reach Proofdesk alone, which stops its servers in order."""
    server = ServerProcess.start("sleep", ["sleep", "600"], log=tmp_path / "log", stop_signal=signal.SIGTERM)
    assert server.running
    assert os.getsid(server.pid) != os.getsid(0)
    server.stop()
    server.stop()
    assert not server.running
    assert not _exists(server.pid)


def test_a_program_that_is_missing_is_a_failure_that_names_the_log(tmp_path: Path) -> None:
    with pytest.raises(StackFailed, match="log"):
        ServerProcess.start("x", ["/no/such/program"], log=tmp_path / "log", stop_signal=signal.SIGTERM)


def test_a_server_that_ends_at_once_shows_its_last_words(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('no room left')"]
    server = ServerProcess.start("x", command, log=tmp_path / "log", stop_signal=signal.SIGTERM)
    with pytest.raises(StackFailed, match="no room left"):
        server.wait_until(lambda: False, seconds=30)
    server.stop()


def test_a_server_that_is_never_ready_is_stopped(tmp_path: Path) -> None:
    server = ServerProcess.start("sleep", ["sleep", "600"], log=tmp_path / "log", stop_signal=signal.SIGTERM)
    with pytest.raises(StackFailed, match="not ready"):
        server.wait_until(lambda: False, seconds=0.1)
    assert not _exists(server.pid)


def test_with_a_watched_process_it_outlives_its_starter_and_ends_with_that_process(tmp_path: Path) -> None:
    watched = subprocess.Popen(["sleep", "600"])
    server = ServerProcess.start(
        "sleep", ["sleep", "600"], log=tmp_path / "log", stop_signal=signal.SIGTERM, watched_pid=watched.pid
    )
    assert server.running
    watched.kill()
    watched.wait()
    deadline = time.monotonic() + 10
    while server.running and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _exists(server.pid)
    server.stop()


def test_a_free_port_is_free() -> None:
    assert not accepts_connections(free_port())
