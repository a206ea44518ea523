"""Reads the walls between tenants back from the database's own catalogue, so that a migration cannot forget one."""

from typing import Any

from store.connection import Connection, Row
from store.named_queries import queries
from store.roles import APP, AUDITOR, BACKUP, OWNER

# Without row security because they hold no content: a new column here must be judged, so the columns are listed.
CONTENT_FREE: dict[str, tuple[str, ...]] = {
    "tenants": ("tenant_id", "time_zone", "created_at"),
    "outbox_notices": ("tenant_id", "outbox_id", "due_at"),
    "schema_migrations": ("version", "name", "checksum", "applied_at"),
}
# What happened is added to and never changed.
APPEND_ONLY = frozenset(
    {
        "audit_log",
        "audit_seals",
        "task_events",
        "handoffs",
        "checkpoints",
        "originals",
        "prompt_versions",
        "prompt_activations",
    }
)
_WALL = "(tenant_id = ( SELECT NULLIF(current_setting('app.tenant'::text, true), ''::text) AS \"nullif\"))"
_POLICY = f"* {{0}} using {_WALL} check {_WALL}"
_TABLES = ("r", "p")
_APP_MAY = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE"})


async def catalogue_faults(conn: Connection) -> list[str]:
    """Every breach of the walls, each naming its object; an empty list is the promise of isolation.

    Tables: forced row security with the one policy, keys led by tenant_id, owned by the owner, minimal grants. No
    materialized view, no view that runs as its owner, no function that runs as its owner with a movable search path.
    The role of the application can do nothing beyond its grants.
    """
    relations: list[Row] = [row async for row in queries.catalogue_relation_list(conn)]
    faults = [fault for relation in relations for fault in _relation_faults(relation)]
    tenant_tables = {row["name"] for row in relations if row["kind"] in _TABLES and row["name"] != "schema_migrations"}
    faults += [fault async for row in queries.catalogue_key_list(conn) for fault in _key_faults(row, tenant_tables)]
    keyed = {row["table_name"] async for row in queries.catalogue_key_list(conn) if row["kind"] == "primary key"}
    faults += [f"table {name} has no primary key" for name in sorted(tenant_tables - keyed)]
    faults += [fault async for row in queries.catalogue_grant_list(conn) for fault in _grant_faults(row)]
    faults += [fault async for row in queries.catalogue_function_list(conn) for fault in _function_faults(row)]
    return faults + _role_faults(await queries.catalogue_role_fetch(conn, role_name=APP))


def _relation_faults(relation: Row) -> list[str]:
    name, kind = relation["full_name"], relation["kind"]
    if kind == "m":
        return [f"materialized view {name} keeps rows outside of row security"]
    if kind == "f":
        return [f"foreign table {name} is outside of row security"]
    if kind == "v":
        invoker = {"security_invoker=true", "security_invoker=on", "security_invoker=1"} & set(relation["options"])
        return [] if invoker else [f"view {name} lacks security_invoker and shows what its owner sees"]
    faults = [f"table {name} is owned by {relation['owner']}, not {OWNER}"] if relation["owner"] != OWNER else []
    if relation["has_rules"]:
        faults.append(f"table {name} has a rewrite rule")
    allowed = CONTENT_FREE.get(relation["name"]) if name.startswith("public.") else None
    return faults + (_wall_faults(relation) if allowed is None else _content_faults(relation, allowed))


def _content_faults(relation: Row, allowed: tuple[str, ...]) -> list[str]:
    added = sorted(set(relation["columns"]) - set(allowed))
    return [f"table {relation['full_name']} is content-free, yet has {', '.join(added)}"] if added else []


def _wall_faults(relation: Row) -> list[str]:
    name = relation["full_name"]
    if not relation["has_tenant"]:
        return [f"table {name} has no tenant_id of type text not null"]
    faults: list[str] = []
    if not relation["row_security"]:
        faults.append(f"table {name} has no row security")
    if not relation["forced"]:
        faults.append(f"table {name} does not force row security on its owner")
    policies: list[str] = relation["policies"]
    if not policies:
        faults.append(f"table {name} has no policy")
    elif policies != [_POLICY]:
        faults.append(f"table {name} has another policy than the tenant's: {'; '.join(policies)}")
    return faults


def _key_faults(key: Row, tenant_tables: set[str]) -> list[str]:
    if key["table_name"] not in tenant_tables:
        return []
    if key["first_column"] == "tenant_id" and key["first_referenced"] == "tenant_id":
        return []
    return [f"{key['kind']} {key['name']} of {key['table_name']} does not begin with tenant_id"]


def _grant_faults(grant: Row) -> list[str]:
    table, grantee, privilege = grant["table_name"], grant["grantee"], grant["privilege"]
    allowed: dict[str, frozenset[str]] = {
        APP: frozenset({"SELECT", "INSERT"}) if table in APPEND_ONLY else _APP_MAY,
        AUDITOR: frozenset({"SELECT"}),
        BACKUP: frozenset({"SELECT"}),
    }
    faults: list[str] = []
    if privilege not in allowed.get(grantee, frozenset()):
        faults.append(f"{grantee} has {privilege} on {table}")
    if grant["is_grantable"]:
        faults.append(f"{grantee} may pass on {privilege} on {table}")
    return faults


def _function_faults(function: Row) -> list[str]:
    name = function["name"]
    faults: list[str] = []
    if function["is_definer"] and not function["fixes_search_path"]:
        faults.append(f"function {name} is SECURITY DEFINER without a fixed search_path")
    if function["is_definer"] and function["public_may_call"]:
        faults.append(f"function {name} is SECURITY DEFINER and everybody may call it")
    if function["is_frozen_tenant"]:
        faults.append(f"function {name} reads a setting but is IMMUTABLE: a cached plan would keep the first tenant")
    if function["is_leakproof"]:
        faults.append(f"function {name} is LEAKPROOF and may run before row security")
    return faults


def _role_faults(role: Any) -> list[str]:
    if role is None:
        return [f"role {APP} does not exist: run deploy/roles.sql"]
    return [f"role {APP}: {right.replace('_', ' ')}" for right, held in role.items() if held]
