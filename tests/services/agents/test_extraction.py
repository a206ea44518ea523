"""A model behind the reading of fields: it adds what the rules do not know, and nothing undecided is confirmed.

Capabilities: C-25.
"""

import json
from typing import get_args

import pytest
import pytest_asyncio

from models.errors import ModelBusy
from models.fields import FieldName
from models.ids import TenantId
from services.agents.extraction import MAX_ASKED
from services.model_settings import Provider
from services.prompts import load_prompt
from services.task_intake import add_supplement
from store.pool import Store
from tests.services.agents.scripted_models import bound, handed, proposing
from tests.services.clients.model_server import Fails, Says, model_server
from tests.services.quote_desk import Desk, open_desk

TEXT = "RFQ: 40 pcs brackets, no special inspection.\nMaterial: ZAMAK 5\nWhat is the lead time?"
ZAMAK = ("material", "ZAMAK 5", "ZAMAK 5")


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    return await open_desk(store, tenant)


@pytest.mark.parametrize("provider", get_args(Provider))
async def test_a_material_that_the_rules_do_not_know_is_not_asked_again(desk: Desk, provider: Provider) -> None:
    async with (
        model_server(proposing(ZAMAK)) as server,
        bound(desk, server, "extraction", provider=provider) as with_model,
    ):
        await with_model.start(text=TEXT)
        await with_model.open()
        await with_model.once()
    state = (await desk.row()).state
    assert (state.status, state.pending) == ("retrieving", ())
    held = state.confirmed["material"]
    assert (held.value, held.source.confirmed_by) == ("ZAMAK 5", "extraction")
    assert TEXT[held.source.char_start : held.source.char_end] == "ZAMAK 5"
    (asked,) = server.asked
    assert asked.instructions.startswith(load_prompt("field-extraction").text)
    assert handed(asked)["text"] == TEXT
    assert "ZAMAK" not in asked.instructions


@pytest.mark.parametrize(
    ("text", "proposal", "asked_for"),
    [
        ("40 or 60 pcs of SUS304, no special inspection", ("quantity", 40, "40"), "quantity"),
        ("SUS304, quantity not fixed yet, about 40 pcs, no special inspection", ("quantity", 40, "40 pcs"), "quantity"),
        ("40 pcs, material still open, perhaps ZAMAK 5, no special inspection", ZAMAK, "material"),
        ("40 pcs of SUS304", ("special_inspection", False, "40 pcs of SUS304"), "special_inspection"),
        ("40 pcs of SUS304, no special inspection", ("material", "gold", "gold"), ""),
    ],
)
async def test_what_is_open_is_asked_whatever_a_model_says(
    desk: Desk, text: str, proposal: tuple[FieldName, object, str], asked_for: str
) -> None:
    async with model_server(proposing(proposal)) as server, bound(desk, server, "extraction") as with_model:
        await with_model.start(text=text)
        await with_model.open()
        await with_model.once()
    state = (await desk.row()).state
    assert len(server.asked) == 1
    if not asked_for:
        assert state.confirmed["material"].value == "SUS304"
        return
    assert state.status == "waiting_input"
    assert asked_for in {*state.pending, *(one.field for one in state.conflicts)}


async def test_a_doubt_that_the_rules_overlook_is_asked(desk: Desk) -> None:
    said_open = ("material", "unless the customer objects")
    async with (
        model_server(proposing(said_open=(said_open,))) as server,
        bound(desk, server, "extraction") as with_model,
    ):
        await with_model.start(text="No special inspection. 40 pcs of SUS304 unless the customer objects.")
        await with_model.open()
        await with_model.once()
    state = (await desk.row()).state
    assert (state.status, state.pending) == ("waiting_input", ("material",))


@pytest.mark.parametrize(
    "said", [Says("no JSON"), Says(""), Says("", tool="x"), Says("", finish="refusal"), Says("x" * 3_000_000)]
)
async def test_an_answer_that_is_none_leaves_the_rules_reading(desk: Desk, said: Says) -> None:
    async with model_server([said]) as server, bound(desk, server, "extraction") as with_model:
        await with_model.start(text=TEXT)
        await with_model.open()
        await with_model.once()
    state = (await desk.row()).state
    assert (state.status, state.pending, state.confirmed["quantity"].value) == ("waiting_input", ("material",), 40)


async def test_a_server_that_is_away_is_an_attempt_and_nothing_is_merged(desk: Desk) -> None:
    async with (
        model_server([Fails(429, {"retry-after": "60"})]) as server,
        bound(desk, server, "extraction") as with_model,
    ):
        await with_model.start(text=TEXT)
        await with_model.open()
        with pytest.raises(ModelBusy):
            await with_model.once()
    assert (await desk.row()).state.confirmed == {}
    assert await desk.count("messages", "merged_revision is null") == 1


async def test_of_a_flood_of_messages_some_are_read_by_rules_alone(desk: Desk) -> None:
    async with model_server(proposing()) as server, bound(desk, server, "extraction") as with_model:
        await with_model.start(text=TEXT)
        for number in range(MAX_ASKED + 3):
            await add_supplement(desk.store, desk.person("sales"), task_id="Q1", text=f"Note {number}: kind regards")
        await with_model.open()
        await with_model.once()
    assert len(server.asked) == MAX_ASKED


async def test_nobody_without_rights_has_a_model_asked(desk: Desk) -> None:
    async with model_server(proposing(ZAMAK)) as server, bound(desk, server, "extraction") as with_model:
        await with_model.start(text=TEXT)
        await with_model.open()
        await desk.library.run("update principals set active = false where subject = 'sales'")
        await with_model.once()
    block = (await desk.row()).state.block
    assert block is not None
    assert (block.reason, server.asked) == ("rights_lost", [])


def test_the_prompt_speaks_of_the_fields_that_there_are() -> None:
    text = load_prompt("field-extraction").text
    assert all(json.dumps(name).strip('"') in text for name in get_args(FieldName))
