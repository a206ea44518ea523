"""What the services of a quote task are given: one frozen value, made once by whoever composes the process."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.prompts import PromptId
from services.model_settings import EXTRACTIVE
from services.ports import Embedder, Llm
from services.prompt_registry import PromptRegistry
from store.pool import Store


@dataclass(frozen=True, slots=True)
class AgentModels:
    """The model of each agent; None is the extractive default, which asks no model."""

    analysis: Llm | None = None
    review: Llm | None = None
    extraction: Llm | None = None

    @property
    def bindings(self) -> Mapping[PromptId, str]:
        """What each prompt is bound to, as a draft names it."""
        bound: dict[PromptId, Llm | None] = {
            "enterprise-memory": self.analysis,
            "draft-review": self.review,
            "field-extraction": self.extraction,
        }
        return {prompt_id: EXTRACTIVE if llm is None else llm.binding for prompt_id, llm in bound.items()}


@dataclass(frozen=True, slots=True)
class TaskServices:
    """The store, the embedder and the choices of the deployment; `fault` is set in test mode only."""

    store: Store
    embedder: Embedder
    models: AgentModels = AgentModels()
    fault: str | None = None
    prompts: PromptRegistry = field(default_factory=PromptRegistry)
