"""Retrieving: each required topic is asked of the governed knowledge under the starter's rights of this moment.

Sentences of verified chunks become evidence one by one, so that a claim cites what says it and not its neighbourhood.
Whether they are enough is the Analysis Agent's question, whose rules ask for the topic's own words.
"""

from collections.abc import Mapping, Sequence

from models.evidence import Evidence
from models.fields import FieldName
from models.line_items import open_lines
from models.memory import MemoryInput
from models.policies import Policy
from models.retrieval import MAX_HITS, RetrievalScope, VerifiedHit
from models.source_choices import SourceChoice
from models.steps import StepInput, TaskBrief
from models.tasks import ConfirmedValue
from models.topics import topic_query
from services.policies import policy_current
from services.retrieval import search
from services.task_evidence import message_evidence, sentence_evidence
from services.task_restoring import rights_block
from services.task_services import TaskServices
from services.task_sources import standing_choices
from services.task_state import Outgoing, StepResult, clear_recheck, run_step
from store.message import message_list
from store.task import TaskRow

HITS_PER_QUERY = 8
MAX_LINE_QUERIES = 40


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
            choices = await standing_choices(tx, row)
        if block is not None:
            return StepResult("blocked", block.reason, changes={"block": block})
        pass_ = row.state.pass_
        found = await _search_all(services, row, held.policy)
        evidence = [one for hit in found for one in sentence_evidence(hit.evidence, pass_, hit.segments)]
        evidence.extend(message_evidence(messages, pass_))
        ids = tuple(one.evidence_id for one in evidence)
        handed = memory_input(row, held.policy, evidence, row.state.revision + 1, choices=choices)
        return StepResult(
            "analyzing",
            changes={"evidence_ids": ids},
            evidence=tuple(evidence),
            handoff=Outgoing("retrieval", "analysis", handed.schema_version, handed.model_dump(mode="json")),
        )

    return await run_step(services, given, work)


def memory_input(
    row: TaskRow,
    policy: Policy,
    evidence: Sequence[Evidence],
    revision: int,
    *,
    choices: Sequence[SourceChoice],
    findings: Sequence[str] = (),
) -> MemoryInput:
    """What the Analysis Agent is given: the verified state of `revision`, the evidence, the sources that persons chose
    where sources contradict each other, a reviewer's findings.
    """
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
        lines=state.lines,
        choices=tuple(choices),
        answers=state.answers,
    )


async def _search_all(services: TaskServices, row: TaskRow, policy: Policy) -> list[VerifiedHit]:
    """Verified chunks of all queries, each chunk once, best first within its query."""
    scope = RetrievalScope(tenant_id=row.state.tenant_id, subject=row.starter)
    found: dict[str, VerifiedHit] = {}
    for query, wanted in _queries(row, policy):
        hits: Sequence[VerifiedHit] = await search(services.store, services.embedder, scope, query, k=wanted)
        for hit in hits:
            found.setdefault(hit.evidence.evidence_id, hit)
    return list(found.values())


def _queries(row: TaskRow, policy: Policy) -> list[tuple[str, int]]:
    """What is searched for, and how many hits of it: each required topic, and what is confirmed of each line.

    Many lines share queries; each still has its part of the hits, and exact terms are found beside whatever else.
    """
    state = row.state
    held = [one.confirmed for one in open_lines(state.lines)] if state.lines else [state.confirmed]
    named = list(dict.fromkeys(words for one in held if (words := _named(one))))
    share = max(1, -(-len(named) // MAX_LINE_QUERIES))
    groups = [named[at : at + share] for at in range(0, len(named), share)]
    topics = [(topic_query(topic, policy), HITS_PER_QUERY) for topic in policy.required_topics]
    return [*topics, *((" ".join(one), min(MAX_HITS, HITS_PER_QUERY * len(one))) for one in groups)]


def _named(confirmed: Mapping[FieldName, ConfirmedValue]) -> str:
    return " ".join(str(one.value) for one in confirmed.values() if isinstance(one.value, str))
