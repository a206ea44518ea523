"""Reading the fields of a message: by rules alone, or with a model that points to what they do not know."""

import asyncio
from collections.abc import Mapping

import structlog

from models.errors import AgentFailed
from models.extraction import extract_fields
from models.field_proposals import FieldProposals, fields_with_proposals, message_view
from models.fields import MessageFields
from models.ids import TenantId
from services.agents.asking import ask
from services.ports import Llm
from services.task_services import TaskServices

# A step of twenty seconds asks for this many messages at once; of a flood, the rest is read by rules alone.
MAX_ASKED = 6
_OVERHEAD = 4_000
_log = structlog.get_logger("agents")


async def read_messages(
    services: TaskServices, tenant_id: TenantId, texts: Mapping[str, str], *, by_rules: bool = False
) -> dict[str, MessageFields]:
    """What each message settles, leaves open and contradicts, by its id. Call it outside of any transaction.

    An answer that cannot be read leaves the rules' reading as it is: what they did not find is asked of a person, while
    a message that no model can answer would stop its task for ever. Raises BudgetExhausted and what `Llm.complete`
    raises otherwise.
    """
    # A long mail takes a while to read; the loop has other tasks.
    ruled = {key: await asyncio.to_thread(extract_fields, text) for key, text in texts.items()}
    llm = services.models.extraction
    if llm is None or by_rules:
        return ruled
    asked = [key for key, text in texts.items() if text.strip()][-MAX_ASKED:]
    answers = await asyncio.gather(
        *(_with_model(services, tenant_id, llm, texts[key], ruled[key]) for key in asked), return_exceptions=True
    )
    for key, answer in zip(asked, answers, strict=True):
        if isinstance(answer, BaseException):
            raise answer
        ruled[key] = answer
    return ruled


async def _with_model(
    services: TaskServices, tenant_id: TenantId, llm: Llm, text: str, ruled: MessageFields
) -> MessageFields:
    prompt = services.prompts.current("field-extraction")
    view = message_view(text, llm.max_input_characters - _OVERHEAD)
    try:
        answer = await ask(services.store, tenant_id, "extraction", llm, prompt, view, FieldProposals)
    except AgentFailed as error:
        _log.warning("extraction_answer_refused", tenant_id=tenant_id, prompt_version=prompt.version, why=str(error))
        return ruled
    return await asyncio.to_thread(fields_with_proposals, text, ruled, answer)
