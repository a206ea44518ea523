"""`proofdesk audit`: whether what the audit tells is what was written."""

import typer

from commands.connection import run_as
from commands.options import ActsAs, AsJson, Lang, Tenant
from commands.output import reporting
from models.principals import Principal
from services.audit_keys import AuditFolder, audit_folder_of
from services.audit_verifying import AuditReport, audit_verify
from services.settings import load_settings
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Check the audit (auditors, operators).")


@app.command("verify")
def verify(tenant: Tenant, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None) -> None:
    """Read the whole audit of a tenant again and name what was changed since it was sealed; exit 1 if anything was."""
    with reporting(as_json, lang) as out:
        folder = AuditFolder(audit_folder_of(load_settings()))

        async def act(store: Store, actor: Principal) -> AuditReport:
            return await audit_verify(store, actor, folder)

        report = run_as(out, tenant, acts_as, act)
        key = "audit_intact" if report.is_intact else "audit_broken"
        head = out.texts(key, rows=report.rows, seals=report.seals, unsealed=report.unsealed, faults=len(report.faults))
        found = (out.texts("audit_fault_line", fault=one.fault, detail=one.detail) for one in report.faults)
        out.result({**report.model_dump(mode="json"), "intact": report.is_intact}, head, *found)
    if not report.is_intact:
        raise typer.Exit(1)
