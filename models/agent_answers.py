"""What an agent's model is handed and how its answer is read: data behind a mark, and JSON without any doubt.

A model's answer is somebody's text like any other: it is read as one JSON object of its contract or not at all. What
a model is handed to work on stands between two marks that nothing inside can imitate, because no angle bracket and no
bracketed role name survives in it.
"""

import json
import re
from typing import Any, TypeVar

from pydantic import ValidationError

from models.contract import Contract, canonical_json
from models.errors import AgentFailed

MAX_ANSWER = 200_000
OPENING, CLOSING = "<untrusted-data>", "</untrusted-data>"

Answer = TypeVar("Answer", bound=Contract)

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)
# But for its three words JSON has no letter behind `[`: only a string holds that, and an escape there changes no value.
_ROLE_MARK = re.compile(r"\[(?!(?:true|false|null)\])(?=/?[A-Za-z]{2,12}\])")
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\x7f\u2028\u2029\ufeff"}
_UNPAIRED = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\U000e0000-\U000e007f]")


def marked_data(value: object) -> str:
    """`value` as canonical JSON between the marks; every value reads back unchanged from the JSON.

    Characters that could end the mark, begin a turn for a model (`<|im_start|>`, `[INST]`) or hide are written as
    escapes. A value that JSON cannot hold raises TypeError or ValueError.
    """
    text = canonical_json(value).translate(_ESCAPES)
    text = _ROLE_MARK.sub(r"\\u005b", text)
    text = _UNPAIRED.sub(_escaped, text)
    return f"{OPENING}\n{_INVISIBLE.sub(_escaped, text)}\n{CLOSING}"


def parse_answer(text: str, contract: type[Answer]) -> Answer:
    """The answer as `contract`; AgentFailed says which rule it breaks, never what it says.

    One JSON object and nothing beside it but one code fence around it; keys once, numbers finite, no unknown key.
    """
    if len(text) > MAX_ANSWER:
        raise AgentFailed(f"the model's answer is longer than {MAX_ANSWER} characters")
    bare = text.strip().removeprefix("\ufeff")
    fenced = _FENCED.fullmatch(bare)
    try:
        raw: Any = json.loads(
            bare if fenced is None else fenced[1],
            object_pairs_hook=_once,
            parse_constant=_not_finite,
            parse_float=_finite,
        )
    except (ValueError, RecursionError):
        raise AgentFailed("the model's answer is no JSON object with each key once") from None
    if not isinstance(raw, dict):
        raise AgentFailed("the model's answer is no JSON object")
    try:
        return contract.model_validate_json(json.dumps(raw), strict=True)
    except (ValidationError, ValueError) as error:
        places = _places(error) if isinstance(error, ValidationError) else "its characters"
        raise AgentFailed(f"the model's answer is not of its contract: {places}") from None


def answer_schema(contract: type[Contract]) -> str:
    """The JSON Schema of an answer as the instructions show it."""
    return json.dumps(contract.model_json_schema(), ensure_ascii=False, sort_keys=True)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        raise ValueError("a key twice")
    return held


def _not_finite(name: str) -> float:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value


def _places(error: ValidationError) -> str:
    """Where the contract is broken: our own fields and positions, never a name that the model made up."""
    found = {
        ".".join(str(part) if isinstance(part, int) else part for part in fault["loc"])
        for fault in error.errors(include_input=False, include_context=False, include_url=False)
        if fault["type"] != "extra_forbidden"
    }
    return ", ".join(sorted(found)[:5])[:200] or "a key that it does not have"
