"""Measures retrieval on a labelled corpus, through the product's own ingestion, index and search."""

import asyncio
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from models.contract import content_hash
from models.errors import InvalidInput, UnreadableDocument
from models.evidence import Evidence
from models.ids import DocumentId, TenantId, parse_tenant_id
from models.principals import Principal
from models.ranking import Candidate
from models.retrieval import MAX_HITS, RetrievalScope
from models.retrieval_figures import CHANNELS, Answer, Channel, ChannelFigures, RetrievalFigures, channel_figures
from services.documents import (
    document_add,
    document_approve,
    document_publish,
    document_submit,
    original_bytes_read,
)
from services.parsing import ParseLimits, parse_document
from services.ports import Embedder
from services.principals import principal_add, resolve_principal
from services.retrieval import rank_in_scope, read_hits
from services.tenants import tenant_add
from store.pool import Store

# Told the name of the phase, what is done of it and how much it is in all.
Progress = Callable[[str, int, int], None]

_GROUP = "evaluation"
_LOOKED_AT = 20
_READ_BACK = 10
_AT_ONCE = 2
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._-]+")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class CorpusLine(_Line):
    """One document of the corpus."""

    doc_id: str
    title: str = ""
    text: str
    lang: str = ""


class GoldSpan(_Line):
    """Where a right answer stands."""

    doc_id: str
    start: int
    end: int
    text: str


class QueryLine(_Line):
    """One question with the places of its right answers."""

    qid: str
    query: str
    lang: str = ""
    gold: tuple[GoldSpan, ...]


_LineT = TypeVar("_LineT", bound=_Line)


@dataclass
class _Collected:
    answers: dict[Channel, list[Answer]] = field(default_factory=lambda: {channel: [] for channel in CHANNELS})
    evidence: list[Evidence] = field(default_factory=list[Evidence])


async def evaluate_retrieval(
    store: Store,
    embedder: Embedder,
    *,
    corpus: Path,
    queries: Path,
    limit: int | None = None,
    progress: Progress | None = None,
) -> RetrievalFigures:
    """The figures of the first `limit` queries (all when None) over the whole corpus.

    The corpus becomes published documents of a tenant of its own, named after the file's content; a second run on the
    same stack finds them there and embeds nothing again. Channels are judged by the order of their documents; `fused`
    is what a search gives, verification included.

    Raises InvalidInput naming the first line that has not the form, and what ingestion and search raise.
    """
    tell = progress or _silent
    documents, asked = read_lines(corpus, CorpusLine), read_lines(queries, QueryLine)[:limit]
    tenant_id = parse_tenant_id(f"eval-{content_hash([one.model_dump() for one in documents])[:16]}")
    maker, checker, reader = await _people(store, tenant_id)
    for done, document in enumerate(documents):
        tell("documents", done, len(documents))
        await _ingest(store, embedder, maker, checker, document)
    tell("documents", len(documents), len(documents))
    scope = RetrievalScope(tenant_id=tenant_id, subject=reader.subject)
    collected = _Collected()
    for done, query in enumerate(asked):
        tell("queries", done, len(asked))
        await _ask(store, embedder, scope, query, collected)
    tell("queries", len(asked), len(asked))
    share = await _read_back(store, reader, collected.evidence, tell)
    channels: dict[Channel, ChannelFigures] = {
        channel: channel_figures(answers) for channel, answers in collected.answers.items()
    }
    return RetrievalFigures(documents=len(documents), queries=len(asked), channels=channels, locators_read_back=share)


