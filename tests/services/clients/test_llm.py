"""The real clients against a local server that speaks each protocol: every outcome is defined.

Capabilities: C-25.
"""

import asyncio
import json
from typing import Any, get_args

import pytest

from models.errors import InvalidInput, ModelBusy, ModelRefused, ModelUnavailable, ProofdeskError
from services.clients import llm_models
from services.clients.llm import HostedLlm
from services.model_settings import ModelChoice, Provider
from services.ports import Llm, LlmReply, LlmRequest
from tests.services.clients.model_server import KEY, Cuts, Fails, Hangs, ModelServer, Says, Script, model_server

PROVIDERS: tuple[Provider, ...] = get_args(Provider)
REQUEST = LlmRequest("p", "1.0.0", "Answer in JSON.", "<untrusted-data>\n{}\n</untrusted-data>")

each_provider = pytest.mark.parametrize("provider", PROVIDERS)


async def ask(choice: ModelChoice, request: LlmRequest = REQUEST) -> LlmReply:
    llm = HostedLlm(choice)
    try:
        return await llm.complete(request)
    finally:
        await llm.close()


async def answered(provider: Provider, script: Script) -> tuple[LlmReply, ModelServer]:
    async with model_server(script) as server:
        return await ask(server.choice(provider)), server


async def refused(provider: Provider, script: Script, kind: type[ProofdeskError], **parameters: Any) -> ModelServer:
    async with model_server(script) as server:
        with pytest.raises(kind) as caught:
            await ask(server.choice(provider, **parameters))
    assert type(caught.value) is kind
    assert KEY not in str(caught.value)
    assert "untrusted" not in str(caught.value)
    assert caught.value.__cause__ is None
    return server


@each_provider
async def test_an_answer_comes_as_it_is_with_its_tokens(provider: Provider) -> None:
    reply, server = await answered(provider, [Says('{"a": 1}', tokens=(120, 7))])
    assert reply == LlmReply('{"a": 1}', 127)
    (asked,) = server.asked
    assert (asked.instructions, asked.data) == (REQUEST.instructions, REQUEST.data)
    assert KEY in " ".join(asked.headers.values())
    assert "tools" not in asked.body


@each_provider
async def test_the_binding_names_model_and_parameters_but_no_key(provider: Provider) -> None:
    async with model_server() as server:
        llm: Llm = HostedLlm(server.choice(provider, temperature=0.5, max_output_tokens=99))
    assert llm.binding.startswith(f"{provider}:small-1 temperature=0.5 max_output_tokens=99 ")
    assert KEY not in f"{llm.binding}{llm!r}{vars(llm)!r}"


@each_provider
@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (Says("", tool="send_quote"), "tool_call"),
        (Says('{"a": 1}', tool="send_quote"), "tool_call"),
        (Says('{"a": ', finish="length"), "cut_off"),
        (Says("", finish="refusal"), "declined"),
        (Says(""), "empty"),
        (Says("  \n"), "empty"),
        (Says("x" * 3_000_000), "too_long"),
    ],
)
async def test_what_is_no_answer_is_named(provider: Provider, said: Says, fault: str) -> None:
    reply, server = await answered(provider, [said])
    assert (reply.text, reply.fault) == ("", fault)
    assert len(server.asked) == 1, "a model is asked once; attempts are the workflow's to count"
    assert reply.tokens == (0 if fault == "too_long" else 120)


@each_provider
async def test_a_busy_server_is_asked_again_when_it_said(provider: Provider) -> None:
    reply, server = await answered(provider, [Fails(429, {"retry-after": "1"}), Says("{}")])
    assert reply.text == "{}"
    first, second = server.asked
    assert second.at - first.at >= 1.0


@each_provider
async def test_a_server_that_stays_busy_is_asked_three_times(provider: Provider) -> None:
    server = await refused(provider, [Fails(429, {"retry-after": "0"})], ModelBusy)
    assert len(server.asked) == 3


@each_provider
async def test_nobody_waits_longer_than_the_bound(provider: Provider) -> None:
    server = await refused(provider, [Fails(429, {"retry-after": "3600"})], ModelBusy)
    assert len(server.asked) == 1


