"""The scope of a search: who finds what, and what is never found.

Capabilities: C-29, C-33, C-40, C-41, C-46, C-48, C-51, C-52, C-55.
"""

from datetime import timedelta

import pytest

from models.ids import TenantId
from services.retrieval import evidence_checks, rank_in_scope, read_hits
from store.pool import Store
from tests.conftest import MakeTenant
from tests.services.knowledge import DAY, Library, WordEmbedder


@pytest.fixture
def library(store: Store, tenant: TenantId) -> Library:
    return Library(store, WordEmbedder(), tenant)


async def test_another_tenant_finds_nothing_of_it(library: Library, store: Store, make_tenant: MakeTenant) -> None:
    await library.publish("SOP-LT", "Standard lead time is fifteen days, order PX-1200.")
    other = Library(store, library.embedder, await make_tenant("B"))
    scope = await other.reader("ana", "sales")
    assert await other.find(scope, "lead time PX-1200") == []
    await other.publish("OTHER", "Lead time is nine days.")
    assert await other.find(scope, "lead time PX-1200") == ["OTHER"]


@pytest.mark.parametrize(
    ("acl", "groups"),
    [
        ((), ("sales",)),
        (("sales",), ()),
        (("*",), ("sales",)),
        (("Sales",), ("sales",)),
        (("a",), ("b", "c")),
        ((), ()),
    ],
)
async def test_without_a_shared_group_nothing_is_found_case_99(
    library: Library, acl: tuple[str, ...], groups: tuple[str, ...]
) -> None:
    await library.publish("SOP-LT", "lead time PX-1200", acl=acl)
    scope = await library.reader("ana", *groups)
    assert await library.find(scope, "lead time PX-1200") == []
    assert await library.ranked(scope, "lead time PX-1200") == set()


