"""The prompts stand as versioned files; a broken head is refused."""

import pytest

from models.errors import InvalidInput
from services.prompts import file_prompts, load_prompt, parse_prompt

HEAD = (
    "---\nid: draft-review\nversion: 1.0.0\ninput: draft@1\noutput: review-findings@1\n"
    "evaluation_set: memory-demo@1\nowner: quote-desk\nmodel_binding: deployment\n---\n"
)


def test_the_analysis_prompt_has_its_identity() -> None:
    prompt = load_prompt("enterprise-memory")
    assert (prompt.version, prompt.input, prompt.output) == ("1.0.0", "memory-input@1", "memory-decision@1")
    assert (prompt.evaluation_set, prompt.model_binding) == ("memory-demo@1", "deployment")
    assert prompt.owner


def test_the_reviewer_has_a_prompt_of_its_own() -> None:
    review = load_prompt("draft-review")
    assert review.input == "draft@1"
    assert review.text_hash != load_prompt("enterprise-memory").text_hash


def test_every_prompt_of_the_program_has_a_file() -> None:
    assert {"enterprise-memory", "draft-review"} <= set(file_prompts())
    assert all(prompt_id == prompt.id for prompt_id, prompt in file_prompts().items())


def test_a_prompt_reads_back() -> None:
    assert parse_prompt(f"{HEAD}\nCheck it.\n").text == "Check it."


@pytest.mark.parametrize(
    "source",
    [
        "Check it.",
        f"first {HEAD}Check it.",
        HEAD.removesuffix("---\n") + "Check it.",
        HEAD,
        HEAD.replace("1.0.0", "latest") + "Check it.",
        HEAD.replace("owner: quote-desk\n", "") + "Check it.",
        HEAD.replace("owner: quote-desk\n", "owner: quote-desk\nowner: other\n") + "Check it.",
        HEAD.replace("deployment", "some-model") + "Check it.",
        HEAD.replace("draft-review", "unknown") + "Check it.",
    ],
)
def test_a_broken_prompt_file_is_refused(source: str) -> None:
    with pytest.raises(InvalidInput):
        parse_prompt(source)
