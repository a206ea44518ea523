"""A tenant's policies, each kept under its version."""

from models.ids import Subject
from models.policies import Policy
from store.named_queries import queries
from store.pool import TenantTransaction


async def policy_current_fetch(tx: TenantTransaction) -> tuple[int, Policy] | None:
    """The last version and its policy, or None when none was ever set."""
    row = await queries.policy_current_fetch(tx.conn, tenant_id=tx.tenant_id)
    return None if row is None else (row["policy_version"], Policy.model_validate(row["body"]))


async def policy_insert(tx: TenantTransaction, policy_version: int, policy: Policy, created_by: Subject) -> None:
    """Keeps a new version; the number must be free."""
    await queries.policy_insert(
        tx.conn,
        tenant_id=tx.tenant_id,
        policy_version=policy_version,
        body=policy.model_dump(mode="json"),
        created_by=created_by,
    )
