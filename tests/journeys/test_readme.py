"""What README.md says can be typed: every line of it is run, or at least understood by the command that it names."""

import ast
import re
import shlex
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import typer

from cli import app
from deploy.stack import Servers
from deploy.temporal_server import TemporalServer
from deploy.worker_process import start_worker
from models.ids import TenantId
from store.pool import Store
from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database
from tests.journeys.test_temporal_cli import temporal_cli
from tests.workflows.running import running_desk
from workflows.reconciler import Reconciler

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
TYPED = [line for block in BLOCKS for line in block.splitlines()]
INLINE = re.findall(r"`([^`\n]+)`", README)
COMMANDS = [line for line in TYPED if line.startswith("proofdesk ")]
PLAIN = [words.removeprefix(".venv/bin/") for words in INLINE]
NAMED = [words for words in PLAIN if words.startswith("proofdesk ")]
OPERATED = [line for line in TYPED if line.startswith("temporal ")]
FUNCTIONS = [words for words in INLINE if re.fullmatch(r"[a-z_]+/[\w/.]+(: \w+)?", words)]


def described(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the words name, and what is left of them; the test fails where there is none."""
    command: Any = typer.main.get_command(app)
    rest = list(words)
    while hasattr(command, "commands"):
        assert rest, words
        name = rest.pop(0)
        assert name in command.commands, words
        command = command.commands[name]
    return command, rest


def test_there_is_something_to_look_at() -> None:
    assert len(COMMANDS) > 15
    assert len(OPERATED) == 10
    assert len(FUNCTIONS) > 10
    assert NAMED


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_line_is_understood(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sop.md").touch()
    monkeypatch.setenv("PROOFDESK_TENANT", "A")
    command, rest = described(shlex.split(line)[1:])
    command.make_context("proofdesk", rest)  # wrong usage raises


@pytest.mark.parametrize("line", NAMED)
def test_every_command_named_in_a_sentence_exists(line: str) -> None:
    command, rest = described(shlex.split(line)[1:])
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {word.split()[1] for word in [*INLINE, *TYPED] if word.startswith("make ")}
    assert {"demo", "test", "up", "env", "check"} <= named <= targets


@pytest.mark.parametrize("named", FUNCTIONS)
def test_every_file_and_function_exists(named: str) -> None:
    path, _, function = named.partition(": ")
    assert (ROOT / path).exists()
    if function:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert function in {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}


async def test_every_line_for_operators_does_what_it_says(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address) as run:
        for task_id in ("Q43", "Q44"):
            await run.desk.start(task_id)
            await run.until_shown("awaiting_approval", task_id)
        for line in OPERATED:
            words = line.replace("quote/A/", f"quote/{tenant}/").replace("'A'", f"'{tenant}'")
            await temporal_cli(temporal, *shlex.split(words)[1:])
            if " reset " in line:
                await run.until_shown("awaiting_approval", "Q43")
        await run.until("cancelled", "Q43")
        assert await run.desk.audited("unverified_signal")
        await Reconciler(store, run.runs, quiet_seconds=0).reconcile()
        assert (await run.until("failed", "Q44")).state.outcome == "terminated"


@pytest.fixture
def working(
    database: Database, temporal: TemporalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Generator[CommandLine]:
    """A terminal on servers with a worker, in an empty folder."""
    use_database(database, monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROOFDESK_TENANT", "A")
    servers = Servers("settings", database.app_url, temporal.address, "default")
    worker = start_worker(servers, tmp_path / "worker.log", environment={"PYTHONPATH": str(ROOT)})
    yield CommandLine("A")
    worker.stop()


def shown(line: CommandLine, status: str) -> dict[str, Any]:
    """The task once it is in the status."""
    deadline = time.monotonic() + 60
    while True:
        ran = line("task", "show", "Q42", "--as", "boss-1", "--json")
        if ran.json["task"]["state"]["status"] == status or time.monotonic() > deadline:
            assert ran.json["task"]["state"]["status"] == status
            return ran.json


# What a reader waits for before the next line.
REST = {"task start": "waiting_input", "task supplement": "awaiting_approval", "task decide": "completed"}


def test_one_quote_from_start_to_finish_line_by_line(working: CommandLine) -> None:
    section = README.partition("## One quote, from start to finish")[2].partition("## ")[0]
    lines = re.findall(r"^(?:proofdesk|printf) .*$", section.partition("```")[2].partition("```")[0], re.MULTILINE)
    said = content_hash = ""
    for typed in lines:
        if typed.startswith("printf "):
            subprocess.run(["sh", "-c", typed], check=True)
            continue
        words = shlex.split(typed.replace("HASH_AS_SHOWN", content_hash))[1:]
        ran = working(*words)
        assert ran.status == 0, (typed, ran.err)
        said = ran.out
        if " ".join(words[:2]) in REST:
            draft = shown(working, REST[" ".join(words[:2])])["draft"]
            content_hash = "" if draft is None else draft["content_hash"]
    assert "completed" in said
    assert "15 working days" in said
