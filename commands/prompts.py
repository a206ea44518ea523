"""`proofdesk prompts`: which versions of the agents' prompts there are, and which are in force."""

from pathlib import Path
from typing import Annotated

import typer

from commands.connection import run_as
from commands.options import ActsAs, AsJson, Lang
from commands.output import Output, reporting
from models.errors import InvalidInput
from models.principals import Principal
from models.prompts import PROMPT_TENANT, Prompt, PromptRow
from services.prompt_publishing import (
    prompt_activate,
    prompt_compare,
    prompt_list,
    prompt_publish,
    prompt_read,
    prompt_rollback,
)
from services.prompts import parse_prompt
from store.pool import Store

app = typer.Typer(
    no_args_is_help=True,
    help=f"Decide on the agents' prompts (operators of the tenant `{PROMPT_TENANT}`, four eyes).",
)
PromptName = Annotated[str, typer.Argument(metavar="ID", help="The prompt's id, such as enterprise-memory.")]
Version = Annotated[str, typer.Argument(metavar="VERSION", help="Such as 1.1.0.")]
_MAX_BYTES = 256 * 1024
_COLUMNS = ("column_prompt", "column_version", "column_status", "column_author", "column_hash")


@app.command("list")
def show_all(
    acts_as: ActsAs,
    prompt_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One prompt only.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """List every version; `active` is in force in every process."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> list[PromptRow]:
            return await prompt_list(store, actor, prompt_id)

        rows = run_as(out, PROMPT_TENANT, acts_as, act)
        cells = [(row.prompt_id, row.version, _status(out, row), row.author, row.text_hash[:12]) for row in rows]
        value = {"prompts": [row.model_dump(mode="json") for row in rows]}
        out.table(value, _COLUMNS, cells, empty="no_prompts")


@app.command("show")
def show(
    prompt_id: PromptName,
    acts_as: ActsAs,
    version: Annotated[str | None, typer.Option("--version", help="Else the one in force.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Show a version with its text; old ones stay readable."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> tuple[PromptRow, Prompt]:
            return await prompt_read(store, actor, prompt_id, version)

        row, prompt = run_as(out, PROMPT_TENANT, acts_as, act)
        out.result({**row.model_dump(mode="json"), "text": prompt.text}, *_lines(out, row), "", prompt.text)


@app.command("diff")
def diff(
    prompt_id: PromptName,
    before: Version,
    after: Version,
    acts_as: ActsAs,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Show in which lines two versions differ."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> tuple[str, ...]:
            return await prompt_compare(store, actor, prompt_id, before, after)

        lines = run_as(out, PROMPT_TENANT, acts_as, act)
        value = {"prompt_id": prompt_id, "before": before, "after": after, "lines": list(lines)}
        out.result(value, *(lines or (out.texts("prompts_alike"),)))


@app.command("publish")
def publish(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A head between two `---` and the text.")],
    acts_as: ActsAs,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Keep a new version as a draft; another operator activates it."""
    with reporting(as_json, lang) as out:
        prompt = _read(file)

        async def act(store: Store, actor: Principal) -> PromptRow:
            return await prompt_publish(store, actor, prompt)

        _print(out, run_as(out, PROMPT_TENANT, acts_as, act))


@app.command("activate")
def activate(
    prompt_id: PromptName, version: Version, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None
) -> None:
    """Put a version into force in every process within seconds; its author may not."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> PromptRow:
            return await prompt_activate(store, actor, prompt_id, version)

        _print(out, run_as(out, PROMPT_TENANT, acts_as, act))


@app.command("rollback")
def rollback(prompt_id: PromptName, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None) -> None:
    """Put the version into force that held before; again, the one before that."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> PromptRow:
            return await prompt_rollback(store, actor, prompt_id)

        _print(out, run_as(out, PROMPT_TENANT, acts_as, act))


def _read(file: Path) -> Prompt:
    with file.open("rb") as stream:
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise InvalidInput(f"a prompt file has at most {_MAX_BYTES} bytes")
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("a prompt file is UTF-8 text: save it as such") from None
    return parse_prompt(source.replace("\r\n", "\n"))


def _status(out: Output, row: PromptRow) -> str:
    return out.texts(f"prompt_{row.status}")


def _lines(out: Output, row: PromptRow) -> list[str]:
    values = row.model_dump(mode="json", exclude={"status"})
    return [out.texts("prompt_is", **values, status=_status(out, row)), out.texts("prompt_contract", **values)]


def _print(out: Output, row: PromptRow) -> None:
    out.result(row, *_lines(out, row))
