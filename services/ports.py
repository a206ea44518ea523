"""The nondeterministic outside as the services see it; everything else is called directly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from models.contract import content_hash, text_hash
from models.retrieval import Vector

# Why an answer is none that can be read: the model called a tool, declined, ran out of tokens, or said nothing.
LlmFault = Literal["tool_call", "declined", "cut_off", "empty", "too_long", "no_answer"]


class Embedder(Protocol):
    """Turns text into unit vectors of one space; vectors of different `model`s are never compared."""

    @property
    def model(self) -> str:
        """The name and version of the space, as stored with every vector."""
        ...

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question; goes before waiting passages. Raises EmbedderFailed."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each passage, in order. Raises EmbedderFailed."""
        ...


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """One question to a model: our instructions, and apart from them the data, marked as untrusted.

    `answer_schema`, a JSON Schema as JSON, stands in the instructions too; a server may decode by it.
    """

    prompt_id: str
    prompt_version: str
    instructions: str
    data: str
    answer_schema: str = ""

    @property
    def characters(self) -> int:
        """The length of everything that is sent."""
        return len(self.instructions) + len(self.data)

    @property
    def prompt_hash(self) -> str:
        """SHA-256 (hex) over the instructions, the schema of the answer included."""
        return text_hash(self.instructions)

    @property
    def input_hash(self) -> str:
        """SHA-256 (hex) over the prompt's identity and text and the data: equal for equal questions alone."""
        return content_hash([self.prompt_id, self.prompt_version, self.instructions, self.data])


@dataclass(frozen=True, slots=True)
class LlmReply:
    """What a model answered, and the tokens (in and out) that its server counted; `text` is empty with a `fault`."""

    text: str
    tokens: int
    fault: LlmFault | None = None


class Llm(Protocol):
    """Asks one model once. It has no tool and no memory."""

    @property
    def binding(self) -> str:
        """Provider, model and parameters as a draft names them; never a key or an address."""
        ...

    @property
    def max_input_characters(self) -> int:
        """What it is handed is cut to this length before it is asked."""
        ...

    @property
    def max_output_tokens(self) -> int:
        """The longest answer."""
        ...

    async def complete(self, request: LlmRequest) -> LlmReply:
        """The model's answer as it came.

        Raises ModelBusy (nothing was worked on), ModelUnavailable (no answer in time), ModelRefused (the server will
        never take this request). No message of these names the key or the text.
        """
        ...
