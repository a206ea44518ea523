"""One real model behind the Analysis Agent, opt-in (`make smoke`): whatever it says, nothing unverified passes.

Nothing about quality follows from it: the model is far too small to prepare a quote.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from pydantic import SecretStr

from models.agent_answers import parse_answer
from models.drafting import compose_draft
from models.errors import AgentFailed
from models.ids import TenantId
from models.memory import MemoryDecision
from models.proposals import analysis_view, check_proposal, shown_evidence
from models.review import review_draft
from services.agents.asking import request_of
from services.clients.llm import HostedLlm
from services.model_settings import ModelChoice, ModelParameters
from services.prompts import load_prompt
from tests.models.quote_inputs import METADATA, NOW, originals, quote_input
from tests.models.review_drafts import lines

PYTHON = Path(__file__).parents[1] / ".smoke" / "bin" / "python"
LINE = lines("drafts_analysis.jsonl")[0]


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    """The server of the small model."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    program = os.environ.get("SMOKE_PYTHON", str(PYTHON))
    script = Path(__file__).with_name("serve_small_model.py")
    process = subprocess.Popen([program, script, str(port)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = next((line for line in process.stdout if line.startswith("LISTENING ")), "")
    try:
        assert said, "the small model's server did not start"
        yield said.split()[1]
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("structured", [True, False])
async def test_nothing_unverified_passes(address: str, structured: bool) -> None:
    handed = quote_input(LINE)
    shown = shown_evidence(handed, 20_000)
    parameters = ModelParameters(max_output_tokens=200, timeout_seconds=120, structured=structured)
    llm = HostedLlm(
        ModelChoice(
            agent="analysis",
            provider="openai",
            model="smollm2-135m",
            base_url=f"{address}/v1",
            api_key=SecretStr("none"),
            parameters=parameters,
        )
    )
    request = request_of(load_prompt("enterprise-memory"), analysis_view(handed, shown), MemoryDecision)
    reply = await llm.complete(request)
    await llm.close()
    assert reply.tokens > 0
    assert len(reply.text) < 10_000
    sys.stdout.write(f"\nstructured={structured} tokens={reply.tokens} fault={reply.fault}\n{reply.text}\n")
    if reply.fault is not None:
        return
    try:
        decision = parse_answer(reply.text, MemoryDecision)
        check_proposal(handed, decision, shown)
    except AgentFailed as refused:
        sys.stdout.write(f"refused: {refused}\n")
        return
    if decision.status == "ready_for_review":
        draft = compose_draft(handed, decision, tenant_id=TenantId("A"), run_metadata=METADATA)
        allowed = [one.evidence_id for one in handed.evidence]
        found = review_draft(draft, originals=originals(LINE), confirmed=handed.confirmed, allowed=allowed, now=NOW)
        sys.stdout.write(f"review: {sorted({one.code for one in found}) or 'passed, every word is in its source'}\n")
