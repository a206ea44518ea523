"""`proofdesk docs`: governed knowledge, from the file to the search."""

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from commands.connection import opened_embedder, run_as
from commands.options import ActsAs, AsJson, Lang, Tenant
from commands.output import Output, reporting
from commands.places import place_parts
from models.documents import DocumentVersion, EffectiveRange, Kind, VersionStatus
from models.errors import InvalidInput
from models.ids import TenantId
from models.principals import Principal
from models.retrieval import RetrievalScope, VerifiedHit
from services.documents import (
    MAX_LIST,
    document_add,
    document_approve,
    document_list,
    document_publish,
    document_submit,
    document_withdraw,
)
from services.parsing import ParseLimits
from services.retrieval import search as search_documents
from services.tenants import tenant_midnight
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Govern what may be cited: draft, submit, approve, publish, withdraw.")
Document = Annotated[str, typer.Argument(metavar="ID", help="The document's id.")]
Number = Annotated[int, typer.Option("--version", help="The version's number.")]
From = Annotated[
    str | None, typer.Option("--from", help="Start: 2026-12-01 (midnight of the tenant) or 2026-12-01T08:00:00+08:00.")
]
To = Annotated[str | None, typer.Option("--to", help="End, which no longer belongs to it; none is an open end.")]
_STATUSES = ("column_document", "column_version", "column_kind", "column_status", "column_title", "column_groups",
             "column_effective")  # fmt: skip


@app.command("add")
def add(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="PDF, Markdown, text or mail (EML).")],
    document_id: Annotated[str, typer.Option("--id", help="The document's id.")],
    kind: Annotated[Kind, typer.Option("--kind", help="What it is; it never changes.")],
    title: Annotated[str, typer.Option("--title", help="One line.")],
    tenant: Tenant,
    acts_as: ActsAs,
    acl: Annotated[list[str] | None, typer.Option("--acl", help="A group that may read; again for more.")] = None,
    version: Annotated[int | None, typer.Option("--version", help="The number; else the next one.")] = None,
    declared_type: Annotated[
        str | None, typer.Option("--type", help="The MIME type, if the name does not say.")
    ] = None,
    effective_from: From = None,
    effective_to: To = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Add a file as a draft, which nobody finds before it is submitted, approved by another and published."""
    with reporting(as_json, lang) as out:
        data = _read(file)

        async def act(store: Store, actor: Principal) -> DocumentVersion:
            start = await moment(store, actor.tenant_id, effective_from)
            end = await moment(store, actor.tenant_id, effective_to)
            if start is None and end is not None:
                raise InvalidInput("a draft with an end needs a start too: give --from")
            return await document_add(
                store,
                actor,
                document_id=document_id,
                version=version,
                kind=kind,
                title=title,
                acl=acl or [],
                data=data,
                file_name=file.name,
                declared_type=declared_type,
                effective=None if start is None else EffectiveRange(effective_from=start, effective_to=end),
            )

        _print(out, run_as(out, tenant, acts_as, act))


@app.command("submit")
def submit(
    document_id: Document, version: Number, tenant: Tenant, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None
) -> None:
    """Submit a draft for approval."""
    _step(document_id, version, document_submit, tenant, acts_as, as_json, lang)


@app.command("approve")
def approve(
    document_id: Document, version: Number, tenant: Tenant, acts_as: ActsAs, as_json: AsJson = False, lang: Lang = None
) -> None:
    """Approve what another made and submitted."""
    _step(document_id, version, document_approve, tenant, acts_as, as_json, lang)


@app.command("publish")
def publish(
    document_id: Document,
    version: Number,
    tenant: Tenant,
    acts_as: ActsAs,
    effective_from: From = None,
    effective_to: To = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Publish an approved version; a lower one that reaches into its range ends where it starts."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> DocumentVersion:
            start = await moment(store, actor.tenant_id, effective_from)
            end = await moment(store, actor.tenant_id, effective_to)
            async with opened_embedder() as embedder:
                return await document_publish(
                    store, actor, document_id, version, start, end, embedder=embedder, progress=out.progress
                )

        _print(out, run_as(out, tenant, acts_as, act))


@app.command("withdraw")
def withdraw(
    document_id: Document,
    version: Number,
    reason: Annotated[str, typer.Option("--reason", help="Why, in one line.")],
    tenant: Tenant,
    acts_as: ActsAs,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Withdraw a version: no search finds it any more."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> DocumentVersion:
            return await document_withdraw(store, actor, document_id, version, reason)

        _print(out, run_as(out, tenant, acts_as, act))


@app.command("list")
def list_versions(
    tenant: Tenant,
    acts_as: ActsAs,
    document_id: Annotated[str | None, typer.Option("--id", help="Only this document.")] = None,
    status: Annotated[VersionStatus | None, typer.Option("--status", help="Only this status.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=MAX_LIST)] = 100,
    after: Annotated[str | None, typer.Option("--after", help="Go on behind ID/VERSION.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """List the versions that you may know of."""
    with reporting(as_json, lang) as out:
        place = ("", 0) if after is None else _place(after)

        async def act(store: Store, actor: Principal) -> list[DocumentVersion]:
            return await document_list(store, actor, document_id=document_id, status=status, after=place, limit=limit)

        found = run_as(out, tenant, acts_as, act)
        following = f"{found[-1].document_id}/{found[-1].version}" if len(found) == limit else None
        value = {"documents": [one.model_dump(mode="json") for one in found], "next": following}
        out.table(value, _STATUSES, (_cells(out, one) for one in found), empty="no_documents")
        if following is not None and not as_json:
            out.result(None, out.texts("more", after=following))


@app.command("search")
def search(
    query: Annotated[str, typer.Argument(help="What to look for, in any language.")],
    tenant: Tenant,
    acts_as: ActsAs,
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, max=50, help="How many places at most.")] = 5,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Find verified places in what is published, effective now and open to your groups."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> tuple[VerifiedHit, ...]:
            scope = RetrievalScope(tenant_id=actor.tenant_id, subject=actor.subject)
            if kind is not None:
                scope = scope.model_copy(update={"kinds": (kind,)})
            async with opened_embedder() as embedder:
                return await search_documents(store, embedder, scope, query, k=limit)

        hits = run_as(out, tenant, acts_as, act)
        lines = [line for place, hit in enumerate(hits, start=1) for line in _hit(out, place, hit)]
        value = {"hits": [{**hit.evidence.model_dump(mode="json"), "support": hit.support} for hit in hits]}
        out.result(value, *(lines or [out.texts("no_hits")]))


async def moment(store: Store, tenant_id: TenantId, raw: str | None) -> datetime | None:
    """A date as the tenant's midnight, or a time with its zone; InvalidInput for anything else."""
    if raw is None:
        return None
    try:
        if len(raw) == len("2026-12-01"):
            return await tenant_midnight(store, tenant_id, date.fromisoformat(raw))
        given = datetime.fromisoformat(raw)
    except (ValueError, OverflowError):
        raise InvalidInput(f"{raw[:40]!r} is no date: write 2026-12-01 or 2026-12-01T08:00:00+08:00") from None
    if given.tzinfo is None:
        raise InvalidInput(f"{raw[:40]!r} has no time zone: write it as 2026-12-01T08:00:00+08:00")
    return given


