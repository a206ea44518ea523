"""From a file to a citation: each format is added, governed, published, found, and cited with its native address."""

from collections.abc import Mapping

import pytest
import pytest_asyncio

from commands.places import place
from commands.texts import Texts
from models.drafts import Draft
from models.ids import Subject, TenantId
from models.principals import Principal
from services.documents import document_add, document_approve, document_publish, document_submit
from services.retrieval import search
from services.task_intake import start_task
from services.task_messages import AttachedFile
from services.task_reading import draft_show
from store.pool import Store
from tests.services.parsing.office_files import add_docx_table, new_docx, new_xlsx, saved
from tests.services.quote_desk import Desk, open_desk

REQUEST = "RFQ: 40 pcs brackets in SUS304, no special inspection. What is the lead time?"
HEAD, ROW = ("Material", "Standard lead time", "Packaging"), ("SUS304", "15 working days", "foam")
OTHER = ("AL6061", "9 working days", "carton")


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await add_owners(desk)
    return desk


async def add_owners(desk: Desk) -> None:
    """Two people who govern knowledge, because one may not approve what it made."""
    async with desk.store.tenant_transaction(desk.tenant) as tx:
        for subject in ("kim", "lee"):
            await tx.conn.execute(
                "insert into principals (tenant_id, subject, roles, groups) values ($1, $2, $3, $4)",
                desk.tenant,
                subject,
                ["knowledge_owner"],
                ["sales"],
            )


def _owner(desk: Desk, subject: str) -> Principal:
    return Principal(
        tenant_id=desk.tenant, subject=Subject(subject), roles=("knowledge_owner",), groups=("sales",), active=True
    )


def docx_file() -> bytes:
    document = new_docx("Terms of our works.", "These times hold for parts in stock.")
    add_docx_table(document, HEAD, ROW, OTHER)
    return saved(document)


def xlsx_file() -> bytes:
    book, _ = new_xlsx("Lead times", ("Times from order",), HEAD, ROW, OTHER)
    return saved(book)


def csv_file() -> bytes:
    return "\n".join(";".join(row) for row in (HEAD, ROW, OTHER)).encode("utf-16")


def html_file() -> bytes:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in (ROW, OTHER))
    head = "".join(f"<th>{cell}</th>" for cell in HEAD)
    return f"<html><body><h1>Terms</h1><p>Of our works.</p><table><tr>{head}</tr>{rows}</table></body></html>".encode()


FILES: Mapping[str, tuple[bytes, str]] = {
    "sop.docx": (docx_file(), "table 1, row 2, characters"),
    "sop.xlsx": (xlsx_file(), "'Lead times'!A3:C3, characters"),
    "sop.csv": (csv_file(), "row 2, characters"),
    "sop.html": (html_file(), "table 1, row 2, characters"),
}


async def publish_file(desk: Desk, data: bytes, name: str, version: int = 1) -> None:
    """A file as a document `SOP` from its draft to its publication, by two people."""
    kim, lee = _owner(desk, "kim"), _owner(desk, "lee")
    await document_add(
        desk.store,
        kim,
        document_id="SOP",
        kind="formal_fact",
        title="Lead times",
        acl=["sales"],
        data=data,
        file_name=name,
    )
    await document_submit(desk.store, kim, "SOP", version)
    await document_approve(desk.store, lee, "SOP", version)
    await document_publish(desk.store, lee, "SOP", version, embedder=desk.services.embedder)


async def drive_to_draft(desk: Desk, task_id: str = "Q1") -> Draft:
    """The draft that a task puts before the approvers; every citation in it holds."""
    row = await desk.drive(task_id)
    assert row.state.status == "awaiting_approval", row.state.block
    shown = await draft_show(desk.store, desk.person("chief"), task_id)
    assert shown.valid
    assert shown.draft is not None
    return shown.draft


@pytest.mark.parametrize("name", FILES)
async def test_a_row_of_a_published_file_is_cited_with_its_address(desk: Desk, name: str) -> None:
    data, address = FILES[name]
    await publish_file(desk, data, name)
    hits = await search(desk.store, desk.services.embedder, await desk.library.reader("sales", "sales"), "SUS304")
    assert any("Standard lead time: 15 working days" in hit.evidence.quote for hit in hits)
    await desk.start(text=REQUEST)
    draft = await drive_to_draft(desk)
    (claim,) = [one for one in draft.claims if "15 working days" in one.text]
    assert not any("9 working days" in one.text for one in draft.claims)
    (cited,) = [one for one in draft.evidence if one.evidence_id in claim.evidence_ids and one.source == "document"]
    assert cited.quote == "Material: SUS304 | Standard lead time: 15 working days | Packaging: foam"
    assert place(Texts("en"), cited.locator).startswith(address)


async def test_a_file_of_the_customer_is_cited_with_its_address(desk: Desk) -> None:
    await publish_file(desk, *_named("sop.xlsx"))
    book, _ = new_xlsx("RFQ", ("Material", "SUS304"), ("Quantity", "40 pcs"), ("Special inspection", "required"))
    file = AttachedFile(data=saved(book), file_name="rfq.xlsx")
    await start_task(desk.store, desk.person("sales"), task_id="Q1", text=None, file=file)
    draft = await drive_to_draft(desk)
    assert {one.field: one.value.value for one in draft.fields}["quantity"] == 40
    messages = [place(Texts("zh-TW"), one.locator) for one in draft.evidence if one.source == "message"]
    assert any(one.startswith("RFQ!B3, ") for one in messages), messages


def _named(name: str) -> tuple[bytes, str]:
    return FILES[name][0], name
