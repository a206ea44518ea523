"""A task, its timeline and its draft as lines for people."""

from collections.abc import Iterable, Mapping, Sequence

from commands.places import place
from commands.texts import Texts
from models.drafts import Draft
from models.evidence import Checks
from models.fields import FieldName, FieldValue
from models.ids import EvidenceId
from models.line_items import line_name
from models.source_choices import disputed_topics
from models.steps import TimelineEntry
from models.tasks import (
    Block,
    ConfirmedValue,
    FieldConflict,
    FieldSource,
    LineItem,
    LineStatus,
    TaskState,
    TaskStatus,
)
from services.task_reading import Citation, ShownDraft, ShownTask


def task_lines(texts: Texts, task: ShownTask) -> Iterable[str]:
    """Status, confirmed fields with their sources, what is pending, in conflict or blocked, line by line."""
    state = task.state
    values = state.model_dump(mode="json", exclude={"confirmed", "status"})
    yield texts("task_head", **values, status=status_text(texts, state.status), starter=task.starter)
    yield from _field_lines(texts, state.confirmed, state.conflicts)
    if state.pending and not state.lines:
        yield texts("pending_line", fields=", ".join(state.pending))
    for line in state.lines:
        yield from _item_lines(texts, line)
    for days in task.day_proposals:
        key = "day_understood" if days.first == days.last else "days_understood"
        yield texts(key, **days.model_dump(mode="json"))
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
    yield from _draft_item_lines(texts, shown.draft)
    for claim in shown.draft.claims:
        yield texts("claim_line", text=f"{_for_lines(texts, claim.lines)}{claim.text}")
        yield from _citations(texts, citations, claim.evidence_ids)
    yield from _remarks(texts, shown.draft, citations)


def _field_lines(
    texts: Texts, confirmed: Mapping[FieldName, ConfirmedValue], conflicts: Sequence[FieldConflict]
) -> Iterable[str]:
    for field, held in confirmed.items():
        yield texts("field_line", field=field, value=_value(texts, held.value), source=_source(texts, held.source))
    for conflict in conflicts:
        values = " | ".join(f"{_value(texts, one.value)} ({_source(texts, one.source)})" for one in conflict.candidates)
        yield texts("conflict_line", field=conflict.field, values=values)


def _item_lines(texts: Texts, line: LineItem) -> Iterable[str]:
    """A line with its fields, and what it waits for; of one that was withdrawn, by whose word."""
    yield _line_head(texts, line.line, line_name(line), line.position, line.status)
    if line.withdrawn_by is not None:
        yield f"  {texts('line_withdrawn_by', source=_source(texts, line.withdrawn_by))}"
    if line.doubt is not None:
        source = _source(texts, line.doubt.source)
        yield f"  {texts(f'line_{line.doubt.kind}', source=source, line=line.line)}"
    if line.status == "withdrawn":
        return
    yield from (f"  {one}" for one in _field_lines(texts, line.confirmed, line.conflicts))
    if line.pending:
        yield f"  {texts('pending_line', fields=', '.join(line.pending))}"


def _draft_item_lines(texts: Texts, draft: Draft) -> Iterable[str]:
    for line in draft.lines:
        yield _line_head(texts, line.line, line.label, line.position, line.status)
        for one in line.fields:
            values = {"value": _value(texts, one.value.value), "source": _source(texts, one.value.source)}
            yield f"  {texts('field_line', field=one.field, **values)}"


def _line_head(texts: Texts, line: int, name: str, position: str | None, status: LineStatus) -> str:
    named = texts("line_name", name=name) if name else ""
    numbered = texts("line_position", position=position) if position not in (None, str(line)) else ""
    return texts("line_head", line=line, name=named, position=numbered, status=texts(f"line_status_{status}"))


def _for_lines(texts: Texts, lines: Sequence[int]) -> str:
    """The lines that something holds for, before it; nothing when it holds for all."""
    return texts("for_lines", lines=", ".join(map(str, lines))) if lines else ""


def _settled_lines(texts: Texts, draft: Draft) -> Iterable[str]:
    for answer in draft.answers:
        yield texts("answered_line", **answer.model_dump(mode="json"))
    if draft.conflicts:
        yield texts("conflicts_head")
    for side in draft.conflicts:
        yield texts("side_line", **side.model_dump(mode="json"))
    for choice in draft.choices:
        values = choice.model_dump(mode="json", exclude={"chosen_at"})
        yield texts("choice_line", **values, chosen_at=f"{choice.chosen_at:%Y-%m-%d %H:%M}")


def _remarks(texts: Texts, draft: Draft, citations: dict[EvidenceId, Citation]) -> Iterable[str]:
    if draft.awaiting_confirmation:
        yield texts("awaiting_head")
        for awaited in draft.awaiting_confirmation:
            topic = f"{_for_lines(texts, awaited.lines)}{awaited.topic}"
            yield texts("awaiting_line", topic=topic, ask_whom=awaited.ask_whom)
            yield from _citations(texts, citations, awaited.evidence_ids)
    yield from _settled_lines(texts, draft)
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
    if block.reason == "worker_fault" and block.resumes_at is not None:
        yield texts("fault_waits", resumes_at=f"{block.resumes_at:%Y-%m-%d %H:%M}")
    if block.missing_topics:
        yield texts("missing_line", topics=", ".join(block.missing_topics))
    for side in block.conflict:
        yield texts("side_line", **side.model_dump(mode="json"))
    for topic in disputed_topics(block.conflict):
        yield texts("choose_line", task_id=state.task_id, topic=topic)


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
