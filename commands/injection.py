"""`proofdesk eval injection`: instructions inside messages, mails and documents have no effect."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from commands.connection import opened_embedder, opened_store
from commands.options import AsJson, Lang
from commands.output import reporting
from models.errors import InvalidInput
from services.evaluation.injection import InjectionReport, evaluate_injection, read_bipia, read_items
from services.task_services import TaskServices


def injection(
    items: Annotated[
        Path | None, typer.Option("--items", help="JSON lines: id, text, label (0 is honest), lang, kind.")
    ] = None,
    bipia: Annotated[
        Path | None, typer.Option("--bipia", help="A folder with attacks.jsonl and contexts.jsonl.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many hostile items, spread.")] = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Runs tasks with and without each hostile item and compares all they show; exit 0 only if nothing differs."""
    with reporting(as_json, lang) as out:
        read = (*(read_items(items) if items else ()), *(read_bipia(bipia) if bipia else ()))
        if not any(one.hostile for one in read):
            raise InvalidInput("there is no hostile item: name a file with --items, a folder with --bipia, or both")

        async def run() -> InjectionReport:
            async with opened_store(out) as store, opened_embedder() as embedder:
                return await evaluate_injection(
                    TaskServices(store, embedder),
                    read,
                    limit=limit,
                    progress=lambda done, total: out.progress(done, total, "running_cases"),
                )

        report = asyncio.run(run())
        figures: dict[str, object] = report.model_dump(mode="json", exclude={"effects"})
        lines = [out.texts("figure_line", name=name, value=value) for name, value in figures.items()]
        effects = [
            out.texts("case_failed", case_id=f"{one.item_id} ({one.place}, {one.where})", why=", ".join(one.differs))
            for one in report.effects
        ]
        out.result(report, *lines, *effects)
    if report.effects:
        raise typer.Exit(1)
