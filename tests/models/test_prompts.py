"""Versions count as numbers, statuses follow from activations, and a rollback goes back for good."""

import pytest
from pydantic import ValidationError

from models.prompts import (
    Activation,
    ActivationKind,
    Prompt,
    prompt_bindings,
    prompt_diff,
    prompt_status,
    rollback_target,
    version_key,
)

PROMPT = Prompt(
    id="draft-review",
    version="1.2.3",
    input="draft@1",
    output="review-findings@1",
    evaluation_set="memory-demo@1",
    owner="quote-desk",
    model_binding="deployment",
    text="Compare.\nRefuse.",
)


def test_versions_sort_as_numbers() -> None:
    assert sorted(["1.10.0", "1.9.9", "0.20.1"], key=version_key) == ["0.20.1", "1.9.9", "1.10.0"]


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "1.0.0-rc1", "01.0.0", "１.0.0", "1.0.0\n", "1.0.1234567", ""])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(ValidationError):
        Prompt.model_validate({**PROMPT.model_dump(), "version": version})


@pytest.mark.parametrize("text", ["", "a\x00b", "x" * (64 * 1024 + 1)])
def test_a_text_that_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Prompt.model_validate({**PROMPT.model_dump(), "text": text})


def test_a_status_follows_from_the_activations() -> None:
    assert (prompt_status(None, 3), prompt_status(3, 3), prompt_status(2, 3)) == ("draft", "active", "retired")


@pytest.mark.parametrize(
    ("history", "target"),
    [
        ("", None),
        ("1", None),
        ("1 2", "1"),
        ("1 2 3", "2"),
        ("1 2 3 <", "1"),
        ("1 2 3 < <", None),
        ("1 2 < 3", "1"),
        ("1 2 1", "2"),
    ],
)
def test_a_rollback_goes_one_version_back(history: str, target: str | None) -> None:
    held: list[Activation] = []
    for word in history.split():
        kind: ActivationKind = "rollback" if word == "<" else "activate"
        held.append(Activation(version=word if word != "<" else rollback_target(held) or "", kind=kind))
    assert rollback_target(held) == target


def test_a_difference_shows_head_and_text() -> None:
    other = PROMPT.model_copy(update={"version": "1.3.0", "owner": "desk", "text": "Compare.\nRefuse it."})
    assert {"-owner: quote-desk", "+owner: desk", "-Refuse.", "+Refuse it."} <= set(prompt_diff(PROMPT, other))
    assert prompt_diff(PROMPT, PROMPT.model_copy(update={"version": "1.3.0"})) == ()


def test_run_metadata_names_every_prompt_with_the_binding() -> None:
    (bound,) = prompt_bindings({"draft-review": "extractive"}, {"draft-review": PROMPT})
    assert (bound.prompt_id, bound.version, bound.binding) == ("draft-review", "1.2.3", "extractive")
