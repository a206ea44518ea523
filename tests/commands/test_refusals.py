"""A refusal says what to do: the words that a first-time user met and could not act on."""

import pytest

from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database


@pytest.fixture
def line(database: Database, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A company in Taipei with its operator, who also owns knowledge."""
    use_database(database, monkeypatch)
    line = CommandLine("acme")
    assert line("tenant", "add", "acme", "--operator", "op", "--time-zone", "Asia/Taipei").status == 0
    line.done("op", "principal", "add", "kim", "--role", "knowledge_owner")
    return line


def test_a_tenant_that_is_there_tells_its_time_zone(line: CommandLine) -> None:
    ran = line("tenant", "add", "acme", "--operator", "op", "--json")
    assert (ran.status, ran.error["code"]) == (1, "conflict")
    assert "Asia/Taipei: give that one, or another id" in ran.error["message"]


def test_a_version_that_is_not_there_points_to_the_list(line: CommandLine) -> None:
    told = line.refused("kim", "docs", "submit", "NONE", "--version", "1")
    assert told["code"] == "not_found"
    assert "proofdesk docs list" in told["message"]


@pytest.mark.parametrize("tenant", ["*", "../", "", "%", "ACME'--", "a" * 41])
@pytest.mark.parametrize("words", [("task", "list"), ("docs", "list"), ("policy", "show")])
def test_a_tenant_out_of_form_is_refused_before_anything_starts(
    tenant: str, words: tuple[str, ...], line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DATABASE_URL", "postgresql://proofdesk_app:x@127.0.0.1:1/none")  # not even asked
    ran = line(*words, "--tenant", tenant, "--as", "op", "--json")
    assert (ran.status, ran.out, ran.error["code"]) == (1, "", "invalid_input")
    assert "use 1 to 40 letters, digits and '-'" in ran.error["message"]
