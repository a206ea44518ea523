"""What is audited: acts in their own transaction, refusals in one of their own, and never any content."""

import pytest

from models.errors import Refused, StoreUnavailable
from models.ids import TenantId
from services.audit import audit_append, audit_name, audit_object, audited_refusals
from store.audit import audit_list
from store.pool import Store


async def test_an_act_that_fails_leaves_no_row_of_its_own_but_its_refusal(store: Store, tenant: TenantId) -> None:
    async def act() -> None:
        async with (
            audited_refusals(store, tenant, "ana", "thing_do", "thing/1"),
            store.tenant_transaction(tenant) as tx,
        ):
            await audit_append(tx, "ana", "thing_done", "thing/1", {"hash": "abc"})
            raise Refused("no")

    with pytest.raises(Refused):
        await act()
    async with store.tenant_transaction(tenant) as tx:
        rows = await audit_list(tx)
    assert [(row.actor, row.event, row.object, row.detail) for row in rows] == [
        ("ana", "thing_do_refused", "thing/1", {"code": "refused"})
    ]


async def test_a_fault_of_the_house_is_no_refusal(store: Store, tenant: TenantId) -> None:
    with pytest.raises(StoreUnavailable):
        async with audited_refusals(store, tenant, "ana", "thing_do", "thing/1"):
            raise StoreUnavailable("away")
    async with store.tenant_transaction(tenant) as tx:
        assert await audit_list(tx) == []


async def test_a_refusal_in_a_tenant_that_does_not_exist_is_still_the_refusal(store: Store) -> None:
    with pytest.raises(Refused, match="no"):
        async with audited_refusals(store, TenantId("nobody"), "ana", "thing_do", "thing/1"):
            raise Refused("no")


def test_a_name_out_of_form_stands_as_a_hash() -> None:
    assert audit_object("document", "SOP-1", 2) == "document/SOP-1/2"
    assert audit_object("principal", "the secret price is 5").startswith("principal/sha256:")
    assert audit_name("\ud800") == audit_name("\ud800") != audit_name("x y")
