"""Publication and withdrawal: ranges, the index, the tasks that cite, and all of it or nothing.

Capabilities: C-32, C-37.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from models.documents import EffectiveRange
from models.errors import Conflict, EmbedderFailed, InvalidInput, NotFound, Refused, StoreBusy
from models.ids import DocumentId
from models.retrieval import RetrievalScope
from services.documents import document_publish, document_withdraw, original_read
from services.principals import principal_set
from services.retrieval import search
from store.connection import connected
from store.document import document_version_lock, document_version_publish
from store.pool import Store
from tests.conftest import Database
from tests.services.people import Company, found_company

DAY = timedelta(days=1)
NOW = datetime.now(UTC)
V1 = "# Lead time\n\nThe standard lead time is ten days."
V2 = "# Lead time\n\nThe standard lead time is fifteen days."


@pytest_asyncio.fixture
async def company(store: Store) -> AsyncGenerator[Company]:
    yield await found_company(store)


async def found(company: Company, query: str = "standard lead time") -> list[tuple[str, int]]:
    scope = RetrievalScope(tenant_id=company.tenant, subject=company.ana.subject)
    hits = await search(company.store, company.embedder, scope, query)
    return sorted((hit.evidence.document_id, hit.evidence.version) for hit in hits)


async def span(company: Company, version: int) -> tuple[datetime | None, datetime | None]:
    async with company.store.tenant_transaction(company.tenant) as tx:
        row = await tx.conn.fetchrow(
            "select effective_from, effective_to from document_versions where version = $1", version
        )
    assert row is not None
    return row[0], row[1]


async def both(company: Company) -> None:
    """Version 1 published a month ago, version 2 approved."""
    await company.approved("SOP-1", V1)
    await company.publish("SOP-1", 1, NOW - 30 * DAY)
    await company.approved("SOP-1", V2)


async def test_a_published_version_is_found_at_once_and_only_then(company: Company) -> None:
    await company.approved("SOP-1", V1)
    assert await found(company) == []
    published = await company.publish("SOP-1", 1)
    assert published.status == "published"
    assert published.effective is not None
    assert published.effective.effective_to is None
    assert await found(company) == [("SOP-1", 1)]


async def test_the_next_version_takes_over_in_one_commit(company: Company) -> None:
    await both(company)
    assert await found(company) == [("SOP-1", 1)]
    await company.publish("SOP-1", 2, NOW - DAY)
    assert await found(company) == [("SOP-1", 2)]
    assert await span(company, 1) == (NOW - 30 * DAY, NOW - DAY)
    assert (await company.audit("document/SOP-1/2"))[0].detail["closed"] == ["1"]


async def test_a_version_of_the_future_waits_and_the_present_one_stays_until_then(company: Company) -> None:
    await both(company)
    await company.publish("SOP-1", 2, NOW + DAY)
    assert await found(company) == [("SOP-1", 1)]
    assert await span(company, 1) == (NOW - 30 * DAY, NOW + DAY)


async def test_disjoint_ranges_stay_and_a_gap_has_no_answer(company: Company) -> None:
    await company.approved("SOP-1", V1)
    await company.publish("SOP-1", 1, NOW - 30 * DAY, NOW - DAY)
    await company.approved("SOP-1", V2)
    await company.publish("SOP-1", 2, NOW + DAY, NOW + 2 * DAY)
    assert await found(company) == []
    assert await span(company, 1) == (NOW - 30 * DAY, NOW - DAY)


@pytest.mark.parametrize("start", [NOW - 30 * DAY, NOW - 31 * DAY])
async def test_a_version_that_would_lose_its_whole_range_stops_the_publication(
    company: Company, start: datetime
) -> None:
    await both(company)
    with pytest.raises(Conflict, match="nothing of version 1"):
        await company.publish("SOP-1", 2, start)
    assert await span(company, 1) == (NOW - 30 * DAY, None)
    assert await found(company) == [("SOP-1", 1)]
    assert (await company.events("document/SOP-1/2"))[-1] == "document_publish_refused"


@pytest.mark.parametrize(
    ("start", "end"),
    [(NOW, NOW), (NOW, NOW - DAY), (NOW.replace(tzinfo=None), None), (NOW, (NOW + DAY).replace(tzinfo=None))],
)
async def test_a_range_that_is_none_is_refused(company: Company, start: datetime, end: datetime | None) -> None:
    """Hostile 46."""
    await company.approved("SOP-1", V1)
    with pytest.raises(InvalidInput):
        await company.publish("SOP-1", 1, start, end)
    assert await company.value("select status from document_versions") == "approved"


async def test_the_planned_range_holds_unless_another_is_given(company: Company) -> None:
    planned = EffectiveRange(effective_from=NOW - 5 * DAY, effective_to=NOW + 5 * DAY)
    await company.approved("SOP-1", V1, effective=planned)
    assert (await company.publish("SOP-1", 1)).effective == planned
    await company.approved("SOP-2", V1, effective=planned)
    given = await company.publish("SOP-2", 1, NOW - DAY)
    assert given.effective == EffectiveRange(effective_from=NOW - DAY, effective_to=NOW + 5 * DAY)


async def test_only_an_approved_version_is_published_and_once(company: Company) -> None:
    await company.add("SOP-1", V1)
    with pytest.raises(Conflict, match="draft cannot become published"):
        await company.publish("SOP-1", 1)
    await company.approved("SOP-2", V1)
    await company.publish("SOP-2", 1)
    with pytest.raises(Conflict, match="published cannot become published"):
        await company.publish("SOP-2", 1)
    with pytest.raises(NotFound):
        await company.publish("SOP-2", 9)
    with pytest.raises(NotFound):
        await company.publish("SOP-9", 1)


async def test_only_a_knowledge_owner_publishes_and_withdraws(company: Company) -> None:
    """Hostile 79."""
    await company.approved("SOP-1", V1)
    for actor in (company.ana, company.op):
        with pytest.raises(Refused, match="knowledge_owner"):
            await document_publish(company.store, actor, "SOP-1", 1, embedder=company.embedder)
        with pytest.raises(Refused, match="knowledge_owner"):
            await document_withdraw(company.store, actor, "SOP-1", 1, "no longer true")
    assert company.embedder.passages == []


class _RightsTaken:
    """Loses the publisher's role while the text is embedded."""

    def __init__(self, company: Company) -> None:
        self.company, self.model, self.dimension = company, company.embedder.model, company.embedder.dimension
        self.embed_query = company.embedder.embed_query

    async def embed_passages(self, texts: list[str]) -> list[tuple[float, ...]]:
        await principal_set(self.company.store, self.company.op, "lee", roles=["requester"])
        return await self.company.embedder.embed_passages(texts)


