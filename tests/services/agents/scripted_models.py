"""A desk whose agents ask the local model server through the real clients, and answers that such a model may give."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from models.agent_answers import CLOSING, OPENING
from services.clients.llm import HostedLlm
from services.model_settings import AgentName, Provider
from services.task_services import AgentModels
from tests.services.clients.model_server import Asked, ModelServer, Says, Scripted
from tests.services.quote_desk import Desk

Answer = Callable[[Asked], Scripted]


def handed(asked: Asked) -> dict[str, Any]:
    """The data that the model was handed."""
    first, body, last = asked.data.split("\n")
    assert (first, last) == (OPENING, CLOSING)
    return json.loads(body)


def decided(asked: Asked, *claims: tuple[str, list[str]], **update: Any) -> Says:
    """A `memory-decision@1` about what was asked."""
    given = handed(asked)
    decision: dict[str, Any] = {
        "schema_version": "memory-decision@1",
        "task_id": given["task_id"],
        "state_revision": given["state_revision"],
        "status": "ready_for_review",
        "claims": [{"text": text, "evidence_ids": ids} for text, ids in claims],
        "missing_fields": [],
        "proposed_next_action": "human_review",
    }
    return Says(json.dumps({**decision, **update}, ensure_ascii=False))


def cited(asked: Asked, words: str) -> list[str]:
    """The ids of the evidence that says `words`."""
    return [one["evidence_id"] for one in handed(asked)["evidence"] if words in one["quote"]]


def honest(asked: Asked) -> Says:
    """The lead time as the source says it."""
    words = "The standard lead time is 15 working days"
    return decided(asked, (words, cited(asked, words)))


def no_objection(_: Asked) -> Says:
    """A reviewer who finds nothing."""
    return Says('{"schema_version": "review-findings@1", "findings": []}')


def proposing(*proposals: tuple[str, Any, str], said_open: tuple[tuple[str, str], ...] = ()) -> Answer:
    """A reader who points to these fields."""
    answer = {
        "schema_version": "field-proposals@1",
        "proposals": [{"field": name, "value": value, "quote": quote} for name, value, quote in proposals],
        "open": [{"field": name, "quote": quote} for name, quote in said_open],
    }
    return lambda _: Says(json.dumps(answer, ensure_ascii=False))


@asynccontextmanager
async def bound(
    desk: Desk, server: ModelServer, *agents: AgentName, provider: Provider = "openai", **parameters: Any
) -> AsyncGenerator[Desk]:
    """The same desk with these agents bound to the server."""
    async with AsyncExitStack() as stack:

        def llm(agent: AgentName) -> HostedLlm | None:
            if agent not in agents:
                return None
            made = HostedLlm(server.choice(provider, agent, **parameters))
            stack.push_async_callback(made.close)
            return made

        models = AgentModels(analysis=llm("analysis"), review=llm("review"), extraction=llm("extraction"))
        yield replace(desk, services=replace(desk.services, models=models))
