"""The settings, read once from the environment (`PROOFDESK_...`) and never changed afterwards.

Where the process is given no address, the embedded stack is used; see `deploy/embedded.py`.
"""

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr, StringConstraints, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from models.errors import InvalidInput

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
    # `hashing` knows words and no meaning: for benchmarks and tests, in test mode only.
    embedder: Literal["bundled", "hashing"] = "bundled"
    # No model: claims are composed from verified sentences.
    analysis: Literal["extractive"] = "extractive"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    test_mode: bool = False
    # Kills the worker at `STEP:before` or `STEP:after` of the step's commit.
    fault: Annotated[str, StringConstraints(pattern=r"^[a-z_]+:(before|after)$")] | None = None

    @model_validator(mode="after")
    def _complete(self) -> "Settings":
        if (self.database_url is None) != (self.temporal_address is None):
            raise ValueError("set both PROOFDESK_DATABASE_URL and PROOFDESK_TEMPORAL_ADDRESS, or neither")
        if not self.test_mode and self.fault is not None:
            raise ValueError("PROOFDESK_FAULT works in test mode only (PROOFDESK_TEST_MODE=1)")
        if not self.test_mode and self.embedder == "hashing":
            raise ValueError("PROOFDESK_EMBEDDER=hashing works in test mode only (PROOFDESK_TEST_MODE=1)")
        return self


def load_settings() -> Settings:
    """The settings of this process; InvalidInput naming each variable that is wrong, never its value."""
    names = [name.removeprefix(PREFIX).lower() for name in os.environ if name.startswith(PREFIX)]
    unknown = sorted(set(names) - set(Settings.model_fields) - _OPTIONS)
    if unknown:
        raise InvalidInput("; ".join(_unknown(name) for name in unknown))
    try:
        return Settings()
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