async def test_rights_taken_while_the_text_was_indexed_stop_the_publication(company: Company) -> None:
    await company.approved("SOP-1", V1)
    with pytest.raises(Refused):
        await document_publish(company.store, company.lee, "SOP-1", 1, embedder=_RightsTaken(company))  # pyright: ignore[reportArgumentType]
    assert await company.value("select status from document_versions") == "approved"
    assert await found(company) == []


class _Broken:
    model, dimension = "words@1", 64

    async def embed_query(self, text: str) -> tuple[float, ...]:
        raise EmbedderFailed("broken")

    async def embed_passages(self, texts: list[str]) -> list[tuple[float, ...]]:
        raise EmbedderFailed("broken")


async def test_what_cannot_be_indexed_is_not_published_and_a_second_try_works(company: Company) -> None:
    """Hostile 108."""
    await both(company)
    with pytest.raises(EmbedderFailed):
        await document_publish(company.store, company.lee, "SOP-1", 2, embedder=_Broken())  # pyright: ignore[reportArgumentType]
    assert await found(company) == [("SOP-1", 1)]
    await company.publish("SOP-1", 2)
    assert await found(company) == [("SOP-1", 2)]


async def test_a_statement_timeout_in_the_middle_of_a_publication_leaves_nothing_of_it(
    company: Company, database: Database
) -> None:
    """Hostile 93: tasks are marked, v1 is closed and v2 published, when the audit row takes too long."""
    await both(company)
    await company.seed_task("Q1", "awaiting_approval", [("SOP-1", 1)])
    before = await company.events()
    async with connected(database.admin_url) as admin:
        await admin.execute(f"alter role proofdesk_app in database {database.name} set statement_timeout = '400ms'")
        impatient = await Store.open(database.app_url, size=2)
        async with admin.transaction():
            await admin.execute("lock table audit_log in exclusive mode")
            with pytest.raises(StoreBusy):
                await document_publish(impatient, company.lee, "SOP-1", 2, embedder=company.embedder)
        await impatient.close()
    assert await span(company, 1) == (NOW - 30 * DAY, None)
    assert await company.value("select status from document_versions where version = 2") == "approved"
    assert await company.rechecked() == {}
    assert await company.events() == before
    assert await found(company) == [("SOP-1", 1)]
    await company.publish("SOP-1", 2)
    assert await found(company) == [("SOP-1", 2)]


