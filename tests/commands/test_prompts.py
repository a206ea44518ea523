"""Prompts from the command line: published, activated by somebody else, rolled back, compared.

Capabilities: C-79.
"""

import asyncio
from pathlib import Path

import pytest

from services.prompt_publishing import prompts_seed
from services.prompts import load_prompt
from store.pool import Store
from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database

SEED = load_prompt("enterprise-memory").version
FILE = """---
id: enterprise-memory
version: {version}
input: memory-input@1
output: memory-decision@1
evaluation_set: memory-demo@1
owner: quote-desk
model_binding: deployment
---
{text}
"""


@pytest.fixture
def line(database: Database, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    use_database(database, monkeypatch)

    async def seed() -> None:
        store = await Store.open(database.app_url, size=1)
        await prompts_seed(store)
        await store.close()

    asyncio.run(seed())
    line = CommandLine("deployment")
    assert line("tenant", "add", "deployment", "--operator", "ann").status == 0
    line.done("ann", "principal", "add", "ben", "--role", "operator")
    return line


def _file(folder: Path, version: str, text: str) -> str:
    path = folder / f"{version}.md"
    path.write_text(FILE.format(version=version, text=text), encoding="utf-8")
    return str(path)


def _json(line: CommandLine, subject: str, *arguments: str) -> dict[str, object]:
    ran = line("prompts", *arguments, "--as", subject, "--json")
    assert ran.status == 0, ran.err
    return ran.json


def test_a_version_is_published_activated_compared_and_rolled_back(line: CommandLine, tmp_path: Path) -> None:
    assert _json(line, "ann", "publish", _file(tmp_path, "9.1.0", "Answer shortly."))["status"] == "draft"
    refused = line("prompts", "activate", "enterprise-memory", "9.1.0", "--as", "ann", "--json")
    assert (refused.status, refused.error["code"]) == (1, "four_eyes")
    assert _json(line, "ben", "activate", "enterprise-memory", "9.1.0")["status"] == "active"
    shown = _json(line, "ann", "show", "enterprise-memory")
    assert (shown["version"], shown["text"], shown["author"]) == ("9.1.0", "Answer shortly.", "ann")
    old = _json(line, "ann", "show", "enterprise-memory", "--version", SEED)
    assert (old["status"], old["text"]) == ("retired", load_prompt("enterprise-memory").text)
    difference = _json(line, "ann", "diff", "enterprise-memory", SEED, "9.1.0")
    assert "+Answer shortly." in str(difference["lines"])
    assert _json(line, "ben", "rollback", "enterprise-memory")["version"] == SEED
    listed = line("prompts", "list", "enterprise-memory", "--as", "ann", "--json").json["prompts"]
    assert [(one["version"], one["status"]) for one in listed] == [("9.1.0", "retired"), (SEED, "active")]


def test_people_read_it_in_two_languages(line: CommandLine) -> None:
    assert "active" in line("prompts", "list", "--as", "ann").out
    assert "使用中" in line("prompts", "list", "--as", "ann", "--lang", "zh-TW").out
    assert "is active, by deployment" in line("prompts", "show", "draft-review", "--as", "ann").out
    review = load_prompt("draft-review").version
    alike = line("prompts", "diff", "draft-review", review, review, "--as", "ann", "--lang", "zh-TW")
    assert "兩個版本內容相同" in alike.out


@pytest.mark.parametrize("data", [b"no head", b"\xff\xfe---\n", b"---\nid: other\n---\ntext", b"x" * (256 * 1024 + 1)])
def test_what_is_no_prompt_is_refused(line: CommandLine, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "prompt.md"
    path.write_bytes(data)
    refused = line("prompts", "publish", str(path), "--as", "ann", "--json")
    assert (refused.status, refused.error["code"]) == (1, "invalid_input")


def test_somebody_of_another_tenant_is_nobody_here(line: CommandLine) -> None:
    assert line("tenant", "add", "acme", "--operator", "op").status == 0
    refused = line("prompts", "list", "--as", "op", "--json")
    assert refused.status == 1
