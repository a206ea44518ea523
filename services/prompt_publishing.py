"""Versions of prompts: published once, put into force by somebody else, rolled back; every act is audited.

Why it is so: a prompt steers every draft of every tenant, so it belongs to a tenant of the deployment's own, and the
operators there decide with four eyes. The files of the program are the seed: they went through the review of the code.
"""

from models.errors import Conflict, FourEyes, InvalidInput, NotFound, Refused
from models.ids import Subject
from models.principals import Principal, require_role
from models.prompts import (
    PROMPT_TENANT,
    ActivationKind,
    Prompt,
    PromptRow,
    prompt_diff,
    rollback_target,
    version_key,
)
from services.audit import DEPLOYMENT, audit_append, audit_object, audited_refusals
from services.principals import resolve_principal
from services.prompt_registry import fits_program
from services.prompts import file_prompts
from store.pool import Store, TenantTransaction
from store.prompt import (
    StoredPrompt,
    prompt_activation_insert,
    prompt_activation_list,
    prompt_active_list,
    prompt_version_fetch,
    prompt_version_insert,
    prompt_version_list,
)
from store.tenant import tenant_insert, tenant_lock


async def prompts_seed(store: Store) -> None:
    """Stores the versions of the program's files that are missing, and the tenant they belong to.

    A seed comes into force when nothing is, or when what is in force is an older seed: what people activated stays.
    Raises Conflict when a file has another content than its version that is stored; nothing is changed then.
    """
    async with store.tenant_transaction(PROMPT_TENANT) as tx:
        await tenant_insert(tx, "UTC")
        await tenant_lock(tx)
        active = await prompt_active_list(tx)
        for prompt in file_prompts().values():
            if await _keep(tx, prompt, DEPLOYMENT):
                await _published(tx, prompt, DEPLOYMENT)
            held = active.get(prompt.id)
            newer = held is not None and version_key(prompt.version) > version_key(held.version)
            if held is None or (newer and held.kind == "seed"):
                stored = await _stored(tx, prompt.id, prompt.version)
                await _put_into_force(tx, stored, "seed", DEPLOYMENT)


async def prompt_publish(store: Store, actor: Principal, prompt: Prompt) -> PromptRow:
    """Keeps a version as a draft; the same one again changes nothing. Operators of the deployment only.

    Raises Conflict when the number is taken by other content, InvalidInput for a contract that this program does not
    speak.
    """
    about = audit_object("prompt", prompt.id, prompt.version)
    async with (
        audited_refusals(store, actor.tenant_id, actor.subject, "prompt_publish", about),
        store.tenant_transaction(actor.tenant_id) as tx,
    ):
        author = await _operator(tx, actor)
        if not fits_program(prompt):
            own = file_prompts()[prompt.id]
            raise InvalidInput(f"this program hands {prompt.id!r} {own.input!r} and reads {own.output!r}: say the same")
        if await _keep(tx, prompt, author):
            await _published(tx, prompt, author)
        return await _row(tx, prompt.id, prompt.version)


async def prompt_activate(store: Store, actor: Principal, prompt_id: str, version: str) -> PromptRow:
    """Puts a version into force in every process; what is in force already changes nothing.

    Operators of the deployment only; FourEyes for the author of the version. NotFound for an unknown one, Conflict
    when what is stored is damaged.
    """
    about = audit_object("prompt", prompt_id, version)
    async with (
        audited_refusals(store, actor.tenant_id, actor.subject, "prompt_activate", about),
        store.tenant_transaction(actor.tenant_id) as tx,
    ):
        subject = await _operator(tx, actor)
        stored = await _stored(tx, prompt_id, version)
        held = (await prompt_active_list(tx)).get(prompt_id)
        if held is None or held.version != version:
            await _put_into_force(tx, stored, "activate", subject)
        return await _row(tx, prompt_id, version)


async def prompt_rollback(store: Store, actor: Principal, prompt_id: str) -> PromptRow:
    """Puts the version into force that held before this one; again, the one before that.

    As `prompt_activate`; Conflict when nothing held before.
    """
    about = audit_object("prompt", prompt_id)
    async with (
        audited_refusals(store, actor.tenant_id, actor.subject, "prompt_rollback", about),
        store.tenant_transaction(actor.tenant_id) as tx,
    ):
        subject = await _operator(tx, actor)
        activations = await prompt_activation_list(tx, prompt_id)
        if not activations:
            raise _unknown(prompt_id, "any version")
        version = rollback_target(activations)
        if version is None:
            raise Conflict(f"no version of {prompt_id!r} held before this one: publish and activate another")
        await _put_into_force(tx, await _stored(tx, prompt_id, version), "rollback", subject)
        return await _row(tx, prompt_id, version)