async def test_two_versions_published_at_once_do_not_both_hold(company: Company) -> None:
    await both(company)
    await company.approved("SOP-1", "# Lead time\n\nThe standard lead time is twenty days.")
    start = NOW - DAY
    results = await asyncio.gather(
        company.publish("SOP-1", 2, start), company.publish("SOP-1", 3, start), return_exceptions=True
    )
    assert sum(isinstance(result, Conflict) for result in results) == 1
    assert len(await found(company)) == 1


async def test_a_publication_waits_for_another_of_the_document(company: Company) -> None:
    """The other one's range is not yet to be seen: without the lock both would hold."""
    await both(company)
    await company.approved("SOP-1", "# Lead time\n\nThe standard lead time is twenty days.")
    document = DocumentId("SOP-1")
    async with company.store.tenant_transaction(company.tenant) as tx:
        await document_version_lock(tx, document)
        await document_version_publish(tx, document, 3, company.lee.subject, EffectiveRange(effective_from=NOW - DAY))
        publishing = asyncio.create_task(company.publish("SOP-1", 2, NOW - DAY))
        await asyncio.sleep(0.3)
        assert not publishing.done()
    with pytest.raises(Conflict, match="version 3 is newer"):
        await publishing


async def test_a_withdrawn_version_is_gone_from_search_citation_and_index(company: Company) -> None:
    await company.approved("SOP-1", V1)
    await company.publish("SOP-1", 1)
    withdrawn = await document_withdraw(company.store, company.kim, "SOP-1", 1, "replaced by a customer standard")
    assert withdrawn.status == "withdrawn"
    assert await found(company) == []
    assert await company.value("select count(*) from chunks") == 0
    async with company.store.tenant_transaction(company.tenant) as tx:
        with pytest.raises(NotFound):
            await original_read(tx, "SOP-1", 1, company.ana)
    row = (await company.audit("document/SOP-1/1"))[0]
    assert (row.event, row.detail["chunks"]) == ("document_withdrawn", 1)
    assert "customer" not in json.dumps(row.detail)
    with pytest.raises(Conflict, match="nothing further"):
        await document_withdraw(company.store, company.kim, "SOP-1", 1, "again")


async def test_a_withdrawal_needs_a_reason(company: Company) -> None:
    await company.add("SOP-1", V1)
    with pytest.raises(InvalidInput, match="reason"):
        await document_withdraw(company.store, company.kim, "SOP-1", 1, " ")
    assert (await document_withdraw(company.store, company.kim, "SOP-1", 1, "typo")).status == "withdrawn"


async def test_withdrawing_a_version_opens_no_older_one_again(company: Company) -> None:
    await both(company)
    await company.publish("SOP-1", 2, NOW - DAY)
    await document_withdraw(company.store, company.kim, "SOP-1", 2, "wrong figure")
    assert await found(company) == []


async def test_open_tasks_that_cite_the_document_are_told(company: Company) -> None:
    await both(company)
    await company.seed_task("WAITS", "awaiting_approval", [("SOP-1", 1), ("X-1", 1)])
    await company.seed_task("BLOCKED", "blocked", [("SOP-1", 1)])
    await company.seed_task("DONE", "completed", [("SOP-1", 1)])
    await company.seed_task("OTHER", "awaiting_approval", [("X-1", 1)])
    await company.seed_task("NONE", "waiting_input", [])
    await company.publish("SOP-1", 2)
    assert await company.rechecked() == {"WAITS": "SOP-1 v2 published", "BLOCKED": "SOP-1 v2 published"}
    assert (await company.audit("document/SOP-1/2"))[0].detail["tasks"] == ["BLOCKED", "WAITS"]


async def test_a_withdrawal_tells_them_too_and_another_tenants_tasks_hear_nothing(company: Company) -> None:
    other = await found_company(company.store, "other")
    await other.seed_task("Q1", "awaiting_approval", [("SOP-1", 1)])
    await company.approved("SOP-1", V1)
    await company.publish("SOP-1", 1)
    await company.seed_task("Q1", "awaiting_approval", [("SOP-1", 1)])
    await document_withdraw(company.store, company.kim, "SOP-1", 1, "wrong")
    assert await company.rechecked() == {"Q1": "SOP-1 v1 withdrawn"}
    assert await other.rechecked() == {}


async def test_evidence_of_an_earlier_pass_counts_no_more(company: Company) -> None:
    await company.approved("OLD-1", V1)
    await company.seed_task("Q1", "awaiting_approval", [("X-1", 1)])
    await company.publish("OLD-1", 1)
    assert await company.rechecked() == {}


async def test_a_refused_publication_tells_nobody(company: Company) -> None:
    await both(company)
    await company.seed_task("Q1", "awaiting_approval", [("SOP-1", 1)])
    with pytest.raises(Conflict):
        await company.publish("SOP-1", 2, NOW - 40 * DAY)
    assert await company.rechecked() == {}
