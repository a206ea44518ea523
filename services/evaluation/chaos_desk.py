"""The people of a chaos run: each of their acts is written into the journal before it is sent and after its answer.

Why it is so: the journal's file belongs to this process, which nothing kills; what it says was acknowledged is what a
person would swear to.
"""

import asyncio
import os
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from models.chaos_facts import TenantFacts
from models.chaos_journal import (
    Answer,
    Answered,
    Journal,
    JournalLine,
    OperationKind,
    Seen,
    Sent,
    Struck,
    parse_journal,
)
from models.contract import content_hash, text_hash
from models.decisions import Verdict
from models.errors import ProofdeskError, StoreBusy, StoreUnavailable
from models.fields import FieldName, FieldValue
from models.ids import Subject, TaskId, TenantId, parse_tenant_id
from models.principals import Principal, Role
from models.transitions import CLOSED, RESTS
from services.evaluation.bench_knowledge import LEAD_TIME_SOP, BenchTenant, bench_document
from services.ports import Embedder
from services.principals import principal_add, resolve_principal
from services.task_cancel import cancel_task
from services.task_decision import decide
from services.task_intake import add_supplement, start_task
from services.task_reading import ShownTask, task_show
from services.tenants import tenant_add
from store.chaos import chaos_facts
from store.pool import Store

_GROUP = "sales"
_PEOPLE: Mapping[str, Role] = {
    "sales-1": "requester",
    "outsider-1": "requester",
    "approver-1": "approver",
    "approver-2": "approver",
    "approver-3": "approver",
    "owner-1": "knowledge_owner",
    "owner-2": "knowledge_owner",
}
_PAUSE_SECONDS = 0.5
_POLL_SECONDS = 0.05


class JournalFile:
    """An append-only file; a line is with the operating system when `write` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, line: JournalLine) -> None:
        """Appends one line whole."""
        os.write(self._descriptor, line.model_dump_json().encode() + b"\n")

    def read(self) -> Journal:
        """Everything written so far."""
        with self.path.open(encoding="utf-8", newline="\n") as lines:
            return parse_journal(lines)

    def close(self) -> None:
        """Closes the file; it stays where it is."""
        os.close(self._descriptor)


@dataclass
class ChaosDesk:
    """One tenant of its own for one scenario. `attempts` is how often an act is tried while the store is away."""

    store: Store
    tenant: TenantId
    journal: JournalFile
    people: Mapping[str, Principal]
    attempts: int = 4
    patience: float = 20.0
    answers: list[Answer] = field(default_factory=list[Answer])

    async def start(self, task_id: str, text: str, *, by: str = "sales-1") -> Answer:
        """A request."""

        async def act() -> str:
            await start_task(self.store, self.people[by], task_id=task_id, text=text)
            return ""

        return await self._asked(self._sent("start", task_id, by, text=text), act)

    async def supplement(
        self,
        task_id: str,
        text: str,
        *,
        by: str = "sales-1",
        confirmations: Mapping[FieldName, FieldValue] | None = None,
    ) -> Answer:
        """A text, with or without confirmed fields; sent again under the same key it is the same supplement."""
        sent = self._sent("supplement", task_id, by, text=text, confirmations=confirmations or {})

        async def act() -> str:
            await add_supplement(
                self.store,
                self.people[by],
                task_id=task_id,
                text=text,
                confirmations=confirmations,
                idempotency_key=sent.arguments_hash,
            )
            return ""

        return await self._asked(sent, act)

    async def decide(
        self,
        task_id: str,
        verdict: Verdict,
        version: int,
        draft_hash: str,
        *,
        by: str = "approver-1",
        comment: str = "",
    ) -> Answer:
        """A decision of a draft as it was shown; `comment` says what is to be changed."""
        sent = self._sent(verdict, task_id, by, text=comment, decision_version=version)

        async def act() -> str:
            decision = await decide(
                self.store,
                self.people[by],
                task_id=task_id,
                decision_version=version,
                content_hash=draft_hash,
                verdict=verdict,
                comment=comment,
            )
            return decision.decision_id

        return await self._asked(sent, act)

    async def cancel(self, task_id: str, *, by: str = "sales-1") -> Answer:
        """Asks for the end of a task."""

        async def act() -> str:
            await cancel_task(self.store, self.people[by], task_id=task_id, reason="no longer wanted")
            return ""

        return await self._asked(self._sent("cancel", task_id, by), act)

    def struck(self, what: str) -> float:
        """Writes down what was done to the servers; the moment, in seconds of the epoch."""
        at = time.time()
        self.journal.write(Struck(what=what, at=at))
        return at

    async def shown(self, task_id: str, *, by: str = "approver-1") -> ShownTask:
        """The task as a person sees it now; what is confirmed then is written down."""
        shown = await task_show(self.store, self.people[by], task_id)
        confirmed: dict[FieldName, FieldValue] = {name: one.value for name, one in shown.state.confirmed.items()}
        at = time.time()
        self.journal.write(Seen(task_id=TaskId(task_id), revision=shown.state.revision, confirmed=confirmed, at=at))
        return shown

    async def rested(self, task_id: str, *, after_revision: int = 0, seconds: float = 60.0) -> ShownTask:
        """The task once it rests or is closed with everything merged, at a revision above `after_revision`.

        Raises TimeoutError naming its status. A store that is away is waited for.
        """
        deadline = time.monotonic() + seconds
        status = "unknown"
        while True:
            try:
                shown = await task_show(self.store, self.people["approver-1"], task_id)
                status = shown.state.status
                if is_at_rest(shown) and shown.state.revision > after_revision:
                    return await self.shown(task_id)
            except (StoreUnavailable, StoreBusy):
                status = "out of reach"
            if time.monotonic() > deadline:
                raise TimeoutError(f"task {task_id!r} is still {status} after {seconds:.0f} s")
            await asyncio.sleep(_POLL_SECONDS)

    async def facts(self) -> TenantFacts:
        """What Postgres holds of the tenant."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            return await chaos_facts(tx)

    async def settled(self, *, seconds: float = 60.0) -> TenantFacts:
        """The facts once every task rests and every notice was delivered; if that never comes, those last seen.

        Two looks must agree: one look is several statements, and something may be committed between them.
        """
        deadline = time.monotonic() + seconds
        before: TenantFacts | None = None
        while True:
            try:
                facts = await self.facts()
                if (facts == before and _nothing_moves(facts)) or time.monotonic() > deadline:
                    return facts
                before = facts
            except (StoreUnavailable, StoreBusy):
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(2 * _POLL_SECONDS)

    def _sent(
        self,
        kind: OperationKind,
        task_id: str,
        by: str,
        *,
        text: str = "",
        decision_version: int | None = None,
        confirmations: Mapping[FieldName, FieldValue] | None = None,
    ) -> Sent:
        return Sent(
            operation_id=uuid.uuid4().hex,
            kind=kind,
            task_id=TaskId(task_id),
            actor=Subject(by),
            arguments_hash=content_hash([kind, task_id, text, decision_version, dict(confirmations or {})]),
            text_hash=text_hash(text) if text else None,
            decision_version=decision_version,
            confirmations=dict(confirmations or {}),
            at=time.time(),
        )

    async def _asked(self, sent: Sent, act: Callable[[], Awaitable[str]]) -> Answer:
        """Tries until there is an answer, as a person would who sees that nothing was done."""
        answer: Answer = "unknown"
        for attempt in range(self.attempts):
            if attempt:
                await asyncio.sleep(_PAUSE_SECONDS * 2**attempt)
            self.journal.write(sent.model_copy(update={"at": time.time()}))
            answer, code, reference = await self._tried(act)
            if answer != "unknown":
                self.journal.write(
                    Answered(
                        operation_id=sent.operation_id, answer=answer, code=code, reference=reference, at=time.time()
                    )
                )
            if answer in ("acknowledged", "refused"):
                break
        self.answers.append(answer)
        return answer

    async def _tried(self, act: Callable[[], Awaitable[str]]) -> tuple[Answer, str, str]:
        try:
            async with asyncio.timeout(self.patience):
                return "acknowledged", "", await act()
        except TimeoutError:
            return "unknown", "", ""
        except (StoreUnavailable, StoreBusy) as error:
            return "failed", error.code, ""
        except ProofdeskError as error:
            return "refused", error.code, ""


