"""The settings, read once from the environment (`PROOFDESK_...`) and never changed afterwards.

Where the process is given no address, the embedded stack is used; see `deploy/embedded.py`.
"""

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, StringConstraints, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from models.errors import InvalidInput
from services.model_settings import (
    EXTRACTION_PARAMETERS,
    EXTRACTIVE,
    AgentName,
    BaseUrl,
    ExtractionParameters,
    ModelBinding,
    ModelChoice,
    ModelParameters,
)

PREFIX = "PROOFDESK_"
# Options of the command line that may stand in the environment too; it reads them itself.
_OPTIONS = frozenset({"tenant", "as"})


def _postgres_url(url: SecretStr) -> SecretStr:
    try:
        parts = urlsplit(url.get_secret_value())
        well_formed = parts.scheme in ("postgresql", "postgres") and bool(parts.username) and len(parts.path) > 1
        _ = parts.port
    except ValueError:
        well_formed = False
    if not well_formed:
        raise ValueError("must be postgresql://proofdesk_app:PASSWORD@HOST:PORT/DATABASE")
    return url


class Settings(BaseSettings):
    """What a deployment chooses. A URL with its password never shows in a message or a log."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", hide_input_in_errors=True)

    # The application's role; whether it could bypass row security is asked of the server when the store opens.
    database_url: Annotated[SecretStr, AfterValidator(_postgres_url)] | None = None
    # For migrations alone (`python -m deploy.migrations`); the worker and the commands never need it.
    owner_database_url: Annotated[SecretStr, AfterValidator(_postgres_url)] | None = None
    temporal_address: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:\[\]-]+:[0-9]{1,5}$")] | None = None
    temporal_namespace: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,255}$")] = "default"
    data_folder: Path = Path(".proofdesk")
    # Keys and anchors of the audit, the same for every worker; else `audit` in the data folder.
    audit_folder: Path | None = None
    # `hashing` knows words and no meaning: for benchmarks and tests, in test mode only.
    # `openai`: any server of the OpenAI embeddings API.
    embedder: Literal["bundled", "hashing", "openai"] = "bundled"
    embedding_base_url: Annotated[str, StringConstraints(pattern=r"^https?://[^\s@]+$")] | None = None
    embedding_api_key: SecretStr = SecretStr("none")
    embedding_model: Annotated[str, StringConstraints(pattern=r"^\S{1,200}$")] | None = None
    embedding_dimension: Annotated[int, Field(ge=8, le=4000)] | None = None
    # How the server is told a question from a passage.
    embedding_input: Literal["plain", "input_type", "e5_prefix"] = "plain"
    # `extractive` asks no model: claims are composed from verified sentences, fields read and drafts reviewed by rules.
    analysis: ModelBinding = EXTRACTIVE
    analysis_base_url: BaseUrl | None = None
    analysis_api_key: SecretStr | None = None
    analysis_parameters: ModelParameters = ModelParameters()
    review: ModelBinding = EXTRACTIVE
    review_base_url: BaseUrl | None = None
    review_api_key: SecretStr | None = None
    review_parameters: ModelParameters = ModelParameters()
    extraction: ModelBinding = EXTRACTIVE
    extraction_base_url: BaseUrl | None = None
    extraction_api_key: SecretStr | None = None
    extraction_parameters: ExtractionParameters = EXTRACTION_PARAMETERS
    # How many tasks one worker works on at once; the others wait in the queue, each tenant in its turn.
    running_tasks: Annotated[int, Field(ge=2, le=500)] = 16
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    test_mode: bool = False
    # Kills the worker at `STEP:before` or `STEP:after` of the step's commit; `pause:STEP:before` stops it there.
    fault: Annotated[str, StringConstraints(pattern=r"^(pause:)?[a-z_]+:(before|after)$")] | None = None

    @model_validator(mode="after")
    def _complete(self) -> "Settings":
        if (self.database_url is None) != (self.temporal_address is None):
            raise ValueError("set both PROOFDESK_DATABASE_URL and PROOFDESK_TEMPORAL_ADDRESS, or neither")
        if not self.test_mode and self.fault is not None:
            raise ValueError("PROOFDESK_FAULT works in test mode only (PROOFDESK_TEST_MODE=1)")
        if not self.test_mode and self.embedder == "hashing":
            raise ValueError("PROOFDESK_EMBEDDER=hashing works in test mode only (PROOFDESK_TEST_MODE=1)")
        server = (self.embedding_base_url, self.embedding_model, self.embedding_dimension)
        if self.embedder == "openai" and None in server:
            raise ValueError("set PROOFDESK_EMBEDDING_BASE_URL, _MODEL and _DIMENSION for PROOFDESK_EMBEDDER=openai")
        for agent in get_args(AgentName):
            choice = self.model_of(agent)
            if choice is not None and choice.base_url is None and choice.api_key is None:
                name = f"{PREFIX}{agent.upper()}"
                raise ValueError(f"{name} needs {name}_API_KEY, or {name}_BASE_URL of a server that wants no key")
        return self

    def model_of(self, agent: AgentName) -> ModelChoice | None:
        """The model that `agent` asks, or None when it works by rules alone."""
        bound: str = getattr(self, agent)
        if bound == EXTRACTIVE:
            return None
        provider, _, model = bound.partition(":")
        return ModelChoice.model_validate(
            {
                "agent": agent,
                "provider": provider,
                "model": model,
                "base_url": getattr(self, f"{agent}_base_url"),
                "api_key": getattr(self, f"{agent}_api_key"),
                "parameters": getattr(self, f"{agent}_parameters"),
            }
        )


def load_settings() -> Settings:
    """The settings of this process; InvalidInput naming each variable that is wrong, never its value."""
    names = [name.removeprefix(PREFIX).lower() for name in os.environ if name.startswith(PREFIX)]
    unknown = sorted(set(names) - set(Settings.model_fields) - _OPTIONS)
    if unknown:
        raise InvalidInput("; ".join(_unknown(name) for name in unknown))
    try:
        return Settings()
    except SettingsError as error:
        named = next((name for name in Settings.model_fields if f'"{name}"' in str(error)), "")
        raise InvalidInput(f"{PREFIX}{named.upper()}: must be a JSON object") from None
    except ValidationError as error:
        faults = [
            f"{''.join(f'{PREFIX}{str(part).upper()}: ' for part in fault['loc'][:1])}"
            f"{fault['msg'].removeprefix('Value error, ')}"
            for fault in error.errors(include_input=False, include_context=False, include_url=False)
        ]
        raise InvalidInput("; ".join(faults)) from None


def _unknown(name: str) -> str:
    close = get_close_matches(name, Settings.model_fields, n=1)
    meant = f", did you mean {PREFIX}{close[0].upper()}?" if close else ""
    return f"{PREFIX}{name.upper()} is no setting{meant}"
