"""The models that the settings name, one for each agent that has one."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from services.clients.llm import HostedLlm
from services.model_settings import AgentName
from services.settings import Settings
from services.task_services import AgentModels


@asynccontextmanager
async def opened_models(settings: Settings) -> AsyncGenerator[AgentModels]:
    """The agents' models for the length of the block; InvalidInput when a provider's extra is not installed.

    Nothing is imported or connected before the first question.
    """
    async with AsyncExitStack() as stack:

        def model_of(agent: AgentName) -> HostedLlm | None:
            choice = settings.model_of(agent)
            if choice is None:
                return None
            llm = HostedLlm(choice)
            stack.push_async_callback(llm.close)
            return llm

        yield AgentModels(analysis=model_of("analysis"), review=model_of("review"), extraction=model_of("extraction"))
