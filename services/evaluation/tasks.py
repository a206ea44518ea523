"""Quote-task cases through the real workflow: each in tenants of its own, driven until it rests."""

import asyncio
import statistics
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from models.contract import Contract
from models.documents import EffectiveRange
from models.errors import InvalidInput, NotFound
from models.evidence import Evidence
from models.ids import TaskId, TenantId, parse_task_id, parse_tenant_id
from models.principals import Principal
from models.tasks import LineItem
from services.documents import (
    document_add,
    document_approve,
    document_publish,
    document_submit,
    document_withdraw,
)
from services.evaluation.task_cases import (
    CaseDocument,
    CaseMessage,
    Reference,
    Rest,
    RestLine,
    TaskCase,
    TaskObservation,
    case_failures,
    reasked_fields,
)
from services.policies import policy_set
from services.ports import Embedder
from services.principals import principal_add, resolve_principal
from services.task_intake import add_supplement, start_task
from services.task_reading import ShownDraft, ShownTask, draft_show, task_show, timeline
from services.task_waiting import task_rested
from services.tenants import tenant_add
from store.evaluation import document_ranges_shift
from store.pool import Store

_AT_ONCE = 4
_OWNERS = ("owner-1", "owner-2")


class CaseFailure(Contract):
    """A case that did not pass, and every reason."""

    case_id: str
    why: tuple[str, ...]


class TasksReport(Contract):
    """The sum over all cases; rates lie in 0..1, times in seconds."""

    cases: int
    passed: int
    failed: tuple[CaseFailure, ...]
    completion_rate: float
    human_rate: float
    reasked: int
    tokens: int
    p95_s: float
    citation_correct: float


