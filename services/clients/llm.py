"""A hosted or local model behind the port `Llm`: one question, one answer, no tool, everything bounded."""

import asyncio
import json
from typing import Any

from models.errors import ModelBusy, ModelRefused, ModelUnavailable
from services.clients.llm_models import AnswerTooLong, check_installed, http_client, model_of
from services.model_settings import ModelChoice, Provider
from services.ports import LlmFault, LlmReply, LlmRequest

MAX_REQUESTS = 3
_FIRST_WAIT = 1.0


class HostedLlm:
    """An `Llm` of pydantic-ai. The SDK is imported with the first question, on a thread.

    A busy server (429, overload) is asked again when it said, at most `MAX_REQUESTS` times and `wait_seconds` in all;
    nothing else is tried again here, because the workflow counts attempts.
    """

    def __init__(self, choice: ModelChoice) -> None:
        """Raises InvalidInput when the provider's extra is not installed."""
        check_installed(choice)
        self._choice = choice
        self._client: Any = None
        self._model: Any = None
        self._loading = asyncio.Lock()

    @property
    def binding(self) -> str:
        """Provider, model and parameters; never key or address."""
        return self._choice.binding

    @property
    def max_input_characters(self) -> int:
        """What is sent is cut to this length before."""
        return self._choice.parameters.max_input_characters

    @property
    def max_output_tokens(self) -> int:
        """The longest answer."""
        return self._choice.parameters.max_output_tokens

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = self._model = None

    async def complete(self, request: LlmRequest) -> LlmReply:
        """The answer as it came. Raises ModelBusy, ModelUnavailable, ModelRefused."""
        parameters = self._choice.parameters
        await self._load()
        try:
            async with asyncio.timeout(parameters.timeout_seconds + parameters.wait_seconds):
                return await self._asked(request)
        except TimeoutError:
            raise self._unavailable("did not answer in time") from None

    async def _asked(self, request: LlmRequest) -> LlmReply:
        left = self._choice.parameters.wait_seconds
        for number in range(1, MAX_REQUESTS + 1):
            try:
                return await self._once(request)
            except _Busy as busy:
                wait = _FIRST_WAIT * number if busy.seconds is None else busy.seconds
                if number == MAX_REQUESTS or wait > left:
                    raise ModelBusy(
                        f"the server of {self._named} takes no requests now: wait, or raise its rate limit"
                    ) from None
                left -= wait
            await asyncio.sleep(wait)
        raise AssertionError  # the last round returns or raises

    async def _once(self, request: LlmRequest) -> LlmReply:
        from pydantic_ai import Agent, UsageLimits, capture_run_messages
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UsageLimitExceeded, UserError
        from pydantic_ai.settings import ModelSettings
        from pydantic_ai.usage import RunUsage

        parameters = self._choice.parameters
        form = _answer_form(request, self._choice.provider) if parameters.structured else str
        agent: Agent[object, Any] = Agent(self._model, output_type=form, instructions=request.instructions, retries=0)
        settings = ModelSettings(
            max_tokens=parameters.max_output_tokens, timeout=parameters.timeout_seconds, max_retries=0
        )
        if parameters.temperature is not None:
            settings["temperature"] = parameters.temperature
        limits = UsageLimits(request_limit=1, tool_calls_limit=0, output_tokens_limit=parameters.max_output_tokens)
        usage = RunUsage()
        fault: LlmFault | None = None
        with capture_run_messages() as messages:
            try:
                async with asyncio.timeout(parameters.timeout_seconds):
                    await agent.run(
                        request.data, model_settings=settings, usage=usage, usage_limits=limits, infer_name=False
                    )
            except UnexpectedModelBehavior:
                # Whether an answer of the given form is one is for the program to say, not for the library.
                fault = None if parameters.structured else "no_answer"
            except UsageLimitExceeded:
                fault = "no_answer"
            except UserError:
                raise self._refusal("cannot do what the parameters ask of it") from None
            except (ModelAPIError, AnswerTooLong) as error:
                if not _caused_by(error, AnswerTooLong):
                    raise self._failure(error) from None
                fault = "too_long"
        return _read(messages, usage.total_tokens, fault)

    def _failure(self, error: Any) -> Exception:
        """Ours for a provider's; its text, which may quote key or prompt, is left behind."""
        from pydantic_ai import exceptions as seen

        if isinstance(error, seen.ModelRateLimitError | seen.ModelUnavailableError):
            return _Busy(error.retry_after)
        if isinstance(error, seen.ModelRequestRejectedError | seen.ModelQuotaExceededError):
            status = error.status_code if isinstance(error, seen.ModelHTTPError) else "no status"
            return self._refusal(f"refuses the request ({status})")
        return self._unavailable("cannot be reached or failed")

    def _refusal(self, what: str) -> ModelRefused:
        return ModelRefused(
            f"the server of {self._named} {what}: check PROOFDESK_{self._choice.agent.upper()}, its key, address, "
            "parameters and quota"
        )

    def _unavailable(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(f"the server of {self._named} {what}: see that it runs, then retry")

    @property
    def _named(self) -> str:
        return f"{self._choice.provider}:{self._choice.model}"

    async def _load(self) -> None:
        async with self._loading:
            if self._model is None:
                self._client = await asyncio.to_thread(http_client, self._choice)
                self._model = await asyncio.to_thread(model_of, self._choice, self._client)


class _Busy(Exception):
    """The server takes no request for now; `seconds` as it said."""

    def __init__(self, seconds: float | None) -> None:
        super().__init__()
        self.seconds = seconds


def _answer_form(request: LlmRequest, provider: Provider) -> Any:
    """The form of the answer for servers that decode by a JSON Schema."""
    from pydantic_ai import NativeOutput, StructuredDict

    schema: dict[str, Any] = json.loads(request.answer_schema)
    return NativeOutput(StructuredDict(schema, name="answer"), strict=provider == "anthropic", template=False)


def _read(messages: Any, tokens: int, fault: LlmFault | None) -> LlmReply:
    """The last answer in `messages`, or why it is none."""
    from pydantic_ai.messages import ModelResponse

    answers = [one for one in messages if isinstance(one, ModelResponse)]
    if not answers:
        return LlmReply("", tokens, fault or "no_answer")
    last = answers[-1]
    text = last.text or ""
    if last.tool_calls:
        fault = "tool_call"
    elif last.finish_reason == "length":
        fault = "cut_off"
    elif last.finish_reason == "content_filter":
        fault = "declined"
    elif not text.strip():
        fault = "empty"
    return LlmReply("" if fault else text, tokens, fault)


def _caused_by(error: BaseException | None, kind: type[Exception]) -> bool:
    for _ in range(8):
        if error is None:
            return False
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False
