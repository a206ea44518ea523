"""`proofdesk task`: start a quote task, add to it, look at it, decide on it, take it over, cancel it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from commands.connection import run_as
from commands.options import ActsAs, AsJson, Lang, Tenant
from commands.output import Output, reporting
from commands.task_view import draft_lines, status_text, task_lines, timeline_lines
from models.decisions import Decision, Takeover, Verdict
from models.errors import InvalidInput, NotFound
from models.fields import FieldValue
from models.ids import Subject
from models.line_items import parse_line_confirmation
from models.principals import Principal
from models.source_choices import NamedSource
from models.steps import TaskBrief, TimelineEntry
from models.tasks import BlockedReason, TakeoverChoice, TaskStatus
from services import task_cancel, task_decision, task_intake, task_reading, task_takeover
from services.task_messages import AttachedFile
from store.pool import Store

app = typer.Typer(no_args_is_help=True, help="Work on quote tasks.")

TaskId = Annotated[str, typer.Argument(metavar="TASK", help="The task's id, unique in its tenant.")]
MessageText = Annotated[str | None, typer.Option("--text", help="What was said; '-' reads standard input.")]
MessageFile = Annotated[Path | None, typer.Option("--file", help="A mail, PDF, Markdown or text file.")]
Confirm = Annotated[
    list[str] | None, typer.Option("--confirm", metavar="FIELD=VALUE", help="A value confirmed by you; repeatable.")
]


@app.command("start")
def start(
    task_id: TaskId,
    tenant: Tenant,
    subject: ActsAs,
    text: MessageText = None,
    file: MessageFile = None,
    confirm: Confirm = None,
    customer_ref: Annotated[str | None, typer.Option("--customer-ref", help="The customer's own reference.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Start a quote task from a request; the same request again is the same task."""
    with reporting(as_json, lang) as out:
        said, attached, confirmed = _said(text), _attached(file), _confirmations(confirm)

        async def act(store: Store, actor: Principal) -> TaskBrief:
            return await task_intake.start_task(
                store,
                actor,
                task_id=task_id,
                text=said,
                file=attached,
                confirmations=confirmed,
                customer_ref=customer_ref,
            )

        _tell(out, task_id, run_as(out, tenant, subject, act))


