"""The rows of quote tasks: compare-and-swap, one row for one key, and the tenant's wall.

Capabilities: C-5.
"""

import asyncio
import sys
from pathlib import Path

import asyncpg
import pytest

from models.ids import TaskId, TenantId
from models.tasks import TaskState
from store.pool import Store
from store.task import task_fetch, task_insert, task_lock, task_recheck_set, task_save_if_revision
from tests.conftest import Database, MakeTenant

# Adds `rounds` to the task's attempt counter by compare-and-swap, in a process of its own.
_RACER = """
import asyncio, sys
from models.ids import TaskId, TenantId
from store.pool import Store
from store.task import task_fetch, task_save_if_revision

async def main(url, tenant, rounds):
    store = await Store.open(url, size=1)
    lost = 0
    for _ in range(rounds):
        while True:
            async with store.tenant_transaction(TenantId(tenant)) as tx:
                row = await task_fetch(tx, TaskId("Q1"))
                state = row.state.model_copy(
                    update={"revision": row.state.revision + 1, "review_rounds": row.state.review_rounds + 1}
                )
                if await task_save_if_revision(
                    tx, state, expected_revision=row.state.revision, attempt=row.attempt
                ):
                    break
                lost += 1
    await store.close()
    sys.stdout.write(str(lost))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


async def _person(store: Store, tenant: TenantId) -> None:
    async with store.tenant_transaction(tenant) as tx:
        await tx.conn.execute("insert into principals (tenant_id, subject) values ($1, 'lin')", tenant)


async def _task(store: Store, tenant: TenantId) -> TaskState:
    await _person(store, tenant)
    state = TaskState(tenant_id=tenant, task_id=TaskId("Q1"), revision=1, status="created")
    async with store.tenant_transaction(tenant) as tx:
        assert await task_insert(tx, state, starter="lin", request_hash="h")
    return state


async def test_a_state_comes_back_as_it_went_in(store: Store, tenant: TenantId) -> None:
    state = await _task(store, tenant)
    async with store.tenant_transaction(tenant) as tx:
        row = await task_fetch(tx, TaskId("Q1"))
    assert row is not None
    assert (row.state, row.starter, row.attempt) == (state, "lin", 0)


async def test_an_id_is_taken_once(store: Store, tenant: TenantId) -> None:
    state = await _task(store, tenant)
    async with store.tenant_transaction(tenant) as tx:
        assert not await task_insert(tx, state, starter="lin", request_hash="other")


async def test_the_second_of_two_writers_changes_nothing(store: Store, tenant: TenantId) -> None:
    state = await _task(store, tenant)
    after = state.model_copy(update={"revision": 2, "status": "restoring"})
    async with store.tenant_transaction(tenant) as tx:
        assert await task_save_if_revision(tx, after, expected_revision=1, attempt=0)
    async with store.tenant_transaction(tenant) as tx:
        late = state.model_copy(update={"revision": 2, "status": "blocked"})
        assert not await task_save_if_revision(tx, late, expected_revision=1, attempt=0)
        row = await task_fetch(tx, TaskId("Q1"))
    assert row is not None
    assert row.state == after


async def test_two_processes_that_race_lose_no_update(store: Store, database: Database, tenant: TenantId) -> None:
    await _task(store, tenant)
    racers = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _RACER,
            database.app_url,
            tenant,
            "60",
            cwd=Path(__file__).parents[2],
            stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(2)
    ]
    outputs = [(await racer.communicate())[0] for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0], outputs
    async with store.tenant_transaction(tenant) as tx:
        row = await task_fetch(tx, TaskId("Q1"))
    assert row is not None
    assert (row.state.revision, row.state.review_rounds) == (121, 120)


async def test_a_lock_waits_and_then_reads_what_was_written(store: Store, tenant: TenantId) -> None:
    await _task(store, tenant)
    locked = asyncio.Event()

    async def first() -> None:
        async with store.tenant_transaction(tenant) as tx:
            await task_lock(tx, TaskId("Q1"))
            locked.set()
            await asyncio.sleep(0.05)
            await task_recheck_set(tx, TaskId("Q1"), "changed")

    async def second() -> str | None:
        await locked.wait()
        async with store.tenant_transaction(tenant) as tx:
            row = await task_lock(tx, TaskId("Q1"))
            return None if row is None else row.recheck_reason

    _, seen = await asyncio.gather(first(), second())
    assert seen == "changed"


async def test_another_tenants_task_is_not_there(store: Store, tenant: TenantId, make_tenant: MakeTenant) -> None:
    await _task(store, tenant)
    other = await make_tenant("B")
    async with store.tenant_transaction(other) as tx:
        assert await task_lock(tx, TaskId("Q1")) is None
        assert await tx.conn.execute("update tasks set recheck_reason = 'x'") == "UPDATE 0"


async def test_a_child_of_another_tenants_task_fails_like_one_of_a_missing_task(
    store: Store, tenant: TenantId, make_tenant: MakeTenant
) -> None:
    """Hostile 89."""
    await _task(store, tenant)
    other = await make_tenant("B")
    errors: list[tuple[str, str]] = []
    for task_id in ("Q1", "Q9"):
        with pytest.raises(asyncpg.ForeignKeyViolationError) as caught:
            async with store.tenant_transaction(other) as tx:
                await tx.conn.execute(
                    "insert into outbox (tenant_id, task_id, kind, reference) values ($1, $2, 'start', '1')",
                    other,
                    task_id,
                )
        errors.append((str(caught.value), str(getattr(caught.value, "detail", "")).replace(task_id, "?")))
    assert errors[0] == errors[1]


@pytest.mark.parametrize("table", ["tasks", "principals"])
async def test_a_row_cannot_change_its_tenant(
    store: Store, tenant: TenantId, make_tenant: MakeTenant, table: str
) -> None:
    """Hostile 90."""
    await _task(store, tenant)
    other = await make_tenant("B")
    await _person(store, other)
    with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.ForeignKeyViolationError)):
        async with store.tenant_transaction(tenant) as tx:
            await tx.conn.execute(f"update {table} set tenant_id = $1", other)


@pytest.mark.parametrize(
    "statement", ["delete from messages", "update checkpoints set step = 'x'", "delete from drafts"]
)
async def test_what_was_recorded_stays(store: Store, tenant: TenantId, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with store.tenant_transaction(tenant) as tx:
            await tx.conn.execute(statement)