def read_lines(path: Path, form: type[_LineT]) -> tuple[_LineT, ...]:
    """The lines of a JSONL file, or InvalidInput naming the first that has not the form."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # other line ends may stand inside a JSON string
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {str(path)!r} as UTF-8 text: {type(error).__name__}") from error
    parsed = tuple(_read_line(line, number, form) for number, line in enumerate(lines, start=1) if line.strip())
    if not parsed:
        raise InvalidInput(f"{str(path)!r} is empty: give one JSON object a line")
    return parsed


def document_id_of(doc_id: str) -> DocumentId:
    """A valid document id for any id of a corpus; different ones stay different."""
    plain = _NOT_IN_AN_ID.sub("-", doc_id)
    if plain == doc_id and len(doc_id) <= 64 and doc_id.strip("."):
        return DocumentId(doc_id)
    return DocumentId(f"{plain[:50]}.{hashlib.sha256(doc_id.encode()).hexdigest()[:12]}")


def _read_line(line: str, number: int, form: type[_LineT]) -> _LineT:
    try:
        return form.model_validate(json.loads(line))
    except (json.JSONDecodeError, ValidationError) as error:
        raise InvalidInput(f"line {number} is no {form.__name__}: it needs {', '.join(form.model_fields)}") from error


async def _people(store: Store, tenant_id: TenantId) -> tuple[Principal, Principal, Principal]:
    await tenant_add(store, tenant_id, operator="evaluation-operator")
    operator = await resolve_principal(store, tenant_id, "evaluation-operator")
    people: list[Principal] = []
    for name in ("maker", "checker"):
        people.append(
            await principal_add(store, operator, f"evaluation-{name}", roles=["knowledge_owner"], groups=[_GROUP])
        )
    reader = await principal_add(store, operator, "evaluation-reader", roles=["requester"], groups=[_GROUP])
    return people[0], people[1], reader


async def _ingest(store: Store, embedder: Embedder, maker: Principal, checker: Principal, line: CorpusLine) -> None:
    document_id = document_id_of(line.doc_id)
    held = await document_add(
        store,
        maker,
        document_id=document_id,
        kind="formal_fact",
        title=line.title.strip() or document_id,
        acl=[_GROUP],
        data=line.text.encode("utf-8", "replace"),
        file_name=f"{document_id}.txt",
        version=1,
    )
    if held.status == "draft":
        held = await document_submit(store, maker, document_id, 1)
    if held.status == "submitted":
        held = await document_approve(store, checker, document_id, 1)
    if held.status == "approved":
        await document_publish(store, maker, document_id, 1, embedder=embedder)


async def _ask(
    store: Store, embedder: Embedder, scope: RetrievalScope, query: QueryLine, collected: _Collected
) -> None:
    gold = frozenset(str(document_id_of(span.doc_id)) for span in query.gold)
    began = time.perf_counter()
    async with store.tenant_transaction(scope.tenant_id) as tx:
        ranking = await rank_in_scope(tx, embedder, scope, query.query)
        hits = await read_hits(tx, ranking, k=min(_LOOKED_AT, MAX_HITS))
    whole = time.perf_counter() - began
    named = {one.chunk_id: one for one in ranking.fused}
    orders: Mapping[Channel, Sequence[int]] = {
        "exact": ranking.exact,
        "keyword": ranking.keyword,
        "vector": ranking.vector,
    }
    for channel, order in orders.items():
        documents = _documents(named[chunk_id] for chunk_id in order if chunk_id in named)
        collected.answers[channel].append(Answer(documents, gold, ranking.seconds.get(channel, 0.0)))
    evidence = [hit.evidence for hit in hits]
    documents = tuple(dict.fromkeys(one.document_id for one in evidence))
    collected.answers["fused"].append(Answer(documents, gold, whole))
    collected.evidence.extend(evidence[:_READ_BACK])


def _documents(order: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.document_id for one in order))


async def _read_back(store: Store, reader: Principal, results: Sequence[Evidence], tell: Progress) -> float:
    """The share of results whose quote stands at its place in the text that another process reads from the bytes."""
    by_original: dict[tuple[str, int], list[Evidence]] = {}
    for one in results:
        by_original.setdefault((one.document_id, one.version), []).append(one)
    waiting = list(by_original)
    found = 0
    for start in range(0, len(waiting), _AT_ONCE):
        tell("locators", start, len(waiting))
        part = waiting[start : start + _AT_ONCE]
        texts = await asyncio.gather(*(_read_anew(store, reader, *original) for original in part))
        for original, text in zip(part, texts, strict=True):
            found += sum(
                text[one.locator.char_start : one.locator.char_end] == one.quote for one in by_original[original]
            )
    tell("locators", len(waiting), len(waiting))
    return round(found / len(results), 4) if results else 0.0


async def _read_anew(store: Store, reader: Principal, document_id: str, version: int) -> str:
    async with store.tenant_transaction(reader.tenant_id) as tx:
        data = await original_bytes_read(tx, document_id, version, reader)
    try:
        parsed = await parse_document(data, file_name=f"{document_id}.txt", declared_type=None, limits=ParseLimits())
    except UnreadableDocument:
        return ""
    return parsed.text


def _silent(_phase: str, _done: int, _total: int) -> None:
    """Nobody wants to know."""
