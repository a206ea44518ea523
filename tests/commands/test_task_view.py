"""A task as people read it: in their language, with the words that the next command takes."""

from datetime import UTC, datetime
from typing import get_args

import pytest

from commands.task_view import status_text, task_lines, timeline_lines
from commands.texts import Language, Texts
from models.fields import FieldName, FieldValue
from models.ids import Subject, TaskId, TenantId
from models.steps import TimelineEntry
from models.tasks import (
    Block,
    ConfirmedValue,
    FieldConflict,
    FieldSource,
    LineDoubt,
    LineItem,
    TaskState,
    TaskStatus,
)
from services.task_reading import ShownTask

NOW = datetime(2026, 12, 1, 3, 5, 9, tzinfo=UTC)
SOURCE = FieldSource(message_id="M1-0a1b", author=Subject("ana"), confirmed_by="extraction", char_start=3, char_end=9)
BLOCK = Block(reason="unreadable_input", detail="could not be read: M1: encrypted", choices=("retry", "abandon"))


def task(status: TaskStatus, **more: FieldValue) -> ShownTask:
    """A task whose fields are `more`."""
    confirmed: dict[FieldName, ConfirmedValue] = {
        name: ConfirmedValue(value=value, source=SOURCE)
        for name in get_args(FieldName)
        if (value := more.get(name)) is not None
    }
    state = TaskState(
        tenant_id=TenantId("A"),
        task_id=TaskId("Q1"),
        revision=3,
        status=status,
        confirmed=confirmed,
        block=BLOCK if status == "blocked" else None,
    )
    return ShownTask(
        state=state,
        starter=Subject("ana"),
        cancel_requested=False,
        cancel_reason=None,
        created_at=NOW,
        updated_at=NOW,
        messages=(),
        draft_content_hash=None,
    )


def told(texts: Texts, shown: ShownTask) -> str:
    return "\n".join(task_lines(texts, shown))


@pytest.mark.parametrize("status", get_args(TaskStatus))
def test_every_status_has_words_and_keeps_its_name(status: TaskStatus) -> None:
    assert status_text(Texts("en"), status) == status
    chinese = status_text(Texts("zh-TW"), status)
    assert chinese.endswith(f"（{status}）")
    assert not chinese.startswith("status_")


def test_a_yes_is_no_word_of_a_programming_language() -> None:
    shown = task("restoring", special_inspection=True)
    assert "special_inspection: yes" in told(Texts("en"), shown)
    assert "special_inspection：是" in told(Texts("zh-TW"), shown)
    assert "special_inspection: no" in told(Texts("en"), task("restoring", special_inspection=False))


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_blocked_task_says_which_command_goes_on(language: str) -> None:
    said = told(Texts("en" if language == "en" else "zh-TW"), task("blocked"))
    assert "proofdesk task takeover Q1 retry|abandon" in said
    assert "unreadable_input (could not be read: M1: encrypted)" in said


def test_times_say_their_zone() -> None:
    lines = list(timeline_lines(Texts("en"), [TimelineEntry(at=NOW, status="created", reason="")]))
    assert lines == ["Timeline (UTC)", "  2026-12-01 03:05:09  created"]


def test_both_sides_of_a_conflict_are_told_with_their_places() -> None:
    shown = task("waiting_input")
    sides = (ConfirmedValue(value=True, source=SOURCE), ConfirmedValue(value=False, source=SOURCE))
    conflict = FieldConflict(field="special_inspection", candidates=sides)
    state = shown.state.model_copy(update={"conflicts": (conflict,)})
    said = told(Texts("en"), shown.model_copy(update={"state": state}))
    assert "yes (M1-0a1b, ana, characters 3-9) | no (M1-0a1b, ana, characters 3-9)" in said


def lines_of_two() -> ShownTask:
    """A task of a line that waits, one that was withdrawn and one that may have been added."""
    quantity = ConfirmedValue(value=90, source=SOURCE)
    conflict = FieldConflict(field="quantity", candidates=(quantity, ConfirmedValue(value=95, source=SOURCE)))
    items = (
        LineItem(
            line=1,
            label="法蘭",
            position="10",
            source=SOURCE,
            confirmed={"quantity": quantity},
            pending=("special_inspection",),
            conflicts=(conflict,),
        ),
        LineItem(line=2, status="withdrawn", source=SOURCE, withdrawn_by=SOURCE),
        LineItem(line=3, source=SOURCE, doubt=LineDoubt(kind="addition", source=SOURCE)),
    )
    shown = task("waiting_input")
    return shown.model_copy(update={"state": shown.state.model_copy(update={"lines": items})})


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        (
            "en",
            ["line 1 (法蘭), customer's number 10: waiting", "still needed: special_inspection", "line 2: withdrawn"],
        ),
        ("zh-TW", ["品項 1（法蘭），客戶編號 10：待補資料", "尚待提供：special_inspection", "品項 2：已取消"]),
    ],
)
def test_each_line_is_shown_with_what_it_waits_for(language: Language, wanted: list[str]) -> None:
    text = told(Texts(language), lines_of_two())
    assert all(one in text for one in wanted), text
    assert "90" in text
    assert "95" in text
    assert "3.withdrawn=false" in text
