"""The prompts of the agents: versioned files beside this one, read whole and named in every draft's run metadata.

Why it is so: a prompt is part of what produced a draft, so it has an identity, a version and a hash like any other
input. The deployment chooses the model; the prompt never names one.
"""

import functools
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field, ValidationError

from models.contract import Contract, text_hash
from models.drafts import PromptBinding
from models.errors import InvalidInput

PromptId = Literal["enterprise-memory", "draft-review"]

_FOLDER = Path(__file__).parent
_FENCE = "---\n"


class Prompt(Contract):
    """One prompt: who it is, what goes in and comes out, on what it is measured, and its text."""

    id: PromptId
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    input: str
    output: str
    evaluation_set: str
    owner: str
    model_binding: Literal["deployment"]
    text: str = Field(min_length=1)

    @property
    def text_hash(self) -> str:
        """SHA-256 (hex) over the UTF-8 of the text."""
        return text_hash(self.text)


@functools.cache
def load_prompt(prompt_id: PromptId) -> Prompt:
    """The prompt of that id; InvalidInput when its file is not a head between two `---` lines and a text."""
    return parse_prompt((_FOLDER / f"{prompt_id}.md").read_text(encoding="utf-8"))


def parse_prompt(source: str) -> Prompt:
    """The prompt that `source` holds; InvalidInput says what is wrong with it."""
    before, _, rest = source.partition(_FENCE)
    head, fence, text = rest.partition(_FENCE)
    if before or not fence:
        raise InvalidInput("a prompt file begins with its head between two lines of `---`")
    entries = dict(_entry(line) for line in head.splitlines())
    if len(entries) != len(head.splitlines()):
        raise InvalidInput("the head of a prompt file names each key once")
    try:
        return Prompt.model_validate({**entries, "text": text.strip()})
    except ValidationError as error:
        faults = ", ".join(f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors(include_input=False))
        raise InvalidInput(f"the head of a prompt file is wrong: {faults}") from None


def prompt_bindings(binding: str) -> tuple[PromptBinding, ...]:
    """Every prompt with its version and the `binding` of the deployment, for run metadata."""
    return tuple(
        PromptBinding(prompt_id=prompt.id, version=prompt.version, binding=binding)
        for prompt in map(load_prompt, get_args(PromptId))
    )


def _entry(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()
