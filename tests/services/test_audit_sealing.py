"""The chain over the audit: sealed as it grows, and each way to falsify it is named, even for a superuser."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from models.audit_chain import Break, chain_head, row_hash, signed_bytes
from models.errors import AuditBroken, Refused
from models.ids import TenantId
from services.audit import audit_append
from services.audit_keys import AuditFolder
from services.audit_sealing import AuditSealer, require_all_anchored
from services.audit_verifying import AuditReport, audit_verify
from services.principals import principal_add, resolve_principal
from services.tenants import tenant_add
from store.audit_seal import audit_row_list, audit_seal_list
from store.connection import OwnConnection, connected
from store.pool import Store
from tests.conftest import Database, MakeTenant


@dataclass
class Audited:
    """A tenant with an auditor, a sealer, and a superuser who wants to change what happened."""

    store: Store
    tenant: TenantId
    sealer: AuditSealer
    folder: AuditFolder
    admin: OwnConnection

    async def act(self, about: str) -> int:
        """Audits something; its number."""
        async with self.store.tenant_transaction(self.tenant) as tx:
            return await audit_append(tx, "ana", "thing_done", about, {"hash": "abc", "n": 1})

    async def acts(self, *about: str) -> list[int]:
        """Audits and seals these."""
        seqs = [await self.act(one) for one in about]
        await self.sealer.seal(self.tenant)
        return seqs

    async def falsify(self, statement: str, *values: object) -> None:
        """As a superuser, whom row security and grants do not bind."""
        await self.admin.execute(statement, *values)

    async def verified(self) -> AuditReport:
        """What `audit verify` reports."""
        actor = await resolve_principal(self.store, self.tenant, "eva")
        return await audit_verify(self.store, actor, self.folder)

    async def found(self) -> set[tuple[Break, int | None]]:
        """Kinds of faults, each with its row, else its seal."""
        report = await self.verified()
        return {(one.fault, one.seal if one.seq is None else one.seq) for one in report.faults}


@pytest_asyncio.fixture
async def audited(store: Store, database: Database, tmp_path: Path) -> AsyncGenerator[Audited]:
    tenant = TenantId("T-audited")
    await tenant_add(store, "T-audited", operator="op", time_zone="UTC")
    op = await resolve_principal(store, tenant, "op")
    await principal_add(store, op, "eva", roles=["auditor"], groups=[])
    folder = AuditFolder(tmp_path / "audit")
    async with connected(database.admin_url) as admin:
        yield Audited(store, tenant, AuditSealer(store, folder), folder, admin)


async def test_what_is_written_is_sealed_once_and_found_intact(audited: Audited) -> None:
    await audited.acts("a", "b")
    assert await audited.sealer.seal(audited.tenant) == 0
    await audited.act("c")
    report = await audited.verified()
    assert (report.is_intact, report.unsealed, report.seals) == (True, 1, 1)
    await audited.sealer.seal(audited.tenant)
    assert ((await audited.verified()).unsealed, (await audited.verified()).seals) == (0, 2)


async def test_an_edited_row_is_named(audited: Audited) -> None:
    _, second, _ = await audited.acts("a", "b", "c")
    await audited.falsify("update audit_log set actor = 'bob' where seq = $1", second)
    assert await audited.found() == {("row_changed", second)}


@pytest.mark.parametrize(
    "change", ["at = at - interval '1 day'", "event = 'x'", "object = 'x'", 'detail = \'{"hash": "abd"}\'']
)
async def test_no_field_of_a_row_is_left_out(audited: Audited, change: str) -> None:
    (seq,) = await audited.acts("a")
    await audited.falsify(f"update audit_log set {change} where seq = $1", seq)
    assert await audited.found() == {("row_changed", seq)}


async def test_a_row_deleted_in_the_middle_is_named(audited: Audited) -> None:
    _, second, _ = await audited.acts("a", "b", "c")
    await audited.falsify("delete from audit_log where seq = $1", second)
    assert await audited.found() == {("row_missing", second)}


async def test_a_seal_deleted_in_the_middle_is_named(audited: Audited) -> None:
    await audited.acts("a")
    await audited.acts("b")
    await audited.acts("c")
    await audited.falsify("delete from audit_seals where number = 2")
    assert ("seal_missing", 2) in await audited.found()


async def test_a_cut_tail_is_named(audited: Audited) -> None:
    await audited.acts("a")
    (last,) = await audited.acts("b")
    await audited.falsify("delete from audit_log where seq = $1", last)
    await audited.falsify("delete from audit_seals where number = 2")
    assert await audited.found() == {("tail_missing", 2)}


async def test_a_chain_that_is_gone_whole_is_named(audited: Audited) -> None:
    await audited.acts("a")
    await audited.falsify("delete from audit_log")
    await audited.falsify("delete from audit_seals")
    assert await audited.found() == {("tail_missing", 1)}


async def test_swapped_rows_are_named_as_a_pair(audited: Audited) -> None:
    first, second = await audited.acts("a", "b")
    await audited.falsify(
        "update audit_log x set at = y.at, actor = y.actor, event = y.event, object = y.object, detail = y.detail "
        "from audit_log y where x.seq in ($1, $2) and y.seq in ($1, $2) and x.seq <> y.seq",
        first,
        second,
    )
    assert await audited.found() == {("rows_swapped", first), ("rows_swapped", second)}


async def _rehash(audited: Audited, sealer: AuditSealer) -> None:
    """Makes the chain anew over whatever the rows say now, signed with another key: all that a superuser can do."""
    async with audited.store.tenant_transaction(audited.tenant) as tx:
        seals = await audit_seal_list(tx, after=0, top=10)
        rows = await audit_row_list(tx, [seq for seal in seals for seq in seal.seqs])
    previous = bytes(32)
    for seal in seals:
        hashes = [row_hash(audited.tenant, rows[seq]) for seq in seal.seqs]
        previous = chain_head(audited.tenant, previous, seal.number, seal.seqs, hashes)
        signature = sealer._signer.sign(signed_bytes(audited.tenant, seal.number, previous))  # pyright: ignore[reportPrivateUsage]
        await audited.falsify(
            "update audit_seals set row_hashes = $2, head = $3, signature = $4, key_id = $5 where number = $1",
            seal.number,
            hashes,
            previous,
            signature,
            sealer._signer.key_id,  # pyright: ignore[reportPrivateUsage]
        )


async def test_a_chain_hashed_anew_after_an_edit_is_named(audited: Audited, tmp_path: Path) -> None:
    (seq,) = await audited.acts("a")
    await audited.acts("b")
    await audited.falsify("update audit_log set actor = 'bob' where seq = $1", seq)
    await _rehash(audited, AuditSealer(audited.store, AuditFolder(tmp_path / "forger")))
    assert await audited.found() == {("seal_forged", 1), ("seal_forged", 2), ("anchor_mismatch", 2)}


async def test_even_with_the_right_key_a_chain_hashed_anew_is_not_the_anchored_one(audited: Audited) -> None:
    (seq,) = await audited.acts("a")
    await audited.falsify("update audit_log set actor = 'bob' where seq = $1", seq)
    await _rehash(audited, audited.sealer)
    assert await audited.found() == {("anchor_mismatch", 1)}


async def test_a_row_hash_replaced_with_its_row_breaks_the_chain(audited: Audited) -> None:
    (seq,) = await audited.acts("a")
    await audited.acts("b")
    await audited.falsify("update audit_log set actor = 'bob' where seq = $1", seq)
    async with audited.store.tenant_transaction(audited.tenant) as tx:
        row = (await audit_row_list(tx, [seq]))[seq]
        seal = (await audit_seal_list(tx, after=0, top=1))[0]
    hashes = [
        row_hash(audited.tenant, row) if one == seq else old
        for one, old in zip(seal.seqs, seal.row_hashes, strict=True)
    ]
    await audited.falsify("update audit_seals set row_hashes = $1 where number = 1", hashes)
    assert await audited.found() == {("seal_changed", 1)}


async def test_a_row_put_in_later_is_named(audited: Audited) -> None:
    await audited.acts("a", "b")
    await audited.falsify("update audit_seals set sealed_at = now() - interval '1 hour'")
    await audited.falsify(
        "insert into audit_log (tenant_id, seq, actor, event, object) overriding system value "
        "values ($1, 0, 'bob', 'approved', 'task/1')",
        audited.tenant,
    )
    assert await audited.sealer.seal(audited.tenant) == 0
    assert await audited.found() == {("row_added_later", 0)}


async def test_a_row_that_is_committed_late_is_still_sealed(audited: Audited) -> None:
    async with audited.store.tenant_transaction(audited.tenant) as tx:
        late = await audit_append(tx, "ana", "thing_done", "late", {})
        early = await audited.act("early")
        assert early > late
        await audited.sealer.seal_what_is_new()
        assert (await audited.verified()).unsealed == 0
    assert await audited.sealer.seal_what_is_new() == 1
    report = await audited.verified()
    assert (report.is_intact, report.unsealed) == (True, 0)


async def test_two_sealers_make_one_chain(audited: Audited, tmp_path: Path) -> None:
    other = AuditSealer(audited.store, AuditFolder(tmp_path / "audit"))
    for number in range(10):
        await audited.act(f"{number}")
        await asyncio.gather(audited.sealer.seal(audited.tenant), other.seal(audited.tenant))
    await audited.sealer.seal(audited.tenant)
    report = await audited.verified()
    assert (report.is_intact, report.unsealed) == (True, 0)


async def test_every_tenant_has_a_chain_of_its_own(audited: Audited, make_tenant: MakeTenant) -> None:
    other = await make_tenant("U")
    async with audited.store.tenant_transaction(other) as tx:
        await audit_append(tx, "uma", "thing_done", "u", {})
    await audited.act("a")
    await audited.sealer.seal_what_is_new()
    assert audited.folder.tenants() == sorted([audited.tenant, other])
    assert (await audited.verified()).is_intact


async def test_an_older_backup_stops_the_sealer_and_the_start(audited: Audited) -> None:
    await audited.acts("a")
    await audited.acts("b")
    await require_all_anchored(audited.store, audited.folder)
    await audited.falsify("delete from audit_log where object = 'b'")
    await audited.falsify("delete from audit_seals where number = 2")
    await audited.act("c")
    with pytest.raises(AuditBroken, match="older backup"):
        await audited.sealer.seal(audited.tenant)
    with pytest.raises(AuditBroken, match="Restore the newer backup"):
        await require_all_anchored(audited.store, audited.folder)


async def test_an_anchor_that_is_edited_or_lost_is_named(audited: Audited) -> None:
    await audited.acts("a")
    path = audited.folder.path / "heads" / f"{audited.tenant}.json"
    whole = path.read_text()
    path.write_text(whole.replace('"number":1', '"number":0'))
    assert await audited.found() == {("anchor_forged", 0)}
    path.write_text("{")
    assert await audited.found() == {("anchor_forged", None)}
    path.unlink()
    assert await audited.found() == {("anchor_missing", None)}


async def test_only_auditors_and_operators_may_verify(audited: Audited) -> None:
    op = await resolve_principal(audited.store, audited.tenant, "op")
    ana = await principal_add(audited.store, op, "ana", roles=["requester"], groups=[])
    with pytest.raises(Refused):
        await audit_verify(audited.store, ana, audited.folder)


async def test_the_application_can_add_seals_and_change_none(audited: Audited) -> None:
    await audited.acts("a")
    for statement in ("update audit_seals set number = 9", "delete from audit_seals"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with audited.store.tenant_transaction(audited.tenant) as tx:
                await tx.conn.execute(statement)


def test_the_signing_key_is_the_users_alone_and_stays(tmp_path: Path) -> None:
    folder = AuditFolder(tmp_path / "audit")
    key_id = folder.signer().key_id
    private = tmp_path / "audit" / "signing.key"
    assert private.stat().st_mode & 0o077 == 0
    assert AuditFolder(tmp_path / "audit").signer().key_id == key_id
    private.write_text("no key")
    with pytest.raises(AuditBroken, match="restore it"):
        folder.signer()


def test_seals_of_an_older_key_are_still_believed(tmp_path: Path) -> None:
    folder = AuditFolder(tmp_path / "audit")
    old = folder.signer()
    (tmp_path / "audit" / "signing.key").unlink()
    new = folder.signer()
    assert old.key_id != new.key_id
    assert folder.verify(old.key_id, b"m", old.sign(b"m"))
    assert not folder.verify(new.key_id, b"m", old.sign(b"m"))
    assert not folder.verify("unknown", b"m", old.sign(b"m"))