def is_at_rest(shown: ShownTask) -> bool:
    """Whether nothing is under way for the task."""
    status = shown.state.status
    if shown.cancel_requested and status != "cancelled":
        return False
    return status in CLOSED - {"completed"} or (status in RESTS | CLOSED and all(one.merged for one in shown.messages))


def _nothing_moves(facts: TenantFacts) -> bool:
    if facts.undelivered or any(one.state.status not in RESTS | CLOSED for one in facts.tasks):
        return False
    dead = {one.state.task_id for one in facts.tasks if one.state.status in ("cancelled", "failed")}
    if any(one.cancel_requested and one.state.task_id not in dead for one in facts.tasks):
        return False
    return all(one.merged or one.task_id in dead for one in facts.messages) and all(
        one.applied or one.voided or one.task_id in dead for one in facts.decisions
    )


async def open_chaos_desk(store: Store, embedder: Embedder, journal: Path) -> ChaosDesk:
    """A new tenant with its people and one published document, and an empty journal."""
    tenant = parse_tenant_id(f"chaos-{uuid.uuid4().hex[:12]}")
    await tenant_add(store, tenant, operator="operator-1")
    people = {"operator-1": await resolve_principal(store, tenant, "operator-1")}
    for subject, role in _PEOPLE.items():
        groups = [] if subject.startswith("outsider") else [_GROUP]  # whoever reads nothing is a task without sources
        people[subject] = await principal_add(store, people["operator-1"], subject, roles=[role], groups=groups)
    bench = BenchTenant(tenant, people["sales-1"], people["approver-1"], people["owner-1"], people["owner-2"])
    await bench_document(store, embedder, bench, "SOP-LT", LEAD_TIME_SOP)
    return ChaosDesk(store, tenant, JournalFile(journal), people)
