"""`proofdesk budget`: what a tenant may spend on models in one day."""

from typing import Annotated

import typer

from commands.connection import run_as
from commands.options import ActsAs, AsJson, Lang, Tenant
from commands.output import Output, reporting
from models.budgets import BudgetDay, parse_daily_tokens
from models.principals import Principal
from services.budgets import budget_read, budget_set
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Say what models may cost in a day (operators).")


@app.command("set")
def change(
    daily_tokens: Annotated[str, typer.Argument(metavar="TOKENS", help="Tokens in and out a day, or `unlimited`.")],
    tenant: Tenant,
    acts_as: ActsAs,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Set the budget of a day; what was used today counts against it at once."""
    with reporting(as_json, lang) as out:
        wanted = parse_daily_tokens(daily_tokens)

        async def act(store: Store, actor: Principal) -> BudgetDay:
            return await budget_set(store, actor, wanted)

        _print(out, run_as(out, tenant, acts_as, act))


@app.command("show")
def show(tenant: Tenant, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None) -> None:
    """Show the budget and what the present day took of it (operators and auditors)."""
    with reporting(as_json, lang) as out:
        _print(out, run_as(out, tenant, acts_as, budget_read))


def _print(out: Output, day: BudgetDay) -> None:
    values = day.model_dump(mode="json", exclude={"by_purpose"})
    limit = out.texts("budget_unlimited") if day.daily_tokens is None else f"{day.daily_tokens:,}"
    left = out.texts("budget_unlimited") if day.left is None else f"{day.left:,}"
    turns = f"{day.next_day:%Y-%m-%d %H:%M}"
    lines = [
        out.texts("budget_is", limit=limit, day=day.day, turns=turns),
        out.texts("budget_used", used=f"{day.used:,}", reserved=f"{day.reserved:,}", left=left),
        out.texts("budget_calls", calls=day.calls, refused=day.refused),
    ]
    lines += [f"  {one.purpose}: {one.tokens:,} ({one.calls})" for one in day.by_purpose]
    purposes = [one.model_dump(mode="json") for one in day.by_purpose]
    out.result({**values, "left": day.left, "by_purpose": purposes}, *lines)
