"""Who acts: an authenticated person or service and what it may do, resolved at the moment of use."""

from typing import Literal

from models.contract import Contract
from models.errors import Refused
from models.ids import Subject, TenantId

Role = Literal["requester", "approver", "knowledge_owner", "operator", "auditor"]


class Principal(Contract):
    """Roles and groups as the database holds them now, never as a text or a token claims them."""

    tenant_id: TenantId
    subject: Subject
    roles: tuple[Role, ...]
    groups: tuple[str, ...]
    active: bool


def require_role(principal: Principal, *allowed: Role) -> None:
    """Raise Refused unless the principal is active and holds one of `allowed`."""
    if not principal.active:
        raise Refused(f"{principal.subject!r} is not active: ask an operator to activate the account")
    if not set(allowed) & set(principal.roles):
        raise Refused(f"{principal.subject!r} needs one of the roles {', '.join(allowed)} for this")
