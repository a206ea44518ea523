"""Prompts: who they are, what goes in and comes out, and which of two versions is the later one."""

import difflib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from pydantic import Field

from models.contract import Contract, text_hash
from models.drafts import PromptBinding
from models.ids import TenantId

PromptId = Literal["enterprise-memory", "draft-review", "field-extraction"]
PromptStatus = Literal["draft", "active", "retired"]
ActivationKind = Literal["seed", "activate", "rollback"]

# Prompts are the deployment's: they belong to a tenant of this id, whose operators decide on them.
PROMPT_TENANT = TenantId("deployment")
LONGEST_TEXT = 64 * 1024
_VERSION = r"^(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}$"
_HEAD = ("input", "output", "evaluation_set", "owner", "model_binding")


class Prompt(Contract):
    """One version of a prompt: its contract, on what it is measured, and its text. The deployment binds the model."""

    id: PromptId
    version: str = Field(pattern=_VERSION)
    input: str = Field(min_length=1, max_length=80)
    output: str = Field(min_length=1, max_length=80)
    evaluation_set: str = Field(min_length=1, max_length=80)
    owner: str = Field(min_length=1, max_length=80)
    model_binding: Literal["deployment"]
    text: str = Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"^[^\x00]+$")

    @property
    def text_hash(self) -> str:
        """SHA-256 (hex) over the UTF-8 of the text."""
        return text_hash(self.text)


class PromptRow(Contract):
    """A version as `prompts list` shows it; the author of a version may not activate it."""

    prompt_id: str
    version: str
    status: PromptStatus
    input: str
    output: str
    evaluation_set: str
    owner: str
    model_binding: str
    text_hash: str
    author: str
    published_at: datetime


def version_key(version: str) -> tuple[int, ...]:
    """Sorts semantic versions as numbers: 1.10.0 comes after 1.9.0."""
    return tuple(int(part) for part in version.split("."))


def prompt_status(last_activation: int | None, active_activation: int | None) -> PromptStatus:
    """What a version is, from its own last activation and the last one of its prompt."""
    if last_activation is None:
        return "draft"
    return "active" if last_activation == active_activation else "retired"


class Activation(Contract):
    """One moment at which a version came into force."""

    version: str
    kind: ActivationKind


def rollback_target(activations: Sequence[Activation]) -> str | None:
    """The version before the one that holds, from the oldest activation on; None when there was none.

    A version that was rolled back is left for good: rolling back twice goes two versions back and not to and fro.
    """
    held: list[str] = []
    for one in activations:
        if one.kind == "rollback":
            held.pop()
        elif not held or held[-1] != one.version:
            held.append(one.version)
    return held[-2] if len(held) > 1 else None


def prompt_bindings(bindings: Mapping[PromptId, str], prompts: Mapping[PromptId, Prompt]) -> tuple[PromptBinding, ...]:
    """Every prompt with its version and what the deployment binds it to, for run metadata."""
    return tuple(
        PromptBinding(prompt_id=prompt_id, version=prompt.version, binding=bindings[prompt_id])
        for prompt_id, prompt in prompts.items()
    )


def prompt_diff(before: Prompt, after: Prompt) -> tuple[str, ...]:
    """The lines of a unified diff of head and text; none when only the version differs."""
    return tuple(
        difflib.unified_diff(
            _lines(before), _lines(after), f"{before.id} {before.version}", f"{after.id} {after.version}", lineterm=""
        )
    )


def _lines(prompt: Prompt) -> list[str]:
    head = prompt.model_dump(mode="json", include=set(_HEAD))
    return [*(f"{name}: {head[name]}" for name in _HEAD), "", *prompt.text.splitlines()]
