"""A server on 127.0.0.1 that speaks OpenAI chat completions, Gemini generateContent and Anthropic messages.

What it answers is scripted; the clients that ask it are the real ones. It remembers every request.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import SecretStr

from services.model_settings import AgentName, ModelChoice, ModelParameters, Provider

Finish = Literal["stop", "length", "refusal"]
KEY = "sk-topsecret-123"
_STOPS: Mapping[Provider, Mapping[Finish, str]] = {
    "openai": {"stop": "stop", "length": "length", "refusal": "content_filter"},
    "google": {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"},
    "anthropic": {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"},
}


@dataclass(frozen=True)
class Says:
    """An answer of the model."""

    text: str = ""
    tool: str | None = None
    finish: Finish = "stop"
    tokens: tuple[int, int] = (100, 20)


@dataclass(frozen=True)
class Fails:
    """An answer of the HTTP server."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: str = '{"error": {"message": "no", "type": "error"}}'


@dataclass(frozen=True)
class Hangs:
    """No answer; the connection stays open."""

    seconds: float = 30.0


@dataclass(frozen=True)
class Cuts:
    """The connection is closed without an answer."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    provider: Provider
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float

    @property
    def instructions(self) -> str:
        """The system part."""
        match self.provider:
            case "openai":
                return "\n".join(one["content"] for one in self.body["messages"] if one["role"] == "system")
            case "google":
                return "\n".join(one["text"] for one in self.body["systemInstruction"]["parts"])
            case "anthropic":
                system = self.body["system"]
                return system if isinstance(system, str) else "\n".join(one["text"] for one in system)

    @property
    def data(self) -> str:
        """The user's part."""
        match self.provider:
            case "openai":
                return _text(one["content"] for one in self.body["messages"] if one["role"] == "user")
            case "google":
                return "\n".join(part["text"] for one in self.body["contents"] for part in one["parts"])
            case "anthropic":
                return _text(one["content"] for one in self.body["messages"])


Scripted = Says | Fails | Hangs | Cuts
Script = Callable[[Asked], Scripted] | Sequence[Scripted]


@dataclass
class ModelServer:
    """A running server: its script may be changed between requests."""

    port: int = 0
    script: Script = ()
    asked: list[Asked] = field(default_factory=list[Asked])
    broken: list[str] = field(default_factory=list[str])

    def choice(
        self, provider: Provider = "openai", agent: AgentName = "analysis", model: str = "small-1", **parameters: Any
    ) -> ModelChoice:
        """The setting that names this server."""
        suffix = "/v1" if provider == "openai" else ""
        given: dict[str, Any] = {"timeout_seconds": 5.0, "wait_seconds": 5.0, **parameters}
        return ModelChoice(
            agent=agent,
            provider=provider,
            model=model,
            base_url=f"http://127.0.0.1:{self.port}{suffix}",
            api_key=SecretStr(KEY),
            parameters=ModelParameters(**given),
        )

    def next(self, asked: Asked) -> Scripted:
        """What the script says to this request; the last line of a list is said for ever."""
        if callable(self.script):
            return self.script(asked)
        return self.script[min(len(self.asked) - 1, len(self.script) - 1)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        _, path, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(_provider(path), path, headers, json.loads(body), asyncio.get_running_loop().time())
        self.asked.append(asked)
        said = self.next(asked)
        if isinstance(said, Hangs):
            await asyncio.sleep(said.seconds)
            return False
        if isinstance(said, Cuts):
            return False
        if isinstance(said, Fails):
            _write(writer, said.status, said.headers, said.body.encode())
        else:
            _write(writer, 200, {}, json.dumps(_BODIES[asked.provider](said)).encode())
        await writer.drain()
        return True


@asynccontextmanager
async def model_server(script: Script = ()) -> AsyncGenerator[ModelServer]:
    """A server with this script for the length of the block."""
    server = ModelServer(script=script)
    connections: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        try:
            await server.serve(reader, writer)
        except asyncio.CancelledError:
            pass  # the block ends; a stream's own callback would print it
        finally:
            connections.discard(task)

    listening = await asyncio.start_server(connected, "127.0.0.1", 0, limit=2**24)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections)


def _text(contents: Any) -> str:
    parts: list[str] = []
    for content in contents:
        parts.extend([content] if isinstance(content, str) else [part["text"] for part in content])
    return "\n".join(parts)


def _provider(path: str) -> Provider:
    if path.endswith("/chat/completions"):
        return "openai"
    return "google" if "generateContent" in path else "anthropic"


def _write(writer: asyncio.StreamWriter, status: int, headers: Mapping[str, str], body: bytes) -> None:
    lines = [f"HTTP/1.1 {status} X", "content-type: application/json", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)


def _openai(said: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
    if said.finish == "refusal":
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    if said.tool is not None:
        call = {"id": "c1", "type": "function", "function": {"name": said.tool, "arguments": "{}"}}
        message["tool_calls"] = [call]
    stop = "tool_calls" if said.tool is not None else _STOPS["openai"][said.finish]
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "small-1",
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": {
            "prompt_tokens": said.tokens[0],
            "completion_tokens": said.tokens[1],
            "total_tokens": sum(said.tokens),
        },
    }


def _google(said: Says) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": said.text}] if said.text else []
    if said.tool is not None:
        parts.append({"functionCall": {"name": said.tool, "args": {}}})
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": parts},
                "finishReason": _STOPS["google"][said.finish],
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": said.tokens[0],
            "candidatesTokenCount": said.tokens[1],
            "totalTokenCount": sum(said.tokens),
        },
        "modelVersion": "small-1",
        "responseId": "x",
    }


def _anthropic(said: Says) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    if said.tool is not None:
        parts.append({"type": "tool_use", "id": "t1", "name": said.tool, "input": {}})
    return {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": "small-1",
        "content": parts,
        "stop_reason": "tool_use" if said.tool is not None else _STOPS["anthropic"][said.finish],
        "stop_sequence": None,
        "usage": {"input_tokens": said.tokens[0], "output_tokens": said.tokens[1]},
    }


_BODIES: Mapping[Provider, Callable[[Says], dict[str, Any]]] = {
    "openai": _openai,
    "google": _google,
    "anthropic": _anthropic,
}
