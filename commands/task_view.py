"""A task, its timeline and its draft as lines for people."""

from collections.abc import Iterable, Sequence

from commands.places import place
from commands.texts import Texts
from models.drafts import Draft
from models.evidence import Checks
from models.fields import FieldValue
from models.ids import EvidenceId
from models.steps import TimelineEntry
from models.tasks import Block, FieldSource, TaskState, TaskStatus
from services.task_reading import Citation, ShownDraft, ShownTask


def task_lines(texts: Texts, task: ShownTask) -> Iterable[str]:
    """Status, confirmed fields with their sources, what is pending, in conflict or blocked."""
    state = task.state
    values = state.model_dump(mode="json", exclude={"confirmed", "status"})
    yield texts("task_head", **values, status=status_text(texts, state.status), starter=task.starter)
    for field, confirmed in state.confirmed.items():
        yield texts(
            "field_line", field=field, value=_value(texts, confirmed.value), source=_source(texts, confirmed.source)
        )
    if state.pending:
        yield texts("pending_line", fields=", ".join(state.pending))
    for conflict in state.conflicts:
        values = " | ".join(f"{_value(texts, one.value)} ({_source(texts, one.source)})" for one in conflict.candidates)
        yield texts("conflict_line", field=conflict.field, values=values)
    yield from _block_lines(texts, state)


def status_text(texts: Texts, status: TaskStatus) -> str:
    """The status as people read it, with the word that filters and Temporal's queries take."""
    return texts(f"status_{status}")


def timeline_lines(texts: Texts, events: Sequence[TimelineEntry]) -> Iterable[str]:
    """One line for each status the task was in."""
    yield texts("timeline_head")
    for entry in events:
        yield f"  {entry.at:%Y-%m-%d %H:%M:%S}  {status_text(texts, entry.status):<18}{entry.reason}".rstrip()


def draft_lines(texts: Texts, shown: ShownDraft) -> Iterable[str]:
    """The draft with each claim's citations: document, version, place, quote and checks."""
    yield texts("draft_head", decision_version=shown.decision_version, content_hash=shown.content_hash)
    if shown.void_reason is not None:
        yield texts("draft_void", reason=shown.void_reason)
    if shown.draft is None:
        yield texts("draft_withheld")
        return
    citations = {one.evidence.evidence_id: one for one in shown.citations}
    for claim in shown.draft.claims:
        yield texts("claim_line", text=claim.text)
        yield from _citations(texts, citations, claim.evidence_ids)
    yield from _remarks(texts, shown.draft, citations)


def _remarks(texts: Texts, draft: Draft, citations: dict[EvidenceId, Citation]) -> Iterable[str]:
    if draft.awaiting_confirmation:
        yield texts("awaiting_head")
        for awaited in draft.awaiting_confirmation:
            yield texts("awaiting_line", **awaited.model_dump(mode="json"))
            yield from _citations(texts, citations, awaited.evidence_ids)
    if draft.history:
        yield texts("history_head")
        for item in draft.history:
            yield texts("side_line", **item.model_dump(mode="json"))
    if draft.flags:
        yield texts("flags_head")
        for flag in draft.flags:
            yield texts("flag_line", **flag.model_dump(mode="json"))


def _citations(texts: Texts, citations: dict[EvidenceId, Citation], ids: Sequence[EvidenceId]) -> Iterable[str]:
    for one in ids:
        cited = citations.get(one)
        if cited is not None:
            values = cited.evidence.model_dump(mode="json", include={"document_id", "version", "quote"})
            yield texts(
                "citation_line",
                **values,
                place=place(texts, cited.evidence.locator),
                checks=_checks(texts, cited.checks),
            )


def _checks(texts: Texts, checks: Checks) -> str:
    failed = [name for name, held in checks.model_dump().items() if not held]
    return texts("checks_failed", names=", ".join(failed)) if failed else texts("checks_passed")


def _block_lines(texts: Texts, state: TaskState) -> Iterable[str]:
    block = state.block
    if block is None:
        return
    detail = "" if block.reason == "budget_exhausted" else block.detail  # said in its own line
    reason = f"{block.reason} ({detail})" if detail else block.reason
    yield texts("blocked_line", reason=reason, task_id=state.task_id, choices="|".join(block.choices))
    if block.reason == "budget_exhausted":
        yield _budget_line(texts, block)
    if block.missing_topics:
        yield texts("missing_line", topics=", ".join(block.missing_topics))
    for side in block.conflict:
        yield texts("side_line", **side.model_dump(mode="json"))


def _budget_line(texts: Texts, block: Block) -> str:
    if block.resumes_at is None:
        return texts("budget_too_small")
    return texts("budget_waits", resumes_at=f"{block.resumes_at:%Y-%m-%d %H:%M}")


def _value(texts: Texts, value: FieldValue) -> str:
    return texts("yes" if value else "no") if isinstance(value, bool) else str(value)


def _source(texts: Texts, source: FieldSource) -> str:
    where = f"{source.message_id}, {source.author}"
    if source.char_start is None or source.char_end is None:
        return where
    return f"{where}, {texts('characters', start=source.char_start, end=source.char_end)}"
