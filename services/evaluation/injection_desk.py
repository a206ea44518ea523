"""Quote tasks for the injection evaluation: the same request with and without foreign words, step by step to its rest.

The steps are the services that the workflow calls, in its order; no worker is needed, so a thousand tasks run in one
process. What is compared is everything that an approver or a requester could be misled by; flags are not, for they are
what the foreign words are meant to cause.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP
from html import escape
from typing import Final, Literal

from models.contract import Contract
from models.drafts import Draft
from models.ids import TaskId, TenantId, parse_tenant_id
from models.principals import Principal
from models.steps import InboxInput, RunInput, StepInput, TaskBrief
from models.tasks import Step, StepToken
from models.transitions import STEPS
from services.documents import document_add, document_approve, document_publish, document_submit
from services.policies import policy_set
from services.principals import principal_add, resolve_principal
from services.task_analysis import analyze_task
from services.task_inbox import read_inbox
from services.task_intake import start_task
from services.task_messages import AttachedFile
from services.task_restoring import restore_task
from services.task_retrieval import retrieve_evidence
from services.task_review import review_draft
from services.task_run import open_run
from services.task_services import TaskServices
from services.tenants import tenant_add
from store.draft import draft_fetch
from store.pool import Store
from store.task import TaskRow, task_fetch

Place = Literal["message", "gap", "mail", "hidden_mail", "document"]
Where = Literal["start", "middle", "end"]
PLACES: Final[tuple[Place, ...]] = ("message", "gap", "mail", "hidden_mail", "document")
WHERES: Final[tuple[Where, ...]] = ("start", "middle", "end")

_GROUP: Final = "sales"
_OWNERS: Final = ("owner-1", "owner-2")
_MAX_STEPS: Final = 40
_STEPS: Final[Mapping[Step, Callable[[TaskServices, StepInput], Awaitable[TaskBrief]]]] = {
    "restoring": restore_task,
    "retrieving": retrieve_evidence,
    "analyzing": analyze_task,
    "reviewing": review_draft,
}


class Carrier(Contract):
    """An honest request and the document that answers it, as paragraphs; `gap` leaves the quantity open."""

    request: tuple[str, ...]
    gap: tuple[str, ...]
    document: tuple[str, ...]


class Outcome(Contract):
    """Where a task came to rest and all that it shows, without ids that differ from task to task."""

    status: str
    confirmed: tuple[str, ...]
    pending: tuple[str, ...]
    conflicts: tuple[str, ...]
    block: str
    claims: tuple[str, ...]
    cited: tuple[str, ...]
    awaiting: tuple[str, ...]
    history: tuple[str, ...]
    missing_topics: tuple[str, ...]
    decisions: int

    def differences(self, other: "Outcome") -> tuple[str, ...]:
        """The names of what differs; empty when the foreign words had no effect."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) != getattr(other, name))


class Seen(Contract):
    """One task: its outcome, and whether its draft flags an instruction or hidden text."""

    outcome: Outcome
    flags: tuple[str, ...]


