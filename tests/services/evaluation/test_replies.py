"""Recorded replies replay for the very question they answer; a changed prompt, binding or input misses.

Capabilities: C-25.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from models.analysis import analyze
from models.contract import canonical_json
from models.drafting import compose_draft
from models.errors import InvalidInput
from models.ids import TenantId
from models.memory import MemoryInput
from models.review import review_draft
from services.agents.analysis import propose
from services.clients.llm import HostedLlm
from services.evaluation.replies import RecordingLlm, ReplayingLlm, read_replies, write_replies
from services.ports import Llm, LlmRequest
from services.prompts import load_prompt
from store.pool import Store
from tests.models.quote_inputs import METADATA, NOW, originals, quote_input
from tests.models.review_drafts import lines
from tests.services.clients.model_server import Asked, ModelServer, Says, model_server

GOLDEN = Path(__file__).parents[2] / "golden" / "replies.jsonl"
PROMPT = load_prompt("enterprise-memory")
LINES = [line for line in lines("drafts_analysis.jsonl") if analyze(quote_input(line)).status == "ready_for_review"][
    ::9
]
BINDING = ModelServer(port=9).choice().binding


@asynccontextmanager
async def hosted(handed: MemoryInput) -> AsyncGenerator[Llm]:
    """A model that answers about `handed` as the rules would."""

    def answer(_: Asked) -> Says:
        return Says(canonical_json(analyze(handed)))

    async with model_server(answer) as server:
        llm = HostedLlm(server.choice())
        yield llm
        await llm.close()


@pytest.mark.timeout(300)
async def test_the_recorded_replies_are_those_of_todays_prompt_and_inputs(
    store: Store, tenant: TenantId, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """`--write-golden` records them anew through the real client."""
    made = tmp_path / "replies.jsonl"
    found: list[RecordingLlm] = []
    for line in LINES:
        handed = quote_input(line)
        async with hosted(handed) as inner:
            found.append(RecordingLlm(inner))
            await propose(store, tenant, found[-1], PROMPT, handed)
    write_replies(made, [reply for one in found for reply in one.recorded])
    if request.config.getoption("--write-golden"):
        GOLDEN.write_bytes(made.read_bytes())
    assert made.read_text(encoding="utf-8") == GOLDEN.read_text(encoding="utf-8")


async def test_replayed_replies_pass_gate_and_review(store: Store, tenant: TenantId) -> None:
    llm = ReplayingLlm(read_replies(GOLDEN), binding=BINDING)
    assert len(LINES) >= 5
    for line in LINES:
        handed = quote_input(line)
        decision, _ = await propose(store, tenant, llm, PROMPT, handed)
        draft = compose_draft(handed, decision, tenant_id=TenantId("A"), run_metadata=METADATA)
        allowed = [one.evidence_id for one in handed.evidence]
        assert (
            review_draft(draft, originals=originals(line), confirmed=handed.confirmed, allowed=allowed, now=NOW) == ()
        )


@pytest.mark.parametrize(
    ("prompt", "binding", "why"),
    [
        (PROMPT.model_copy(update={"version": "9.0.0"}), BINDING, "another version"),
        (PROMPT.model_copy(update={"text": "Other words."}), BINDING, "text or the form"),
        (PROMPT, BINDING.replace("temperature=0", "temperature=1"), "of this binding"),
    ],
)
async def test_what_changed_is_named(store: Store, tenant: TenantId, prompt: object, binding: str, why: str) -> None:
    llm = ReplayingLlm(read_replies(GOLDEN), binding=binding)
    with pytest.raises(InvalidInput, match=why):
        await propose(store, tenant, llm, type(PROMPT).model_validate(prompt), quote_input(LINES[0]))


async def test_a_changed_input_misses(store: Store, tenant: TenantId) -> None:
    llm = ReplayingLlm(read_replies(GOLDEN), binding=BINDING)
    changed = quote_input(LINES[0]).model_copy(update={"state_revision": 99})
    with pytest.raises(InvalidInput, match="the input has changed"):
        await propose(store, tenant, llm, PROMPT, changed)


async def test_replies_come_back_from_their_file(tmp_path: Path) -> None:
    async with model_server([Says("{}"), Says("", tool="x")]) as server:
        inner = HostedLlm(server.choice())
        llm = RecordingLlm(inner)
        asked = [LlmRequest("p", "1.0.0", "Answer.", data) for data in ("one", "two")]
        said = [await llm.complete(one) for one in asked]
        await inner.close()
    path = tmp_path / "replies.jsonl"
    write_replies(path, llm.recorded)
    again = ReplayingLlm(read_replies(path), binding=llm.binding)
    assert [await again.complete(one) for one in asked] == said
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="line 1"):
        read_replies(path)
