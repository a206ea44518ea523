"""What a deployment chooses for each agent: no model, or one, with its address, its key and its parameters."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr

from models.contract import Contract

AgentName = Literal["analysis", "review", "extraction"]
Provider = Literal["openai", "google", "anthropic"]
EXTRACTIVE = "extractive"

# A step of the workflow may take five minutes; fields are read in a step of twenty seconds.
MAX_SECONDS = 120.0
MAX_EXTRACTION_SECONDS = 16.0

_BINDING = re.compile(r"extractive|(?:openai|google|anthropic):[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")


def _binding(binding: str) -> str:
    if _BINDING.fullmatch(binding) is None:
        raise ValueError("must be extractive, openai:MODEL, google:MODEL or anthropic:MODEL")
    return binding


ModelBinding = Annotated[str, AfterValidator(_binding)]


def _plain_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port
        well_formed = parts.scheme in ("http", "https") and bool(parts.hostname)
        bare = parts.username is None and parts.password is None and not parts.query and not parts.fragment
    except ValueError:
        well_formed = bare = False
    if not (well_formed and bare and url.isascii() and url.isprintable() and " " not in url):
        raise ValueError("must be http(s)://HOST[:PORT]/PATH without a user, a password or a query")
    return url


BaseUrl = Annotated[str, AfterValidator(_plain_url)]


class ModelParameters(Contract):
    """How a model is asked; it stands in the draft's metadata.

    `timeout_seconds` bounds one request, `wait_seconds` what a busy server may have us wait in all between requests.
    `temperature` null leaves it to the model: newer ones take none. `structured` hands the server the JSON Schema of
    the answer to decode by, where it can: small models need it.
    """

    temperature: float | None = Field(default=0.0, ge=0.0, le=2.0)
    max_output_tokens: int = Field(default=4_000, ge=16, le=64_000)
    max_input_characters: int = Field(default=60_000, ge=1_000, le=1_000_000)
    timeout_seconds: float = Field(default=60.0, gt=0.0, le=MAX_SECONDS)
    wait_seconds: float = Field(default=60.0, ge=0.0, le=MAX_SECONDS)
    structured: bool = False


EXTRACTION_PARAMETERS = ModelParameters(
    max_output_tokens=1_500, max_input_characters=24_000, timeout_seconds=12.0, wait_seconds=4.0
)


def _in_time(parameters: ModelParameters) -> ModelParameters:
    if parameters.timeout_seconds + parameters.wait_seconds > MAX_EXTRACTION_SECONDS:
        raise ValueError(f"timeout_seconds and wait_seconds together take at most {MAX_EXTRACTION_SECONDS:g} here")
    return parameters


# The step which reads the fields has no more time than this.
ExtractionParameters = Annotated[ModelParameters, AfterValidator(_in_time)]


class ModelChoice(Contract):
    """One agent's model."""

    agent: AgentName
    provider: Provider
    model: str
    base_url: str | None = None
    api_key: SecretStr | None = None
    parameters: ModelParameters

    @property
    def binding(self) -> str:
        """What run metadata names: provider, model and parameters, never key or address."""
        shown, warmth = self.parameters, self.parameters.temperature
        return (
            f"{self.provider}:{self.model} temperature={'default' if warmth is None else f'{warmth:g}'}"
            f" max_output_tokens={shown.max_output_tokens} max_input_characters={shown.max_input_characters}"
            f" timeout_seconds={shown.timeout_seconds:g} wait_seconds={shown.wait_seconds:g}"
            f"{' structured' if shown.structured else ''}"
        )
