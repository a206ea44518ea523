"""`audit verify`: reads a tenant's whole audit again and says whether it is the one that was sealed."""

from models.audit_chain import Anchor, AuditFault, ChainPoint, check_anchor, check_seal
from models.contract import Contract
from models.errors import AuditBroken
from models.ids import TenantId
from models.principals import Principal, require_role
from services.audit import audited_refusals
from services.audit_keys import AuditFolder
from services.principals import resolve_principal
from store.audit_seal import audit_never_sealed_list, audit_row_list, audit_seal_list
from store.pool import Store

_SEALS = 200
_FAULTS = 100


class AuditReport(Contract):
    """What was read and what is wrong with it; `unsealed` rows are younger than the last seal."""

    tenant_id: TenantId
    seals: int
    rows: int
    unsealed: int
    faults: tuple[AuditFault, ...]

    @property
    def is_intact(self) -> bool:
        """Whether nothing was found."""
        return not self.faults


async def audit_verify(store: Store, actor: Principal, folder: AuditFolder) -> AuditReport:
    """Checks every seal, row and signature of the actor's tenant against the anchor; auditors and operators.

    The first 100 faults are named. Raises Refused for another role.
    """
    tenant_id = actor.tenant_id
    async with (
        audited_refusals(store, tenant_id, actor.subject, "audit_verify", "audit"),
        store.tenant_transaction(tenant_id) as tx,
    ):
        require_role(await resolve_principal(tx, tenant_id, actor.subject), "auditor", "operator")
    anchor, faults = _anchor(folder, tenant_id)
    reading = _Reading(tenant_id, folder, None if anchor is None else anchor.number)
    while await reading.read_on(store):
        pass
    faults += reading.faults
    # An anchor that is not believed was named already.
    if anchor is not None or not faults:
        faults += check_anchor(tenant_id, anchor, reading.anchored, reading.point.number, folder.verify)
    async with store.tenant_transaction(tenant_id) as tx:
        loose = await audit_never_sealed_list(tx, top=_FAULTS)
    for row in loose:
        if row.is_settled:
            detail = f"row {row.seq} was put in after its neighbours were sealed"
            faults.append(AuditFault(fault="row_added_later", seq=row.seq, detail=detail))
    return AuditReport(
        tenant_id=tenant_id,
        seals=reading.point.number,
        rows=reading.rows,
        unsealed=sum(not row.is_settled for row in loose),
        faults=tuple(faults[:_FAULTS]),
    )


def _anchor(folder: AuditFolder, tenant_id: TenantId) -> tuple[Anchor | None, list[AuditFault]]:
    try:
        return folder.anchor(tenant_id), []
    except AuditBroken as error:
        return None, [AuditFault(fault="anchor_forged", detail=str(error))]


class _Reading:
    """The chain, read from its beginning in pages: a transaction each, because a year of audit is long."""

    def __init__(self, tenant_id: TenantId, folder: AuditFolder, anchored: int | None) -> None:
        self.point = ChainPoint()
        self.rows = 0
        self.faults: list[AuditFault] = []
        self.anchored: dict[int, bytes] = {}
        self._tenant_id = tenant_id
        self._folder = folder
        self._anchored_number = anchored

    async def read_on(self, store: Store) -> bool:
        """Checks the next page; whether there may be another."""
        async with store.tenant_transaction(self._tenant_id) as tx:
            seals = await audit_seal_list(tx, after=self.point.number, top=_SEALS)
            rows = await audit_row_list(tx, [seq for seal in seals for seq in seal.seqs])
        for seal in seals:
            self.faults += check_seal(self._tenant_id, self.point, seal, rows, self._folder.verify)
            self.point = ChainPoint(seal.number, seal.head)
            self.rows += len(seal.seqs)
            if seal.number == self._anchored_number:
                self.anchored[seal.number] = seal.head
        return len(seals) == _SEALS
