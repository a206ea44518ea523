"""`draft@1`: the internal quote preparation that a person decides on, identified by its content hash."""

from typing import Literal

from pydantic import Field

from models.contract import Contract, content_hash, is_empty
from models.evidence import Evidence
from models.fields import FieldName
from models.ids import EvidenceId, TaskId, TenantId
from models.memory import Claim
from models.source_choices import SourceChoice
from models.tasks import ConfirmedValue, ConflictSide, TopicAnswer

Flag = Literal["instruction_in_document", "hidden_text"]


class DraftField(Contract):
    """A confirmed field as the draft shows it."""

    field: FieldName
    value: ConfirmedValue


class DraftLine(Contract):
    """A line of an RFQ of several as the draft lists it; one that was withdrawn is named and has no fields."""

    line: int
    label: str
    position: str | None
    status: Literal["complete", "withdrawn"]
    fields: tuple[DraftField, ...]


class AwaitingConfirmation(Contract):
    """What a person outside the desk must still confirm, and on which evidence that rests; for which lines."""

    topic: str
    ask_whom: str
    evidence_ids: tuple[EvidenceId, ...]
    lines: tuple[int, ...] = Field(default=(), exclude_if=is_empty)


class HistoryItem(Contract):
    """An old quote or decision: shown for comparison, never a current price or promise."""

    document_id: str
    version: int
    evidence_id: EvidenceId
    quote: str


class DraftFlag(Contract):
    """Something an approver should know about a source."""

    flag: Flag
    document_id: str
    version: int
    evidence_id: EvidenceId | None = None


class PromptBinding(Contract):
    """One prompt as it was used."""

    prompt_id: str
    version: str
    binding: str


class RunMetadata(Contract):
    """`run-metadata@1`: what produced the draft; locked with it."""

    schema_version: Literal["run-metadata@1"] = "run-metadata@1"
    prompts: tuple[PromptBinding, ...]
    embedding_model: str
    dimension: int
    chunker_version: str
    index_version: str
    policy_version: int


class Draft(Contract):
    """Everything an approver is shown; any difference gives another content hash.

    An RFQ of several lines has its fields in `lines`; without lines the key is left out, so that a draft of one line
    has the same hash as ever.
    """

    schema_version: Literal["draft@1"] = "draft@1"
    tenant_id: TenantId
    task_id: TaskId
    revision: int
    decision_version: int
    fields: tuple[DraftField, ...]
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    awaiting_confirmation: tuple[AwaitingConfirmation, ...]
    history: tuple[HistoryItem, ...]
    conflicts: tuple[ConflictSide, ...]
    choices: tuple[SourceChoice, ...] = Field(default=(), exclude_if=is_empty)
    answers: tuple[TopicAnswer, ...] = Field(default=(), exclude_if=is_empty)
    missing_topics: tuple[str, ...]
    flags: tuple[DraftFlag, ...]
    run_metadata: RunMetadata
    lines: tuple[DraftLine, ...] = Field(default=(), exclude_if=is_empty)

    @property
    def content_hash(self) -> str:
        """SHA-256 over the canonical JSON of the draft."""
        return content_hash(self)
