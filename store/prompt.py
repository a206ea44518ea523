"""Versions of prompts and their activations: both are added to and never changed."""

from dataclasses import dataclass

from models.prompts import Activation, ActivationKind, Prompt, PromptRow, prompt_status
from store.connection import Row
from store.named_queries import queries
from store.pool import TenantTransaction

_ROW = frozenset(PromptRow.model_fields) - {"status"}


@dataclass(frozen=True, slots=True)
class StoredPrompt:
    """A version as it is stored; its parts may be another program's, so nothing of them is checked yet."""

    prompt_id: str
    version: str
    input: str
    output: str
    evaluation_set: str
    owner: str
    model_binding: str
    text: str
    text_hash: str
    author: str
    kind: ActivationKind | None = None

    def read(self) -> Prompt | None:
        """The prompt, or None when what is stored is none that this program knows or its text has another hash."""
        parts = {"id": self.prompt_id, "version": self.version, "text": self.text}
        head = {name: getattr(self, name) for name in ("input", "output", "evaluation_set", "owner", "model_binding")}
        try:
            prompt = Prompt.model_validate({**parts, **head})
        except ValueError:
            return None
        return prompt if prompt.text_hash == self.text_hash else None


async def prompt_activation_last(tx: TenantTransaction) -> int:
    """The number of the last activation of any prompt; 0 before the first."""
    number: int = await queries.prompt_activation_last(tx.conn, tenant_id=tx.tenant_id)
    return number


async def prompt_active_list(tx: TenantTransaction) -> dict[str, StoredPrompt]:
    """prompt id → the version that holds now, with how it came into force."""
    rows = [row async for row in queries.prompt_active_list(tx.conn, tenant_id=tx.tenant_id)]
    return {row["prompt_id"]: _stored(row) for row in rows}


async def prompt_version_fetch(tx: TenantTransaction, prompt_id: str, version: str) -> StoredPrompt | None:
    """One version, or None."""
    row = await queries.prompt_version_fetch(tx.conn, tenant_id=tx.tenant_id, prompt_id=prompt_id, version=version)
    return None if row is None else _stored(row)


async def prompt_version_list(tx: TenantTransaction, prompt_id: str | None = None) -> list[PromptRow]:
    """Every version without its text, by prompt, the highest version first."""
    found: list[PromptRow] = []
    async for row in queries.prompt_version_list(tx.conn, tenant_id=tx.tenant_id, prompt_id=prompt_id):
        status = prompt_status(row["last_activation"], row["active_activation"])
        parts = {name: value for name, value in row.items() if name in _ROW}
        found.append(PromptRow.model_validate({**parts, "status": status}))
    return found


async def prompt_version_insert(tx: TenantTransaction, prompt: Prompt, author: str) -> None:
    """Keeps a new version; its number must be free."""
    head = prompt.model_dump(mode="json", exclude={"id"})
    await queries.prompt_version_insert(
        tx.conn, tenant_id=tx.tenant_id, prompt_id=prompt.id, **head, text_hash=prompt.text_hash, author=author
    )


async def prompt_activation_list(tx: TenantTransaction, prompt_id: str) -> list[Activation]:
    """Every activation of the prompt, the oldest first."""
    rows = queries.prompt_activation_list(tx.conn, tenant_id=tx.tenant_id, prompt_id=prompt_id)
    return [Activation(version=row["version"], kind=row["kind"]) async for row in rows]


async def prompt_activation_insert(
    tx: TenantTransaction, prompt_id: str, version: str, *, author: str, kind: ActivationKind, activated_by: str
) -> None:
    """Puts a stored version into force; the caller holds the tenant's lock. The author may not do it."""
    await queries.prompt_activation_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        prompt_id=prompt_id,
        version=version,
        author=author,
        kind=kind,
        activated_by=activated_by,
    )


def _stored(row: Row) -> StoredPrompt:
    return StoredPrompt(**{name: value for name, value in row.items() if name in StoredPrompt.__dataclass_fields__})
