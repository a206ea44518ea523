"""The prompts that come with the program: versioned files beside this one, the seed of the registry.

Why it is so: a prompt is part of what produced a draft, so it has an identity, a version and a hash like any other
input, and every draft names it. The deployment chooses the model; the prompt never names one. The files go through the
review of the code; what is published later goes through four eyes in the registry (`services/prompt_registry.py`).
"""

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from pydantic import ValidationError

from models.errors import InvalidInput
from models.prompts import Prompt, PromptId

_FOLDER = Path(__file__).parent
_FENCE = "---\n"


@functools.cache
def file_prompts() -> Mapping[PromptId, Prompt]:
    """Every prompt of the program by its id."""
    return MappingProxyType({prompt_id: load_prompt(prompt_id) for prompt_id in get_args(PromptId)})


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


def _entry(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()