async def test_groups_are_read_at_the_moment_of_the_search(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP-LT", "lead time PX-1200")
    assert await library.find(scope, "lead time") == ["SOP-LT"]
    await library.reader("ana", "canteen")
    assert await library.find(scope, "lead time PX-1200") == []
    await library.reader("ana", "sales", active=False)
    assert await library.find(scope, "lead time PX-1200") == []


async def test_an_unknown_reader_finds_nothing(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP-LT", "lead time")
    assert await library.find(scope.model_copy(update={"subject": "bob"}), "lead time") == []


async def test_only_published_and_effective_versions_are_found_case_46(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    text = "lead time PX-1200 number "
    for status in ("draft", "submitted", "approved", "withdrawn"):
        await library.publish(f"D-{status}", text + status, status=status)
    await library.publish("D-ended", text + "ended", starts=-2 * DAY, ends=-timedelta(seconds=1))
    await library.publish("D-future", text + "future", starts=DAY)
    await library.publish("D-ends-now", text + "now", starts=-DAY, ends=timedelta(0))
    await library.publish("D-open", text + "open")
    await library.publish("D-closed", text + "closed", ends=DAY)
    assert set(await library.find(scope, "lead time PX-1200")) == {"D-open", "D-closed"}
    assert await library.ranked(scope, "lead time PX-1200") == {"D-open", "D-closed"}


async def test_the_start_belongs_to_the_range_and_the_end_does_not(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("D-1", "lead time one")
    async with library.store.tenant_transaction(library.tenant) as tx:
        now = await tx.now()
        set_range = "update document_versions set effective_from = $1, effective_to = $2"
        await tx.conn.execute(set_range, now, None)
        assert (await rank_in_scope(tx, library.embedder, scope, "lead time")).fused != ()
        await tx.conn.execute(set_range, now - DAY, now)
        assert (await rank_in_scope(tx, library.embedder, scope, "lead time")).fused == ()


async def test_only_the_allowed_kinds_answer(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("OLD", "lead time of the old quote", kind="historical_event")
    await library.publish("SOP", "lead time of the rule", kind="formal_fact")
    narrow = scope.model_copy(update={"kinds": ("formal_fact",)})
    assert await library.find(narrow, "lead time") == ["SOP"]
    assert await library.ranked(narrow, "lead time") == {"SOP"}
    assert await library.find(scope.model_copy(update={"kinds": ()}), "lead time") == []


async def alarms(library: Library) -> int:
    return await library.value("select count(*) from audit_log where event = 'stale_index_row_dropped'")


@pytest.mark.parametrize(
    "tamper",
    [
        "update document_versions set canonical_text = replace(canonical_text, '15', '10')",
        "update chunks set content_hash = repeat('0', 64)",
        "update chunks set span_hash = repeat('0', 64)",
        "update chunks set char_start = char_start + 1",
        "update chunks set char_end = 100000",
        "update document_versions set content_hash = repeat('0', 64)",
    ],
)
async def test_a_row_that_disagrees_with_its_original_is_dropped_with_an_alarm_case_101(
    library: Library, tamper: str
) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "Lead time is 15 days.")
    await library.run(tamper)
    assert await library.find(scope, "lead time") == []
    assert await alarms(library) == 1
    assert await library.value("select count(*) from chunks") == 0
    assert await library.value("select chunk_count + token_total from tenant_indexes") == 0
    assert await library.find(scope, "lead time") == []
    assert await alarms(library) == 1


async def test_an_access_list_in_the_index_grants_nothing(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "lead time", acl=("board",))
    await library.run("update chunks set acl = array['sales']")
    assert await library.find(scope, "lead time") == []


@pytest.mark.parametrize(
    "change",
    [
        "update document_versions set acl = array['board']",
        "update document_versions set status = 'withdrawn'",
        "update document_versions set effective_to = now()",
        "update document_versions set effective_from = now() + interval '1 second'",
    ],
)
async def test_what_changes_between_ranking_and_reading_is_not_shown_case_100(library: Library, change: str) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "Lead time is 15 days.")
    async with library.store.tenant_transaction(library.tenant) as tx:
        ranking = await rank_in_scope(tx, library.embedder, scope, "lead time")
        assert len(await read_hits(tx, ranking, k=5)) == 1
        await tx.conn.execute(change)
        assert await read_hits(tx, ranking, k=5) == ()
    assert await alarms(library) == 0


async def test_evidence_is_checked_again_for_the_rights_of_the_moment_case_100(library: Library) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "Lead time is 15 days.")
    (hit,) = await library.hits(scope, "lead time")

    async def failing() -> set[str]:
        async with library.store.tenant_transaction(library.tenant) as tx:
            checks = await evidence_checks(tx, subject="ana", evidence=hit.evidence)
        return {name for name, holds in checks.model_dump().items() if not holds}

    assert await failing() == set()
    await library.run("update document_versions set acl = array['board']")
    assert await failing() == {"permission"}
    await library.run("update document_versions set acl = array['sales'], status = 'withdrawn'")
    assert await failing() == {"version"}
    await library.run("update document_versions set status = 'published', effective_to = now()")
    assert await failing() == {"validity"}
    await library.run("update document_versions set effective_to = null, canonical_text = 'Lead time is 10 days.'")
    assert await failing() == {"hash", "span"}
    await library.reader("ana", "sales", active=False)
    assert "permission" in await failing()


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ((0, 99), {}),
        ((1, 21), {}),
        ((0, 20), {}),
        ((0, 21), {"quote": "Lead time is 10 days."}),
        ((0, 21), {"span_hash": "0" * 64}),
    ],
)
async def test_evidence_with_another_place_or_quote_fails_its_span_case_107(
    library: Library, place: tuple[int, int], change: dict[str, str]
) -> None:
    scope = await library.reader("ana", "sales")
    await library.publish("SOP", "Lead time is 15 days.")
    (hit,) = await library.hits(scope, "lead time")
    locator = hit.evidence.locator.model_copy(update={"char_start": place[0], "char_end": place[1]})
    forged = hit.evidence.model_copy(update={"locator": locator, **change})
    async with library.store.tenant_transaction(library.tenant) as tx:
        assert not (await evidence_checks(tx, subject="ana", evidence=forged)).span
        missing = forged.model_copy(update={"document_id": "NONE"})
        assert not any((await evidence_checks(tx, subject="ana", evidence=missing)).model_dump().values())
