"""`proofdesk tenant`: setting a tenant up."""

from typing import Annotated

import typer

from commands.connection import run_with_store
from commands.options import AsJson, Lang
from commands.output import reporting
from services.tenants import AddedTenant, tenant_add
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Set tenants up.")


@app.callback()
def tenant() -> None:
    """Set tenants up."""


@app.command("add")
def add(
    tenant_id: Annotated[str, typer.Argument(metavar="TENANT", help="1 to 40 letters, digits and '-'.")],
    operator: Annotated[str, typer.Option("--operator", help="The subject of the tenant's first operator.")],
    time_zone: Annotated[str, typer.Option("--time-zone", help="Where its days begin, such as Asia/Taipei.")] = "UTC",
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Add a tenant with its first operator, who then adds everybody else.

    This is the one command that needs no principal: whoever holds the database's address may add tenants, and nobody
    gets into one that has people already. The same values again change nothing.
    """
    with reporting(as_json, lang) as out:

        async def act(store: Store) -> AddedTenant:
            return await tenant_add(store, tenant_id, time_zone, operator=operator)

        added = run_with_store(out, act)
        values = {**added.tenant.model_dump(mode="json"), "operator": operator, "created": added.created}
        out.result(values, out.texts("tenant_added" if added.created else "tenant_there", **values))
