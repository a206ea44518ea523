"""Who may do what is read at the moment of the act; operators alone change it, and never lock everybody out."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from models.errors import Conflict, InvalidInput, NotFound, Refused
from models.ids import TenantId
from services.principals import principal_add, principal_set, resolve_principal
from store.pool import Store
from store.tenant import tenant_lock
from tests.services.people import Company, found_company


@pytest_asyncio.fixture
async def company(store: Store) -> AsyncGenerator[Company]:
    yield await found_company(store)


async def test_an_unknown_tenant_and_an_unknown_subject_answer_alike(company: Company) -> None:
    messages: list[str] = []
    for tenant in (company.tenant, TenantId("nobody")):
        with pytest.raises(NotFound) as caught:
            await resolve_principal(company.store, tenant, "ghost")
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


async def test_a_subject_of_another_tenant_is_unknown_here(company: Company) -> None:
    other = await found_company(company.store, "other")
    await principal_add(company.store, other.op, "only-there", roles=["requester"], groups=[])
    with pytest.raises(NotFound):
        await resolve_principal(company.store, company.tenant, "only-there")
    async with company.store.tenant_transaction(company.tenant) as tx:
        with pytest.raises(NotFound):
            await resolve_principal(tx, other.tenant, "ana")


async def test_who_is_not_active_acts_no_more_and_the_attempt_is_audited(company: Company) -> None:
    """Hostile 18: at once, although the caller still holds what was resolved before."""
    second = await principal_add(company.store, company.op, "op2", roles=["operator"], groups=[])
    await principal_set(company.store, company.op, "op2", active=False)
    with pytest.raises(Refused, match="not active"):
        await principal_add(company.store, second, "new", roles=["operator"], groups=[])
    with pytest.raises(Refused, match="not active"):
        await resolve_principal(company.store, company.tenant, "op2")
    assert (await company.events("principal/new"))[-1:] == ["principal_add_refused"]
    assert (await company.events("principal/op2"))[-1] == "act_refused"


async def test_only_operators_change_people(company: Company) -> None:
    """Hostile 79."""
    for actor in (company.kim, company.ana):
        with pytest.raises(Refused, match="operator"):
            await principal_add(company.store, actor, "new", roles=[], groups=[])
        with pytest.raises(Refused, match="operator"):
            await principal_set(company.store, actor, actor.subject, roles=["operator"])
    assert await company.events("principal/new") == ["principal_add_refused"] * 2
    assert (await company.person("ana")).roles == ("requester",)


async def test_a_forged_principal_gives_no_rights(company: Company) -> None:
    forged = company.ana.model_copy(update={"roles": ("operator", "knowledge_owner")})
    with pytest.raises(Refused):
        await principal_set(company.store, forged, "ana", roles=["operator"])


async def test_the_same_principal_again_changes_nothing_and_another_is_a_conflict(company: Company) -> None:
    assert await principal_add(company.store, company.op, "ana", roles=["requester"], groups=["sales"]) == company.ana
    with pytest.raises(Conflict, match="principal set"):
        await principal_add(company.store, company.op, "ana", roles=["requester"], groups=["eng"])
    assert await company.events("principal/ana") == ["principal_added", "principal_add_refused"]


async def test_set_changes_what_is_given_and_counts_revisions(company: Company) -> None:
    changed = await principal_set(company.store, company.op, "ana", groups=["eng", "sales", "eng"])
    assert (changed.roles, changed.groups, changed.active) == (("requester",), ("eng", "sales"), True)
    assert await company.person("ana") == changed
    await principal_set(company.store, company.op, "ana", groups=["sales", "eng"])
    revision = await company.value("select revision from principals where subject = 'ana'")
    assert revision == 2
    assert (await company.audit("principal/ana"))[0].detail == {
        "roles": ["requester"],
        "groups": ["eng", "sales"],
        "active": True,
        "revision": 2,
        "tasks": [],
    }


@pytest.mark.parametrize("change", [{"active": False}, {"roles": ["requester"]}, {"roles": []}])
async def test_the_last_active_operator_stays(company: Company, change: dict[str, bool | list[str]]) -> None:
    await principal_add(company.store, company.op, "asleep", roles=["operator"], groups=[])
    await principal_set(company.store, company.op, "asleep", active=False)
    with pytest.raises(Refused, match="last active operator"):
        await principal_set(company.store, company.op, "op", **change)  # pyright: ignore[reportArgumentType]
    assert await company.person("op") == company.op


async def test_two_operators_who_remove_each_other_leave_one(company: Company) -> None:
    """The second waits for the first to commit, and then counts what is left."""
    await principal_add(company.store, company.op, "op2", roles=["operator"], groups=[])
    async with company.store.tenant_transaction(company.tenant) as first:
        await tenant_lock(first)
        await first.conn.execute("update principals set active = false where subject = 'op2'")
        second = asyncio.create_task(principal_set(company.store, company.op, "op", active=False))
        await asyncio.sleep(0.3)
        assert not second.done()
    with pytest.raises(Refused, match="last active operator"):
        await second


async def test_open_tasks_on_evidence_that_its_starter_may_read_no_more_are_told(company: Company) -> None:
    await company.approved("SALES-1", "words for sales", acl=["sales"])
    await company.approved("BOTH-1", "words for both", acl=["eng", "sales"])
    await company.seed_task("ON-SALES", "awaiting_approval", [("SALES-1", 1)])
    await company.seed_task("ON-BOTH", "awaiting_approval", [("BOTH-1", 1)])
    await company.seed_task("DONE", "completed", [("SALES-1", 1)])
    await company.seed_task("KIMS", "awaiting_approval", [("SALES-1", 1)], starter="kim")
    await principal_set(company.store, company.op, "ana", groups=["eng", "sales"])
    assert await company.rechecked() == {}
    await principal_set(company.store, company.op, "ana", groups=["eng"])
    assert await company.rechecked() == {"ON-SALES": "rights of ana changed (revision 3)"}
    await principal_set(company.store, company.op, "ana", active=False)
    assert await company.rechecked() == {
        "ON-SALES": "rights of ana changed (revision 4)",
        "ON-BOTH": "rights of ana changed (revision 4)",
    }
    assert (await company.audit("principal/ana"))[0].detail["tasks"] == ["ON-BOTH", "ON-SALES"]


@pytest.mark.parametrize(
    ("subject", "roles", "groups"),
    [
        ("a b", [], []),
        ("", [], []),
        ("x", ["admin"], []),
        ("x", ["*"], []),
        ("x", [], ["*"]),
        ("x", [], ["a b"]),
        ("x", [], [f"g{number}" for number in range(101)]),
    ],
)
async def test_what_is_out_of_form_is_refused(
    company: Company, subject: str, roles: list[str], groups: list[str]
) -> None:
    with pytest.raises(InvalidInput):
        await principal_add(company.store, company.op, subject, roles=roles, groups=groups)
    assert (await company.events())[-1] == "principal_add_refused"


async def test_an_unknown_principal_cannot_be_set(company: Company) -> None:
    with pytest.raises(NotFound):
        await principal_set(company.store, company.op, "ghost", active=False)
