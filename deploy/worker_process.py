"""The worker as a process of its own, for the length of a block."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from deploy.server_process import ServerProcess
from deploy.stack import Servers

_READY = b"worker ready"
_BARE_READY = b"bare worker ready"
_START_SECONDS = 60.0


@asynccontextmanager
async def worker_running(
    servers: Servers, log: Path, *, environment: Mapping[str, str] | None = None
) -> AsyncGenerator[ServerProcess]:
    """Starts the worker on `servers` and stops it in order at the end; StackFailed naming the log if it cannot run."""
    process = await asyncio.to_thread(start_worker, servers, log, environment=environment)
    try:
        yield process
    finally:
        await asyncio.to_thread(process.stop)


@asynccontextmanager
async def bare_worker_running(servers: Servers, log: Path) -> AsyncGenerator[ServerProcess]:
    """The worker of the benchmarks' bare workflow, in a process of its own as the product's is."""
    process = await asyncio.to_thread(_start, "workflows.bare_worker", _BARE_READY, servers, log, {})
    try:
        yield process
    finally:
        await asyncio.to_thread(process.stop)


def start_worker(servers: Servers, log: Path, *, environment: Mapping[str, str] | None = None) -> ServerProcess:
    """A worker that polls; it ends with this process, however that ends."""
    return _start("worker", _READY, servers, log, environment or {})


def _start(module: str, ready: bytes, servers: Servers, log: Path, environment: Mapping[str, str]) -> ServerProcess:
    seen = log.stat().st_size if log.exists() else 0
    process = ServerProcess.start(
        module,
        [sys.executable, "-m", module],
        log=log,
        stop_signal=signal.SIGTERM,
        environment={
            "PROOFDESK_DATABASE_URL": servers.database_url,
            "PROOFDESK_TEMPORAL_ADDRESS": servers.temporal_address,
            "PROOFDESK_TEMPORAL_NAMESPACE": servers.namespace,
            **_own_audit(servers, log),
            **environment,
        },
    )
    try:
        process.wait_until(partial(_is_ready, log, seen, ready), seconds=_START_SECONDS)
    except BaseException:
        process.stop()
        raise
    return process


def _is_ready(log: Path, seen: int, ready: bytes) -> bool:
    with log.open("rb") as source:
        source.seek(seen)
        return ready in source.read()


def _own_audit(servers: Servers, log: Path) -> Mapping[str, str]:
    """Only a stack that stays keeps its anchors: they must not outlive their database."""
    return {"PROOFDESK_AUDIT_FOLDER": str(log.parent / "audit")} if servers.origin != "running" else {}
