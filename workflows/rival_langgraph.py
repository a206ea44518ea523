"""The task of `workflows.bare` on LangGraph with its Postgres saver: five durable steps, a wait, one step more.

Run by `proofdesk bench rivals` in a process of its own, with the extra `rivals` installed. The modules are imported by
name and untyped, because the environment of the product does not hold them.
"""

import asyncio
import importlib
import itertools
import os
import sys
import uuid
from typing import Any, TypedDict

from workflows.bench_timing import Taken, measured, printed

_STEPS = 5


class State(TypedDict):
    """How many steps are done."""

    done: int


def _graph(saver: Any) -> Any:
    graphs: Any = importlib.import_module("langgraph.graph")
    types: Any = importlib.import_module("langgraph.types")

    async def step(state: State) -> State:
        return {"done": state["done"] + 1}

    async def wait(state: State) -> State:
        types.interrupt("decide")
        return state

    graph = graphs.StateGraph(State)
    names = [f"step-{number}" for number in range(_STEPS)]
    for name in (*names, "last"):
        graph.add_node(name, step)
    graph.add_node("wait", wait)
    path = [graphs.START, *names, "wait", "last", graphs.END]
    for before, after in itertools.pairwise(path):
        graph.add_edge(before, after)
    return graph.compile(checkpointer=saver)


async def _measured(database_url: str) -> None:
    saving: Any = importlib.import_module("langgraph.checkpoint.postgres.aio")
    types: Any = importlib.import_module("langgraph.types")
    pools: Any = importlib.import_module("psycopg_pool")
    rows: Any = importlib.import_module("psycopg.rows")
    # What the saver asks of its connections.
    kwargs = {"autocommit": True, "prepare_threshold": 0, "row_factory": rows.dict_row}
    async with pools.AsyncConnectionPool(database_url, max_size=10, kwargs=kwargs) as pool:
        saver = saving.AsyncPostgresSaver(pool)
        await saver.setup()
        graph = _graph(saver)

        async def run(clock: Any) -> Taken:
            config = {"configurable": {"thread_id": uuid.uuid4().hex}}
            began = clock()
            await graph.ainvoke({"done": 0}, config, durability="sync")
            rested = clock()
            done = await graph.ainvoke(types.Command(resume=True), config, durability="sync")
            if done["done"] != _STEPS + 1:
                raise RuntimeError("the rival did not do its steps")
            return Taken(rested - began, clock() - rested)

        printed(await measured(run))


if __name__ == "__main__":
    asyncio.run(_measured(os.environ["RIVAL_DATABASE_URL"]))
    sys.exit(0)
