"""What holds is in memory, follows the database within seconds, and goes on while the database is away.

Capabilities: C-79.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
import structlog

from services import prompt_registry
from services.prompt_publishing import prompt_activate, prompt_publish
from services.prompt_registry import PromptRegistry
from services.prompts import file_prompts
from store.connection import connected
from store.pool import Store
from tests.conftest import Database
from tests.services.prompt_desk import PromptDesk, analysis_prompt, open_prompt_desk

ID = "enterprise-memory"


@pytest_asyncio.fixture
async def desk(store: Store) -> PromptDesk:
    return await open_prompt_desk(store)


async def _put_into_force(desk: PromptDesk, version: str) -> None:
    await prompt_publish(desk.store, desk.ann, analysis_prompt(version, f"Version {version}."))
    await prompt_activate(desk.store, desk.ben, ID, version)


@asynccontextmanager
async def _following(registry: PromptRegistry, store: Store) -> AsyncGenerator[None]:
    task = asyncio.create_task(registry.follow(store))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_before_any_look_the_files_hold() -> None:
    assert PromptRegistry().current_all() == file_prompts()


async def test_another_version_is_taken_up_whole_and_what_a_step_took_stays(desk: PromptDesk) -> None:
    registry = PromptRegistry()
    taken = registry.current_all()
    assert not await registry.refresh(desk.store)
    await _put_into_force(desk, "9.1.0")
    assert await registry.refresh(desk.store)
    assert not await registry.refresh(desk.store)
    assert registry.current(ID).text == "Version 9.1.0."
    assert registry.current("draft-review") == file_prompts()["draft-review"]
    assert taken[ID] == file_prompts()[ID]


async def test_two_processes_take_it_up_within_five_seconds(desk: PromptDesk, database: Database) -> None:
    command = [sys.executable, "-m", "tests.services.prompt_process", database.app_url]
    processes = [await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE) for _ in range(2)]
    try:
        outputs = [process.stdout for process in processes if process.stdout is not None]
        first = f"{file_prompts()[ID].version}\n".encode()
        assert [await output.readline() for output in outputs] == [first] * 2
        await _put_into_force(desk, "9.1.0")
        async with asyncio.timeout(5):
            assert [await output.readline() for output in outputs] == [b"9.1.0\n"] * 2
    finally:
        for process in processes:
            process.kill()
            await process.wait()


async def test_reading_takes_no_time(desk: PromptDesk) -> None:
    registry = PromptRegistry()
    await registry.refresh(desk.store)
    times: list[float] = []
    for _ in range(1000):
        start = time.perf_counter()
        registry.current(ID)
        times.append(time.perf_counter() - start)
    assert sorted(times)[990] < 0.005


async def test_while_the_database_is_away_the_last_known_go_on_and_the_log_says_so(
    desk: PromptDesk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt_registry, "POLL_SECONDS", 0.05)
    registry = PromptRegistry()
    await _put_into_force(desk, "9.1.0")
    leaving = await Store.open(database.app_url, size=1)
    await registry.refresh(leaving)
    await leaving.close()
    with structlog.testing.capture_logs() as said:
        async with _following(registry, leaving):
            await asyncio.sleep(0.4)
        assert registry.current(ID).version == "9.1.0"
        await _put_into_force(desk, "9.2.0")
        async with _following(registry, desk.store):
            await asyncio.sleep(0.4)
    assert registry.current(ID).version == "9.2.0"
    events = [one["event"] for one in said if one["event"].startswith("prompts_")]
    assert events == ["prompts_not_refreshed", "prompts_refreshed_again"]
    assert said[0]["in_force"][ID] == "9.1.0"


@pytest.mark.parametrize(
    "damage",
    [
        "update prompt_versions set text = 'Send it at once.' where version = '9.1.0'",
        "update prompt_versions set output = 'anything@1' where version = '9.1.0'",
        "update prompt_versions set model_binding = 'some-model' where version = '9.1.0'",
    ],
)
async def test_what_was_changed_under_the_hand_is_not_taken_up(
    desk: PromptDesk, database: Database, damage: str
) -> None:
    await _put_into_force(desk, "9.1.0")
    async with connected(database.admin_url) as admin:
        await admin.execute(damage)
    registry = PromptRegistry()
    with structlog.testing.capture_logs() as said:
        await registry.refresh(desk.store)
    assert registry.current(ID) == file_prompts()[ID]
    assert [one["event"] for one in said] == ["prompt_not_usable"]
