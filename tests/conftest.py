"""What every test may ask for. Nothing here imitates Proofdesk or its servers: they are the real ones.

postgres        the run's one PostgreSQL, shared by all xdist workers and started by the first test that needs it
database        a fresh database of its own for this test, with all migrations: its URLs for application, owner, admin
store           a `Store` on that database under the application's role (pool of 4)
make_tenant     `await make_tenant("A")` registers a tenant of a fresh id that begins with `A-` and returns the id
tenant          one such tenant
data_folder     an empty folder for an embedded stack, removed afterwards (pytest closes `tmp_path`'s parents to other
                users at every start of another run, so a database server's data cannot lie there)
temporal        the worker's Temporal development server, on the product's own command line: `.address`
temporal_virtual_time   the same with a virtual clock, for deadlines of days

A test that asks for none of them starts no server. Give each workflow test a task queue of its own: the Temporal
servers live as long as the worker.
"""

import shutil
import tempfile
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from deploy.postgres import PostgresAddress
from deploy.temporal_server import TemporalServer
from models.ids import TenantId, parse_tenant_id
from store.pool import Store
from store.roles import create_database, drop_database
from tests.shared_postgres import TEMPLATE, controller_pid, run_folder, shared_postgres, stop_shared_postgres

MakeTenant = Callable[[str], Awaitable[TenantId]]


@dataclass(frozen=True)
class Database:
    """One test's database."""

    name: str
    app_url: str
    owner_url: str
    admin_url: str


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> PostgresAddress:
    return shared_postgres(run_folder(request.config), controller_pid(request.config))


@pytest_asyncio.fixture
async def database(postgres: PostgresAddress) -> AsyncGenerator[Database]:
    name = f"test_{uuid.uuid4().hex}"
    await create_database(postgres.admin_url(), name, template=TEMPLATE)
    yield Database(name, postgres.app_url(name), postgres.owner_url(name), postgres.admin_url(name))
    await drop_database(postgres.admin_url(), name)


@pytest_asyncio.fixture
async def store(database: Database) -> AsyncGenerator[Store]:
    opened = await Store.open(database.app_url, size=4)
    yield opened
    await opened.close()


@pytest.fixture
def make_tenant(store: Store) -> MakeTenant:
    async def make(name: str) -> TenantId:
        tenant_id = parse_tenant_id(f"{name}-{uuid.uuid4().hex[:8]}")
        async with store.directory_transaction() as directory:
            await directory.conn.execute("insert into tenants (tenant_id) values ($1)", tenant_id)
        return tenant_id

    return make


@pytest_asyncio.fixture
async def tenant(make_tenant: MakeTenant) -> TenantId:
    return await make_tenant("T")


@pytest.fixture
def data_folder() -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="proofdesk-data-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def temporal() -> Generator[TemporalServer]:
    yield from _temporal_server(time_skipping=False)


@pytest.fixture(scope="session")
def temporal_virtual_time() -> Generator[TemporalServer]:
    yield from _temporal_server(time_skipping=True)


def _temporal_server(*, time_skipping: bool) -> Generator[TemporalServer]:
    folder = Path(tempfile.mkdtemp(prefix="proofdesk-temporal-"))
    server = TemporalServer.start(folder, time_skipping=time_skipping)
    yield server
    server.stop()
    shutil.rmtree(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    stop_shared_postgres(config)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write golden files anew instead of comparing")
