"""`proofdesk eval`: what the product does on files of labelled cases, through its own front doors."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from commands.connection import opened_embedder, opened_stack, opened_store
from commands.injection import injection
from commands.options import AsJson, Lang
from commands.output import Output, reporting
from models.errors import InvalidInput
from models.retrieval_figures import RetrievalFigures
from services.evaluation.retrieval import evaluate_retrieval
from services.evaluation.task_cases import read_cases
from services.evaluation.tasks import TasksReport, evaluate_tasks

app = typer.Typer(no_args_is_help=True, help="Measure on labelled files.")
app.command("injection")(injection)

LabelledFile = Annotated[Path, typer.Option("--file", help="JSON lines: id, lang, text, fields, undecided, conflicts.")]
RfqFolder = Annotated[Path, typer.Option("--folder", help="UBL, XRechnung, CII, eForms (XML) and OCDS (JSON) files.")]
CasesFile = Annotated[Path, typer.Option("--cases", help="JSON lines, one quote-task case each.")]


@app.command("fields")
def fields(file: LabelledFile, as_json: AsJson = False, lang: Lang = None) -> None:
    """Precision and recall of the fields read from messages; needs no stack."""
    from services.evaluation.fields import evaluate_fields

    with reporting(as_json, lang) as out:
        report = evaluate_fields(_lines(file))
        out.result(report, *_figures(out, report.model_dump(mode="json")))


@app.command("files")
def files(
    folder: Annotated[Path, typer.Option("--folder", help="A folder of files to read, with or without a manifest.")],
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Reads every file of a folder as the product would; exit 0 only if none crashed, hung or left its limits."""
    from services.evaluation.files import evaluate_files, files_below

    with reporting(as_json, lang) as out:
        found = files_below(folder)
        report = asyncio.run(
            evaluate_files(folder, found, progress=lambda done, total: out.progress(done, total, "reading_files"))
        )
        rows = [(kind, name, str(count)) for kind, counts in report.outcomes.items() for name, count in counts.items()]
        out.table(report, ("column_kind_of_file", "column_outcome", "column_files"), rows, empty="no_documents")
        if not as_json:
            figures = report.model_dump(mode="json", exclude={"each", "outcomes"})
            faults = [out.texts("case_failed", case_id=one.file, why=one.message or "") for one in report.faults]
            out.result(report, *_figures(out, figures), *faults)
    if report.faults:
        raise typer.Exit(1)


@app.command("rfq")
def rfq(folder: RfqFolder, as_json: AsJson = False, lang: Lang = None) -> None:
    """Reads every structured RFQ of a folder and compares it with its tags; exit 0 only if all ends as it should."""
    from services.evaluation.rfq import evaluate_rfq, rfq_files

    with reporting(as_json, lang) as out:
        report = asyncio.run(evaluate_rfq(folder, rfq_files(folder)))
        head = out.texts("rfq_read", read=report.read, files=report.files, refused=sum(report.refused.values()))
        figures = report.model_dump(mode="json", exclude={"results", "files", "read"})
        refused = [
            out.texts("rfq_refused", file=one.file, reason=one.reason, message=one.message)
            for one in report.results
            if one.outcome == "refused"
        ]
        failed = [
            out.texts("case_failed", case_id=one.file, why="; ".join(one.wrong) or one.message)
            for one in report.results
            if one.outcome == "failed"
        ]
        out.result(report, head, *_figures(out, figures), *refused, *failed)
    if report.failed:
        raise typer.Exit(1)


@app.command("retrieval")
def retrieval(
    corpus: Annotated[Path, typer.Option("--corpus", help="JSON lines: doc_id, title, text, lang.")],
    queries: Annotated[Path, typer.Option("--queries", help="JSON lines: qid, query, lang, gold.")],
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first so many queries.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Hit rates of each channel and of the search, through ingestion, index and verification."""
    with reporting(as_json, lang) as out:

        async def run() -> RetrievalFigures:
            async with opened_store(out) as store, opened_embedder() as embedder:
                return await evaluate_retrieval(
                    store,
                    embedder,
                    corpus=corpus,
                    queries=queries,
                    limit=limit,
                    progress=lambda phase, done, total: out.progress(done, total, f"phase_{phase}"),
                )

        report = asyncio.run(run()).model_dump(mode="json", by_alias=True)
        out.result(report, *_figures(out, report))


@app.command("tasks")
def tasks(cases: CasesFile, as_json: AsJson = False, lang: Lang = None) -> None:
    """Runs whole quote tasks through the real workflow; exit 0 only if all pass."""
    with reporting(as_json, lang) as out:
        read = read_cases(cases)

        async def run() -> TasksReport:
            async with opened_stack(out) as (store, _), opened_embedder() as embedder:
                return await evaluate_tasks(
                    store, embedder, read, progress=lambda done, total: out.progress(done, total, "running_cases")
                )

        report = asyncio.run(run())
        figures = report.model_dump(mode="json", exclude={"failed", "cases", "passed"})
        failures = [out.texts("case_failed", case_id=one.case_id, why="; ".join(one.why)) for one in report.failed]
        head = out.texts("cases_passed", passed=report.passed, cases=report.cases)
        out.result(report, head, *_figures(out, figures), *failures)
    if report.failed:
        raise typer.Exit(1)


def _lines(path: Path) -> Iterable[str]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{str(path)!r} is no UTF-8 text: save it as UTF-8") from None
    if not any(line.strip() for line in lines):
        raise InvalidInput(f"{str(path)!r} holds no line: perfect figures of nothing would mislead")
    return lines


def _figures(out: Output, values: dict[str, object], prefix: str = "") -> Iterable[str]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _figures(out, value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType] -- JSON
        else:
            yield out.texts("figure_line", name=f"{prefix}{name}", value=value)
