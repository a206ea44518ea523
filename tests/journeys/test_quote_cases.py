"""Whole quotes in five languages, as people and documents may word them, through the real workflow.

Capabilities: C-89.
"""

import json
import uuid
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import opencc
import pytest
import pytest_asyncio

from activities.quote_task import QuoteTaskActivities
from deploy.temporal_server import TemporalServer
from services.clients.embedding import BundledEmbedder
from services.evaluation.task_cases import TaskCase, read_cases
from services.evaluation.tasks import TasksReport, evaluate_tasks
from services.task_services import TaskServices
from store.pool import Store
from worker import quote_desk
from workflows.client import connect

GOLDEN = Path(__file__).parent.parent / "golden" / "quote_cases.jsonl"
CASES = read_cases(GOLDEN)
Run = Callable[[Sequence[TaskCase]], Any]


@pytest_asyncio.fixture
async def run(store: Store, temporal: TemporalServer) -> AsyncGenerator[Run]:
    """Runs cases on a desk whose workers live as long as the test."""
    embedder = BundledEmbedder()
    services = TaskServices(store=store, embedder=embedder)
    client = await connect(temporal.address, "default")

    async def evaluated(cases: Sequence[TaskCase]) -> TasksReport:
        return await evaluate_tasks(store, embedder, cases)

    async with quote_desk(client, QuoteTaskActivities(services), f"quotes-{uuid.uuid4().hex}"):
        yield evaluated
    await embedder.close()


def test_the_file_tries_every_kind_of_quote_several_ways() -> None:
    kinds = [case.note for case in CASES]
    assert len(CASES) >= 60
    assert len(set(kinds)) == 16
    assert all(kinds.count(kind) >= 3 for kind in kinds)


@pytest.mark.timeout(300)
async def test_every_quote_comes_out_as_it_must(run: Run) -> None:
    expect_all_passed(await run(CASES))


@pytest.mark.timeout(300)
async def test_a_quote_comes_out_the_same_however_it_is_written(run: Run) -> None:
    expect_all_passed(await run(tuple(variants())))


def expect_all_passed(report: TasksReport) -> None:
    """No case failed, nothing was asked twice, and every citation stands at its place."""
    assert report.failed == ()
    assert report.reasked == 0
    assert report.citation_correct == 1.0


def variants() -> Iterable[TaskCase]:
    """Base cases written otherwise: the facts stay, so the outcome does."""
    for case in CASES:
        for name, rewrite in _REWRITES.get(case.case_id, {}).items():
            told: dict[str, Any] = json.loads(case.model_dump_json())
            yield TaskCase.model_validate({**rewrite(told), "case_id": f"{case.case_id}+{name}"})


def _in_texts(change: Callable[[str], str], told: dict[str, Any], *, outcome: bool = False) -> dict[str, Any]:
    """`change` on everything that was written, and where it alters what is quoted, on the expectation."""
    messages = [{**one, "text": change(one["text"])} for one in told["messages"]]
    documents = [{**one, "text": change(one["text"])} for one in told["documents"]]
    expect = dict(told["expect"])
    if outcome:
        expect["claims_contain"] = [[change(part) for part in wanted] for wanted in told["expect"]["claims_contain"]]
        for name in ("no_claim_contains", "nowhere"):
            expect[name] = [change(part) for part in told["expect"][name]]
    return {**told, "messages": messages, "documents": documents, "expect": expect}


def _full_width(told: dict[str, Any]) -> dict[str, Any]:
    wide = {ord(digit): chr(ord(digit) + 0xFEE0) for digit in "0123456789"}
    return _in_texts(lambda text: text.translate(wide), told)


def _swapped(mark: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The clauses of every message between `mark`s, the last first."""

    def rewrite(told: dict[str, Any]) -> dict[str, Any]:
        messages = [
            {**one, "text": mark.join(reversed(one["text"].rstrip("。.").split(mark)))} for one in told["messages"]
        ]
        return {**told, "messages": messages}

    return rewrite


def _simplified(told: dict[str, Any]) -> dict[str, Any]:
    return _in_texts(_converter("tw2s"), told, outcome=True)


def _traditional(told: dict[str, Any]) -> dict[str, Any]:
    return _in_texts(_converter("s2tw"), told, outcome=True)


def _converter(config: str) -> Callable[[str], str]:
    module: Any = opencc  # ships no types
    return module.OpenCC(config).convert


def _said(*words: tuple[str, str]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Other words for the same."""

    def change(text: str) -> str:
        for one, other in words:
            text = text.replace(one, other)
        return text

    return lambda told: _in_texts(change, told, outcome=True)


_REWRITES: dict[str, dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "two-days-zh-quantity-late": {
        "simplified": _simplified,
        "period": _said(("製程天數", "生產週期"), ("交期", "工期")),
        "delivery": _said(("製程天數", "交貨期"), ("十八個工作天", "18 個工作日")),
    },
    "conflict-ja": {"full-width": _full_width, "noki": _said(("リードタイム", "納期"))},
    "conflict-cross-language": {
        "full-width": _full_width,
        "swapped": _swapped("，"),
        "simplified": _simplified,
        "turnaround": _said(("lead time", "turnaround time")),
    },
    "no-conflict-base-and-surcharge": {
        "traditional": _traditional,
        "full-width": _full_width,
        "shipping": _said(("交货期", "出货时间")),
        "swapped": _swapped("，"),
    },
    "history-de": {
        "period": _said(("Durchlaufzeit", "Lieferfrist")),
        "words": _said(("22 Arbeitstage", "22 Werktage")),
    },
    "look-alike-zh": {"swapped": _swapped("，"), "simplified": _simplified, "period": _said(("交期", "工期"))},
    "injection-polite-en": {
        "delivery": _said(("lead time", "delivery time")),
        "full-width": _full_width,
        "days": _said(("17 working days", "17 business days")),
    },
    "cn-tw-treatment": {"traditional": _traditional, "full-width": _full_width, "swapped": _swapped("，")},
    "undecided-ja": {"full-width": _full_width},
    "withdrawn-zh": {"simplified": _simplified, "full-width": _full_width, "swapped": _swapped("，")},
}
