import pytest

from deploy.migrations import main
from tests.conftest import Database


def test_a_server_up_to_date_has_nothing_to_do(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROOFDESK_OWNER_DATABASE_URL", database.owner_url)
    assert main() == 0
    assert capsys.readouterr().out == "nothing to do\n"


@pytest.mark.parametrize(
    ("url", "reason"),
    [(None, "set PROOFDESK_OWNER_DATABASE_URL"), ("postgresql://o:topsecret@127.0.0.1:1/p", "cannot be reached")],
)
def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str | None, reason: str
) -> None:
    monkeypatch.delenv("PROOFDESK_OWNER_DATABASE_URL", raising=False)
    if url:
        monkeypatch.setenv("PROOFDESK_OWNER_DATABASE_URL", url)
    assert main() == 1
    said = capsys.readouterr().err
    assert reason in said
    assert "topsecret" not in said
