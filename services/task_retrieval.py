"""Retrieving: each required topic is asked of the governed knowledge under the starter's rights of this moment.

Sentences of verified chunks become evidence one by one, so that a claim cites what says it and not its neighbourhood.
Whether they are enough is the Analysis Agent's question, whose rules ask for the topic's own words.
"""

from collections.abc import Sequence

from models.evidence import Evidence
from models.memory import MemoryInput
from models.policies import Policy
from models.retrieval import RetrievalScope, VerifiedHit
from models.steps import StepInput, TaskBrief
from models.topics import topic_query
from services.policies import policy_current
from services.retrieval import search
from services.task_evidence import message_evidence, sentence_evidence
from services.task_restoring import rights_block
from services.task_services import TaskServices
from services.task_state import Outgoing, StepResult, clear_recheck, run_step
from store.message import message_list
from store.task import TaskRow

HITS_PER_QUERY = 8


async def retrieve_evidence(services: TaskServices, given: StepInput) -> TaskBrief:
    """Searches for every required topic and for the confirmed fields, and goes on to analyzing with what was verified.

    Finding nothing is no failure here: the analysis says what is missing.
    """

    async def work(row: TaskRow) -> StepResult:
        await clear_recheck(services, given)
        async with services.store.tenant_transaction(given.tenant_id) as tx:
            block = await rights_block(tx, row.starter)
            held = await policy_current(tx)
            messages = await message_list(tx, given.task_id)
        if block is not None:
            return StepResult("blocked", block.reason, changes={"block": block})
        pass_ = row.state.pass_
        found = await _search_all(services, row, held.policy)
        evidence = [one for hit in found for one in sentence_evidence(hit.evidence, pass_, hit.segments)]
        evidence.extend(message_evidence(messages, pass_))
        ids = tuple(one.evidence_id for one in evidence)
        handed = memory_input(row, held.policy, evidence, row.state.revision + 1, findings=())
        return StepResult(
            "analyzing",
            changes={"evidence_ids": ids},
            evidence=tuple(evidence),
            handoff=Outgoing("retrieval", "analysis", handed.schema_version, handed.model_dump(mode="json")),
        )

    return await run_step(services, given, work)


def memory_input(
    row: TaskRow, policy: Policy, evidence: Sequence[Evidence], revision: int, *, findings: Sequence[str]
) -> MemoryInput:
    """What the Analysis Agent is given: the verified state of `revision`, the evidence, a reviewer's findings."""
    state = row.state
    return MemoryInput(
        task_id=state.task_id,
        state_revision=revision,
        decision_version=state.decision_version,
        confirmed=state.confirmed,
        replaced=state.replaced,
        policy=policy,
        evidence=tuple(evidence),
        findings=tuple(findings),
    )


async def _search_all(services: TaskServices, row: TaskRow, policy: Policy) -> list[VerifiedHit]:
    """Verified chunks of all queries, each chunk once, best first within its query."""
    scope = RetrievalScope(tenant_id=row.state.tenant_id, subject=row.starter)
    found: dict[str, VerifiedHit] = {}
    for query in _queries(row, policy):
        hits: Sequence[VerifiedHit] = await search(services.store, services.embedder, scope, query, k=HITS_PER_QUERY)
        for hit in hits:
            found.setdefault(hit.evidence.evidence_id, hit)
    return list(found.values())


def _queries(row: TaskRow, policy: Policy) -> list[str]:
    confirmed = row.state.confirmed
    named = [str(one.value) for one in confirmed.values() if isinstance(one.value, str)]
    topics = [topic_query(topic, policy) for topic in policy.required_topics]
    return [*topics, *([" ".join(named)] if named else [])]
