"""The command `proofdesk`: composes one sub-command for each noun of `commands/`."""

import typer

from commands import audit, budgets, docs, evaluations, policies, principals, prompts, tasks, tenants
from commands.bench import bench
from commands.demo import demo
from commands.doctor import doctor
from commands.up import up

# Locals of a traceback would hold content and secrets.
app = typer.Typer(
    name="proofdesk",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="A durable quote desk: every conclusion cites its original, and a person decides.",
)
app.add_typer(tenants.app, name="tenant")
app.add_typer(principals.app, name="principal")
app.add_typer(policies.app, name="policy")
app.add_typer(docs.app, name="docs")
app.add_typer(tasks.app, name="task")
app.add_typer(prompts.app, name="prompts")
app.add_typer(budgets.app, name="budget")
app.add_typer(audit.app, name="audit")
app.add_typer(evaluations.app, name="eval")
app.command("up")(up)
app.command("demo")(demo)
app.command("bench")(bench)
app.command("doctor")(doctor)


def main() -> None:
    """Runs the command line: exit 0 done, 1 refused, 2 wrong usage."""
    app()


if __name__ == "__main__":
    main()
