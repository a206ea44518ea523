"""A tenant's policy: versioned, checked, and unable to switch a guard off."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from models.contract import Contract, content_hash
from models.errors import InvalidInput
from models.policies import Policy
from models.principals import Principal, require_role
from models.topics import unknown_topics
from services.audit import audit_append, audited_refusals
from services.principals import resolve_principal
from store.policy import policy_current_fetch, policy_insert
from store.pool import Store, TenantTransaction
from store.tenant import tenant_lock

_GUARDS = {
    "four_eyes": "nobody decides on their own request, so it can only be true",
    "approval_required": "a person decides every quote, so it can only be true",
}


class PolicyVersion(Contract):
    """A policy and its number; 0 is the default that holds until one is set."""

    policy_version: int
    policy: Policy


async def policy_current(tx: TenantTransaction) -> PolicyVersion:
    """The policy that holds now."""
    held = await policy_current_fetch(tx)
    if held is None:
        return PolicyVersion(policy_version=0, policy=Policy())
    return PolicyVersion(policy_version=held[0], policy=held[1])


async def policy_set(store: Store, actor: Principal, body: object) -> PolicyVersion:
    """Sets the tenant's policy as its next version; operators only, audited. The policy that holds changes nothing.

    `body` is what JSON gives; InvalidInput names every key that is unknown or wrong.
    """
    async with (
        audited_refusals(store, actor.tenant_id, actor.subject, "policy_set", "policy"),
        store.tenant_transaction(actor.tenant_id) as tx,
    ):
        await tenant_lock(tx)
        current = await resolve_principal(tx, actor.tenant_id, actor.subject)
        require_role(current, "operator")
        policy = parse_policy(body)
        held = await policy_current(tx)
        if held.policy_version > 0 and held.policy == policy:
            return held
        new = PolicyVersion(policy_version=held.policy_version + 1, policy=policy)
        await policy_insert(tx, new.policy_version, policy, current.subject)
        detail = {"policy_version": new.policy_version, "policy_hash": content_hash(policy)}
        await audit_append(tx, current.subject, "policy_set", "policy", detail)
        return new


def parse_policy(body: object) -> Policy:
    """The policy, its values taken strictly; InvalidInput says for each wrong key what to do."""
    if not isinstance(body, Mapping):
        raise InvalidInput("a policy is a JSON object: {} is the default")
    try:
        policy = Policy.model_validate_json(json.dumps(body, allow_nan=False), strict=True)
    except ValidationError as error:
        faults: list[Any] = list(error.errors(include_input=False, include_context=False, include_url=False))
        raise InvalidInput("policy: " + "; ".join(sorted({_fault(fault) for fault in faults}))) from None
    except (ValueError, TypeError, RecursionError):
        raise InvalidInput("policy: it holds something that JSON cannot (NaN, Infinity, too deep)") from None
    unknown = unknown_topics(policy)
    if unknown:
        raise InvalidInput(
            f"policy: nobody knows the required topics {', '.join(map(repr, unknown))}: add their words under `topics`"
        )
    return policy


def _fault(fault: Mapping[str, Any]) -> str:
    path = [str(part) for part in fault["loc"]]
    name = ".".join(path)[:120] or "policy"
    if path and path[0] in _GUARDS:
        return f"{name}: {_GUARDS[path[0]]}"
    if fault["type"] == "value_error":
        return str(fault["msg"]).removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        return f"{name!r} is no setting: known are {', '.join(sorted(Policy.model_fields))}"
    return f"{name}: {fault['msg']}"
