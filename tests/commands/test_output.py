"""What a terminal gets to see, and how a command ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands.output import Output, shown
from commands.texts import Texts, chosen_language
from models.errors import Refused
from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database

ROOT = Path(__file__).parents[2]


def test_what_cannot_be_seen_stands_as_an_escape() -> None:
    assert shown("a\x1b[2Jb\u202ec\x00\r") == "a\\u001b[2Jb\\u202ec\\u0000\\u000d"
    assert shown("[bold]交期[/bold]\t15\n日") == "[bold]交期[/bold]\t15\n日"


def test_a_cell_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(as_json=False, texts=Texts("en"))
    out.table(None, ["column_title"], [["[red]x[/red]\x1b[31m"]], empty="none")
    printed = capsys.readouterr().out
    assert "[red]x[/red]\\u001b[31m" in printed
    assert "\x1b" not in printed


def test_a_notice_is_part_of_the_error_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(as_json=True, texts=Texts("en"))
    out.notice("temporary_stack")
    out.error(Refused("no"))
    out.close()
    told = json.loads(capsys.readouterr().err)
    assert told["error"] == {"code": "refused", "message": "no"}
    assert len(told["notices"]) == 1


def test_a_notice_alone_leaves_stdout_to_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(as_json=True, texts=Texts("zh-TW"))
    out.notice("temporary_stack")
    out.result({"名": "值"})
    out.close()
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"名": "值"}
    assert "make up" in captured.err


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "zh_TW.UTF-8"}, "zh-TW"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-TW"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(
    environ: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert chosen_language(None) == language
    assert chosen_language("en") == "en"


def test_the_whole_program_ends_with_the_right_status() -> None:
    """The console script itself; a bad tenant is refused before any server is started."""
    environ = {**os.environ, "LANG": "C", "PYTHONUTF8": "0"}
    for arguments, status in (
        (["docs", "list", "--tenant", "*", "--as", "交期"], 1),
        (["docs", "list"], 2),
        (["docs", "fly"], 2),
        (["--help"], 0),
    ):
        done = subprocess.run(
            [sys.executable, "-c", "from cli import main; main()", *arguments],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert b"Traceback" not in done.stderr


def test_a_setting_that_is_none_is_named(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    use_database(database, monkeypatch)
    monkeypatch.setenv("PROOFDESK_DATABSE_URL", "postgresql://secret@host/db")
    ran = CommandLine("acme")("docs", "list", "--tenant", "acme", "--as", "kim")
    assert ran.status == 1
    assert "PROOFDESK_DATABASE_URL" in ran.err
    assert "secret" not in ran.err


def test_a_superuser_is_refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hostile 81."""
    use_database(database, monkeypatch)
    monkeypatch.setenv("PROOFDESK_DATABASE_URL", database.admin_url)
    ran = CommandLine("acme")("tenant", "add", "acme", "--operator", "op", "--json")
    assert (ran.status, ran.error["code"]) == (1, "unsafe_role")
    assert "bypasses RLS" in ran.error["message"]


def test_without_a_stack_the_command_has_one_of_its_own(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROOFDESK_DATABASE_URL", raising=False)
    monkeypatch.setenv("PROOFDESK_DATA_FOLDER", str(data_folder))
    ran = CommandLine("acme")("tenant", "add", "acme", "--operator", "op", "--json", "--lang", "en")
    assert ran.status == 0
    assert ran.json["created"] is True
    assert "temporary" in json.loads(ran.err)["notices"][0]
    assert os.listdir(data_folder) == []
