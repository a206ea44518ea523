"""`proofdesk principal`: who may do what in a tenant."""

from typing import Annotated

import typer

from commands.connection import run_as
from commands.options import ActsAs, AsJson, Lang, Tenant
from commands.output import Output, reporting
from models.principals import Principal
from services.principals import principal_add, principal_set
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Say who may do what (operators).")
Who = Annotated[str, typer.Argument(metavar="SUBJECT", help="Letters, digits and '._@+-'.")]
Roles = Annotated[
    list[str] | None,
    typer.Option("--role", help="requester, approver, knowledge_owner, operator or auditor; again for more."),
]
Groups = Annotated[list[str] | None, typer.Option("--group", help="A group that documents name; again for more.")]


@app.command("add")
def add(
    subject: Who,
    tenant: Tenant,
    acts_as: ActsAs,
    role: Roles = None,
    group: Groups = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Add a principal; the same again changes nothing."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> Principal:
            return await principal_add(store, actor, subject, roles=role or [], groups=group or [])

        _print(out, "principal_added", run_as(out, tenant, acts_as, act))


@app.command("set")
def change(
    subject: Who,
    tenant: Tenant,
    acts_as: ActsAs,
    role: Roles = None,
    no_roles: Annotated[bool, typer.Option("--no-roles", help="Take every role away.")] = False,
    group: Groups = None,
    no_groups: Annotated[bool, typer.Option("--no-groups", help="Take every group away.")] = False,
    active: Annotated[bool | None, typer.Option("--active/--inactive", help="May act, or may not.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Change what is given and keep the rest; roles and groups that are given replace all others."""
    roles, groups = _given("--role", role, no_roles), _given("--group", group, no_groups)
    if roles is None and groups is None and active is None:
        raise typer.BadParameter("say what to change: --role, --no-roles, --group, --no-groups, --active or --inactive")
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> Principal:
            return await principal_set(store, actor, subject, roles=roles, groups=groups, active=active)

        _print(out, "principal_set", run_as(out, tenant, acts_as, act))


def _given(option: str, values: list[str] | None, none: bool) -> list[str] | None:
    if values and none:
        raise typer.BadParameter(f"{option} and --no-{option.removeprefix('--')}s exclude each other")
    return [] if none else values or None


def _print(out: Output, key: str, principal: Principal) -> None:
    nothing = out.texts("none")
    line = out.texts(
        key,
        subject=principal.subject,
        roles=", ".join(principal.roles) or nothing,
        groups=", ".join(principal.groups) or nothing,
        active=out.texts("active" if principal.active else "inactive"),
    )
    out.result(principal, line)
