"""The models of the three providers as pydantic-ai's, on an HTTP client that is bounded and reads no environment.

Why it is so: the SDKs pick up keys, organisations and addresses from the environment; what this deployment chose stands
in the settings alone, so everything is given here and what else they add is taken off. An answer is read up to a limit,
uncompressed, from the host that was asked: nothing redirects a customer's text elsewhere.
"""

from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import Any

from models.errors import InvalidInput
from services.model_settings import ModelChoice, Provider

MAX_ANSWER_BYTES = 2_000_000
_CONNECT_SECONDS = 4.0
_NO_KEY = "none"
_ADDRESSES: dict[Provider, str] = {
    "openai": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com",
    "anthropic": "https://api.anthropic.com",
}
_EXTRAS: dict[Provider, tuple[str, str]] = {
    "google": ("google.genai", "gemini"),
    "anthropic": ("anthropic", "anthropic"),
}
_FOREIGN_HEADERS: dict[Provider, tuple[str, ...]] = {
    "openai": ("openai-organization", "openai-project"),
    "google": (),
    "anthropic": (),
}


class AnswerTooLong(Exception):
    """A server sent more than an answer may have, or compressed it."""


def check_installed(choice: ModelChoice) -> None:
    """Raise InvalidInput when the SDK of the provider is not installed; imports nothing of it."""
    if choice.provider not in _EXTRAS:
        return
    module, extra = _EXTRAS[choice.provider]
    try:
        found = find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        raise InvalidInput(
            f"PROOFDESK_{choice.agent.upper()}={choice.provider}:... needs the extra {extra!r}, which is not installed:"
            f" `pip install 'proofdesk[{extra}]'`"
        )


def http_client(choice: ModelChoice) -> Any:
    """The HTTP client of one agent; whoever asked closes it (`aclose`)."""
    import httpx2

    class Counted(httpx2.AsyncByteStream):
        def __init__(self, inner: Any) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            count = 0
            async for part in self._inner:
                count += len(part)
                if count > MAX_ANSWER_BYTES:
                    raise AnswerTooLong
                yield part

        async def aclose(self) -> None:
            await self._inner.aclose()

    async def strip(request: httpx2.Request) -> None:
        for name in _FOREIGN_HEADERS[choice.provider]:
            request.headers.pop(name, None)
        request.headers["accept-encoding"] = "identity"

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise AnswerTooLong
        response.stream = Counted(response.stream)

    seconds = choice.parameters.timeout_seconds
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(seconds, connect=min(_CONNECT_SECONDS, seconds)),
        follow_redirects=False,
        event_hooks={"request": [strip], "response": [bound]},
    )


def model_of(choice: ModelChoice, client: Any) -> Any:
    """The pydantic-ai model that sends through `client`. Imports the provider's SDK, which may take a second."""
    key = _NO_KEY if choice.api_key is None else choice.api_key.get_secret_value()
    base_url = choice.base_url or _ADDRESSES[choice.provider]
    match choice.provider:
        case "openai":
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.openai import OpenAIProvider

            provider = OpenAIProvider(base_url=base_url, api_key=key, http_client=client)
            return OpenAIChatModel(choice.model, provider=provider)
        case "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(
                choice.model, provider=GoogleProvider(api_key=key, base_url=base_url, http_client=client)
            )
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(
                choice.model, provider=AnthropicProvider(api_key=key, base_url=base_url, http_client=client)
            )
