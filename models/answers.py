"""Answers to what a draft said must still be confirmed: which topic a message answers, and for how long that holds.

Why it is so: an answer is given for the quote as it stood; when a confirmed value changes, the same question is open
again. A customer's words are no answer, whoever passes them on, so without an explicit mark only a typed sentence is
taken that says itself that the one who was asked confirms a value.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

from models.contract import content_hash
from models.errors import InvalidInput
from models.folding import fold, folded_pattern
from models.instructions import is_instruction
from models.policies import Policy
from models.tasks import TaskState
from models.topics import topic_spans, value_kind
from models.values import durations_in, measures_in, money_in, quantities_in

TOTAL = "total_"
MAX_ANSWERS = 10
MAX_TYPED = 500
_TOPIC = re.compile(r"[a-z][a-z0-9_]{0,39}")
_VALUES: Any = {"duration": durations_in, "money": money_in, "number": quantities_in, "measure": measures_in}
_ASKED = folded_pattern(
    r"\b(?:engineering|engineers?|production|manufacturing|planning|quality)\b"
    r"|工程(?:部|师|课|单位)?|生产(?:部|管理)?|生管|制造部|技术(?:部|课)?|品保|品管|生産管理|製造部|技術部|品質保証"
    r"|\b(?:konstruktion|fertigung|technik|arbeitsvorbereitung|qualitätssicherung)\b"
)
_CONFIRMS = folded_pattern(
    r"\b(?:confirm(?:s|ed)?|answer(?:s|ed)?|repl(?:y|ies|ied)|states?|stated)\b"
    r"|确认|答复|回复|回覆|评估(?:为|结果)|回答|確認しました|確認済"
    r"|\b(?:bestätigt|bestätigte|antwortet|antwortete)\b"
)
_NO_ANSWER = folded_pattern(
    r"[?？]|吗|呢|か。|\b(?:customers?|clients?|wants?|wish\w*|hopes?|requests?|requested|asks?|asked|needs?|please|could"
    r"|can|will|would|should|not|no|yet|pending|until|if)\b"
    r"|客户|客人|顾客|希望|要求|请|需要|是否|未|尚|待|如果|不|お客|ご?希望|お願い"
    r"|\b(?:kunden?|wünscht|möchte|bitte|nicht|kein\w*|noch|falls|wenn)\b"
)


def check_topics(given: Sequence[str]) -> tuple[str, ...]:
    """The topics that a person says a message answers, each once; InvalidInput for more than ten or one out of form."""
    if len(given) > MAX_ANSWERS or not all(_TOPIC.fullmatch(one) for one in given):
        raise InvalidInput(f"an answer names at most {MAX_ANSWERS} topics such as lead_time")
    return tuple(dict.fromkeys(given))


def asked_topic(topic: str, asked: Collection[str]) -> str | None:
    """The topic of `asked` that `topic` means, such as the total lead time by `lead_time`; None when nobody asked."""
    return next((one for one in (topic, f"{TOTAL}{topic}") if one in asked), None)


def typed_answers(text: str, asked: Sequence[str], policy: Policy) -> tuple[str, ...]:
    """The asked topics that a typed text answers by its own words: who was asked confirms a value."""
    if len(text) > MAX_TYPED or is_instruction(text, from_customer=True):
        return ()
    folded = fold(text)
    if _NO_ANSWER.search(folded) or not (_ASKED.search(folded) and _CONFIRMS.search(folded)):
        return ()
    return tuple(topic for topic in asked if answers_topic(text, topic, policy) and _names(text, topic, policy))


def answers_topic(text: str, topic: str, policy: Policy) -> bool:
    """Whether a sentence of an answer says something of `topic`: its value, or, for a mere statement, its name."""
    kind = value_kind(topic.removeprefix(TOTAL))
    return bool(_VALUES[kind](text)) if kind in _VALUES else _names(text, topic, policy)


def fields_hash(state: TaskState) -> str:
    """What an answer was given for: the confirmed values of the task and of its lines."""
    lines = [[one.line, one.status, {name: held.value for name, held in one.confirmed.items()}] for one in state.lines]
    return content_hash([{name: held.value for name, held in state.confirmed.items()}, lines])


def _names(text: str, topic: str, policy: Policy) -> bool:
    return bool(topic_spans(text, topic.removeprefix(TOTAL), policy))