@each_provider
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_refused_request_is_not_repeated(provider: Provider, status: int) -> None:
    body = f'{{"error": {{"message": "bad key {KEY}", "type": "x", "status": "X", "code": {status}}}}}'
    server = await refused(provider, [Fails(status, {}, body)], ModelRefused)
    assert len(server.asked) == 1


@each_provider
@pytest.mark.parametrize(
    "said", [Fails(500), Fails(502), Cuts(), Hangs(), Fails(200, {}, "<html>"), Fails(307, {"location": "/other"})]
)
async def test_a_server_that_does_not_answer_is_unavailable(provider: Provider, said: Fails | Cuts | Hangs) -> None:
    server = await refused(provider, [said], ModelUnavailable, timeout_seconds=0.4)
    assert len(server.asked) == 1


@each_provider
async def test_an_overloaded_server_is_busy(provider: Provider) -> None:
    await refused(provider, [Fails(503, {"retry-after": "0"})], ModelBusy)


@each_provider
async def test_nobody_listens(provider: Provider) -> None:
    async with model_server() as server:
        choice = server.choice(provider)
    with pytest.raises(ModelUnavailable):
        await ask(choice)


@each_provider
async def test_a_compressed_answer_is_not_unpacked(provider: Provider) -> None:
    """Hostile 49: what a server compresses is not bounded by what it sends."""
    reply, server = await answered(provider, [Fails(200, {"content-encoding": "gzip"}, "x")])
    assert reply.fault == "too_long"
    assert server.asked[0].headers["accept-encoding"] == "identity"


@each_provider
async def test_nothing_is_taken_from_the_environment(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "GOOGLE", "GEMINI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", "from-environment")
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "from-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "from-environment")
    async with model_server([Says("{}")]) as server:
        await ask(server.choice(provider).model_copy(update={"api_key": None}))
    assert "from-environment" not in " ".join(server.asked[0].headers.values())


SCHEMA = '{"type": "object", "properties": {"quite_unusual": {"type": "string"}}, "additionalProperties": false}'
FORMED = LlmRequest("p", "1.0.0", "Answer in JSON.", REQUEST.data, SCHEMA)


@each_provider
async def test_a_server_decodes_by_the_schema_where_that_is_chosen(provider: Provider) -> None:
    async with model_server([Says('{"quite_unusual": "x"}')]) as server:
        model = {"google": "gemini-2.5-flash", "anthropic": "claude-opus-4-8"}.get(provider, "small-1")
        plain = await ask(server.choice(provider, model=model, temperature=None), FORMED)
        formed = await ask(server.choice(provider, model=model, structured=True, temperature=None), FORMED)
    assert plain == formed == LlmReply('{"quite_unusual": "x"}', 120)
    assert ["quite_unusual" in json.dumps(one.body) for one in server.asked] == [False, True]
    choice = server.choice(structured=True, temperature=None)
    assert choice.binding.endswith(" structured")
    assert "temperature=default" in choice.binding


@each_provider
@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (Says("no JSON"), LlmReply("no JSON", 120)),
        (Says('{"other": 1}'), LlmReply('{"other": 1}', 120)),
        (Says("", tool="send"), LlmReply("", 120, "tool_call")),
        (Says('{"a', finish="length"), LlmReply("", 120, "cut_off")),
        (Says(""), LlmReply("", 120, "empty")),
    ],
)
async def test_the_program_says_whether_a_formed_answer_is_one(provider: Provider, said: Says, reply: LlmReply) -> None:
    async with model_server([said]) as server:
        model = {"google": "gemini-2.5-flash", "anthropic": "claude-opus-4-8"}.get(provider, "small-1")
        assert await ask(server.choice(provider, model=model, structured=True, temperature=None), FORMED) == reply
    assert len(server.asked) == 1


async def test_a_cancelled_question_ends_at_once() -> None:
    async with model_server([Hangs()]) as server:
        asking = asyncio.create_task(ask(server.choice()))
        await asyncio.sleep(0.3)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


@pytest.mark.parametrize(("provider", "extra"), [("google", "gemini"), ("anthropic", "anthropic")])
def test_a_missing_extra_is_named_at_once(provider: Provider, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        return None

    monkeypatch.setattr(llm_models, "find_spec", missing)
    with pytest.raises(InvalidInput, match=rf"proofdesk\[{extra}\]"):
        HostedLlm(ModelServer(port=9).choice(provider))
    HostedLlm(ModelServer(port=9).choice("openai"))
