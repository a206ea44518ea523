"""What the services of a quote task are given: one frozen value, made once by whoever composes the process."""

from dataclasses import dataclass, field
from typing import Literal

from services.ports import Embedder
from services.prompt_registry import PromptRegistry
from store.pool import Store

AnalysisBinding = Literal["extractive"]


@dataclass(frozen=True, slots=True)
class TaskServices:
    """The store, the embedder and the choices of the deployment; `fault` is set in test mode only."""

    store: Store
    embedder: Embedder
    analysis: AnalysisBinding = "extractive"
    fault: str | None = None
    prompts: PromptRegistry = field(default_factory=PromptRegistry)