async def evaluate_tasks(
    store: Store,
    embedder: Embedder,
    cases: Sequence[TaskCase],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> TasksReport:
    """Runs every case on a stack whose worker is running; the report says which failed, and why.

    `completion_rate` is the share of cases whose task came to rest with a draft for approval, `human_rate` that of
    cases that rested in waiting_input or blocked at some time. The extractive binding uses no tokens.
    """
    gate = asyncio.Semaphore(_AT_ONCE)
    done = 0

    async def run(case: TaskCase) -> TaskObservation | str:
        nonlocal done
        async with gate:
            try:
                return await _Run(store, embedder, case).observe()
            except (InvalidInput, NotFound, TimeoutError) as error:
                return str(error)
            finally:
                done += 1
                if progress is not None:
                    progress(done, len(cases))

    outcomes = await asyncio.gather(*(run(case) for case in cases))
    return _report(cases, outcomes)


def _report(cases: Sequence[TaskCase], outcomes: Sequence[TaskObservation | str]) -> TasksReport:
    seen = [one for one in outcomes if isinstance(one, TaskObservation)]
    failed = [
        CaseFailure(case_id=case.case_id, why=why)
        for case, outcome in zip(cases, outcomes, strict=True)
        if (why := (outcome,) if isinstance(outcome, str) else case_failures(case, outcome))
    ]
    seconds = [rest.seconds for one in seen for rest in one.rests]
    citations = sum(one.citations for one in seen)
    return TasksReport(
        cases=len(cases),
        passed=len(cases) - len(failed),
        failed=tuple(failed),
        completion_rate=_share(sum(one.rests[-1].status == "awaiting_approval" for one in seen), len(cases)),
        human_rate=_share(
            sum(any(rest.status in ("waiting_input", "blocked") for rest in one.rests) for one in seen), len(cases)
        ),
        reasked=sum(len(reasked_fields(one)) for one in seen),
        tokens=0,
        p95_s=round(statistics.quantiles(seconds, n=20)[-1], 3) if len(seconds) > 1 else sum(seconds),
        citation_correct=_share(sum(one.citations_correct for one in seen), citations),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


class _Run:
    """One case in tenants of its own."""

    def __init__(self, store: Store, embedder: Embedder, case: TaskCase) -> None:
        self._store = store
        self._embedder = embedder
        self._case = case
        names = {case.principal.tenant, *(document.tenant for document in case.documents)}
        suffix = uuid.uuid4().hex[:12]
        self._tenants: Mapping[str, TenantId] = {
            name: parse_tenant_id(f"{name[:24]}-{suffix}") for name in sorted(names)
        }
        self._task_id: TaskId = parse_task_id("case-task")

    async def observe(self) -> TaskObservation:
        """Sets the tenants up, sends the messages and looks at the task after each."""
        for name, tenant_id in self._tenants.items():
            await self._found(name, tenant_id)
        for document in self._case.documents:
            await self._release(document)
        actor = await resolve_principal(
            self._store, self._tenants[self._case.principal.tenant], self._case.principal.subject
        )
        rests: list[Rest] = []
        day = 0.0
        for message in self._case.messages:
            await self._let_days_pass(message.day - day)
            day = message.day
            began = time.monotonic()
            await self._send(actor, message, first=not rests)
            rests.append(_rest(await task_rested(self._store, actor, self._task_id), time.monotonic() - began))
        return await self._observation(actor, tuple(rests))

    async def _found(self, name: str, tenant_id: TenantId) -> None:
        await tenant_add(self._store, tenant_id, operator="operator-1")
        operator = await resolve_principal(self._store, tenant_id, "operator-1")
        acl = sorted({group for document in self._case.documents for group in document.acl})
        for owner in _OWNERS:
            await principal_add(self._store, operator, owner, roles=["knowledge_owner"], groups=acl)
        if name == self._case.principal.tenant:
            starter = self._case.principal
            await principal_add(
                self._store, operator, starter.subject, roles=list(starter.roles), groups=list(starter.groups)
            )
            await policy_set(self._store, operator, self._case.policy)

    async def _release(self, document: CaseDocument) -> None:
        """Through ingestion, two knowledge owners and publication, as far as the case says."""
        tenant_id = self._tenants[document.tenant]
        author, approver = [await resolve_principal(self._store, tenant_id, owner) for owner in _OWNERS]
        name, number = document.document_id, document.version
        await document_add(
            self._store,
            author,
            document_id=name,
            version=number,
            kind=document.kind,
            title=document.title,
            acl=document.acl,
            data=document.text.encode(),
            file_name=f"{name}.txt",
        )
        if document.status == "draft":
            return
        await document_submit(self._store, author, name, number)
        if document.status == "submitted":
            return
        await document_approve(self._store, approver, name, number)
        if document.status == "approved":
            return
        effective = await self._range(tenant_id, document)
        await document_publish(
            self._store,
            approver,
            name,
            number,
            effective.effective_from,
            effective.effective_to,
            embedder=self._embedder,
        )
        if document.status == "withdrawn":
            await document_withdraw(self._store, approver, name, number, "withdrawn in the case")

    async def _range(self, tenant_id: TenantId, document: CaseDocument) -> EffectiveRange:
        async with self._store.tenant_transaction(tenant_id) as tx:
            now = await tx.now()
        end = document.effective_to_day
        return EffectiveRange(
            effective_from=now + timedelta(days=document.effective_from_day),
            effective_to=None if end is None else now + timedelta(days=end),
        )

    async def _let_days_pass(self, days: float) -> None:
        for tenant_id in self._tenants.values() if days else ():
            async with self._store.tenant_transaction(tenant_id) as tx:
                await document_ranges_shift(tx, days)

    async def _send(self, actor: Principal, message: CaseMessage, *, first: bool) -> None:
        text = message.text or None
        if first:
            await start_task(self._store, actor, task_id=self._task_id, text=text, confirmations=message.confirm)
        else:
            await add_supplement(self._store, actor, task_id=self._task_id, text=text, confirmations=message.confirm)

    async def _observation(self, actor: Principal, rests: tuple[Rest, ...]) -> TaskObservation:
        task = await task_show(self._store, actor, self._task_id)
        draft = await self._draft(actor)
        events = await timeline(self._store, actor, self._task_id)
        body = None if draft is None else draft.draft
        block = task.state.block
        cited = _cited(draft)
        shown = [task.model_dump_json(), *(event.model_dump_json() for event in events)]
        return TaskObservation(
            rests=rests,
            claims=() if body is None else tuple(claim.text for claim in body.claims),
            claim_lines=() if body is None else tuple(claim.lines for claim in body.claims),
            cited=tuple(dict.fromkeys((one.document_id, one.version) for one in cited)),
            blocked_reason=None if block is None else block.reason,
            conflict_sides=() if block is None else tuple((one.document_id, one.version) for one in block.conflict),
            missing_topics=() if block is None else block.missing_topics,
            awaiting_confirmation=() if body is None else tuple(one.topic for one in body.awaiting_confirmation),
            history=() if body is None else tuple((one.document_id, one.version) for one in body.history),
            flags=() if body is None else tuple(one.flag for one in body.flags),
            decision_version=task.state.decision_version,
            shown="\n".join([*shown, "" if draft is None else draft.model_dump_json()]),
            citations=len(cited),
            citations_correct=sum(self._is_correct(one) for one in cited),
        )

    async def _draft(self, actor: Principal) -> ShownDraft | None:
        try:
            shown = await draft_show(self._store, actor, self._task_id)
        except NotFound:
            return None
        return shown if shown.void_reason is None else None

    def _is_correct(self, evidence: Evidence) -> bool:
        """Whether the quote stands at its place in the case file's own text."""
        texts: dict[Reference, str] = {
            (document.document_id, document.version): document.text
            for document in self._case.documents
            if document.tenant == self._case.principal.tenant
        }
        text = texts.get((evidence.document_id, evidence.version), "")
        return text[evidence.locator.char_start : evidence.locator.char_end] == evidence.quote


def _rest(shown: ShownTask, seconds: float) -> Rest:
    state = shown.state
    return Rest(
        status=state.status,
        confirmed={field: confirmed.value for field, confirmed in state.confirmed.items()},
        pending=state.pending,
        conflicts=tuple(conflict.field for conflict in state.conflicts),
        seconds=round(seconds, 3),
        lines=tuple(_rest_line(one) for one in state.lines),
    )


def _rest_line(line: LineItem) -> RestLine:
    return RestLine(
        line=line.line,
        status=line.status,
        label=line.label,
        position=line.position,
        confirmed={field: confirmed.value for field, confirmed in line.confirmed.items()},
        pending=line.pending,
        conflicts=tuple(conflict.field for conflict in line.conflicts),
        doubt=None if line.doubt is None else line.doubt.kind,
    )


def _cited(draft: ShownDraft | None) -> tuple[Evidence, ...]:
    """The evidence from documents that the claims of a draft rest on."""
    if draft is None or draft.draft is None:
        return ()
    wanted = {one for claim in draft.draft.claims for one in claim.evidence_ids}
    return tuple(
        one.evidence
        for one in draft.citations
        if one.evidence.evidence_id in wanted and one.evidence.source == "document"
    )
