"""`proofdesk policy`: what a tenant requires of its quotes."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.connection import run_as
from commands.options import ActsAs, AsJson, Lang, Tenant
from commands.output import Output, reporting
from models.errors import InvalidInput
from models.principals import Principal
from services.policies import PolicyVersion, policy_current, policy_set
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Say what quotes need (operators).")
_MAX_BYTES = 256 * 1024


@app.command("set")
def change(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A JSON object; {} is the default.")],
    tenant: Tenant,
    acts_as: ActsAs,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Set the policy as the next version; unknown keys and switched-off guards are refused."""
    with reporting(as_json, lang) as out:
        body = read_policy(file)

        async def act(store: Store, actor: Principal) -> PolicyVersion:
            return await policy_set(store, actor, body)

        _print(out, run_as(out, tenant, acts_as, act))


@app.command("show")
def show(tenant: Tenant, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None) -> None:
    """Show the policy that holds now."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> PolicyVersion:
            async with store.tenant_transaction(actor.tenant_id) as tx:
                return await policy_current(tx)

        _print(out, run_as(out, tenant, acts_as, act))


def read_policy(file: Path) -> object:
    """The file's JSON; InvalidInput for one that is none, is too large or names a key twice."""
    with file.open("rb") as stream:
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise InvalidInput(f"a policy has at most {_MAX_BYTES} bytes")
    try:
        return json.loads(data, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidInput('the policy is no JSON: write an object such as {"expiry_hours": 48}') from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise InvalidInput(f"the policy names {twice[:80]!r} twice: keep one of them")
    return dict(pairs)


def _no_number(name: str) -> object:
    raise InvalidInput(f"{name} is no number that a policy can hold")


def _print(out: Output, held: PolicyVersion) -> None:
    number = held.policy_version
    first = out.texts("policy_is", version=number) if number else out.texts("policy_default")
    rest = [
        f"  {name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in held.policy.model_dump(mode="json").items()
    ]
    out.result(held, first, *rest)
