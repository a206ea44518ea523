"""Drafts, their submission and approval, who sees them, and the originals behind citations."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from models.contract import text_hash
from models.documents import EffectiveRange
from models.errors import Conflict, FourEyes, InvalidInput, NotFound, ProofdeskError, Refused, UnreadableDocument
from models.principals import Principal
from services.documents import (
    document_add,
    document_approve,
    document_list,
    document_submit,
    original_bytes_read,
    original_read,
)
from services.parsing import ParseLimits
from services.principals import principal_set
from store.pool import Store
from tests.services.people import Company, found_company

TEXT = "# 交期\n\n標準交期為 15 日。"


@pytest_asyncio.fixture
async def company(store: Store) -> AsyncGenerator[Company]:
    yield await found_company(store)


async def rows(company: Company) -> int:
    return await company.value(
        "select (select count(*) from documents) + (select count(*) from document_versions)"
        " + (select count(*) from originals)"
    )


async def test_a_draft_keeps_bytes_text_and_hashes(company: Company) -> None:
    draft = await company.add("SOP-1", TEXT, acl=["sales", "eng"])
    assert (draft.version, draft.status, draft.acl, draft.kind) == (1, "draft", ("eng", "sales"), "formal_fact")
    assert (draft.created_by, draft.media_type, draft.file_name) == ("kim", "text/markdown", "file.md")
    assert draft.original_hash == hashlib.sha256(TEXT.encode()).hexdigest()
    assert draft.content_hash == text_hash(TEXT)
    kept = await company.value("select bytes from originals where original_hash = $1", draft.original_hash)
    assert kept == TEXT.encode()


async def test_the_audit_tells_hashes_and_no_content(company: Company) -> None:
    await company.add("SOP-1", "# 機密標題\n\nsecret price list", title="機密")
    (row,) = await company.audit("document/SOP-1/1")
    assert (row.actor, row.event) == ("kim", "document_added")
    assert row.detail["parser"] == "markdown/1"
    assert not any(word in str(row.detail) for word in ("機密", "secret", "price"))


async def test_versions_count_up_and_may_be_named(company: Company) -> None:
    assert (await company.add("SOP-1", "one word")).version == 1
    assert (await company.add("SOP-1", "two words")).version == 2
    assert (await company.add("SOP-1", "five words", version=5)).version == 5
    assert (await company.add("SOP-1", "six words")).version == 6


async def test_drafts_added_at_once_get_numbers_of_their_own(company: Company) -> None:
    added = await asyncio.gather(*(company.add("SOP-1", f"text number {one}") for one in range(4)))
    assert sorted(one.version for one in added) == [1, 2, 3, 4]


async def test_the_same_again_changes_nothing_and_other_content_is_a_conflict(company: Company) -> None:
    first = await company.add("SOP-1", TEXT, version=1)
    assert await company.add("SOP-1", TEXT, version=1) == first
    others: list[dict[str, Any]] = [{"text": "other words"}, {"acl": ["eng"]}, {"title": "Other"}]
    for other in others:
        given: dict[str, Any] = {"text": TEXT, "version": 1} | other
        with pytest.raises(Conflict, match="next version"):
            await company.add("SOP-1", **given)
    assert await company.events("document/SOP-1/1") == ["document_added", *["document_add_refused"] * 3]


async def test_a_document_never_changes_its_kind(company: Company) -> None:
    """An inference never becomes a formal fact."""
    await company.add("NOTE-1", kind="inference")
    with pytest.raises(Conflict, match="inference"):
        await company.add("NOTE-1", "some other words", kind="formal_fact")
    assert await rows(company) == 3


@pytest.mark.parametrize(
    ("data", "file_name", "reason"),
    [
        (b"", "a.md", "empty"),
        (b"  \n ", "a.md", "no_text"),
        (b"%PDF-1.7\ngarbage", "a.pdf", "corrupt"),
        (b"PK\x03\x04 more", "a.docx", "corrupt"),
        (b"hello there", "a.pdf", "type_mismatch"),
    ],
)
async def test_a_bad_file_is_refused_and_costs_nothing(
    company: Company, data: bytes, file_name: str, reason: str
) -> None:
    """Hostile 54, 55."""
    with pytest.raises(UnreadableDocument):
        await document_add(
            company.store,
            company.kim,
            document_id="BAD-1",
            kind="formal_fact",
            title="Bad",
            acl=["sales"],
            data=data,
            file_name=file_name,
        )
    assert await rows(company) == 0
    (row,) = await company.audit("document/BAD-1")
    assert (row.event, row.detail) == ("document_add_refused", {"code": "unreadable_document", "reason": reason})
    assert (await company.add("GOOD-1")).status == "draft"


async def test_limits_are_the_callers(company: Company) -> None:
    with pytest.raises(UnreadableDocument, match="larger than 4 bytes"):
        await company.add("SOP-1", "five words", limits=ParseLimits(file_bytes=4))


@pytest.mark.parametrize(
    "wrong",
    [
        {"document_id": "../x"},
        {"document_id": ""},
        {"version": 0},
        {"title": " "},
        {"title": "a\nb"},
        {"acl": ["*"]},
        {"acl": ["sales", "a b"]},
        {"effective": EffectiveRange(effective_from=datetime(2026, 1, 1))},  # noqa: DTZ001
        {
            "effective": EffectiveRange(
                effective_from=datetime(2026, 1, 1, tzinfo=UTC), effective_to=datetime(2026, 1, 1, tzinfo=UTC)
            )
        },
    ],
)
async def test_what_is_out_of_form_is_refused_before_the_file_is_read(company: Company, wrong: dict[str, Any]) -> None:
    """Hostile 46, 99."""
    given: dict[str, Any] = {"document_id": "SOP-1"} | wrong
    with pytest.raises(InvalidInput):
        await company.add(**given)
    assert await rows(company) == 0
    assert (await company.events())[-1] == "document_add_refused"


async def test_who_may_add(company: Company) -> None:
    assert (await company.add("PROPOSAL-1", by=company.ana)).created_by == "ana"
    with pytest.raises(Refused, match="roles"):
        await company.add("SOP-1", by=company.op)
    await company.add("SOP-1")
    with pytest.raises(Refused, match="kept by others"):
        await company.add("SOP-1", "other words", by=company.ana)
    with pytest.raises(Refused, match="kept by others"):
        await document_submit(company.store, company.ana, "SOP-1", 1)


async def test_two_others_stand_between_a_draft_and_its_approval(company: Company) -> None:
    await company.add("SOP-1", by=company.kim)
    await document_submit(company.store, company.lee, "SOP-1", 1)
    for actor in (company.kim, company.lee):
        with pytest.raises(FourEyes, match="another knowledge owner"):
            await document_approve(company.store, actor, "SOP-1", 1)
    assert await company.value("select status from document_versions") == "submitted"
    third = await principal_set(company.store, company.op, "bob", roles=["knowledge_owner"])
    approved = await document_approve(company.store, third, "SOP-1", 1)
    assert approved.status == "approved"
    assert await company.events("document/SOP-1/1") == [
        "document_added",
        "document_submitted",
        "document_approve_refused",
        "document_approve_refused",
        "document_approved",
    ]


async def test_an_unknown_submitter_is_no_second_pair_of_eyes(company: Company) -> None:
    await company.add("SOP-1")
    await company.value("update document_versions set status = 'submitted' returning 1")
    with pytest.raises(FourEyes, match="not known"):
        await document_approve(company.store, company.lee, "SOP-1", 1)


@pytest.mark.parametrize(
    "change",
    [
        "approved_by = created_by, submitted_by = 'x'",
        "approved_by = 'lee', submitted_by = 'lee'",
        "approved_by = 'lee'",
        "status = 'approved', submitted_by = 'x'",
        "status = 'published', submitted_by = 'x', effective_from = now()",
        "effective_from = now(), effective_to = now()",
    ],
)
async def test_the_table_bars_what_the_service_bars(company: Company, change: str) -> None:
    await company.add("SOP-1")
    with pytest.raises(asyncpg.CheckViolationError):
        await company.value(f"update document_versions set {change} returning 1")


async def test_only_a_knowledge_owner_approves_by_the_rights_of_now(company: Company) -> None:
    """Hostile 18: the role was taken after the caller resolved its principal."""
    await company.add("SOP-1", by=company.ana)
    await document_submit(company.store, company.ana, "SOP-1", 1)
    await principal_set(company.store, company.op, "lee", roles=["requester"])
    for actor in (company.lee, company.op, company.bob):
        with pytest.raises(Refused, match="knowledge_owner"):
            await document_approve(company.store, actor, "SOP-1", 1)


async def test_steps_come_in_their_order(company: Company) -> None:
    await company.add("SOP-1")
    with pytest.raises(Conflict, match="draft cannot become approved"):
        await document_approve(company.store, company.lee, "SOP-1", 1)
    await document_submit(company.store, company.kim, "SOP-1", 1)
    with pytest.raises(Conflict, match="submitted cannot become submitted"):
        await document_submit(company.store, company.kim, "SOP-1", 1)


async def test_a_foreign_version_answers_like_a_missing_one(company: Company) -> None:
    other = await found_company(company.store, "other")
    await other.add("SOP-1")
    messages: list[str] = []
    for act in (document_submit, document_approve):
        for document_id in ("SOP-1", "SOP-9"):
            with pytest.raises(NotFound) as caught:
                await act(company.store, company.kim, document_id, 1)
            messages.append(str(caught.value).replace(document_id, "?"))
    assert len(set(messages)) == 1


async def test_who_sees_what_in_the_list(company: Company) -> None:
    await company.approved("OPEN-1", "words for sales", acl=["sales"])
    await company.publish("OPEN-1", 1)
    await company.approved("EMPTY-1", "words for nobody", acl=[])
    await company.publish("EMPTY-1", 1)
    await company.add("DRAFT-1", acl=["sales"])
    await company.add("MINE-1", by=company.ana, acl=[])

    async def listed(actor: Principal, **more: Any) -> list[str]:
        return [one.document_id for one in await document_list(company.store, actor, **more)]

    assert await listed(company.kim) == ["DRAFT-1", "EMPTY-1", "MINE-1", "OPEN-1"]
    assert await listed(company.ana) == ["MINE-1", "OPEN-1"]
    assert await listed(company.bob) == []
    assert await listed(company.kim, status="draft") == ["DRAFT-1", "MINE-1"]
    assert await listed(company.kim, document_id="OPEN-1") == ["OPEN-1"]
    assert await listed(company.kim, after=("EMPTY-1", 1), limit=1) == ["MINE-1"]
    assert await listed(company.kim, limit=-5) == ["DRAFT-1"]
    other = await found_company(company.store, "other")
    assert await listed(other.kim) == []


async def test_an_original_opens_for_its_readers_only(company: Company) -> None:
    """Hostile 99: an empty list, a foreign group of the same name, no group at all."""
    await company.approved("OPEN-1", TEXT, acl=["sales"])
    await company.publish("OPEN-1", 1)
    await company.approved("EMPTY-1", "words for nobody", acl=[])
    await company.publish("EMPTY-1", 1)
    await company.add("DRAFT-1", acl=["sales"])
    other = await found_company(company.store, "other")
    async with company.store.tenant_transaction(company.tenant) as tx:
        original = await original_read(tx, "OPEN-1", 1, company.ana)
        assert (original.text, text_hash(original.text)) == (TEXT, original.content_hash)
        assert original.segments[0].heading == "交期"
        assert await original_bytes_read(tx, "OPEN-1", 1, company.ana) == TEXT.encode()
    refused: list[str] = []
    cases = [(company.bob, "OPEN-1"), (company.ana, "EMPTY-1"), (company.ana, "DRAFT-1"), (company.ana, "GONE-1")]
    for actor, document_id in cases:
        for read in (original_read, original_bytes_read):
            async with company.store.tenant_transaction(company.tenant) as tx:
                with pytest.raises(NotFound) as caught:
                    await read(tx, document_id, 1, actor)
                refused.append(str(caught.value).replace(document_id, "?"))
    assert len(set(refused)) == 1
    async with company.store.tenant_transaction(company.tenant) as tx:
        with pytest.raises(NotFound):
            await original_read(tx, "OPEN-1", 1, other.ana)
    async with company.store.tenant_transaction(other.tenant) as tx:
        with pytest.raises(NotFound):
            await original_read(tx, "OPEN-1", 1, other.ana)


async def test_rights_to_an_original_are_those_of_now(company: Company) -> None:
    """Hostile 100."""
    await company.approved("OPEN-1", TEXT, acl=["sales"])
    await company.publish("OPEN-1", 1)
    await principal_set(company.store, company.op, "ana", groups=[])
    async with company.store.tenant_transaction(company.tenant) as tx:
        with pytest.raises(ProofdeskError) as caught:
            await original_read(tx, "OPEN-1", 1, company.ana)
        assert caught.value.code == "not_found"
