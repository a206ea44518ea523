"""A stack that can be broken: what was killed comes back where it was, and nothing is left behind."""

import os
from pathlib import Path

import pytest

from deploy.breakable import BreakableStack, process_is_paused
from models.errors import StackFailed, StoreUnavailable
from store.connection import connected
from workflows.client import QuoteTaskClient, connect

_WRITE = "insert into tenants (tenant_id) values ('kept')"


def store_of_temporal(folder: Path) -> list[Path]:
    return list(folder.glob("temporal.db*"))


@pytest.mark.timeout(170)
async def test_servers_that_were_killed_come_back_where_they_were(data_folder: Path) -> None:
    async with BreakableStack(data_folder) as stack:
        before = stack.servers
        async with connected(stack.owner_url) as owner:
            await owner.execute(_WRITE)
        await stack.kill_postgres()
        with pytest.raises(StoreUnavailable):
            async with connected(before.database_url):
                pass
        await stack.start_postgres()
        async with connected(before.database_url) as app:
            assert await app.fetchval("select count(*) from tenants") == 1
        await stack.kill_temporal()
        stack.lose_temporal()
        assert store_of_temporal(data_folder) == []
        await stack.start_temporal()
        assert stack.servers == before
        runs = QuoteTaskClient(await connect(before.temporal_address, before.namespace))
        assert [one async for one in runs.open_runs()] == []
        with pytest.raises(StackFailed, match="temporal workflow terminate failed"):
            await stack.operator(["workflow", "terminate", "--workflow-id", "nowhere", "--reason", "test"])


async def test_before_the_start_there_is_nothing_to_strike(tmp_path: Path) -> None:
    stack = BreakableStack(tmp_path)
    with pytest.raises(StackFailed, match="enter the stack first"):
        await stack.kill_postgres()
    with pytest.raises(StackFailed, match="enter the stack first"):
        await stack.kill_temporal()


def test_a_process_that_runs_or_is_gone_is_not_paused() -> None:
    assert not process_is_paused(os.getpid())
    assert not process_is_paused(2**22 + 1)
