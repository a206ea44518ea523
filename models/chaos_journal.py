"""The journal of a chaos run: what was asked of Proofdesk and what came back, written outside the killed processes.

Why it is so: only whoever asked knows what was acknowledged. The journal is appended line by line and never changed; a
line `sent` without a line `answered` is an operation of which nobody knows what became of it.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from models.contract import Contract
from models.errors import InvalidInput
from models.fields import FieldName, FieldValue
from models.ids import Subject, TaskId

OperationKind = Literal["start", "supplement", "approve", "reject", "request_changes", "cancel"]
# refused: a typed answer that nothing was done; failed: a typed error that leaves it open; unknown: no answer at all.
Answer = Literal["acknowledged", "refused", "failed", "unknown"]
_STRENGTH: tuple[Answer, ...] = ("unknown", "failed", "refused", "acknowledged")


class Sent(Contract):
    """An operation on its way; one that is tried again is sent again under the same id."""

    line: Literal["sent"] = "sent"
    operation_id: str
    kind: OperationKind
    task_id: TaskId
    actor: Subject
    arguments_hash: str
    text_hash: str | None = None
    decision_version: int | None = None
    confirmations: dict[FieldName, FieldValue] = Field(default_factory=dict[FieldName, FieldValue])
    at: float


class Answered(Contract):
    """What came back: `code` of an error, `reference` of the row that an acknowledged operation made."""

    line: Literal["answered"] = "answered"
    operation_id: str
    answer: Answer
    code: str = ""
    reference: str = ""
    at: float


class Seen(Contract):
    """What a person was shown of a task at some moment."""

    line: Literal["seen"] = "seen"
    task_id: TaskId
    revision: int
    confirmed: dict[FieldName, FieldValue]
    at: float


class Struck(Contract):
    """What the harness did to the servers."""

    line: Literal["struck"] = "struck"
    what: str
    at: float


JournalLine = Annotated[Sent | Answered | Seen | Struck, Field(discriminator="line")]
_LINES: TypeAdapter[JournalLine] = TypeAdapter(JournalLine)


class Operation(Contract):
    """One operation with the strongest answer that any of its attempts got."""

    sent: Sent
    attempts: int
    answer: Answer
    code: str = ""
    references: tuple[str, ...] = ()
    answered_at: float | None = None

    @property
    def act(self) -> tuple[str, ...]:
        """What makes two operations the same act: asked twice, it may happen once. One cancel is like another."""
        sent = self.sent
        if sent.kind == "cancel":
            return (sent.task_id, sent.kind)
        return (sent.task_id, sent.kind, sent.actor, sent.arguments_hash)


class Journal(Contract):
    """A whole journal: operations in the order in which they were first sent."""

    operations: tuple[Operation, ...]
    sights: tuple[Seen, ...] = ()
    strikes: tuple[Struck, ...] = ()


def parse_journal(lines: Iterable[str]) -> Journal:
    """The journal of these lines; a last line that a crash cut off is no line. InvalidInput for any other fault."""
    parsed: list[JournalLine] = []
    texts = [line for line in lines if line.strip()]
    for number, text in enumerate(texts):
        try:
            parsed.append(_LINES.validate_json(text))
        except ValueError:
            if number + 1 == len(texts) and not text.endswith("\n"):
                break
            raise InvalidInput(f"line {number + 1} is none of a journal: use a file that a chaos run wrote") from None
    return folded(parsed)


def folded(lines: Sequence[JournalLine]) -> Journal:
    """The lines of each operation together. InvalidInput for an answer to something that was never sent."""
    attempts: dict[str, list[Sent]] = {}
    answers: dict[str, list[Answered]] = {}
    for line in lines:
        if isinstance(line, Sent):
            attempts.setdefault(line.operation_id, []).append(line)
        elif isinstance(line, Answered):
            if line.operation_id not in attempts:
                raise InvalidInput(f"operation {line.operation_id[:40]!r} was answered and never sent")
            answers.setdefault(line.operation_id, []).append(line)
    return Journal(
        operations=tuple(_operation(sent, answers.get(name, [])) for name, sent in attempts.items()),
        sights=tuple(line for line in lines if isinstance(line, Seen)),
        strikes=tuple(line for line in lines if isinstance(line, Struck)),
    )


def _operation(sent: Sequence[Sent], answers: Sequence[Answered]) -> Operation:
    # An attempt without an answer may have had its effect: a later refusal ("decided already") does not undo that.
    is_open = len(answers) < len(sent) or any(one.answer in ("unknown", "failed") for one in answers)
    strongest = max(answers, key=lambda one: _STRENGTH.index(one.answer), default=None)
    if strongest is None or (strongest.answer == "refused" and is_open):
        return Operation(sent=sent[0], attempts=len(sent), answer="unknown")
    return Operation(
        sent=sent[0],
        attempts=len(sent),
        answer=strongest.answer,
        code=strongest.code,
        references=tuple({one.reference: None for one in answers if one.reference}),
        answered_at=strongest.at,
    )
