"""Runs `proofdesk` in this process against a test's database, as the shell would see it."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from typer.testing import CliRunner

from cli import app
from tests.conftest import Database


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The JSON of the refusal on stderr."""
        return json.loads(self.err)["error"]


class CommandLine:
    """`line("docs", "list", "--json")` runs a command; `by("kim", ...)` runs it as kim of the tenant."""

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant

    def __call__(self, *arguments: str) -> Ran:
        done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        return Ran(done.exit_code, done.stdout, done.stderr)

    def by(self, subject: str, *arguments: str) -> Ran:
        return self(*arguments, "--tenant", self.tenant, "--as", subject)

    def done(self, subject: str, *arguments: str) -> Any:
        """The JSON of a command that must succeed."""
        ran = self.by(subject, *arguments, "--json")
        assert ran.status == 0, ran.err
        assert ran.err == ""
        return ran.json

    def refused(self, subject: str, *arguments: str) -> Any:
        """The error of a command that must be refused."""
        ran = self.by(subject, *arguments, "--json")
        assert (ran.status, ran.out) == (1, "")
        return ran.error


def use_database(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of a deployment: this database, and a Temporal that none of these commands asks."""
    monkeypatch.setenv("PROOFDESK_DATABASE_URL", database.app_url)
    monkeypatch.setenv("PROOFDESK_TEMPORAL_ADDRESS", "127.0.0.1:1")
    for name in ("LC_ALL", "LC_MESSAGES", "PROOFDESK_TENANT", "PROOFDESK_AS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
