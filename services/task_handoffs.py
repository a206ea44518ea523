"""Handoffs between agents: what arrives is of its schema and has the hash that was sealed, or nobody works on it."""

from typing import Any, TypeVar

from pydantic import ValidationError

from models.contract import Contract, content_hash
from models.errors import AgentFailed
from models.handoffs import Agent
from services.task_state import task_not_found
from store.checkpoint import handoff_latest_fetch
from store.pool import TenantTransaction
from store.task import TaskRow

Payload = TypeVar("Payload", bound=Contract)


async def handed_to(tx: TenantTransaction, row: TaskRow, target: Agent, payload: type[Payload]) -> Payload:
    """The payload that was last handed to `target`; AgentFailed when there is none or it is not what was sealed."""
    handoff = await handoff_latest_fetch(tx, row.state.task_id, target, row.state.pass_)
    if handoff is None:
        raise task_not_found(row.state.task_id)
    if handoff.payload_hash != content_hash(handoff.payload):
        raise AgentFailed(f"what {handoff.source_agent} handed to {target} was changed: retry from the retrieval")
    return read_payload(handoff.payload, payload)


def read_payload(raw: dict[str, Any], payload: type[Payload]) -> Payload:
    """`raw` as a contract; AgentFailed when it is none."""
    try:
        return payload.model_validate(raw)
    except ValidationError as error:
        raise AgentFailed(f"a handoff is not of its schema ({error.error_count()} faults)") from None
