import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from models.errors import InvalidInput
from services.clients.llms import opened_models
from services.model_settings import AgentName
from services.settings import Settings, load_settings

_URL = "postgresql://proofdesk_app:topsecret@db.example:5432/proofdesk"


ROOT = Path(__file__).parents[2]
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
        ({"PROOFDESK_ANALYSIS": "oracle"}, "PROOFDESK_ANALYSIS: must be extractive, openai:MODEL"),
        ({"PROOFDESK_REVIEW": "openai:"}, "PROOFDESK_REVIEW: must be extractive, openai:MODEL"),
        ({"PROOFDESK_REVIEW": "google:a b"}, "PROOFDESK_REVIEW: "),
        ({"PROOFDESK_ANALYSIS": "openai:m"}, "PROOFDESK_ANALYSIS needs PROOFDESK_ANALYSIS_API_KEY"),
        ({"PROOFDESK_ANALYSIS_BASE_URL": "http://user:topsecret@h/v1"}, "PROOFDESK_ANALYSIS_BASE_URL: must be http"),
        ({"PROOFDESK_ANALYSIS_BASE_URL": "file:///etc/passwd"}, "PROOFDESK_ANALYSIS_BASE_URL: must be http"),
        ({"PROOFDESK_ANALYSIS_PARAMETERS": "hot"}, "PROOFDESK_ANALYSIS_PARAMETERS: must be a JSON object"),
        ({"PROOFDESK_ANALYSIS_PARAMETERS": '{"temperature": 9}'}, "PROOFDESK_ANALYSIS_PARAMETERS: "),
        ({"PROOFDESK_ANALYSIS_PARAMETERS": '{"tools": "topsecret"}'}, "PROOFDESK_ANALYSIS_PARAMETERS: "),
        ({"PROOFDESK_EXTRACTION_PARAMETERS": '{"timeout_seconds": 60}'}, "PROOFDESK_EXTRACTION_PARAMETERS: "),
        ({"PROOFDESK_ANALYSIS_MODEL": "m"}, "PROOFDESK_ANALYSIS_MODEL is no setting"),
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


def test_no_model_is_bound_unless_it_is_chosen(load: Load) -> None:
    settings = load({"PROOFDESK_ANALYSIS_API_KEY": "topsecret"})
    assert [settings.model_of(agent) for agent in get_args(AgentName)] == [None, None, None]


def test_each_agent_has_a_model_of_its_own(load: Load) -> None:
    settings = load(
        {
            "PROOFDESK_ANALYSIS": "openai:qwen2.5:7b-instruct",
            "PROOFDESK_ANALYSIS_BASE_URL": "http://localhost:8000/v1",
            "PROOFDESK_ANALYSIS_PARAMETERS": '{"temperature": 0.2, "max_output_tokens": 900}',
            "PROOFDESK_REVIEW": "anthropic:some-model",
            "PROOFDESK_REVIEW_API_KEY": "topsecret",
        }
    )
    analysis, review = settings.model_of("analysis"), settings.model_of("review")
    assert analysis is not None
    assert review is not None
    assert (analysis.provider, analysis.model, analysis.api_key) == ("openai", "qwen2.5:7b-instruct", None)
    assert analysis.binding.startswith("openai:qwen2.5:7b-instruct temperature=0.2 max_output_tokens=900 ")
    assert (review.provider, review.base_url, review.parameters.temperature) == ("anthropic", None, 0.0)
    assert review.api_key is not None
    assert review.api_key.get_secret_value() == "topsecret"
    assert "topsecret" not in f"{settings!r}{review!r}{review.binding}{review.model_dump_json()}"
    assert settings.model_of("extraction") is None


async def test_the_settings_models_are_opened_and_closed(load: Load) -> None:
    settings = load({"PROOFDESK_REVIEW": "google:some-model", "PROOFDESK_REVIEW_API_KEY": "topsecret"})
    async with opened_models(settings) as models:
        assert (models.analysis, models.extraction) == (None, None)
        assert models.bindings["enterprise-memory"] == "extractive"
        assert models.bindings["draft-review"].startswith("google:some-model ")


def test_a_process_that_asks_no_model_loads_no_sdk() -> None:
    """Start-up stays fast: the SDKs take a second, and only the first question needs one."""
    program = "import sys, worker; print([one for one in ('pydantic_ai', 'openai', 'anthropic') if one in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "[]"
