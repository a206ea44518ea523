"""Every statement of Proofdesk by its name, read once from `store/sql/queries/*.sql`.

The comment `-- name: task_fetch^` becomes `queries.task_fetch(conn, tenant_id=...)`: `^` one row or None, `$` one
value, `!` the command's status, `<!` the returned row (or its only value), no mark an async iterator of rows.
Names put the resource first, so that one search finds statement, caller and test.
"""

from pathlib import Path
from typing import Any

import aiosql

SQL = Path(__file__).with_name("sql")

# aiosql builds its functions at run time, so no checker can know their types. A statement need not repeat its
# parameters after its name: the golden file of the tests holds them.
_aiosql: Any = aiosql
queries: Any = _aiosql.from_path(SQL / "queries", "asyncpg", mandatory_parameters=False)


def query_texts() -> dict[str, tuple[str, tuple[str, ...]]]:
    """name → (statement as sent to PostgreSQL, names of its parameters in the order of $1, $2, ...)."""
    adapter = queries.driver_adapter
    names = [name for name in sorted(queries.available_queries) if not name.endswith("_cursor")]
    return {name: (getattr(queries, name).sql, tuple(adapter.var_sorted.get(name, ()))) for name in names}