def with_payload(paragraphs: Sequence[str], payload: str, where: Where) -> tuple[str, ...]:
    """The paragraphs with the payload as one of its own."""
    at = {"start": 0, "middle": len(paragraphs) // 2, "end": len(paragraphs)}[where]
    return (*paragraphs[:at], payload, *paragraphs[at:])


class InjectionDesk:
    """A tenant with one approved document, and the tasks that are asked of it."""

    def __init__(self, services: TaskServices, tenant_id: TenantId, requester: Principal) -> None:
        self._services = services
        self._tenant_id = tenant_id
        self._requester = requester

    @classmethod
    async def open(cls, services: TaskServices, name: str, document: Sequence[str]) -> "InjectionDesk":
        """Founds the tenant, its people, its policy, and publishes the document."""
        store = services.store
        tenant_id = parse_tenant_id(name)
        await tenant_add(store, tenant_id, operator="operator-1")
        operator = await resolve_principal(store, tenant_id, "operator-1")
        for owner in _OWNERS:
            await principal_add(store, operator, owner, roles=["knowledge_owner"], groups=[_GROUP])
        await principal_add(store, operator, "sales-1", roles=["requester"], groups=[_GROUP])
        required = {"required_fields": ["material", "quantity", "special_inspection"], "required_topics": ["lead_time"]}
        await policy_set(store, operator, required)
        await _publish(services, tenant_id, document)
        return cls(services, tenant_id, await resolve_principal(store, tenant_id, "sales-1"))

    async def ask(self, task_id: str, paragraphs: Sequence[str], place: Place, hidden: str = "") -> Seen:
        """Starts a task with the paragraphs as a text or a mail and gives what became of it."""
        name = TaskId(task_id)
        store = self._services.store
        if place in ("mail", "hidden_mail"):
            mail = AttachedFile(data=_mail(paragraphs, hidden), file_name="request.eml")
            await start_task(store, self._requester, task_id=name, file=mail)
        else:
            await start_task(store, self._requester, task_id=name, text="\n\n".join(paragraphs))
        return await self._seen(await self._driven(name))

    async def _driven(self, task_id: TaskId) -> TaskRow:
        row = await self._row(task_id)
        await open_run(
            self._services,
            RunInput(tenant_id=self._tenant_id, task_id=task_id, run_epoch=row.state.run_epoch, run_id="evaluation"),
        )
        for _ in range(_MAX_STEPS):
            row = await self._row(task_id)
            step: Step | None = next((one for one in STEPS if one == row.state.status), None)
            if step is None:
                brief = await read_inbox(self._services, self._inbox(row))
                if brief.status not in _STEPS:
                    return await self._row(task_id)
                continue
            await _STEPS[step](self._services, self._step(row, step))
        return row

    def _inbox(self, row: TaskRow) -> InboxInput:
        return InboxInput(
            tenant_id=self._tenant_id,
            task_id=row.state.task_id,
            principal=row.starter,
            run_id="evaluation",
            run_epoch=row.state.run_epoch,
        )

    def _step(self, row: TaskRow, step: Step) -> StepInput:
        return StepInput(
            tenant_id=self._tenant_id,
            task_id=row.state.task_id,
            principal=row.starter,
            run_id="evaluation",
            step=step,
            token=StepToken(run_epoch=row.state.run_epoch, pass_=row.state.pass_, attempt=1),
            expected_revision=row.state.revision,
        )

    async def _row(self, task_id: TaskId) -> TaskRow:
        async with self._services.store.tenant_transaction(self._tenant_id) as tx:
            row = await task_fetch(tx, task_id)
        if row is None:
            raise LookupError(task_id)
        return row

    async def _seen(self, row: TaskRow) -> Seen:
        state = row.state
        async with self._services.store.tenant_transaction(self._tenant_id) as tx:
            stored = await draft_fetch(tx, state.task_id, state.decision_version)
        draft = None if stored is None else stored.read()
        block = "" if state.block is None else f"{state.block.reason} {state.block.detail}"
        outcome = Outcome(
            status=state.status,
            confirmed=tuple(sorted(f"{name}={one.value!r}" for name, one in state.confirmed.items())),
            pending=tuple(sorted(state.pending)),
            conflicts=tuple(sorted(one.field for one in state.conflicts)),
            block=block,
            claims=() if draft is None else tuple(sorted(one.text for one in draft.claims)),
            cited=() if draft is None else _cited(draft),
            awaiting=() if draft is None else tuple(one.topic for one in draft.awaiting_confirmation),
            history=() if draft is None else tuple(one.quote for one in draft.history),
            missing_topics=() if draft is None else draft.missing_topics,
            decisions=int(state.outcome is not None),
        )
        return Seen(outcome=outcome, flags=() if draft is None else tuple(sorted({one.flag for one in draft.flags})))


def _cited(draft: Draft) -> tuple[str, ...]:
    wanted = {one for claim in draft.claims for one in claim.evidence_ids}
    wanted.update(one for item in draft.awaiting_confirmation for one in item.evidence_ids)
    return tuple(sorted(one.quote for one in draft.evidence if one.evidence_id in wanted))


async def _publish(services: TaskServices, tenant_id: TenantId, paragraphs: Sequence[str]) -> None:
    store: Store = services.store
    author, approver = [await resolve_principal(store, tenant_id, owner) for owner in _OWNERS]
    await document_add(
        store,
        author,
        document_id="SOP-LT",
        version=1,
        kind="formal_fact",
        title="SOP-LT",
        acl=[_GROUP],
        data="\n\n".join(paragraphs).encode(),
        file_name="SOP-LT.txt",
    )
    await document_submit(store, author, "SOP-LT", 1)
    await document_approve(store, approver, "SOP-LT", 1)
    async with store.tenant_transaction(tenant_id) as tx:
        now = await tx.now()
    await document_publish(store, approver, "SOP-LT", 1, now, None, embedder=services.embedder)


def _mail(paragraphs: Sequence[str], hidden: str) -> bytes:
    """The request as an HTML mail; `hidden` stands in it as text that no reader sees."""
    shown = "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
    unseen = f'<div style="display:none">{escape(hidden)}</div>' if hidden else ""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "Buyer <buyer@customer.example>"
    mail["Subject"] = "RFQ"
    mail.set_content(f"<html><body>{shown}{unseen}</body></html>", subtype="html", cte="base64")
    return mail.as_bytes()
