"""Every named statement is understood by the migrated schema under the application's role.

The golden file holds each statement's parameters (name and type) and columns; `pytest tests/store/test_named_queries.py
--write-golden` writes it anew, and its difference is reviewed like code.
"""

import json
from pathlib import Path

import pytest

from store.connection import connected
from store.named_queries import SQL, query_texts
from tests.conftest import Database

_GOLDEN = Path(__file__).with_name("named_queries.golden.json")


async def test_every_statement_is_prepared_and_as_recorded(database: Database, request: pytest.FixtureRequest) -> None:
    found: dict[str, dict[str, list[str]]] = {}
    async with connected(database.app_url) as conn:
        for name, (text, parameters) in query_texts().items():
            statement = await conn.prepare(text)
            types = [parameter.name for parameter in statement.get_parameters()]
            found[name] = {
                "parameters": [f"{parameter}: {kind}" for parameter, kind in zip(parameters, types, strict=True)],
                "columns": [f"{column.name}: {column.type.name}" for column in statement.get_attributes()],
            }
    if request.config.getoption("--write-golden"):
        _GOLDEN.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert json.loads(_GOLDEN.read_text(encoding="utf-8")) == found


def test_no_file_of_statements_is_empty_and_every_name_counts() -> None:
    declared = [
        line.removeprefix("-- name:").strip().rstrip("^$!<*#").split("(")[0]
        for path in sorted((SQL / "queries").glob("*.sql"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("-- name:")
    ]
    assert sorted(declared) == sorted(query_texts())
