"""Writes the figures of the README from `figures.json`, which holds what the measuring commands printed.

`python -m tests.readme_figures` renews the README; a test compares the two.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "figures.json"
README = ROOT / "README.md"
BEGIN, END = "<!-- figures: written by tests/readme_figures.py -->", "<!-- end of figures -->"


def rendered(figures: Mapping[str, Any]) -> str:
    """The figures as Markdown."""
    return "\n".join([BEGIN, *_lines(figures), END])


def with_figures(readme: str, figures: Mapping[str, Any]) -> str:
    """The README with its figures renewed."""
    before, _, rest = readme.partition(BEGIN)
    return before + rendered(figures) + rest.partition(END)[2]


def _lines(figures: Mapping[str, Any]) -> Iterable[str]:
    yield f"Measured on {figures['machine']}. Absolutes drift with the machine; the ratios are what to compare."
    yield ""
    yield "| `proofdesk bench` | Proofdesk | baseline of the same run | ratio |"
    yield "|---|---|---|---|"
    for one in figures["bench"]["figures"]:
        yield (
            f"| {one['name']} | {one['value']:g} {one['unit']} "
            f"| {one['baseline_value']:g} {one['unit']} ({one['baseline']}) | {one['ratio']:g} |"
        )
    yield ""
    yield from _retrieval(figures["retrieval"])
    fields, tasks = figures["fields"], figures["tasks"]
    yield (
        f"`proofdesk eval fields` on {fields['lines']} labelled messages in five languages: micro-F1 "
        f"{fields['micro_f1']:.3f}, values confirmed against the label's doubt: {fields['wrongly_confirmed']}."
    )
    yield (
        f"`proofdesk eval tasks` on {tasks['cases']} quote tasks: {tasks['passed']} pass, asked again: "
        f"{tasks['reasked']}, citations that stand in the original: {tasks['citation_correct']:.0%}."
    )


def _retrieval(runs: Mapping[str, Any]) -> Iterable[str]:
    yield "| `proofdesk eval retrieval` | channel | hit@1 | hit@5 | recall@10 | MRR@10 | p50 ms | p99 ms |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, run in runs.items():
        for channel in ("keyword", "vector", "fused"):
            one = run["channels"][channel]
            yield (
                f"| {name}, {run['documents']} documents, {run['queries']} queries | {channel} | {one['hit@1']:.3f} "
                f"| {one['hit@5']:.3f} | {one['recall@10']:.3f} | {one['mrr@10']:.3f} "
                f"| {one['p50_ms']:.1f} | {one['p99_ms']:.1f} |"
            )
    yield ""


def main() -> None:
    """Renews the README."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    README.write_text(with_figures(README.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
