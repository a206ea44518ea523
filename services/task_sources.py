"""Which source holds where sources contradict each other: a person's choice, as long as it is about the same text.

Why it is so: a choice is no rule. It is void for good as soon as its version changes, ends, is withdrawn or is out of
the starter's reach; what comes then is asked of a person again.
"""

from models.errors import Conflict, InvalidInput, Refused
from models.ids import Subject
from models.source_choices import NamedSource, SourceChoice
from models.tasks import Block
from services.audit import audit_append, audit_object
from store.checkpoint import task_evidence_list
from store.pool import TenantTransaction
from store.source_choice import source_choice_list, source_choice_void, source_version_fetch
from store.task import TaskRow


async def standing_choices(tx: TenantTransaction, row: TaskRow) -> tuple[SourceChoice, ...]:
    """The choices that hold for the task now; those that do not any more are voided, with an audit row each."""
    task_id = row.state.task_id
    standing: list[SourceChoice] = []
    for choice, failed in await source_choice_list(tx, task_id, row.starter):
        if failed is None:
            standing.append(choice)
            continue
        await source_choice_void(tx, task_id, choice.topic, failed)
        detail = choice.model_dump(mode="json", include={"topic", "document_id", "version", "content_hash"})
        await audit_append(tx, "workflow", "source_choice_voided", audit_object("task", task_id), detail)
    return tuple(standing)


async def chosen_source(
    tx: TenantTransaction, row: TaskRow, block: Block, actor: Subject, source: NamedSource
) -> SourceChoice:
    """The choice of `source` for this block by `actor`, bound to the text that the task's evidence was taken from.

    Raises InvalidInput for what is no side of this contradiction, Refused for a source that the actor may not read,
    Conflict for one that changed or ended since.
    """
    sides = [side for side in block.conflict if side.topic == source.topic]
    known = dict.fromkeys((side.document_id, side.version) for side in sides)
    if not sides:
        topics = ", ".join(dict.fromkeys(side.topic for side in block.conflict if side.topic))
        raise InvalidInput(f"nothing contradicts itself on {source.topic[:40]!r}: the topics are {topics}")
    if (source.document_id, source.version) not in known:
        named = ", ".join(f"{document_id} v{version}" for document_id, version in sorted(known))
        raise InvalidInput(f"that is no side of this contradiction on {source.topic}: choose one of {named}")
    shown = [
        side.evidence_id for side in sides if (side.document_id, side.version) == (source.document_id, source.version)
    ]
    evidence = await task_evidence_list(tx, row.state.task_id, shown)
    held = await source_version_fetch(tx, actor, source.document_id, source.version)
    if held is None or not held.is_readable:
        raise Refused("you may not read this source: somebody who may has to choose it")
    if not held.is_in_force or {one.content_hash for one in evidence} != {held.content_hash}:
        raise Conflict(f"{source.document_id} v{source.version} is no longer what was shown: retry the task")
    return SourceChoice(
        topic=source.topic,
        document_id=source.document_id,
        version=source.version,
        content_hash=held.content_hash,
        chosen_by=actor,
        chosen_at=await tx.now(),
        sides=tuple(known),
    )
