"""Reading the fields of a message: by rules alone, or with a model that points to what they do not know."""

import asyncio

import structlog

from models.errors import AgentFailed
from models.extraction import extract_fields
from models.field_proposals import FieldProposals, fields_with_proposals, message_view
from models.fields import MessageFields
from models.ids import TenantId
from services.agents.asking import ask
from services.task_services import TaskServices

_OVERHEAD = 4_000
_log = structlog.get_logger("agents")


async def read_fields(services: TaskServices, tenant_id: TenantId, text: str) -> MessageFields:
    """What the message settles, leaves open and contradicts. Call it outside of any transaction.

    An answer that cannot be read leaves the rules' reading as it is: what they did not find is asked of a person, while
    a message that no model can answer would stop its task for ever. Raises BudgetExhausted and what `Llm.complete`
    raises otherwise.
    """
    # A long mail takes a while to read; the loop has other tasks.
    ruled = await asyncio.to_thread(extract_fields, text)
    llm = services.models.extraction
    if llm is None or not text.strip():
        return ruled
    prompt = services.prompts.current("field-extraction")
    view = message_view(text, llm.max_input_characters - _OVERHEAD)
    try:
        answer = await ask(services.store, tenant_id, "extraction", llm, prompt, view, FieldProposals)
    except AgentFailed as error:
        _log.warning("extraction_answer_refused", tenant_id=tenant_id, prompt_version=prompt.version, why=str(error))
        return ruled
    return await asyncio.to_thread(fields_with_proposals, text, ruled, answer)
