"""Versions of prompts never change, four eyes put them into force, and every act is audited.

Capabilities: C-79.
"""

import asyncio

import asyncpg
import pytest
import pytest_asyncio

from models.errors import Conflict, FourEyes, InvalidInput, NotFound, Refused
from models.prompts import PROMPT_TENANT
from services.prompt_publishing import (
    prompt_activate,
    prompt_compare,
    prompt_list,
    prompt_publish,
    prompt_read,
    prompt_rollback,
    prompts_seed,
)
from services.prompts import file_prompts
from store.pool import Store
from store.prompt import prompt_active_list
from tests.services.people import found_company
from tests.services.prompt_desk import PromptDesk, analysis_prompt, open_prompt_desk

ID = "enterprise-memory"


@pytest_asyncio.fixture
async def desk(store: Store) -> PromptDesk:
    return await open_prompt_desk(store)


async def _active(store: Store) -> str:
    async with store.tenant_transaction(PROMPT_TENANT) as tx:
        return (await prompt_active_list(tx))[ID].version


async def _statuses(desk: PromptDesk) -> dict[str, str]:
    return {row.version: row.status for row in await prompt_list(desk.store, desk.ann, ID)}


async def test_the_files_are_the_seed_and_a_second_seeding_changes_nothing(desk: PromptDesk) -> None:
    rows = await prompt_list(desk.store, desk.ann)
    assert {(row.prompt_id, row.version, row.status) for row in rows} == {
        (one.id, one.version, "active") for one in file_prompts().values()
    }
    await asyncio.gather(*(prompts_seed(desk.store) for _ in range(4)))
    assert await prompt_list(desk.store, desk.ann) == rows


