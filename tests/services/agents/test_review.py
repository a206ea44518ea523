"""A model behind the review: a second opinion after the rules, which can only object.

Capabilities: C-25, C-56.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, get_args

import pytest
import pytest_asyncio

from models.agent_answers import parse_answer
from models.drafting import validate_decision
from models.errors import AgentFailed, ModelUnavailable
from models.ids import TenantId
from models.memory import MemoryDecision, MemoryInput
from models.policies import Policy
from services.agents.asking import request_of
from services.clients.llm import HostedLlm
from services.model_settings import Provider
from services.prompts import load_prompt
from services.task_reading import draft_show
from store.pool import Store
from tests.models.review_drafts import Desk as Reviewed
from tests.models.review_drafts import good_desk, lines, mutated
from tests.services.agents.scripted_models import Answer, bound, cited, decided, handed, honest, no_objection
from tests.services.clients.model_server import Asked, Fails, ModelServer, Says, Scripted, model_server
from tests.services.quote_desk import Desk, open_desk

REQUEST = "RFQ: 40 pcs brackets in SUS304, no special inspection. What is the lead time?"
OBJECTION = '{"schema_version": "review-findings@1", "findings": [{"code": "unsupported_text", "claim_index": 0}]}'
GOOD = {line["name"]: good_desk(line) for line in lines("good_drafts.jsonl")}
MUTATED = lines("mutated_drafts.jsonl")


@pytest_asyncio.fixture
async def desk(store: Store, tenant: TenantId) -> Desk:
    desk = await open_desk(store, tenant)
    await desk.library.publish("SOP-LT", "The standard lead time is 15 working days. Packaging is in foam.")
    return desk


def reviewing(answer: Answer, analysis: Answer = honest) -> Answer:
    """One server for both agents, told apart by their prompts."""

    def both(asked: Asked) -> Scripted:
        return answer(asked) if "review-findings@1" in asked.instructions else analysis(asked)

    return both


async def drive(desk: Desk, answer: Answer, provider: Provider = "openai") -> tuple[Desk, ModelServer]:
    async with model_server(answer) as server, bound(desk, server, "review", provider=provider) as with_model:
        await with_model.start(text=REQUEST)
        await with_model.drive()
    return with_model, server


@pytest.mark.parametrize("provider", get_args(Provider))
async def test_no_objection_lets_the_draft_pass(desk: Desk, provider: Provider) -> None:
    with_model, server = await drive(desk, no_objection, provider)
    assert (await with_model.row()).state.status == "awaiting_approval"
    (asked,) = server.asked
    assert asked.instructions.startswith(load_prompt("draft-review").text)
    assert "15 working days" in asked.data
    assert "15 working days" not in asked.instructions
    shown = await draft_show(desk.store, desk.person("chief"), "Q1")
    assert shown.draft is not None
    bound_to = {one.prompt_id: one.binding for one in shown.draft.run_metadata.prompts}
    assert bound_to["draft-review"].startswith(f"{provider}:small-1")
    assert bound_to["enterprise-memory"] == "extractive"


async def test_an_objection_goes_back_once_and_then_to_a_person(desk: Desk) -> None:
    with_model, server = await drive(desk, lambda _: Says(OBJECTION))
    block = (await with_model.row()).state.block
    assert block is not None
    assert (block.reason, block.detail) == ("review_rejected", "unsupported_text")
    assert len(server.asked) == 2
    assert await desk.count("drafts") == 0


async def test_two_models_may_review_each_other(desk: Desk) -> None:
    objected: list[int] = []

    def once(_: Asked) -> Says:
        objected.append(1)
        return Says(OBJECTION) if len(objected) == 1 else no_objection(_)

    async with (
        model_server(reviewing(once)) as server,
        bound(desk, server, "analysis", "review") as with_models,
    ):
        await with_models.start(text=REQUEST)
        assert (await with_models.drive()).state.status == "awaiting_approval"
    analysis = [handed(one) for one in server.asked if "review-findings@1" not in one.instructions]
    assert [one["findings"] for one in analysis] == [[], ["unsupported_text: the reviewing model objects to claim 1"]]


async def test_what_the_rules_refuse_no_model_is_asked_about(desk: Desk) -> None:
    """The second call adds; it takes nothing away."""

    def careless(asked: Asked) -> Says:
        return decided(asked, ("The standard lead time is 10 working days", cited(asked, "15 working days")))

    async with (
        model_server(reviewing(no_objection, careless)) as server,
        bound(desk, server, "analysis", "review") as with_models,
    ):
        await with_models.start(text=REQUEST)
        block = (await with_models.drive()).state.block
    assert block is not None
    assert (block.reason, "number_mismatch" in block.detail) == ("review_rejected", True)
    assert not any("review-findings@1" in one.instructions for one in server.asked)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Says("The draft looks good to me!"), AgentFailed),
        (Says('{"findings": [{"code": "approved"}]}'), AgentFailed),
        (Says('{"findings": [{"code": "no_evidence", "claim_index": 7}]}'), AgentFailed),
        (Says("", tool="approve"), AgentFailed),
        (Fails(500), ModelUnavailable),
    ],
)
async def test_a_review_that_did_not_take_place_passes_nothing(
    desk: Desk, said: Scripted, kind: type[Exception]
) -> None:
    async with model_server([said]) as server, bound(desk, server, "review") as with_model:
        await with_model.start(text=REQUEST)
        with pytest.raises(kind):
            await with_model.drive()
        assert (await with_model.row()).state.status == "reviewing"


async def proposed(server: ModelServer, llm: HostedLlm, desk: Reviewed) -> Reviewed:
    """The draft whose claims a model proposed, after the gate; AgentFailed when the gate refused them."""
    draft = desk.draft
    given = MemoryInput(
        task_id=draft.task_id,
        state_revision=draft.revision,
        decision_version=draft.decision_version,
        confirmed=dict(desk.confirmed),
        replaced=(),
        policy=Policy(),
        evidence=draft.evidence,
    )

    def answer(asked: Asked) -> Says:
        claims = [(one.text, [str(key) for key in one.evidence_ids]) for one in draft.claims]
        return decided(asked, *claims)

    server.script = answer
    view: dict[str, Any] = {"task_id": given.task_id, "state_revision": given.state_revision}
    reply = await llm.complete(request_of(load_prompt("enterprise-memory"), view, MemoryDecision))
    decision = parse_answer(reply.text, MemoryDecision)
    validate_decision(given, decision)
    return replace(desk, draft=draft.model_copy(update={"claims": decision.claims}))


async def refusal(server: ModelServer, llm: HostedLlm, change: dict[str, Any]) -> set[str]:
    """Why a mutated draft is refused that a model proposes."""
    try:
        return (await proposed(server, llm, mutated(GOOD[change["draft"]], change))).codes()
    except AgentFailed:
        return {change["code"]}


@asynccontextmanager
async def proposer(provider: Provider) -> AsyncGenerator[tuple[ModelServer, HostedLlm]]:
    async with model_server() as server:
        llm = HostedLlm(server.choice(provider))
        yield server, llm
        await llm.close()


async def test_a_good_draft_passes_when_a_model_proposes_it() -> None:
    async with proposer("openai") as (server, llm):
        for desk in GOOD.values():
            assert (await proposed(server, llm, desk)).findings() == ()


@pytest.mark.timeout(300)
async def test_every_mutated_draft_is_refused_when_a_model_proposes_it() -> None:
    assert len(MUTATED) >= 80
    async with proposer("openai") as (server, llm):
        for change in MUTATED:
            assert change["code"] in await refusal(server, llm, change), change


@pytest.mark.parametrize("provider", ["google", "anthropic"])
async def test_the_other_protocols_change_nothing(provider: Provider) -> None:
    async with proposer(provider) as (server, llm):
        for change in MUTATED[::9]:
            assert change["code"] in await refusal(server, llm, change), change


def test_mutations_of_the_claims_alone_reach_the_review() -> None:
    """Most of the file is refused by the review and not already by the gate before it."""
    assert sum(bool({"text", "replace", "cite"} & set(change)) for change in MUTATED) >= 50
