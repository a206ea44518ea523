"""`handoff@1`: what one agent gives to the next, checked against its schema and hashed by the program."""

from datetime import datetime
from typing import Any, Literal

from models.contract import Contract
from models.ids import TaskId

Agent = Literal["supervisor", "restoring", "retrieval", "analysis", "review"]


class Handoff(Contract):
    """An envelope; `payload_hash` is the content hash of `payload`, whose form `schema_version` names."""

    envelope: Literal["handoff@1"] = "handoff@1"
    run_id: str
    task_id: TaskId
    source_agent: Agent
    target_agent: Agent
    schema_version: str
    timestamp: datetime
    payload_hash: str
    payload: dict[str, Any]
