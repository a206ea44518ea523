"""A policy is versioned and checked; nothing in it can switch a guard off."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from models.errors import InvalidInput, Refused
from models.policies import Policy
from services.policies import PolicyVersion, parse_policy, policy_current, policy_set
from store.policy import policy_insert
from store.pool import Store
from store.tenant import tenant_lock
from tests.services.people import Company, found_company


@pytest_asyncio.fixture
async def company(store: Store) -> AsyncGenerator[Company]:
    yield await found_company(store)


async def current(company: Company) -> PolicyVersion:
    async with company.store.tenant_transaction(company.tenant) as tx:
        return await policy_current(tx)


async def test_the_default_holds_until_one_is_set(company: Company) -> None:
    assert await current(company) == PolicyVersion(policy_version=0, policy=Policy())


async def test_each_change_is_a_version_and_the_same_again_none(company: Company) -> None:
    first = await policy_set(company.store, company.op, {"expiry_hours": 48})
    assert (first.policy_version, first.policy.expiry_hours) == (1, 48)
    assert await policy_set(company.store, company.op, {"expiry_hours": 48}) == first
    second = await policy_set(company.store, company.op, {"required_topics": ["lead_time", "packaging"]})
    assert second.policy_version == 2
    assert await current(company) == second
    assert await company.value("select body ->> 'expiry_hours' from policies where policy_version = 1") == "48"
    assert await company.events("policy") == ["policy_set", "policy_set"]


async def test_two_changes_at_once_are_two_versions(company: Company) -> None:
    async with company.store.tenant_transaction(company.tenant) as first:
        await tenant_lock(first)
        await policy_insert(first, 1, Policy(expiry_hours=24), company.op.subject)
        second = asyncio.create_task(policy_set(company.store, company.op, {"expiry_hours": 48}))
        await asyncio.sleep(0.3)
        assert not second.done()
    assert (await second).policy_version == 2


async def test_the_default_can_be_set_by_name(company: Company) -> None:
    assert (await policy_set(company.store, company.op, {})).policy_version == 1


async def test_only_an_operator_sets_it(company: Company) -> None:
    """Hostile 79."""
    with pytest.raises(Refused, match="operator"):
        await policy_set(company.store, company.kim, {})
    assert await company.events("policy") == ["policy_set_refused"]
    assert (await current(company)).policy_version == 0


BAD_POLICIES: list[tuple[Any, str]] = [
    ({"approval_required": False}, "approval_required: a person decides"),
    ({"four_eyes": False}, "four_eyes: nobody decides on their own request"),
    ({"four_eyes": 0}, "four_eyes"),
    ({"self_approval": True}, "'self_approval' is no setting"),
    ({"retention_hours": 0}, "'retention_hours' is no setting"),
    ({"expiry_hours": 0}, "expiry_hours"),
    ({"expiry_hours": "48"}, "expiry_hours"),
    ({"expiry_hours": 1.5}, "expiry_hours"),
    ({"expiry_hours": True}, "expiry_hours"),
    ({"expiry_hours": float("nan")}, "JSON cannot"),
    ({"expiry_hours": 1e400}, "JSON cannot"),
    ({"reminder_hours": 0}, "reminder_hours"),
    ({"reminder_hours": 48}, "policy: reminder_hours (48) comes before escalation_hours (48)"),
    ({"escalation_hours": 200}, "before expiry_hours (168)"),
    ({"required_fields": ["price"]}, "required_fields.0"),
    ({"topics": [{"topic": "Bad Name", "terms": ["x"]}]}, "topics.0.topic"),
    ({"topics": [{"topic": "ok", "terms": []}]}, "topics.0.terms"),
    ({"schema_version": "policy@2"}, "schema_version"),
    ([], "JSON object"),
    ("{}", "JSON object"),
    (None, "JSON object"),
]


@pytest.mark.parametrize(("body", "says"), BAD_POLICIES)
async def test_a_policy_that_is_none_is_refused_in_words(company: Company, body: Any, says: str) -> None:
    """Hostile 82."""
    with pytest.raises(InvalidInput) as caught:
        await policy_set(company.store, company.op, body)
    assert says in str(caught.value)
    assert (await current(company)).policy_version == 0
    assert await company.events("policy") == ["policy_set_refused"]


def test_every_fault_is_named_at_once_and_no_value_is_repeated() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_policy({"a": "secret", "expiry_hours": "secret"})
    message = str(caught.value)
    assert "'a' is no setting" in message
    assert "expiry_hours" in message
    assert "secret" not in message


def test_a_policy_survives_its_own_json() -> None:
    policy = parse_policy({"topics": [{"topic": "coating", "terms": ["coating", "塗裝"]}]})
    assert parse_policy(json.loads(policy.model_dump_json())) == policy


def test_a_required_topic_without_words_is_refused_and_one_with_words_is_taken() -> None:
    with pytest.raises(InvalidInput, match="'export_licence'"):
        parse_policy({"required_topics": ["lead_time", "export_licence"]})
    own = {"topic": "export_licence", "terms": ["export licence", "出口許可"]}
    assert parse_policy({"required_topics": ["export_licence"], "topics": [own]}).topics[0].topic == "export_licence"
