"""`proofdesk demo`: one quote over two days, on a stack of its own that is gone afterwards."""

import asyncio
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from commands.connection import opened_embedder
from commands.options import AsJson, Lang
from commands.output import Output, reporting
from commands.task_view import draft_lines, task_lines, timeline_lines
from deploy.embedded import EmbeddedStack
from deploy.stack import Servers
from deploy.worker_process import worker_running
from models.documents import EffectiveRange
from models.errors import StackFailed
from models.ids import TenantId
from models.policies import Policy
from models.principals import Principal
from services.documents import document_add, document_approve, document_publish, document_submit
from services.fixtures import Q42Files, write_q42_files
from services.policies import policy_set
from services.ports import Embedder
from services.principals import principal_add, resolve_principal
from services.task_decision import decide
from services.task_intake import add_supplement, start_task
from services.task_messages import AttachedFile
from services.task_reading import ShownDraft, ShownTask, draft_show, timeline
from services.task_waiting import task_rested
from services.tenants import tenant_add
from store.pool import Store

TASK = "Q42"
_OWN, _OTHER = TenantId("A"), TenantId("B")


def demo(as_json: AsJson = False, lang: Lang = None) -> None:
    """Play one quote over two days: two mails, one SOP that changed, one draft, one decision."""
    with reporting(as_json, lang) as out:
        outcome = asyncio.run(_play(out))
        out.result(outcome, str(outcome["status"]))


async def _play(out: Output) -> dict[str, object]:
    with TemporaryDirectory(prefix="proofdesk-demo-") as name:
        folder = Path(name)
        out.say("demo_stack")
        async with EmbeddedStack() as addresses:
            servers = Servers("temporary", addresses.database_url_app, addresses.temporal_address, addresses.namespace)
            async with worker_running(servers, folder / "worker.log"), opened_embedder() as embedder:
                store = await Store.open(servers.database_url, size=4)
                try:
                    return await _Q42(out, store, embedder, write_q42_files(folder)).play()
                finally:
                    await store.close()


class _Q42:
    """The two days of task Q42."""

    def __init__(self, out: Output, store: Store, embedder: Embedder, files: Q42Files) -> None:
        self._out = out
        self._store = store
        self._embedder = embedder
        self._files = files

    async def play(self) -> dict[str, object]:
        await self._prepare()
        sales = await resolve_principal(self._store, _OWN, "sales-1")
        self._out.say("demo_day_one", file=self._files.rfq_mail.name)
        mail = AttachedFile(data=self._files.rfq_mail.read_bytes(), file_name=self._files.rfq_mail.name)
        await start_task(self._store, sales, task_id=TASK, file=mail)
        first = await self._rest(sales, "waiting_input")
        self._out.say("demo_day_two", text=self._files.day_two_message)
        await add_supplement(self._store, sales, task_id=TASK, text=self._files.day_two_message)
        second = await self._rest(sales, "awaiting_approval")
        draft = await self._show_draft()
        self._out.say("demo_decide", decision_version=draft.decision_version)
        approver = await resolve_principal(self._store, _OWN, "approver-1")
        await decide(
            self._store,
            approver,
            task_id=TASK,
            decision_version=draft.decision_version,
            content_hash=draft.content_hash,
            verdict="approve",
        )
        last = await self._rest(approver, "completed", after_revision=second.state.revision)
        return {
            "task_id": TASK,
            "status": last.state.status,
            "rests": [one.state.model_dump(mode="json") for one in (first, second, last)],
            "draft": draft.model_dump(mode="json"),
        }

    async def _prepare(self) -> None:
        for tenant_id in (_OWN, _OTHER):
            await self._found(tenant_id)
        files = self._files
        past, change = timedelta(days=-200), timedelta(days=-30)
        await self._release(_OWN, "SOP-LT", 1, files.sop_v1, past, change)
        await self._release(_OWN, "SOP-LT", 2, files.sop_v2, change, None)
        await self._release(_OTHER, "PRIVATE", 1, files.other_tenant, past, None)
        await self._draft(_OWN, "DRAFT", 1, files.unapproved_draft)

    async def _found(self, tenant_id: TenantId) -> None:
        self._out.say("demo_tenant", tenant_id=tenant_id)
        await tenant_add(self._store, tenant_id, "Asia/Taipei", operator="operator-1")
        operator = await resolve_principal(self._store, tenant_id, "operator-1")
        for subject, role in (
            ("sales-1", "requester"),
            ("approver-1", "approver"),
            ("owner-1", "knowledge_owner"),
            ("owner-2", "knowledge_owner"),
        ):
            await principal_add(self._store, operator, subject, roles=[role], groups=["sales"])
        await policy_set(self._store, operator, Policy().model_dump(mode="json"))

    async def _draft(self, tenant_id: TenantId, document_id: str, version: int, path: Path) -> Principal:
        self._out.say("demo_document", document_id=document_id, version=version, file=path.name)
        author = await resolve_principal(self._store, tenant_id, "owner-1")
        await document_add(
            self._store,
            author,
            document_id=document_id,
            version=version,
            kind="formal_fact",
            title=document_id,
            acl=["sales"],
            data=await asyncio.to_thread(path.read_bytes),
            file_name=path.name,
        )
        return author

    async def _release(
        self, tenant_id: TenantId, document_id: str, version: int, path: Path, start: timedelta, end: timedelta | None
    ) -> None:
        author = await self._draft(tenant_id, document_id, version, path)
        approver = await resolve_principal(self._store, tenant_id, "owner-2")
        await document_submit(self._store, author, document_id, version)
        await document_approve(self._store, approver, document_id, version)
        async with self._store.tenant_transaction(tenant_id) as tx:
            now = await tx.now()
        effective = EffectiveRange(effective_from=now + start, effective_to=None if end is None else now + end)
        await document_publish(
            self._store,
            approver,
            document_id,
            version,
            effective.effective_from,
            effective.effective_to,
            embedder=self._embedder,
        )

    async def _rest(self, actor: Principal, expected: str, *, after_revision: int = 0) -> ShownTask:
        try:
            shown = await task_rested(self._store, actor, TASK, after_revision=after_revision)
        except TimeoutError as error:
            raise StackFailed(f"{error}: try again on a machine with less to do") from error
        self._tell(*task_lines(self._out.texts, shown))
        if shown.state.status != expected:
            raise StackFailed(f"the demo's task is {shown.state.status}, expected {expected}: tell its makers")
        return shown

    async def _show_draft(self) -> ShownDraft:
        reader = await resolve_principal(self._store, _OWN, "approver-1")
        draft = await draft_show(self._store, reader, TASK)
        events = await timeline(self._store, reader, TASK)
        self._tell(*timeline_lines(self._out.texts, events), *draft_lines(self._out.texts, draft))
        return draft

    def _tell(self, *lines: str) -> None:
        if not self._out.as_json:
            self._out.result(None, *lines)
