-- name: principal_fetch^
select tenant_id, subject, roles, groups, active, revision
from principals
where tenant_id = :tenant_id and subject = :subject;

-- name: principal_insert$
-- The revision of the new principal; null if the subject is taken.
insert into principals (tenant_id, subject, roles, groups)
values (:tenant_id, :subject, :roles::text[], :groups::text[])
on conflict do nothing
returning revision;

-- name: principal_update$
update principals
set roles = :roles::text[], groups = :groups::text[], active = :active, revision = revision + 1, updated_at = now()
where tenant_id = :tenant_id and subject = :subject
returning revision;

-- name: principal_count$
select count(*)
from principals
where tenant_id = :tenant_id;

-- name: operator_count$
-- Operators who can act.
select count(*)
from principals
where tenant_id = :tenant_id and active and 'operator' = any(roles);
