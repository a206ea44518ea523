"""A task that waits for the tenant's next day says so in the reader's language.

Capabilities: C-27.
"""

from datetime import UTC, datetime

from commands.task_view import task_lines
from commands.texts import Texts
from models.tasks import Block
from tests.commands.test_task_view import task

DETAIL = "the tokens of the day are used up"


def _lines(language: str, resumes_at: datetime | None) -> str:
    blocked = task("blocked")
    block = Block(reason="budget_exhausted", detail=DETAIL, resumes_at=resumes_at)
    shown = blocked.model_copy(update={"state": blocked.state.model_copy(update={"block": block})})
    return "\n".join(task_lines(Texts("zh-TW" if language == "zh-TW" else "en"), shown))


def test_it_says_when_the_task_goes_on_by_itself() -> None:
    resumes_at = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
    assert "goes on by itself at 2026-12-01 16:00 UTC" in _lines("en", resumes_at)
    chinese = _lines("zh-TW", resumes_at)
    assert "將於 2026-12-01 16:00（UTC）自動繼續" in chinese
    assert DETAIL not in chinese


def test_a_call_larger_than_the_day_needs_an_operator() -> None:
    assert "an operator raises it" in _lines("en", None)
    assert "請操作員調高額度" in _lines("zh-TW", None)
