"""Evidence of a task: cut into sentences where it was found, and read again from its original whenever it counts."""

from collections.abc import Iterable, Sequence

from models.canonical import Segment, locate
from models.chunking import sentences
from models.contract import content_hash, text_hash
from models.drafts import Draft
from models.evidence import Checks, Evidence
from models.ids import EvidenceId, TaskId
from services.retrieval import evidence_checks
from store.message import MessageRow, message_fetch
from store.pool import TenantTransaction


def sentence_evidence(chunk: Evidence, pass_: int, segments: Sequence[Segment] = ()) -> list[Evidence]:
    """Each sentence of verified document evidence with its own place, hash and id; `segments` address parts of it.

    The id holds the pass, so evidence of another retrieval never passes for evidence of this one.
    """
    base = chunk.locator
    found: list[Evidence] = []
    for start, end in sentences(chunk.quote):
        quote = chunk.quote[start:end]
        span = {"char_start": base.char_start + start, "char_end": base.char_start + end}
        place = locate(segments, **span) if segments else base.model_copy(update=span)
        key = [chunk.document_id, chunk.version, chunk.content_hash, place.char_start, place.char_end]
        found.append(
            chunk.model_copy(
                update={
                    "evidence_id": _evidence_id(pass_, key),
                    "quote": quote,
                    "locator": place,
                    "span_hash": text_hash(quote),
                }
            )
        )
    return found


def message_evidence(messages: Iterable[MessageRow], pass_: int) -> list[Evidence]:
    """Each sentence of the task's own messages: citable by this task alone."""
    return [one for message in messages for one in _sentences_of(message, pass_)]


async def checks_now(tx: TenantTransaction, task_id: TaskId, subject: str, evidence: Evidence) -> Checks:
    """The checks of `evidence`, made again from its original now and for the rights of `subject`."""
    if evidence.source == "document":
        return await evidence_checks(tx, subject=subject, evidence=evidence)
    message = await message_fetch(tx, task_id, evidence.document_id)
    if message is None:
        return Checks(version=False, permission=False, validity=False, hash=False, span=False)
    quote = message.text[evidence.locator.char_start : evidence.locator.char_end]
    return Checks(
        version=evidence.version == 1,
        permission=True,
        validity=True,
        hash=text_hash(message.text) == message.content_hash == evidence.content_hash,
        span=quote == evidence.quote and text_hash(quote) == evidence.span_hash,
    )


async def failed_evidence(
    tx: TenantTransaction, task_id: TaskId, subject: str, evidence: Sequence[Evidence]
) -> list[tuple[Evidence, Checks]]:
    """Which of `evidence` does not hold now for `subject`, with the checks that tell why."""
    checked = [(one, await checks_now(tx, task_id, subject, one)) for one in evidence]
    return [(one, checks) for one, checks in checked if not checks.passed]


def cited_evidence(draft: Draft) -> tuple[Evidence, ...]:
    """What the draft shows as its grounds or for comparison, each piece once."""
    cited = {evidence_id for claim in draft.claims for evidence_id in claim.evidence_ids}
    cited.update(evidence_id for item in draft.awaiting_confirmation for evidence_id in item.evidence_ids)
    cited.update(item.evidence_id for item in draft.history)
    cited.update(side.evidence_id for side in draft.conflicts)
    return tuple(one for one in draft.evidence if one.evidence_id in cited)


def _sentences_of(message: MessageRow, pass_: int) -> Iterable[Evidence]:
    for start, end in sentences(message.text):
        quote = message.text[start:end]
        yield Evidence(
            evidence_id=_evidence_id(pass_, [message.message_id, message.content_hash, start, end]),
            source="message",
            document_id=message.message_id,
            version=1,
            kind="message",
            title=message.file_name or message.kind,
            quote=quote,
            locator=locate(message.segments, start, end),
            content_hash=message.content_hash,
            span_hash=text_hash(quote),
            effective_from=None,
            effective_to=None,
            index_version=None,
            checks=Checks(
                version=True,
                permission=True,
                validity=True,
                hash=text_hash(message.text) == message.content_hash,
                span=True,
            ),
        )


def _evidence_id(pass_: int, place: Sequence[object]) -> EvidenceId:
    return EvidenceId(f"E{pass_}-{content_hash(list(place))[:20]}")