async def prompt_list(store: Store, actor: Principal, prompt_id: str | None = None) -> list[PromptRow]:
    """Every version with its status; operators and auditors of the deployment only."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        await _reader(tx, actor)
        return await prompt_version_list(tx, prompt_id)


async def prompt_read(store: Store, actor: Principal, prompt_id: str, version: str | None) -> tuple[PromptRow, Prompt]:
    """A version with its text, old ones too; without a number the one in force. NotFound for an unknown one."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        await _reader(tx, actor)
        held = (await prompt_active_list(tx)).get(prompt_id)
        number = version or ("" if held is None else held.version)
        return await _row(tx, prompt_id, number), _sound(await _stored(tx, prompt_id, number))


async def prompt_compare(store: Store, actor: Principal, prompt_id: str, before: str, after: str) -> tuple[str, ...]:
    """The lines in which two versions differ."""
    async with store.tenant_transaction(actor.tenant_id) as tx:
        await _reader(tx, actor)
        first, second = [_sound(await _stored(tx, prompt_id, version)) for version in (before, after)]
        return prompt_diff(first, second)


async def _operator(tx: TenantTransaction, actor: Principal) -> Subject:
    _of_deployment(actor)
    await tenant_lock(tx)
    current = await resolve_principal(tx, actor.tenant_id, actor.subject)
    require_role(current, "operator")
    return current.subject


async def _reader(tx: TenantTransaction, actor: Principal) -> None:
    _of_deployment(actor)
    require_role(await resolve_principal(tx, actor.tenant_id, actor.subject), "operator", "auditor")


def _of_deployment(actor: Principal) -> None:
    if actor.tenant_id != PROMPT_TENANT:
        raise Refused(f"prompts belong to the tenant {PROMPT_TENANT!r}: only its people see and change them")


async def _keep(tx: TenantTransaction, prompt: Prompt, author: str) -> bool:
    """Whether the version is new; Conflict when it is there with other content."""
    stored = await prompt_version_fetch(tx, prompt.id, prompt.version)
    if stored is None:
        await prompt_version_insert(tx, prompt, author)
        return True
    if stored.read() != prompt:
        raise Conflict(
            f"version {prompt.version} of prompt {prompt.id!r} is stored with other content: versions never change, "
            "so give the changed file a new version"
        )
    return False


async def _put_into_force(tx: TenantTransaction, stored: StoredPrompt, kind: ActivationKind, subject: str) -> None:
    prompt = _sound(stored)
    if not fits_program(prompt):
        raise Conflict(
            f"{prompt.id!r} {prompt.version} speaks another contract than this program: publish a new version"
        )
    if kind != "seed" and subject == stored.author:
        raise FourEyes(f"{subject!r} wrote version {prompt.version} of {prompt.id!r}: another operator activates it")
    await prompt_activation_insert(tx, prompt.id, prompt.version, author=stored.author, kind=kind, activated_by=subject)
    event = "prompt_rolled_back" if kind == "rollback" else "prompt_activated"
    about = audit_object("prompt", prompt.id, prompt.version)
    await audit_append(tx, subject, event, about, {"kind": kind, "text_hash": prompt.text_hash})


async def _published(tx: TenantTransaction, prompt: Prompt, author: str) -> None:
    about = audit_object("prompt", prompt.id, prompt.version)
    await audit_append(tx, author, "prompt_published", about, {"text_hash": prompt.text_hash})


async def _stored(tx: TenantTransaction, prompt_id: str, version: str) -> StoredPrompt:
    stored = await prompt_version_fetch(tx, prompt_id, version)
    if stored is None:
        raise _unknown(prompt_id, version)
    return stored


async def _row(tx: TenantTransaction, prompt_id: str, version: str) -> PromptRow:
    rows = await prompt_version_list(tx, prompt_id)
    found = next((row for row in rows if row.version == version), None)
    if found is None:
        raise _unknown(prompt_id, version)
    return found


def _sound(stored: StoredPrompt) -> Prompt:
    prompt = stored.read()
    if prompt is None:
        raise Conflict(
            f"version {stored.version} of {stored.prompt_id[:64]!r} is damaged or another program's: publish a new one"
        )
    return prompt


def _unknown(prompt_id: str, version: str) -> NotFound:
    return NotFound(f"there is no prompt {prompt_id[:64]!r} in version {version[:20]!r}: see `proofdesk prompts list`")