async def test_a_file_changed_under_the_same_version_is_refused(
    desk: PromptDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {**file_prompts(), ID: analysis_prompt(file_prompts()[ID].version, "Other words.")}
    monkeypatch.setattr("services.prompt_publishing.file_prompts", lambda: changed)
    with pytest.raises(Conflict, match="give the changed file a new version"):
        await prompts_seed(desk.store)


async def test_a_newer_seed_comes_into_force_unless_people_chose_otherwise(
    desk: PromptDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def brings(version: str) -> None:
        monkeypatch.setattr(
            "services.prompt_publishing.file_prompts", lambda: {**file_prompts(), ID: analysis_prompt(version)}
        )

    brings("9.10.0")
    await prompts_seed(desk.store)
    assert await _active(desk.store) == "9.10.0"
    brings("9.9.0")  # a worker of the older program starts again
    await prompts_seed(desk.store)
    assert await _active(desk.store) == "9.10.0"
    await prompt_rollback(desk.store, desk.ann, ID)
    brings("10.0.0")
    await prompts_seed(desk.store)
    assert await _active(desk.store) == file_prompts()[ID].version
    assert (await _statuses(desk))["10.0.0"] == "draft"


async def test_a_version_goes_from_draft_to_active_to_retired(desk: PromptDesk) -> None:
    assert (await prompt_publish(desk.store, desk.ann, analysis_prompt("9.1.0"))).status == "draft"
    assert await _active(desk.store) == file_prompts()[ID].version
    activated = await prompt_activate(desk.store, desk.ben, ID, "9.1.0")
    assert (activated.status, activated.author) == ("active", "ann")
    assert await prompt_activate(desk.store, desk.ben, ID, "9.1.0") == activated
    assert await _statuses(desk) == {"9.1.0": "active", file_prompts()[ID].version: "retired"}
    assert await desk.events() == ["prompt_published", "prompt_activated"]


async def test_the_author_may_not_activate_not_even_past_the_service(desk: PromptDesk) -> None:
    await prompt_publish(desk.store, desk.ann, analysis_prompt("9.1.0"))
    with pytest.raises(FourEyes):
        await prompt_activate(desk.store, desk.ann, ID, "9.1.0")
    assert await desk.events() == ["prompt_published", "prompt_activate_refused"]
    with pytest.raises(asyncpg.CheckViolationError):
        async with desk.store.tenant_transaction(PROMPT_TENANT) as tx:
            await tx.conn.execute(
                "insert into prompt_activations values ($1, 99, $2, '9.1.0', 'ann', 'activate', 'ann')",
                PROMPT_TENANT,
                ID,
            )
    with pytest.raises(asyncpg.ForeignKeyViolationError):  # nor by naming somebody else as the author
        async with desk.store.tenant_transaction(PROMPT_TENANT) as tx:
            await tx.conn.execute(
                "insert into prompt_activations values ($1, 99, $2, '9.1.0', 'ben', 'activate', 'ann')",
                PROMPT_TENANT,
                ID,
            )


async def test_a_version_never_changes(desk: PromptDesk) -> None:
    first = await prompt_publish(desk.store, desk.ann, analysis_prompt("9.1.0"))
    assert await prompt_publish(desk.store, desk.ben, analysis_prompt("9.1.0")) == first
    with pytest.raises(Conflict, match="new version"):
        await prompt_publish(desk.store, desk.ann, analysis_prompt("9.1.0", "Other words."))
    for statement in ("update prompt_versions set text = 'x'", "delete from prompt_activations"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with desk.store.tenant_transaction(PROMPT_TENANT) as tx:
                await tx.conn.execute(statement)


async def test_rolling_back_goes_back_and_not_to_and_fro(desk: PromptDesk) -> None:
    for version in ("9.1.0", "9.2.0"):
        await prompt_publish(desk.store, desk.ann, analysis_prompt(version, f"Version {version}."))
        await prompt_activate(desk.store, desk.ben, ID, version)
    assert (await prompt_rollback(desk.store, desk.ben, ID)).version == "9.1.0"
    assert (await prompt_rollback(desk.store, desk.ben, ID)).version == file_prompts()[ID].version
    with pytest.raises(Conflict, match="no version"):
        await prompt_rollback(desk.store, desk.ben, ID)
    assert (await desk.events())[-3:] == ["prompt_rolled_back", "prompt_rolled_back", "prompt_rollback_refused"]


async def test_an_author_does_not_roll_back_to_an_own_version(desk: PromptDesk) -> None:
    await prompt_publish(desk.store, desk.ann, analysis_prompt("9.1.0"))
    await prompt_activate(desk.store, desk.ben, ID, "9.1.0")
    await prompt_publish(desk.store, desk.ben, analysis_prompt("9.2.0", "Of another."))
    await prompt_activate(desk.store, desk.ann, ID, "9.2.0")
    with pytest.raises(FourEyes):
        await prompt_rollback(desk.store, desk.ann, ID)
    assert await _active(desk.store) == "9.2.0"


async def test_old_versions_stay_readable_and_are_compared(desk: PromptDesk) -> None:
    await prompt_publish(desk.store, desk.ann, analysis_prompt("9.1.0", "Answer as JSON.\nNo more."))
    await prompt_publish(desk.store, desk.ann, analysis_prompt("9.2.0", "Answer as JSON.\nNothing else."))
    row, prompt = await prompt_read(desk.store, desk.ann, ID, "9.1.0")
    assert (row.status, prompt.text) == ("draft", "Answer as JSON.\nNo more.")
    _, held = await prompt_read(desk.store, desk.ann, ID, None)
    assert held == file_prompts()[ID]
    lines = await prompt_compare(desk.store, desk.ann, ID, "9.1.0", "9.2.0")
    assert {"-No more.", "+Nothing else."} <= set(lines)
    assert "-Answer as JSON." not in lines


async def test_a_contract_that_the_program_does_not_speak_is_refused(desk: PromptDesk) -> None:
    with pytest.raises(InvalidInput, match="memory-input@1"):
        await prompt_publish(
            desk.store, desk.ann, analysis_prompt("9.1.0").model_copy(update={"input": "memory-input@2"})
        )


async def test_what_is_damaged_comes_never_into_force(desk: PromptDesk) -> None:
    async with desk.store.tenant_transaction(PROMPT_TENANT) as tx:
        await tx.conn.execute(
            """
            insert into prompt_versions
            select tenant_id, prompt_id, '9.1.0', input, output, evaluation_set, owner, model_binding, 'Else.',
                   text_hash, 'ann'
            from prompt_versions where prompt_id = $1
            """,
            ID,
        )
    with pytest.raises(Conflict, match="damaged"):
        await prompt_activate(desk.store, desk.ben, ID, "9.1.0")


async def test_only_operators_of_the_deployment_act(desk: PromptDesk) -> None:
    other = await found_company(desk.store)
    for actor in (desk.eve, other.op):
        with pytest.raises(Refused):
            await prompt_publish(desk.store, actor, analysis_prompt("9.1.0"))
        with pytest.raises(Refused):
            await prompt_activate(desk.store, actor, ID, file_prompts()[ID].version)
        with pytest.raises(Refused):
            await prompt_rollback(desk.store, actor, ID)
        with pytest.raises(Refused):
            await prompt_list(desk.store, actor)
        with pytest.raises(Refused):
            await prompt_read(desk.store, actor, ID, None)


async def test_what_is_unknown_is_not_found(desk: PromptDesk) -> None:
    with pytest.raises(NotFound):
        await prompt_activate(desk.store, desk.ben, ID, "9.9.9")
    with pytest.raises(NotFound):
        await prompt_rollback(desk.store, desk.ben, "nothing")
    with pytest.raises(NotFound):
        await prompt_read(desk.store, desk.ben, "nothing", None)


async def test_of_two_activations_at_once_the_last_one_holds_and_both_are_numbered(desk: PromptDesk) -> None:
    for version in ("9.1.0", "9.2.0"):
        await prompt_publish(desk.store, desk.ann, analysis_prompt(version, f"Version {version}."))
    await asyncio.gather(*(prompt_activate(desk.store, desk.ben, ID, version) for version in ("9.1.0", "9.2.0")))
    assert sorted((await _statuses(desk)).values()) == ["active", "retired", "retired"]