def _read(file: Path) -> bytes:
    """The bytes, up to just above what a parser takes: it refuses a larger file itself."""
    with file.open("rb") as stream:
        return stream.read(ParseLimits().file_bytes + 1)


def _step(
    document_id: str,
    version: int,
    service: Callable[[Store, Principal, str, int], Awaitable[DocumentVersion]],
    tenant: str,
    acts_as: str,
    as_json: bool,
    lang: Lang,
) -> None:
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> DocumentVersion:
            return await service(store, actor, document_id, version)

        _print(out, run_as(out, tenant, acts_as, act))


def _place(after: str) -> tuple[str, int]:
    document_id, _, version = after.rpartition("/")
    if not document_id or not version.isdecimal() or len(version) > 7:
        raise InvalidInput("--after is ID/VERSION as the list before it said")
    return document_id, int(version)


def _print(out: Output, version: DocumentVersion) -> None:
    lines = [
        out.texts(
            "document_is",
            document_id=version.document_id,
            version=version.version,
            status=out.texts(version.status),
        )
    ]
    if version.effective is not None:
        lines.append(_range(out, version.effective))
    if not version.acl:
        lines.append(out.texts("nobody_reads"))
    out.result(version, *lines)


def _cells(out: Output, version: DocumentVersion) -> list[str]:
    return [
        version.document_id,
        str(version.version),
        out.texts(version.kind),
        out.texts(version.status),
        version.title,
        ", ".join(version.acl) or out.texts("none"),
        "" if version.effective is None else _range(out, version.effective),
    ]


def _range(out: Output, effective: EffectiveRange) -> str:
    ends = out.texts("open_end") if effective.effective_to is None else _utc(effective.effective_to)
    return out.texts("effective", start=_utc(effective.effective_from), end=ends)


def _utc(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _hit(out: Output, place: int, hit: VerifiedHit) -> list[str]:
    evidence, locator = hit.evidence, hit.evidence.locator
    *address, characters = place_parts(out.texts, locator)
    heading = None if locator.heading == locator.sheet else locator.heading
    where = [*address, heading, characters]
    head = f"{place}. {evidence.document_id} v{evidence.version} [{out.texts(evidence.kind)}] {evidence.title}"
    return [
        head,
        "   " + ", ".join(one for one in where if one),
        *(f"   > {line}" for line in evidence.quote.splitlines()),
    ]
