"""Which servers a command works with: those of the settings, those of a running `make up`, or its own for a while."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from deploy.embedded import EmbeddedStack, StackAddresses, running_stack
from services.settings import Settings

Origin = Literal["settings", "running", "temporary"]


@dataclass(frozen=True)
class Servers:
    """Where a command's PostgreSQL and Temporal are; the URL holds a password and is never printed."""

    origin: Origin
    database_url: str
    temporal_address: str
    namespace: str


@asynccontextmanager
async def servers_in_use(settings: Settings) -> AsyncGenerator[Servers]:
    """The servers for one command; temporary ones, with all their data, end with the block.

    Raises StackFailed if an embedded server does not start.
    """
    if settings.database_url is not None and settings.temporal_address is not None:
        url = settings.database_url.get_secret_value()
        yield Servers("settings", url, settings.temporal_address, settings.temporal_namespace)
        return
    running = running_stack(settings.data_folder)
    if running is not None:
        yield _embedded("running", running)
        return
    async with EmbeddedStack() as addresses:
        yield _embedded("temporary", addresses)


def _embedded(origin: Origin, addresses: StackAddresses) -> Servers:
    return Servers(origin, addresses.database_url_app, addresses.temporal_address, addresses.namespace)
