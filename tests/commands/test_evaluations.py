"""What `proofdesk eval` says to files that cannot be measured."""

import json
from pathlib import Path

import pytest

from tests.commands.command_line import CommandLine

ROWS = ("fields", "--file"), ("tasks", "--cases")


@pytest.mark.parametrize(("name", "option"), ROWS)
def test_a_file_without_a_line_has_no_figures(name: str, option: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text(" \n\n", encoding="utf-8")
    ran = CommandLine("acme")("eval", name, option, str(empty), "--json")
    assert (ran.status, ran.out, ran.error["code"]) == (1, "", "invalid_input")


@pytest.mark.parametrize(("name", "option"), ROWS)
def test_a_file_that_cannot_be_read_says_why(name: str, option: str, tmp_path: Path) -> None:
    line = CommandLine("acme")
    ran = line("eval", name, option, str(tmp_path / "none.jsonl"), "--json")
    assert (ran.status, ran.error["code"]) == (1, "invalid_input")
    assert "none.jsonl" in ran.error["message"]
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b'{"text": "caf\xe9"}\n')
    ran = line("eval", name, option, str(latin), "--json")
    assert (ran.status, ran.error["code"]) == (1, "invalid_input")
    assert "UTF-8" in ran.error["message"]


def test_files_are_counted_by_kind_and_outcome(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Lead time is 15 days.")
    (tmp_path / "b.pdf").write_text("no PDF")
    line = CommandLine("acme")
    ran = line("eval", "files", "--folder", str(tmp_path), "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["outcomes"] == {"pdf": {"refused:type_mismatch": 1}, "txt": {"read": 1}}
    ran = line("eval", "files", "--folder", str(tmp_path / "none"), "--json")
    assert (ran.status, ran.error["code"]) == (1, "invalid_input")
