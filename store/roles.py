"""Puts the roles and the database of a server in order: the embedded stack's first step, and the tests'."""

from store.connection import connected

OWNER = "proofdesk_owner"
APP = "proofdesk_app"
AUDITOR = "proofdesk_auditor"
BACKUP = "proofdesk_backup"


async def create_database(admin_url: str, name: str, *, template: str | None = None) -> bool:
    """Makes the database `name` unless it exists; True if it was made. `admin_url` names another database.

    A copy of a template has its tables; what PUBLIC lost on the template is taken from it here as well.
    """
    if not name.isidentifier():
        raise ValueError(f"{name!r} is no plain database name")
    async with connected(admin_url) as connection:
        if await connection.fetchval("select exists (select from pg_database where datname = $1)", name):
            return False
        source = f' template "{template}" strategy file_copy' if template else ""
        await connection.execute(f'create database "{name}"{source}')
        if template:
            await connection.execute(f'revoke all on database "{name}" from public')
            await connection.execute(f'grant connect on database "{name}" to {OWNER}, {APP}, {AUDITOR}, {BACKUP}')
        return True


async def drop_database(admin_url: str, name: str) -> None:
    """Removes a database of tests, whoever is still connected to it."""
    async with connected(admin_url) as connection:
        await connection.execute(f'drop database if exists "{name}" with (force)')


async def bootstrap_roles(admin_url: str, script: str, *, owner_password: str, app_password: str) -> None:
    """Runs `deploy/roles.sql` in the database of `admin_url` and sets the passwords of owner and application.

    The passwords are generated (hexadecimal) ones. Running it again is harmless.
    """
    async with connected(admin_url) as connection, connection.transaction():
        await connection.execute("set local client_min_messages = warning")
        await connection.execute(script)
        for role, password in ((OWNER, owner_password), (APP, app_password)):
            await connection.execute(f"alter role {role} password '{bytes.fromhex(password).hex()}'")
        for other in ("postgres", "template1"):
            await connection.execute(f"revoke all on database {other} from public")
