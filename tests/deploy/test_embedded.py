"""The embedded stack: comes up, is found, is alone on its folder, and leaves nothing behind however it ends."""

import asyncio
import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from deploy.embedded import EmbeddedStack, StackAddresses, running_stack
from deploy.server_process import accepts_connections
from models.errors import StackBusy, StackFailed
from store.connection import connected
from store.pool import Store

# Runs a stack until it is told to stop; writes a line when it is up.
_HOLDER = """
import asyncio, sys
from pathlib import Path
from deploy.embedded import EmbeddedStack

async def main():
    async with EmbeddedStack(Path(sys.argv[1]), durable=False):
        sys.stdout.write("up\\n")
        sys.stdout.flush()
        await asyncio.sleep(600)

try:
    asyncio.run(main())
except (KeyboardInterrupt, asyncio.CancelledError):
    sys.exit(7)
"""

Hold = Callable[[Path], "subprocess.Popen[str]"]


@pytest.fixture
def hold() -> Generator[Hold]:
    """Starts a process that holds a stack on a folder."""
    started: list[subprocess.Popen[str]] = []

    def start(folder: Path) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", _HOLDER, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=30)


def _processes_of(folder: Path) -> list[str]:
    """The command lines of all processes that name `folder`, but not those that hold it for this test."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if any(str(folder) in word for word in words) and _HOLDER not in words:
                found.append(" ".join(words))
    return found


def _gone_within(folder: Path, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while _processes_of(folder):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


async def _add_note(addresses: StackAddresses) -> None:
    async with connected(addresses.database_url_owner) as conn:
        await conn.execute("insert into tenants (tenant_id) values ('kept')")


async def _has_note(addresses: StackAddresses) -> bool:
    async with connected(addresses.database_url_owner) as conn:
        return bool(await conn.fetchval("select exists (select from tenants where tenant_id = 'kept')"))


async def test_it_comes_up_is_found_goes_down_and_comes_back(data_folder: Path) -> None:
    folder = data_folder / "made" / "here"
    assert running_stack(folder) is None
    async with EmbeddedStack(folder, ui=True) as addresses:
        assert running_stack(folder) == addresses
        assert addresses.ui_port is not None
        assert accepts_connections(addresses.ui_port)
        store = await Store.open(addresses.database_url_app)
        await store.close()
        await _add_note(addresses)
        for secret in ("stack.json", "postgres-passwords.json", "stack.lock"):
            assert stat.S_IMODE((folder / secret).stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) & 0o007 == 0
        assert stat.S_IMODE((folder / "postgres").stat().st_mode) == 0o700
    assert running_stack(folder) is None
    assert _processes_of(folder) == []
    async with EmbeddedStack(folder) as addresses:
        assert await _has_note(addresses)


async def test_two_stacks_run_side_by_side_and_temporary_ones_vanish() -> None:
    first, second = EmbeddedStack(durable=False), EmbeddedStack(durable=False)
    async with first as one, second as two:
        assert one.temporal_address != two.temporal_address
        await _add_note(one)
        assert not await _has_note(two)
        folders = [first.folder, second.folder]
    assert not any(folder.exists() for folder in folders)


async def test_a_temporary_folder_that_a_killed_process_left_is_removed_and_no_other(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(data_folder))
    abandoned, starting, stranger = (data_folder / f"proofdesk-{name}" for name in ("stack-a", "stack-b", "other"))
    for folder in (abandoned, starting, stranger):
        folder.mkdir()
    for folder in (abandoned, stranger):
        (folder / "stack.lock").touch()
    running = EmbeddedStack(durable=False)
    async with running:
        assert set(os.listdir(data_folder)) == {running.folder.name, starting.name, stranger.name}
        EmbeddedStack()  # another one beside it
        assert running.folder.exists()


async def test_a_second_stack_on_the_folder_is_refused_and_harms_nothing(data_folder: Path, hold: Hold) -> None:
    holder = hold(data_folder)
    with pytest.raises(StackBusy, match=f"process {holder.pid} runs the stack"):
        await EmbeddedStack(data_folder).start()
    found = running_stack(data_folder)
    assert found is not None
    assert found.pid == holder.pid
    assert not await _has_note(found)


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_everything_in_order(data_folder: Path, hold: Hold, stop_signal: signal.Signals) -> None:
    holder = hold(data_folder)
    holder.send_signal(stop_signal)
    _, said = holder.communicate(timeout=30)
    assert (holder.returncode, said) == (7, "")
    assert _processes_of(data_folder) == []
    assert not (data_folder / "stack.json").exists()
    assert "database system is shut down" in (data_folder / "postgres.log").read_text()


async def test_after_kill_9_the_servers_go_too_and_the_next_start_keeps_the_data(data_folder: Path, hold: Hold) -> None:
    holder = hold(data_folder)
    found = running_stack(data_folder)
    assert found is not None
    await _add_note(found)
    holder.kill()
    holder.wait()
    assert running_stack(data_folder) is None  # though the file is still there
    async with EmbeddedStack(data_folder, durable=False) as addresses:  # waits for the keepers
        assert await _has_note(addresses)
    assert _gone_within(data_folder, 10)


def test_after_kill_9_the_folder_stays_locked_until_its_servers_are_gone(data_folder: Path, hold: Hold) -> None:
    """Else two Temporal servers could write one file."""
    holder = hold(data_folder)
    holder.kill()
    holder.wait()
    with (data_folder / "stack.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert _processes_of(data_folder) == []


async def test_after_kill_9_of_the_servers_themselves_the_data_is_recovered(data_folder: Path) -> None:
    async with EmbeddedStack(data_folder) as addresses:
        await _add_note(addresses)
        os.kill(int((data_folder / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    async with EmbeddedStack(data_folder) as addresses:
        assert await _has_note(addresses)


def test_a_killed_keeper_takes_its_server_along(data_folder: Path, hold: Hold) -> None:
    hold(data_folder)
    keepers = [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and _is_keeper_of(entry, data_folder)
    ]
    assert len(keepers) == 2
    for pid in keepers:
        os.kill(pid, signal.SIGKILL)
    assert _gone_within(data_folder, 15)


def _is_keeper_of(entry: Path, folder: Path) -> bool:
    try:
        words = (entry / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return False
    return "keeper.py" in words and str(folder) in words


async def test_a_stale_pid_file_naming_a_living_stranger_does_not_stop_the_start(data_folder: Path) -> None:
    async with EmbeddedStack(data_folder, durable=False) as addresses:
        await _add_note(addresses)
    data = data_folder / "postgres"
    (data / "postmaster.pid").write_text(f"{os.getpid()}\n{data}\n1\n5432\n\n127.0.0.1\n 1 1\nready\n")
    async with EmbeddedStack(data_folder, durable=False) as addresses:
        assert await _has_note(addresses)


async def test_an_interrupted_first_start_begins_again(data_folder: Path) -> None:
    (data_folder / "postgres.new").mkdir()
    (data_folder / "postgres.new" / "PG_VERSION").write_text("18\n")
    async with EmbeddedStack(data_folder, durable=False) as addresses:
        assert not await _has_note(addresses)
    assert not (data_folder / "postgres.new").exists()


async def test_cancelled_while_starting_nothing_stays(data_folder: Path) -> None:
    for delay in (0.0, 0.01, 0.05, 0.4):
        task = asyncio.create_task(EmbeddedStack(data_folder, durable=False).start())
        await asyncio.sleep(delay)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert _processes_of(data_folder) == []
    async with EmbeddedStack(data_folder, durable=False) as addresses:  # the lock is free again
        assert not await _has_note(addresses)


async def test_a_broken_cluster_is_a_failure_that_names_the_log(data_folder: Path) -> None:
    async with EmbeddedStack(data_folder, durable=False):
        pass
    (data_folder / "postgres" / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(StackFailed, match=r"postgres\.log"):
        await EmbeddedStack(data_folder, durable=False).start()
    assert _processes_of(data_folder) == []


@pytest.mark.parametrize("content", ["", "{}", "[]", "no json", json.dumps({"pid": 1})])
def test_a_spoilt_state_file_is_no_running_stack(data_folder: Path, content: str) -> None:
    (data_folder / "stack.json").write_text(content)
    assert running_stack(data_folder) is None


async def test_a_state_file_of_a_reused_pid_is_no_running_stack(data_folder: Path) -> None:
    async with EmbeddedStack(data_folder, durable=False):
        told = (data_folder / "stack.json").read_text()
    (data_folder / "stack.json").write_text(told)  # names this very process, which runs no stack any more
    assert running_stack(data_folder) is None


@pytest.mark.parametrize("place", ["a-file", "a-file/below", "/proc/proofdesk"])
async def test_a_place_that_can_be_no_data_folder_is_named(place: str, data_folder: Path) -> None:
    (data_folder / "a-file").touch()
    with pytest.raises(StackFailed, match="PROOFDESK_DATA_FOLDER"):
        await EmbeddedStack(data_folder / place).start()
    assert (data_folder / "a-file").is_file()
