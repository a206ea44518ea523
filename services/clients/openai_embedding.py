"""An embedding model behind the OpenAI embeddings API: a hosted one, or a server of the house."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from openai import APIError, AsyncOpenAI
from openai.types import CreateEmbeddingResponse
from pydantic import SecretStr, ValidationError

from models.errors import EmbedderFailed
from models.retrieval import Vector, unit_vector
from services.clients.query_first import QueryFirst

# How a server is told a question from a passage: not at all, by `input_type`, or by the words that E5 was trained on.
InputForm = Literal["plain", "input_type", "e5_prefix"]

_MAX_CHARACTERS: Final = 4_000
# A question waits for at most one request.
_AT_ONCE: Final = 8
_RETRIES: Final = 2  # by the client, which waits as long as Retry-After says, up to a minute
_WHOLE_CALL_SECONDS: Final = 90.0


@dataclass(frozen=True, slots=True)
class EmbeddingServer:
    """Where the model is and what its vectors are; the key never shows in a text."""

    base_url: str
    api_key: SecretStr
    model: str
    dimension: int
    input_form: InputForm = "plain"
    timeout_seconds: float = 30.0


class OpenAIEmbedder:
    """An `Embedder` over HTTP: one request at a time, questions first; vectors are made unit vectors."""

    def __init__(self, server: EmbeddingServer) -> None:
        self._server = server
        self.model = f"{server.model}@openai-{server.input_form}"
        self.dimension = server.dimension
        self._turns = QueryFirst()
        self._client = AsyncOpenAI(
            base_url=server.base_url,
            api_key=server.api_key.get_secret_value(),
            timeout=server.timeout_seconds,
            max_retries=_RETRIES,
        )

    async def close(self) -> None:
        """Ends the connections."""
        await self._client.close()

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises EmbedderFailed."""
        (vector,) = await self._embed([text], is_query=True)
        return vector

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each passage, in order. Raises EmbedderFailed."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), _AT_ONCE):
            vectors += await self._embed(texts[start : start + _AT_ONCE], is_query=False)
        return vectors

    async def _embed(self, texts: Sequence[str], *, is_query: bool) -> list[Vector]:
        kind = "query" if is_query else "passage"
        form = self._server.input_form
        sent = [_clean(f"{kind}: {text}" if form == "e5_prefix" else text) for text in texts]
        extra = {"input_type": kind} if form == "input_type" else None
        async with self._turns.turn(is_query=is_query):
            try:
                async with asyncio.timeout(_WHOLE_CALL_SECONDS):
                    answer = await self._client.embeddings.create(
                        model=self._server.model, input=sent, encoding_format="float", extra_body=extra
                    )
            # The text of these errors may quote what was sent.
            except (APIError, TimeoutError, ValidationError, ValueError, TypeError) as error:
                raise EmbedderFailed(f"the embedding server gave no answer ({_reason(error)}): {_MEND}") from None
        return self._vectors(answer, len(sent))

    def _vectors(self, answer: CreateEmbeddingResponse, expected: int) -> list[Vector]:
        """In the order of `index`; a vector for each text, of the one dimension, finite and not zero."""
        by_place: dict[int, Vector] = {}
        for item in getattr(answer, "data", None) or ():
            vector = unit_vector(_numbers(item.embedding), self.dimension)
            if vector is not None:
                by_place[item.index] = vector
        if sorted(by_place) != list(range(expected)):
            raise EmbedderFailed(
                f"the embedding server gave no {self.dimension} usable numbers for each of {expected} texts: "
                "check PROOFDESK_EMBEDDING_MODEL and PROOFDESK_EMBEDDING_DIMENSION"
            )
        return [by_place[place] for place in range(expected)]


_MEND: Final = "check PROOFDESK_EMBEDDING_BASE_URL and the key, then run `proofdesk doctor`"


def _clean(text: str) -> str:
    """What a server can take: bounded, valid UTF-8, never empty."""
    return text[:_MAX_CHARACTERS].encode("utf-8", "ignore").decode().replace("\0", " ").strip() or "-"


def _numbers(values: object) -> Vector:
    if not isinstance(values, list):
        return ()
    return tuple(
        float(one)
        for one in cast("list[object]", values)
        if isinstance(one, (int, float)) and not isinstance(one, bool)
    )


def _reason(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    return f"status {status}" if isinstance(status, int) else type(error).__name__
