"""Replies of models, recorded once and replayed: a test of prompts and gates that needs no model and no network.

A reply belongs to one question: prompt id, version and text, binding with its parameters, and input. Whoever changes
one of them gets no reply of the old question; the error says which of them changed.
"""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from models.contract import Contract, canonical_json
from models.errors import InvalidInput
from services.ports import Llm, LlmFault, LlmReply, LlmRequest


class RecordedReply(Contract):
    """One line of a file of replies."""

    prompt_id: str
    prompt_version: str
    prompt_hash: str
    binding: str
    input_hash: str
    text: str
    tokens: int
    fault: LlmFault | None = None


class RecordingLlm:
    """An `Llm` that asks another one and keeps what it answered."""

    def __init__(self, inner: Llm) -> None:
        self._inner = inner
        self.binding = inner.binding
        self.max_input_characters = inner.max_input_characters
        self.max_output_tokens = inner.max_output_tokens
        self.recorded: list[RecordedReply] = []

    async def complete(self, request: LlmRequest) -> LlmReply:
        """The other one's answer; what it raises is not recorded."""
        reply = await self._inner.complete(request)
        self.recorded.append(
            RecordedReply(
                prompt_id=request.prompt_id,
                prompt_version=request.prompt_version,
                prompt_hash=request.prompt_hash,
                binding=self.binding,
                input_hash=request.input_hash,
                text=reply.text,
                tokens=reply.tokens,
                fault=reply.fault,
            )
        )
        return reply


class ReplayingLlm:
    """An `Llm` that answers from a record, and nothing else."""

    def __init__(
        self,
        replies: Iterable[RecordedReply],
        *,
        binding: str,
        max_input_characters: int = 60_000,
        max_output_tokens: int = 4_000,
    ) -> None:
        self.binding = binding
        self.max_input_characters = max_input_characters
        self.max_output_tokens = max_output_tokens
        self._replies = tuple(replies)

    async def complete(self, request: LlmRequest) -> LlmReply:
        """The recorded answer to this very question; InvalidInput says why there is none."""
        for one in self._replies:
            if (one.binding, one.input_hash) == (self.binding, request.input_hash):
                return LlmReply(one.text, one.tokens, one.fault)
        raise InvalidInput(
            f"no reply is recorded for prompt {request.prompt_id!r} {request.prompt_version} asked of {self.binding!r} "
            f"with input {request.input_hash[:12]}: {self._why(request)}; record it anew"
        )

    def _why(self, request: LlmRequest) -> str:
        same = [one for one in self._replies if one.prompt_id == request.prompt_id]
        if not any(one.binding == self.binding for one in same):
            return "nothing of this prompt was asked of this binding"
        if not any(one.prompt_version == request.prompt_version for one in same):
            return "the prompt has another version now"
        if not any(one.prompt_hash == request.prompt_hash for one in same):
            return "the prompt's text or the form of its answer has changed"
        return "the input has changed"


def write_replies(path: Path, replies: Iterable[RecordedReply]) -> None:
    """Writes one JSON line for each reply, sorted, so that a difference shows what changed."""
    lines = sorted({canonical_json(one) for one in replies})
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_replies(path: Path) -> tuple[RecordedReply, ...]:
    """The replies of a file; InvalidInput names a line that is none."""
    read: list[RecordedReply] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            read.append(RecordedReply.model_validate_json(line))
        except ValidationError:
            raise InvalidInput(f"line {number} of {path.name!r} is no recorded reply") from None
    return tuple(read)
