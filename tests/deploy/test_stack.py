import os
from pathlib import Path

import pytest
from pydantic import SecretStr

from deploy.embedded import EmbeddedStack, running_stack
from deploy.stack import servers_in_use
from models.errors import StoreUnavailable
from services.settings import Settings
from store.pool import Store


async def test_the_servers_of_the_settings_come_first(data_folder: Path) -> None:
    settings = Settings(
        database_url=SecretStr("postgresql://proofdesk_app:x@db.example/proofdesk"),
        temporal_address="t.example:7233",
        temporal_namespace="quotes",
        data_folder=data_folder,
    )
    async with servers_in_use(settings) as servers:
        assert servers.origin == "settings"
        assert servers.database_url == "postgresql://proofdesk_app:x@db.example/proofdesk"
        assert (servers.temporal_address, servers.namespace) == ("t.example:7233", "quotes")


async def test_then_those_of_a_running_stack(data_folder: Path) -> None:
    async with EmbeddedStack(data_folder, durable=False) as running:
        async with servers_in_use(Settings(data_folder=data_folder)) as servers:
            assert servers.origin == "running"
            assert servers.database_url == running.database_url_app
            assert servers.temporal_address == running.temporal_address
        assert running_stack(data_folder) == running  # a command does not stop what it did not start


async def test_else_temporary_ones_of_the_command(data_folder: Path) -> None:
    async with servers_in_use(Settings(data_folder=data_folder)) as servers:
        assert servers.origin == "temporary"
        store = await Store.open(servers.database_url)
        await store.close()
    assert os.listdir(data_folder) == []
    with pytest.raises(StoreUnavailable):
        await Store.open(servers.database_url)
