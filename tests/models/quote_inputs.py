"""Inputs of the analysis made from texts as retrieval would make them: each sentence one piece of evidence."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from models.canonical import Segment, locate
from models.chunking import sentences
from models.contract import text_hash
from models.drafts import RunMetadata
from models.evidence import Checks, Evidence, EvidenceKind
from models.fields import FIELD_NAMES, FieldName
from models.ids import EvidenceId, Subject, TaskId
from models.memory import MemoryInput
from models.policies import Policy
from models.review import OriginalKey
from models.tasks import ConfirmedValue, FieldSource

NOW = datetime(2026, 5, 1, tzinfo=UTC)
METADATA = RunMetadata(
    prompts=(), embedding_model="none", dimension=1, chunker_version="c", index_version="i", policy_version=1
)
_PASSED = Checks(version=True, permission=True, validity=True, hash=True, span=True)


def quote_input(line: Mapping[str, Any]) -> MemoryInput:
    """The input that a golden line describes."""
    evidence = [
        *(piece for told in line["documents"] for piece in document_pieces(told)),
        *(
            piece
            for index, text in enumerate(line["messages"])
            for piece in _pieces(f"m-{index}", 1, "message", "request", text)
        ),
    ]
    confirmed: dict[FieldName, ConfirmedValue] = {
        field: _confirmed(line["confirmed"][field], line["messages"])
        for field in FIELD_NAMES
        if field in line["confirmed"]
    }
    return MemoryInput(
        task_id=TaskId("Q"),
        state_revision=3,
        decision_version=1,
        confirmed=confirmed,
        replaced=(),
        policy=Policy(required_topics=tuple(line["topics"])),
        evidence=tuple(evidence),
    )


def originals(line: Mapping[str, Any]) -> dict[OriginalKey, str]:
    """The texts that a reviewer reads again."""
    found: dict[OriginalKey, str] = {
        ("document", told["id"], told["version"]): told["text"] for told in line["documents"]
    }
    for index, text in enumerate(line["messages"]):
        found["message", f"m-{index}", 1] = text
    return found


def document_pieces(told: Mapping[str, Any]) -> Iterable[Evidence]:
    """The sentences of a document, each with the heading above it."""
    return _pieces(told["id"], told["version"], told["kind"], told["title"], told["text"])


def _pieces(name: str, version: int, kind: EvidenceKind, title: str, text: str) -> Iterable[Evidence]:
    segments = _segments(text)
    for start, end in sentences(text):
        quote = text[start:end]
        yield Evidence(
            evidence_id=EvidenceId(f"E1-{name}-{version}-{start}"),
            source="message" if kind == "message" else "document",
            document_id=name,
            version=version,
            kind=kind,
            title=title,
            quote=quote,
            locator=locate(segments, start, end),
            content_hash=text_hash(text),
            span_hash=text_hash(quote),
            effective_from=None,
            effective_to=None,
            index_version=None,
            checks=_PASSED,
        )


def _segments(text: str) -> Sequence[Segment]:
    """A segment a line, with the Markdown heading above it."""
    segments: list[Segment] = []
    heading: str | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        if line.startswith("#"):
            heading = line.strip("# \n")
        segments.append(Segment(char_start=at, char_end=at + len(line), heading=heading))
        at += len(line)
    return segments


def _confirmed(value: Any, messages: Sequence[str]) -> ConfirmedValue:
    """Read from the last message, where a request for inspection usually stands."""
    last = len(messages) - 1
    source = FieldSource(
        message_id=f"m-{last}",
        author=Subject("sales-1"),
        confirmed_by="extraction",
        char_start=0,
        char_end=max(1, len(messages[last])),
    )
    return ConfirmedValue(value=value, source=source)