@app.command("supplement")
def supplement(
    task_id: TaskId,
    tenant: Tenant,
    subject: ActsAs,
    text: MessageText = None,
    file: MessageFile = None,
    confirm: Confirm = None,
    answers: Annotated[
        list[str] | None,
        typer.Option("--answers", metavar="TOPIC", help="What of the draft's open points this answers; repeatable."),
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="Makes repeating the command one supplement.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Add a text, a file or confirmed values to a task."""
    with reporting(as_json, lang) as out:
        said, attached, confirmed = _said(text), _attached(file), _confirmations(confirm)

        async def act(store: Store, actor: Principal) -> TaskBrief:
            return await task_intake.add_supplement(
                store,
                actor,
                task_id=task_id,
                text=said,
                file=attached,
                confirmations=confirmed,
                answers=answers or (),
                idempotency_key=key,
            )

        _tell(out, task_id, run_as(out, tenant, subject, act))


@app.command("show")
def show(task_id: TaskId, tenant: Tenant, subject: ActsAs, as_json: AsJson = False, lang: Lang = None) -> None:
    """Show a task: its state, its timeline, and its draft with every citation read again from the original."""
    with reporting(as_json, lang) as out:

        async def act(
            store: Store, actor: Principal
        ) -> tuple[task_reading.ShownTask, task_reading.ShownDraft | None, Sequence[TimelineEntry]]:
            task = await task_reading.task_show(store, actor, task_id)
            try:
                draft = await task_reading.draft_show(store, actor, task_id)
            except NotFound:
                draft = None
            return task, draft, await task_reading.timeline(store, actor, task_id)

        task, draft, events = run_as(out, tenant, subject, act)
        value = {
            "task": task.model_dump(mode="json"),
            "draft": None if draft is None else draft.model_dump(mode="json"),
            "timeline": [entry.model_dump(mode="json") for entry in events],
        }
        lines = [*task_lines(out.texts, task), *timeline_lines(out.texts, events)]
        if draft is not None:
            lines.extend(draft_lines(out.texts, draft))
        out.result(value, *lines)


@app.command("list")
def list_(
    tenant: Tenant,
    subject: ActsAs,
    status: Annotated[str | None, typer.Option("--status", help="Only tasks in this status.")] = None,
    blocked_reason: Annotated[str | None, typer.Option("--blocked-reason", help="Only tasks blocked for it.")] = None,
    starter: Annotated[str | None, typer.Option("--starter", help="Only tasks that this subject started.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=500)] = 100,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """List tasks, the most urgent first, then the last changed."""
    with reporting(as_json, lang) as out:
        wanted = cast("TaskStatus | None", _one_of(status, get_args(TaskStatus), "status"))
        reason = cast("BlockedReason | None", _one_of(blocked_reason, get_args(BlockedReason), "blocked reason"))
        by = None if starter is None else Subject(starter)

        async def act(store: Store, actor: Principal) -> tuple[task_reading.ListedTask, ...]:
            return await task_reading.task_list(
                store, actor, status=wanted, blocked_reason=reason, starter=by, limit=limit
            )

        found = run_as(out, tenant, subject, act)
        out.table(
            {"tasks": [one.model_dump(mode="json") for one in found]},
            (
                "column_task",
                "column_status",
                "column_urgency",
                "column_waits_for",
                "column_draft",
                "column_starter",
                "column_changed",
            ),
            (
                (
                    one.task_id,
                    _status(out, one),
                    out.texts(f"urgency_{one.urgency}"),
                    ", ".join(dict.fromkeys((*one.pending, *one.conflicts))),
                    str(one.decision_version),
                    one.starter,
                    f"{one.updated_at:%Y-%m-%d %H:%M}",
                )
                for one in found
            ),
            empty="no_tasks",
        )


@app.command("decide")
def decide(
    task_id: TaskId,
    verdict: Annotated[str, typer.Argument(help="approve, request_changes or reject")],
    tenant: Tenant,
    subject: ActsAs,
    decision_version: Annotated[int, typer.Option("--decision-version", help="The draft that you were shown.")],
    content_hash: Annotated[str, typer.Option("--content-hash", help="Its content hash, as shown.")],
    comment: Annotated[str, typer.Option("--comment")] = "",
    confirm: Confirm = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Decide on a draft as it was shown to you; the stored decision is read back."""
    with reporting(as_json, lang) as out:
        chosen = cast("Verdict", _one_of(verdict, get_args(Verdict), "verdict"))
        confirmed = _confirmations(confirm)

        async def act(store: Store, actor: Principal) -> Decision:
            return await task_decision.decide(
                store,
                actor,
                task_id=task_id,
                decision_version=decision_version,
                content_hash=content_hash,
                verdict=chosen,
                comment=comment,
                confirmations=confirmed,
            )

        decided = run_as(out, tenant, subject, act)
        out.result(decided, out.texts("decided", **decided.model_dump(mode="json")))


@app.command("takeover")
def takeover(
    task_id: TaskId,
    tenant: Tenant,
    subject: ActsAs,
    choice: Annotated[str | None, typer.Argument(help="retry, provide, choose_source or abandon")] = None,
    chosen: Annotated[str | None, typer.Option("--choice", help="The choice, if not given as an argument.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="choose_source: what the sources differ on.")] = None,
    document: Annotated[str | None, typer.Option("--document", help="choose_source: the document that holds.")] = None,
    version: Annotated[int | None, typer.Option("--version", help="choose_source: its version.")] = None,
    text: MessageText = None,
    confirm: Confirm = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Resolve a blocked task."""
    with reporting(as_json, lang) as out:
        wanted = cast("TakeoverChoice", _one_of(_choice(choice, chosen), get_args(TakeoverChoice), "choice"))
        source = _source(topic, document, version)
        said, confirmed = _said(text), _confirmations(confirm)

        async def act(store: Store, actor: Principal) -> Takeover:
            return await task_takeover.take_over(
                store, actor, task_id=task_id, choice=wanted, text=said or "", confirmations=confirmed, source=source
            )

        taken = run_as(out, tenant, subject, act)
        out.result(taken, out.texts("taken_over", **taken.model_dump(mode="json")))


@app.command("cancel")
def cancel(
    task_id: TaskId,
    tenant: Tenant,
    subject: ActsAs,
    reason: Annotated[str, typer.Option("--reason", help="Why; it stays with the task.")],
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Cancel an open task."""
    with reporting(as_json, lang) as out:

        async def act(store: Store, actor: Principal) -> TaskBrief:
            return await task_cancel.cancel_task(store, actor, task_id=task_id, reason=reason)

        _tell(out, task_id, run_as(out, tenant, subject, act))


def _tell(out: Output, task_id: str, brief: TaskBrief) -> None:
    values = {"task_id": task_id, **brief.model_dump(mode="json")}
    values["pass"] = values.pop("pass_")  # the name that it has in every other JSON
    out.result(values, out.texts("task_is", **{**values, "status": status_text(out.texts, brief.status)}))


def _status(out: Output, task: task_reading.ListedTask) -> str:
    told = status_text(out.texts, task.status)
    return told if task.blocked_reason is None else f"{told} ({task.blocked_reason})"


def _choice(argument: str | None, option: str | None) -> str:
    if (argument is None) == (option is None):
        raise InvalidInput("say once what is to be done: retry, provide, choose_source or abandon")
    return argument or option or ""


def _source(topic: str | None, document: str | None, version: int | None) -> NamedSource | None:
    if topic is None and document is None and version is None:
        return None
    if topic is None or document is None or version is None:
        raise InvalidInput("a source is named by --topic, --document and --version together")
    return NamedSource(topic=topic, document_id=document, version=version)


def _said(text: str | None) -> str | None:
    if text != "-":
        return text
    data = typer.get_binary_stream("stdin").read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("standard input is not UTF-8 text: give a file with --file instead") from None


def _attached(path: Path | None) -> AttachedFile | None:
    if path is None:
        return None
    try:
        return AttachedFile(data=path.read_bytes(), file_name=path.name)
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}") from None


def _confirmations(given: list[str] | None) -> dict[str, FieldValue]:
    confirmed: dict[str, FieldValue] = {}
    for one in given or []:
        name, separator, raw = one.partition("=")
        if not separator:
            raise InvalidInput(f"{one[:80]!r} is no confirmation: write FIELD=VALUE, such as quantity=1300")
        field, value = parse_line_confirmation(name.strip(), raw)
        if field in confirmed:
            raise InvalidInput(f"{field} is confirmed twice: give it one value")
        confirmed[field] = value
    return confirmed


def _one_of(raw: str | None, allowed: Sequence[str], what: str) -> str | None:
    if raw is not None and raw not in allowed:
        raise InvalidInput(f"{raw[:40]!r} is no {what}: use one of {', '.join(allowed)}")
    return raw
