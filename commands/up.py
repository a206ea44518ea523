"""`proofdesk up`: the embedded stack with a worker and the Temporal UI, in the foreground until Ctrl-C."""

import asyncio
from contextlib import suppress
from pathlib import Path

from commands.options import AsJson, Lang
from commands.output import Output, reporting
from deploy.embedded import EmbeddedStack, StackAddresses
from deploy.stack import Servers
from deploy.worker_process import start_worker
from models.errors import InvalidInput
from services.settings import load_settings

_WATCH_SECONDS = 0.5
_RESTART_SECONDS = 1.0


def up(as_json: AsJson = False, lang: Lang = None) -> None:
    """Start PostgreSQL, Temporal with its UI, and a worker; Ctrl-C stops them. Tasks that waited go on."""
    with reporting(as_json, lang) as out:
        settings = load_settings()
        if settings.database_url is not None:
            raise InvalidInput(
                "PROOFDESK_DATABASE_URL names servers of your own: run `python -m worker` on them, or unset it"
            )
        with suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(_serve(out, settings.data_folder))
        out.say("stopped")


async def _serve(out: Output, folder: Path) -> None:
    out.say("starting", folder=folder)
    async with EmbeddedStack(folder, ui=True) as addresses:
        servers = Servers("running", addresses.database_url_app, addresses.temporal_address, addresses.namespace)
        log = folder / "worker.log"
        worker = await asyncio.to_thread(start_worker, servers, log)
        try:
            _announce(out, folder, addresses)
            while True:
                await asyncio.sleep(_WATCH_SECONDS)
                if not worker.running:
                    out.say("worker_ended", log=log)
                    await asyncio.sleep(_RESTART_SECONDS)
                    worker = await asyncio.to_thread(start_worker, servers, log)
        finally:
            await asyncio.to_thread(worker.stop)


def _announce(out: Output, folder: Path, addresses: StackAddresses) -> None:
    values = {
        "temporal_address": addresses.temporal_address,
        "ui": f"http://127.0.0.1:{addresses.ui_port}",
        "data_folder": str(folder),
    }
    out.result(values, out.texts("up", **values))
