"""A person's choice between sources that contradict each other, and for which contradiction it holds.

Why it is so: who chooses saw certain sides, in a certain text. Another side that comes later was not weighed, and a
changed text is another source; in both cases a person is asked again rather than an old choice stretched.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from models.contract import Contract
from models.ids import Subject
from models.tasks import Block, ConflictSide, TakeoverChoice


class NamedSource(Contract):
    """A version of a document as the source for one topic, as a person names it."""

    topic: str
    document_id: str
    version: int


class SourceChoice(Contract):
    """A source chosen for one topic: of this text of the version, among `sides` (document, version)."""

    topic: str
    document_id: str
    version: int
    content_hash: str
    chosen_by: Subject
    chosen_at: datetime
    sides: tuple[tuple[str, int], ...]

    @property
    def source(self) -> tuple[str, int]:
        """Document and version."""
        return self.document_id, self.version

    def settles(self, sides: Iterable[ConflictSide]) -> bool:
        """Whether a contradiction between `sides` is one that this choice was made about."""
        sources = sources_of(sides)
        return self.source in sources and sources <= set(self.sides)


def sources_of(sides: Iterable[ConflictSide]) -> set[tuple[str, int]]:
    """The documents and versions that contradict each other."""
    return {(one.document_id, one.version) for one in sides}


def disputed_topics(sides: Sequence[ConflictSide]) -> tuple[str, ...]:
    """The topics on which different sources contradict each other, so that one of them can be chosen."""
    topics = dict.fromkeys(one.topic for one in sides if one.topic)
    return tuple(topic for topic in topics if len(sources_of(one for one in sides if one.topic == topic)) > 1)


def conflict_block(sides: Sequence[ConflictSide]) -> Block:
    """The block of a task whose sources contradict each other; a source can be chosen where there are two."""
    choices: tuple[TakeoverChoice, ...] = ("retry", "provide", "abandon")
    if disputed_topics(sides):
        choices = ("retry", "provide", "choose_source", "abandon")
    detail = ", ".join(f"{document_id} v{version}" for document_id, version in sorted(sources_of(sides)))
    return Block(reason="source_conflict", detail=detail, conflict=tuple(sides), choices=choices)
