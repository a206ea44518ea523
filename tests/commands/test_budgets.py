"""The budget of a day from the command line: set by operators, shown with what the day took.

Capabilities: C-27.
"""

import asyncio

import pytest

from models.budgets import MOST_TOKENS, parse_daily_tokens
from models.errors import InvalidInput
from models.ids import TenantId
from services.budgets import booked
from store.pool import Store
from tests.commands.command_line import CommandLine, use_database
from tests.conftest import Database


@pytest.fixture
def line(database: Database, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    use_database(database, monkeypatch)
    line = CommandLine("acme")
    assert line("tenant", "add", "acme", "--operator", "op", "--time-zone", "Asia/Taipei").status == 0
    line.done("op", "principal", "add", "ana", "--role", "requester")
    return line


def _spend(database: Database, estimate: int, used: int) -> None:
    async def run() -> None:
        store = await Store.open(database.app_url, size=1)
        async with booked(store, TenantId("acme"), purpose="analysis", estimate=estimate) as booking:
            booking.used = used
        await store.close()

    asyncio.run(run())


def test_it_is_set_spent_and_shown(line: CommandLine, database: Database) -> None:
    assert line.done("op", "budget", "show")["daily_tokens"] is None
    assert line.done("op", "budget", "set", "2000")["left"] == 2000
    _spend(database, 1500, 1200)
    shown = line.done("op", "budget", "show")
    assert (shown["used"], shown["reserved"], shown["left"], shown["calls"]) == (1200, 0, 800, 1)
    assert shown["by_purpose"] == [{"purpose": "analysis", "calls": 1, "tokens": 1200}]
    assert line.done("op", "budget", "set", "unlimited")["left"] is None


def test_people_read_it_in_two_languages(line: CommandLine) -> None:
    assert "2,000 tokens" in line.by("op", "budget", "set", "2_000").out
    assert "剩餘 2,000" in line.by("op", "budget", "show", "--lang", "zh-TW").out


def test_only_operators_set_it(line: CommandLine) -> None:
    assert line.by("ana", "budget", "set", "5").status == 1
    assert line.by("ana", "budget", "show").status == 1
    assert line.done("op", "budget", "show")["daily_tokens"] is None


@pytest.mark.parametrize("raw", ["", "-1", "1.5", "1e9", "many", "５００", str(MOST_TOKENS + 1), "9" * 5000])
def test_what_is_no_budget_is_refused(raw: str) -> None:
    with pytest.raises(InvalidInput, match="unlimited"):
        parse_daily_tokens(raw)


def test_a_budget_may_be_nothing() -> None:
    assert parse_daily_tokens("0") == 0
    assert parse_daily_tokens("1,500,000") == 1_500_000
    assert parse_daily_tokens("unlimited") is None
