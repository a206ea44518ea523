"""Tenants, people, policies and documents from the command line, from the file to the search."""

import json
from pathlib import Path

import pytest

from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database

SOP = "# 交期\n\n不鏽鋼件的標準交期為 15 日。\n"


@pytest.fixture
def line(database: Database, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A company: op, kim and lee (knowledge owners), ana (sales), bob (no group)."""
    use_database(database, monkeypatch)
    line = CommandLine("acme")
    assert line("tenant", "add", "acme", "--operator", "op", "--time-zone", "Asia/Taipei").status == 0
    for subject, *options in (
        ("kim", "--role", "knowledge_owner"),
        ("lee", "--role", "knowledge_owner"),
        ("ana", "--role", "requester", "--group", "sales"),
        ("bob", "--role", "requester"),
    ):
        line.done("op", "principal", "add", subject, *options)
    return line


@pytest.fixture
def sop(tmp_path: Path) -> str:
    path = tmp_path / "sop.md"
    path.write_text(SOP, encoding="utf-8")
    return str(path)


def add(line: CommandLine, file: str, *options: str, document_id: str = "SOP-1") -> None:
    given = ("--id", document_id, "--kind", "formal_fact", "--title", "交期標準", "--acl", "sales", *options)
    line.done("kim", "docs", "add", file, *given)


def test_a_document_goes_from_the_file_to_the_search(line: CommandLine, sop: str) -> None:
    add(line, sop)
    assert line.done("kim", "docs", "submit", "SOP-1", "--version", "1")["status"] == "submitted"
    assert line.done("lee", "docs", "approve", "SOP-1", "--version", "1")["status"] == "approved"
    assert line.done("ana", "docs", "search", "標準交期")["hits"] == []
    published = line.done("lee", "docs", "publish", "SOP-1", "--version", "1", "--from", "2026-01-01")
    assert published["status"] == "published"
    assert published["effective"]["effective_from"] == "2025-12-31T16:00:00Z"  # midnight where the tenant lives
    (hit,) = line.done("ana", "docs", "search", "standard lead time 標準交期")["hits"]
    assert (hit["document_id"], hit["version"], hit["kind"]) == ("SOP-1", 1, "formal_fact")
    assert SOP[hit["locator"]["char_start"] : hit["locator"]["char_end"]] == hit["quote"]
    assert not {"score", "cosine"} & set(hit)
    assert line.done("bob", "docs", "search", "標準交期")["hits"] == []
    listed = line.done("ana", "docs", "list")
    assert [(one["document_id"], one["status"]) for one in listed["documents"]] == [("SOP-1", "published")]
    assert listed["next"] is None
    gone = line.done("kim", "docs", "withdraw", "SOP-1", "--version", "1", "--reason", "replaced")
    assert gone["status"] == "withdrawn"
    assert line.done("ana", "docs", "search", "標準交期")["hits"] == []


def test_the_same_for_people_in_two_languages(line: CommandLine, sop: str) -> None:
    add(line, sop)
    ran = line.by("kim", "docs", "list", "--lang", "zh-TW")
    assert ran.status == 0
    assert "草稿" in ran.out
    assert "交期標準" in ran.out
    assert "draft" in line.by("kim", "docs", "list").out
    assert "SOP-1 version 1 is submitted" in line.by("kim", "docs", "submit", "SOP-1", "--version", "1").out
    assert "沒有文件" in line.by("bob", "docs", "list", "--lang", "zh-TW").out


def test_a_list_goes_on_where_it_stopped(line: CommandLine, sop: str) -> None:
    for document_id in ("A-1", "A-2", "A-3"):
        add(line, sop, document_id=document_id)
    first = line.done("kim", "docs", "list", "--limit", "2")
    assert first["next"] == "A-2/1"
    rest = line.done("kim", "docs", "list", "--limit", "2", "--after", first["next"])
    assert [one["document_id"] for one in rest["documents"]] == ["A-3"]
    assert line.refused("kim", "docs", "list", "--after", "nonsense")["code"] == "invalid_input"


REFUSALS: list[tuple[str, list[str], str]] = [
    ("kim", ["approve", "SOP-1", "--version", "1"], "four_eyes"),
    ("ana", ["approve", "SOP-1", "--version", "1"], "refused"),
    ("lee", ["publish", "SOP-1", "--version", "1"], "conflict"),
    ("lee", ["approve", "SOP-1", "--version", "2"], "not_found"),
    ("lee", ["approve", "../SOP", "--version", "1"], "invalid_input"),
    ("lee", ["publish", "SOP-1", "--version", "1", "--from", "soon"], "invalid_input"),
    ("lee", ["publish", "SOP-1", "--version", "1", "--from", "2026-01-01T00:00:00"], "invalid_input"),
    ("lee", ["publish", "SOP-1", "--version", "1", "--from", "2026-02-30"], "invalid_input"),
    ("lee", ["withdraw", "SOP-1", "--version", "1", "--reason", " "], "invalid_input"),
    ("nobody", ["list"], "not_found"),
]


def test_a_refusal_says_its_code_and_reason(line: CommandLine, sop: str) -> None:
    add(line, sop)
    line.done("kim", "docs", "submit", "SOP-1", "--version", "1")
    for subject, arguments, code in REFUSALS:
        error = line.refused(subject, "docs", *arguments)
        assert error["code"] == code, arguments
        ran = line.by(subject, "docs", *arguments)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == f"{code}: {error['message']}\n"
    assert line.done("kim", "docs", "list")["documents"][0]["status"] == "submitted"


def test_a_bad_file_and_a_wildcard_are_refused(line: CommandLine, tmp_path: Path, sop: str) -> None:
    """Hostile 55, 99."""
    empty = tmp_path / "empty.md"
    empty.write_bytes(b"")
    described = ("--id", "X-1", "--kind", "formal_fact", "--title", "X")
    error = line.refused("kim", "docs", "add", str(empty), *described)
    assert (error["code"], error["reason"]) == ("unreadable_document", "empty")
    assert "wildcard" in line.refused("kim", "docs", "add", sop, *described, "--acl", "*")["message"]
    assert line.done("kim", "docs", "list")["documents"] == []


def test_a_document_without_groups_says_that_nobody_reads_it(line: CommandLine, sop: str) -> None:
    ran = line.by("kim", "docs", "add", sop, "--id", "X-1", "--kind", "inference", "--title", "X")
    assert ran.status == 0
    assert "nobody" in ran.out


def test_there_is_no_way_to_mean_all_tenants(line: CommandLine) -> None:
    """Hostile 78."""
    for tenant in ("*", "", "../acme", "acme/other", "ACME", "a" * 41):
        ran = line("docs", "list", "--tenant", tenant, "--as", "kim", "--json")
        assert (ran.status, ran.out) == (1, "")
        assert ran.error["code"] == ("not_found" if tenant == "ACME" else "invalid_input")


def test_a_missing_tenant_or_person_is_wrong_usage(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert line("docs", "list", "--as", "kim").status == 2
    assert line("docs", "list", "--tenant", "acme").status == 2
    monkeypatch.setenv("PROOFDESK_TENANT", "acme")
    monkeypatch.setenv("PROOFDESK_AS", "kim")
    assert line("docs", "list").status == 0


def test_a_command_of_an_operator_is_refused_to_others(line: CommandLine, tmp_path: Path) -> None:
    """Hostile 79."""
    policy = tmp_path / "policy.json"
    policy.write_text("{}")
    for arguments in (
        ["principal", "add", "eve", "--role", "operator"],
        ["principal", "set", "ana", "--role", "operator"],
        ["policy", "set", str(policy)],
    ):
        assert line.refused("kim", *arguments)["code"] == "refused"
    assert line("tenant", "add", "acme", "--operator", "eve", "--time-zone", "Asia/Taipei").status == 1


def test_people_are_changed_by_what_is_given(line: CommandLine) -> None:
    assert line.done("op", "principal", "set", "bob", "--group", "eng")["groups"] == ["eng"]
    changed = line.done("op", "principal", "set", "bob", "--no-groups", "--inactive")
    assert (changed["roles"], changed["groups"], changed["active"]) == (["requester"], [], False)
    assert "not active" in line.refused("bob", "docs", "list")["message"]
    assert line.by("op", "principal", "set", "bob").status == 2
    assert line.by("op", "principal", "set", "bob", "--group", "x", "--no-groups").status == 2
    assert "last active operator" in line.refused("op", "principal", "set", "op", "--inactive")["message"]


def test_a_policy_is_set_from_a_file_and_shown(line: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text(json.dumps({"expiry_hours": 48}))
    assert line.done("ana", "policy", "show")["policy_version"] == 0
    assert line.done("op", "policy", "set", str(file))["policy_version"] == 1
    assert line.done("ana", "policy", "show")["policy"]["expiry_hours"] == 48


BAD_POLICIES = [
    ('{"approval_required": false}', "a person decides"),
    ('{"self_approval": true}', "no setting"),
    ('{"retention_hours": 0}', "no setting"),
    ('{"four_eyes": false, "four_eyes": true}', "twice"),
    ('{"expiry_hours": NaN}', "no number"),
    ('{"expiry_hours": 1e400}', "policy"),
    ("[" * 100_000, "no JSON"),
    ("not json", "no JSON"),
    (" " * 300_000, "at most"),
]


def test_a_policy_that_opens_a_guard_or_is_none_is_refused(line: CommandLine, tmp_path: Path) -> None:
    """Hostile 9, 10, 82."""
    file = tmp_path / "policy.json"
    for text, says in BAD_POLICIES:
        file.write_text(text, encoding="utf-8")
        assert says in line.refused("op", "policy", "set", str(file))["message"]
    assert line.done("op", "policy", "show")["policy_version"] == 0


def test_a_tenant_is_added_once(line: CommandLine) -> None:
    again = line("tenant", "add", "acme", "--operator", "op", "--time-zone", "Asia/Taipei", "--json")
    assert again.json == {"tenant_id": "acme", "time_zone": "Asia/Taipei", "operator": "op", "created": False}
    assert line("tenant", "add", "acme", "--operator", "op", "--json").error["code"] == "conflict"
    assert line("tenant", "add", "*", "--operator", "op", "--json").error["code"] == "invalid_input"
    assert line("tenant", "add", "other").status == 2
