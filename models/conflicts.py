"""Which statements hold for a task, which of them contradict each other, and which topic has none.

A statement for the task's own part beats a general one; two that are equally near and state different values contradict
each other. A base and an addition never do, nor do a rush order and a standard one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from models.folding import fold
from models.instructions import is_instruction
from models.limits import Limits, limits_of
from models.line_inputs import whole_inputs
from models.memory import MemoryInput
from models.scopes import TaskScope, task_scope
from models.source_choices import SourceChoice
from models.statements import Statement, read_statements
from models.tasks import ConflictSide
from models.topics import topics_in, value_kind

MAX_SIDES = 10
MAX_MESSAGE = 2000
MAX_SAID = 50_000


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that analysis and draft read from one input: the task's scope, what is wanted, what holds."""

    task: TaskScope
    required: tuple[str, ...]
    wanted: tuple[str, ...]
    holding: tuple[Statement, ...]
    settled: tuple[SourceChoice, ...] = ()
    settled_sides: tuple[ConflictSide, ...] = ()


def read_input(memory_input: MemoryInput) -> Reading:
    """The statements of this retrieval that hold for the task, and the topics that its draft must or may speak of."""
    said = "\n".join(
        one.quote[:MAX_MESSAGE]
        for one in memory_input.evidence
        if one.kind == "message" and not is_instruction(one.quote, from_customer=True)
    )[:MAX_SAID]
    task = task_scope(memory_input.confirmed, said)
    policy = memory_input.policy
    asked = topics_in(said, policy) - {"special_inspection"}
    implied = {"special_inspection"} if task.inspection else set[str]()
    implied |= {"surface_treatment"} if task.treatment not in {None, "none"} else set()
    implied |= {"tolerance"} if "tolerance" in memory_input.confirmed else set()
    wanted = dict.fromkeys((*policy.required_topics, *sorted(implied), *sorted(asked)))
    statements = read_statements(memory_input.evidence, task, policy)
    holding = tuple(one for one in statements if one.holds_for(task))
    return _settled(Reading(task, policy.required_topics, tuple(wanted), holding), memory_input.choices)


def _settled(reading: Reading, choices: Sequence[SourceChoice]) -> Reading:
    """The reading with those choices that settle a contradiction of it."""
    sides = {one.topic: _sides_on(reading, one.topic) for one in choices}
    made = tuple(one for one in choices if one.settles(sides[one.topic]))
    listed = tuple(side for one in made for side in sides[one.topic])
    return replace(reading, settled=made, settled_sides=listed)


def settled_by(reading: Reading, topic: str) -> tuple[Statement, ...]:
    """The statements that settle `topic`, the nearest to the task alone within each class of product."""
    found = [one for one in reading.holding if one.settles(topic) and not _is_rejected(one, reading, topic)]
    found = [one for one in found if not one.dated] or found
    return tuple(one for one in found if not any(_beats(other, one) for other in found))


def additions_to(reading: Reading, topic: str) -> tuple[Statement, ...]:
    """The additions (a treatment, an inspection) to `topic` whose condition is confirmed for the task."""
    return tuple(
        one
        for one in reading.holding
        if one.surcharge
        and topic in one.topics
        and one.scope.kinds
        and one.values_of(topic)
        and not _is_rejected(one, reading, topic)
    )


def _is_rejected(one: Statement, reading: Reading, topic: str) -> bool:
    """Whether a person chose another source than this one where the two contradict each other."""
    piece = one.evidence
    return any(
        choice.topic == topic
        and choice.source != (piece.document_id, piece.version)
        and any(
            (side.topic, side.document_id, side.version, fold(side.quote))
            == (topic, piece.document_id, piece.version, fold(one.text))
            for side in reading.settled_sides
        )
        for choice in reading.settled
    )


def missing_topics(memory_input: MemoryInput) -> tuple[str, ...]:
    """The required topics of which no current formal fact states what holds for the task."""
    found = (topic for one in whole_inputs(memory_input) for topic in topics_missing(read_input(one)))
    return tuple(dict.fromkeys(found))


def conflict_sides(memory_input: MemoryInput) -> tuple[ConflictSide, ...]:
    """Both sides of every contradiction on a wanted topic; empty when the sources agree."""
    found = (side for one in whole_inputs(memory_input) for side in sides_of(read_input(one)))
    return tuple(dict.fromkeys(found))[:MAX_SIDES]


def topics_missing(reading: Reading) -> tuple[str, ...]:
    """As missing_topics, of an input that was read already."""
    return tuple(topic for topic in reading.required if not _answered(reading, topic))


def sides_of(reading: Reading) -> tuple[ConflictSide, ...]:
    """As conflict_sides, of an input that was read already."""
    return tuple(side for topic in reading.wanted for side in _sides_on(reading, topic))[:MAX_SIDES]


def shown_sides(reading: Reading) -> tuple[ConflictSide, ...]:
    """The sides of every contradiction, also of one that a person settled."""
    return tuple(dict.fromkeys((*reading.settled_sides, *sides_of(reading))))[:MAX_SIDES]


def _sides_on(reading: Reading, topic: str) -> tuple[ConflictSide, ...]:
    sides: dict[tuple[str, int, str], ConflictSide] = {}
    for group in _groups(reading, topic):
        for one in _contradicting(group, topic, required=topic in reading.required):
            side = ConflictSide(
                document_id=one.evidence.document_id,
                version=one.evidence.version,
                quote=one.text,
                evidence_id=one.evidence.evidence_id,
                topic=topic,
            )
            sides.setdefault((side.document_id, side.version, fold(side.quote)), side)
    return tuple(sides.values())


def _answered(reading: Reading, topic: str) -> bool:
    if topic != "special_inspection":
        return bool(settled_by(reading, topic))
    return not reading.task.inspection or any(topic in one.topics for one in reading.holding)


def _beats(one: Statement, other: Statement) -> bool:
    return one.scope.classes == other.scope.classes and one.scope.kinds > other.scope.kinds


def _groups(reading: Reading, topic: str) -> Iterable[Sequence[Statement]]:
    """Statements that may contradict each other: of one class of product, of one kind of addition."""
    grouped: dict[object, list[Statement]] = {}
    for one in settled_by(reading, topic):
        grouped.setdefault(("base", one.scope.classes), []).append(one)
    for one in additions_to(reading, topic):
        key = ("addition", one.scope.classes, one.scope.treatments, one.scope.inspection)
        grouped.setdefault(key, []).append(one)
    return grouped.values()


def _contradicting(group: Sequence[Statement], topic: str, *, required: bool) -> Sequence[Statement]:
    """All of a group that does not agree; a topic that is only asked about must differ between documents."""
    if value_kind(topic) == "statement":
        return ()
    clash = any(
        _differ(_limits(one, topic), _limits(other, topic))
        and (required or one.evidence.document_id != other.evidence.document_id)
        for index, one in enumerate(group)
        for other in group[index + 1 :]
    )
    return group if clash else ()


def _limits(statement: Statement, topic: str) -> list[Limits]:
    return [limits_of(statement.text, value) for value in statement.values_of(topic)]


def _differ(left: Sequence[Limits], right: Sequence[Limits]) -> bool:
    """Whether no value of one can be a value of the other; a range or a limit agrees with an amount inside it."""
    return not any(one.agrees_with(other) for one in left for other in right)
