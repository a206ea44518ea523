import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from models.errors import InvalidInput
from services.settings import Settings, load_settings

_URL = "postgresql://proofdesk_app:topsecret@db.example:5432/proofdesk"


Load = Callable[[dict[str, str]], Settings]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """`load_settings` in an environment of these variables and no other of Proofdesk's."""

    def in_environment(environ: dict[str, str]) -> Settings:
        for name in [name for name in os.environ if name.startswith("PROOFDESK_")]:
            monkeypatch.delenv(name)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        return load_settings()

    return in_environment


def test_nothing_set_is_the_embedded_default(load: Load) -> None:
    settings = load({})
    assert settings.database_url is None
    assert settings.temporal_address is None
    assert settings.data_folder == Path(".proofdesk")
    assert (settings.embedder, settings.analysis, settings.test_mode) == ("bundled", "extractive", False)


def test_addresses_of_real_servers_are_taken(load: Load) -> None:
    settings = load({"PROOFDESK_DATABASE_URL": _URL, "PROOFDESK_TEMPORAL_ADDRESS": "t.example:7233"})
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == _URL
    assert settings.temporal_address == "t.example:7233"
    assert "topsecret" not in repr(settings)


def test_settings_do_not_change(load: Load) -> None:
    with pytest.raises(ValidationError):
        load({}).test_mode = True  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"PROOFDESK_DATABASE_URL": _URL}, "set both"),
        ({"PROOFDESK_TEMPORAL_ADDRESS": "t:7233"}, "set both"),
        ({"PROOFDESK_DATABASE_URL": "mysql://a:topsecret@b/c"}, "PROOFDESK_DATABASE_URL: must be postgresql://"),
        ({"PROOFDESK_DATABASE_URL": "postgresql://db/proofdesk"}, "PROOFDESK_DATABASE_URL: must be"),
        ({"PROOFDESK_DATABASE_URL": "postgresql://a:topsecret@db:nope/c"}, "PROOFDESK_DATABASE_URL: must be"),
        ({"PROOFDESK_TEMPORAL_ADDRESS": "http://t/"}, "PROOFDESK_TEMPORAL_ADDRESS: "),
        ({"PROOFDESK_DATBASE_URL": _URL}, "did you mean PROOFDESK_DATABASE_URL"),
        ({"PROOFDESK_SELF_APPROVAL": "on"}, "PROOFDESK_SELF_APPROVAL is no setting"),
        ({"PROOFDESK_ANALYSIS": "oracle"}, "PROOFDESK_ANALYSIS: "),
        ({"PROOFDESK_EMBEDDER": "remote"}, "PROOFDESK_EMBEDDER: "),
        ({"PROOFDESK_FAULT": "analyzing:after"}, "test mode only"),
        ({"PROOFDESK_FAULT": "rm -rf", "PROOFDESK_TEST_MODE": "1"}, "PROOFDESK_FAULT: "),
        ({"PROOFDESK_TEST_MODE": "maybe"}, "PROOFDESK_TEST_MODE: "),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(load: Load, environ: dict[str, str], message: str) -> None:
    """Hostile 82: nothing loosens approval, and a typing error is no silent default."""
    with pytest.raises(InvalidInput) as caught:
        load(environ)
    assert message in str(caught.value)
    assert "topsecret" not in str(caught.value)


def test_faults_are_for_test_mode(load: Load) -> None:
    settings = load({"PROOFDESK_FAULT": "analyzing:after", "PROOFDESK_TEST_MODE": "1"})
    assert settings.fault == "analyzing:after"
    paused = load({"PROOFDESK_FAULT": "pause:analyzing:before", "PROOFDESK_TEST_MODE": "1"})
    assert paused.fault == "pause:analyzing:before"
