"""A tenant with people and quote tasks; drafts can be put before approvers without running the agents."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from models.drafts import Draft, RunMetadata
from models.ids import Subject, TaskId, TenantId
from models.memory import Claim
from models.principals import Principal, Role
from models.steps import InboxInput, RunInput, RunOpened, Signalled, StepInput, TaskBrief
from models.tasks import Block, BlockedReason, Step, StepToken, TaskStatus
from models.transitions import STEPS
from services.retrieval import search
from services.task_analysis import analyze_task
from services.task_evidence import message_evidence, sentence_evidence
from services.task_inbox import read_inbox
from services.task_intake import start_task
from services.task_restoring import restore_task
from services.task_retrieval import retrieve_evidence
from services.task_review import review_draft
from services.task_run import open_run
from services.task_services import TaskServices
from store.draft import draft_insert
from store.message import message_list, message_merge
from store.outbox import outbox_deliver
from store.pool import Store
from store.task import TaskRow, task_fetch, task_lock, task_save_if_revision
from tests.services.knowledge import Library, WordEmbedder

PEOPLE: Mapping[str, tuple[Role, ...]] = {
    "sales": ("requester",),
    "sales-2": ("requester",),
    "chief": ("approver",),
    "deputy": ("approver",),
    "both": ("requester", "approver"),
    "ops": ("operator",),
    "auditor": ("auditor",),
}
_STEPS: Mapping[str, Callable[[TaskServices, StepInput], Awaitable[TaskBrief]]] = {
    "restoring": restore_task,
    "retrieving": retrieve_evidence,
    "analyzing": analyze_task,
    "reviewing": review_draft,
}
RESTING: tuple[TaskStatus, ...] = ("waiting_input", "awaiting_approval", "blocked")


@dataclass
class Desk:
    """One tenant."""

    store: Store
    services: TaskServices
    library: Library
    tenant: TenantId

    def person(self, subject: str) -> Principal:
        """Who acts; the services look the rights up themselves."""
        return Principal(
            tenant_id=self.tenant, subject=Subject(subject), roles=PEOPLE.get(subject, ()), groups=(), active=True
        )

    async def start(self, task_id: str = "Q1", text: str = "We ask for 40 brackets.", **more: Any) -> TaskBrief:
        """A task of `sales`."""
        return await start_task(self.store, self.person("sales"), task_id=task_id, text=text, **more)

    async def row(self, task_id: str = "Q1") -> TaskRow:
        """The task as it is stored."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            row = await task_fetch(tx, TaskId(task_id))
        assert row is not None
        return row

    async def put(self, status: TaskStatus, task_id: str = "Q1", **changes: object) -> TaskRow:
        """Puts a task into a status, whatever the table of transitions says; all it was told counts as merged."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            row = await task_lock(tx, TaskId(task_id))
            assert row is not None
            state = row.state.model_copy(
                update={
                    "status": status,
                    "revision": row.state.revision + 1,
                    "pass_": row.state.pass_ + 1,
                    "next_step": None,
                    **changes,
                }
            )
            assert await task_save_if_revision(tx, state, expected_revision=row.state.revision, attempt=0)
            ids = [one.message_id for one in await message_list(tx, TaskId(task_id))]
            await message_merge(tx, TaskId(task_id), ids, state.revision)
        return replace(row, state=state, attempt=0)

    async def block(self, reason: BlockedReason = "insufficient_evidence", task_id: str = "Q1") -> TaskRow:
        """Puts a task into `blocked`."""
        return await self.put("blocked", task_id, block=Block(reason=reason))

    async def show_draft(self, task_id: str = "Q1", *, query: str | None = None) -> Draft:
        """Puts a draft before the approvers that cites the task's messages and what `query` finds."""
        row = await self.put("restoring", task_id)
        pass_ = row.state.pass_
        hits = (
            ()
            if query is None
            else await search(self.store, self.services.embedder, await self.library.reader("sales", "sales"), query)
        )
        async with self.store.tenant_transaction(self.tenant) as tx:
            evidence = message_evidence(await message_list(tx, TaskId(task_id)), pass_)
        evidence += [one for hit in hits for one in sentence_evidence(hit.evidence, pass_, hit.segments)]
        row = await self.put("awaiting_approval", task_id)
        draft = Draft(
            tenant_id=self.tenant,
            task_id=TaskId(task_id),
            revision=row.state.revision,
            decision_version=row.state.decision_version,
            fields=(),
            claims=tuple(Claim(text=one.quote, evidence_ids=(one.evidence_id,)) for one in evidence),
            evidence=tuple(evidence),
            awaiting_confirmation=(),
            history=(),
            conflicts=(),
            missing_topics=(),
            flags=(),
            run_metadata=RunMetadata(
                prompts=(),
                embedding_model="words@1",
                dimension=64,
                chunker_version="structure@1",
                index_version="index",
                policy_version=0,
            ),
        )
        async with self.store.tenant_transaction(self.tenant) as tx:
            await draft_insert(tx, draft)
        return draft

    async def inbox(self, task_id: str = "Q1", *signals: Signalled, rejected: int = 0) -> TaskBrief:
        """What the workflow asks when it is told something."""
        row = await self.row(task_id)
        return await read_inbox(
            self.services,
            InboxInput(
                tenant_id=self.tenant,
                task_id=TaskId(task_id),
                principal=row.starter,
                run_id="run",
                run_epoch=row.state.run_epoch,
                signals=signals,
                rejected_signals=rejected,
            ),
        )

    async def open(self, task_id: str = "Q1", run_epoch: int = 1) -> RunOpened:
        """What a run asks first."""
        return await open_run(
            self.services,
            RunInput(tenant_id=self.tenant, task_id=TaskId(task_id), run_epoch=run_epoch, run_id="run"),
        )

    async def step(self, step: Step, task_id: str = "Q1", *, attempt: int = 1, pass_: int | None = None) -> StepInput:
        """The input of a step for where the task stands now."""
        row = await self.row(task_id)
        token = StepToken(
            run_epoch=row.state.run_epoch, pass_=row.state.pass_ if pass_ is None else pass_, attempt=attempt
        )
        return StepInput(
            tenant_id=self.tenant,
            task_id=TaskId(task_id),
            principal=row.starter,
            run_id="run",
            step=step,
            token=token,
            expected_revision=row.state.revision,
        )

    async def once(self, task_id: str = "Q1") -> StepInput:
        """Does the step that the task stands at, and gives what it was given."""
        status = (await self.row(task_id)).state.status
        step: Step = next(one for one in STEPS if one == status)
        given = await self.step(step, task_id)
        await self.redo(given)
        return given

    async def redo(self, given: StepInput) -> TaskBrief:
        """Does a step with this input, perhaps again."""
        return await _STEPS[given.step](self.services, given)

    async def drive(self, task_id: str = "Q1") -> TaskRow:
        """Does what the workflow would do, until the task rests or is closed."""
        await self.open(task_id, (await self.row(task_id)).state.run_epoch)
        while True:
            row = await self.row(task_id)
            if row.state.status in _STEPS:
                await self.once(task_id)
                continue
            brief = await self.inbox(task_id)
            if brief.status not in _STEPS:
                return await self.row(task_id)

    async def count(self, table: str, where: str = "true") -> int:
        """How many rows of the tenant a table has."""
        return await self.library.value(f"select count(*) from {table} where {where}")

    async def audited(self, event: str) -> list[dict[str, Any]]:
        """The details of the audit rows of one kind."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            rows = await tx.conn.fetch("select detail from audit_log where event = $1 order by seq", event)
        return [row["detail"] for row in rows]

    async def deliver(self, outbox_id: str) -> None:
        """Marks a notification as told."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            await outbox_deliver(tx, outbox_id)


async def open_desk(store: Store, tenant: TenantId, *, fault: str | None = None) -> Desk:
    """The tenant's desk with its people; all but `auditor` are of the group `sales`."""
    embedder = WordEmbedder()
    async with store.tenant_transaction(tenant) as tx:
        for subject, roles in PEOPLE.items():
            await tx.conn.execute(
                "insert into principals (tenant_id, subject, roles, groups) values ($1, $2, $3, $4)",
                tenant,
                subject,
                list(roles),
                [] if subject == "auditor" else ["sales"],
            )
    return Desk(store, TaskServices(store, embedder, fault=fault), Library(store, embedder, tenant), tenant)
