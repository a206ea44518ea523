"""A running worker takes up another prompt by itself, and the draft names exactly the version that made it.

Capabilities: C-28, C-79.
"""

import asyncio
import time

from deploy.temporal_server import TemporalServer
from models.ids import TenantId
from services.prompt_publishing import prompt_activate, prompt_publish
from services.prompts import file_prompts
from services.task_reading import draft_show
from store.pool import Store
from tests.services.prompt_desk import analysis_prompt, open_prompt_desk
from tests.services.quote_desk import open_desk
from tests.workflows.running import running_desk

ID = "enterprise-memory"


async def test_a_running_desk_takes_it_up_and_drafts_name_it(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    people = await open_prompt_desk(store)
    async with running_desk(store, tenant, temporal.address) as run:
        registry = run.desk.services.prompts
        await prompt_publish(store, people.ann, analysis_prompt("9.1.0"))
        await prompt_activate(store, people.ben, ID, "9.1.0")
        deadline = time.monotonic() + 5
        while registry.current(ID).version != "9.1.0":
            assert time.monotonic() < deadline, "the worker stays with the old version"
            await asyncio.sleep(0.05)


async def test_a_draft_names_the_version_that_was_taken_up(store: Store, tenant: TenantId) -> None:
    people = await open_prompt_desk(store)
    desk = await open_desk(store, tenant)
    await desk.library.publish("SOP-LT", "The standard lead time is 15 working days.")
    await prompt_publish(store, people.ann, analysis_prompt("9.1.0"))
    await prompt_activate(store, people.ben, ID, "9.1.0")
    await desk.services.prompts.refresh(store)
    await desk.start(text="RFQ: 40 pcs brackets in SUS304, no special inspection. What is the lead time?")
    row = await desk.drive()
    assert row.state.status == "awaiting_approval", row.state.block
    shown = await draft_show(store, desk.person("chief"), "Q1")
    assert shown.draft is not None
    versions = {one.prompt_id: one.version for one in shown.draft.run_metadata.prompts}
    assert (versions[ID], versions["draft-review"]) == ("9.1.0", file_prompts()["draft-review"].version)
