"""The options that commands share, each declared once."""

from typing import Annotated

import typer

from commands.texts import Language

Tenant = Annotated[
    str, typer.Option("--tenant", envvar="PROOFDESK_TENANT", help="The tenant to act in; there is no 'all tenants'.")
]
ActsAs = Annotated[str, typer.Option("--as", envvar="PROOFDESK_AS", help="The subject of the principal who acts.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on stdout; errors as JSON on stderr.")]
Lang = Annotated[Language | None, typer.Option("--lang", help="Language of what people read; else by LANG.")]
