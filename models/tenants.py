"""A company; nothing crosses from one to another."""

from models.contract import Contract
from models.ids import TenantId


class Tenant(Contract):
    """A tenant and where its days begin; `time_zone` is an IANA name such as `Asia/Taipei`."""

    tenant_id: TenantId
    time_zone: str
