"""What `proofdesk doctor` finds, what it says to do about it, and how it exits."""

from typing import Any

import pytest

from deploy.server_process import free_port
from deploy.temporal_server import TemporalServer
from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database


@pytest.fixture
def line(database: Database, temporal: TemporalServer, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The settings of a sound deployment: the application's role, and a Temporal that answers."""
    use_database(database, monkeypatch)
    monkeypatch.setenv("PROOFDESK_TEMPORAL_ADDRESS", temporal.address)
    return CommandLine("acme")


def examined(line: CommandLine, status: int) -> dict[str, Any]:
    """The findings by check; they are the one object on stdout whatever was found."""
    ran = line("doctor", "--json")
    assert (ran.status, ran.err) == (status, "")
    told = ran.json
    assert told["faults"] == sum(one["outcome"] == "fault" for one in told["findings"])
    return {one["check"]: one for one in told["findings"]}


def test_a_sound_deployment_has_no_fault(line: CommandLine) -> None:
    found = examined(line, 0)
    assert {"python", "settings", "embedder", "servers", "database", "temporal", "temporal tick"} <= set(found)
    assert {one["outcome"] for one in found.values()} <= {"ok", "warning"}
    assert found["database"]["outcome"] == "ok"
    assert all(one["mend"] for one in found.values() if one["outcome"] != "ok")


def test_a_role_that_could_read_every_tenant_is_a_fault(
    line: CommandLine, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DATABASE_URL", database.admin_url)
    found = examined(line, 1)["database"]
    assert (found["outcome"], found["detail"].partition(":")[0]) == ("fault", "unsafe_role")
    assert "proofdesk_app" in found["mend"]
    password = database.admin_url.partition("@")[0].rpartition(":")[2]
    assert password not in line("doctor").out


def test_a_temporal_that_is_away_is_a_fault_and_the_rest_is_looked_at(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_TEMPORAL_ADDRESS", f"127.0.0.1:{free_port()}")
    found = examined(line, 1)
    assert found["database"]["outcome"] == "ok"
    assert (found["temporal"]["outcome"], found["temporal"]["detail"].partition(":")[0]) == (
        "fault",
        "temporal_unavailable",
    )
    assert "PROOFDESK_TEMPORAL_ADDRESS" in found["temporal"]["mend"]


def test_a_namespace_that_is_none_is_a_fault(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFDESK_TEMPORAL_NAMESPACE", "elsewhere")
    found = examined(line, 1)["temporal"]
    assert found["outcome"] == "fault"
    assert "'elsewhere'" in found["detail"]
    assert "_NAMESPACE" in found["mend"]


def test_a_database_that_is_away_says_to_start_it(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFDESK_DATABASE_URL", f"postgresql://proofdesk_app:x@127.0.0.1:{free_port()}/proofdesk")
    found = examined(line, 1)
    assert found["database"]["mend"].startswith("start PostgreSQL")
    assert found["temporal"]["outcome"] == "ok"


def test_settings_that_cannot_be_read_end_the_examination(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFDESK_DATABSE_URL", "postgresql://a:secret@h/d")
    found = examined(line, 1)
    assert list(found) == ["python", "settings"]
    assert "did you mean PROOFDESK_DATABASE_URL?" in found["settings"]["detail"]
    assert "secret" not in found["settings"]["detail"]
