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

-- name: task_recheck_by_starter
-- Open tasks of somebody whose last evidence they may read no more: marked, and a notice to each one's workflow. The
-- tasks are locked in their order.
with affected as materialized (
    select t.task_id
    from tasks t
    where t.tenant_id = :tenant_id and t.starter = :subject and t.status not in ('completed', 'failed', 'cancelled')
        and exists (
            select from task_evidence e
            join document_versions v
                on v.tenant_id = e.tenant_id and v.document_id = e.document_id and v.version = e.version
            where e.tenant_id = :tenant_id and e.task_id = t.task_id and e.source = 'document'
                and e.pass = (
                    select max(last.pass) from task_evidence last
                    where last.tenant_id = :tenant_id and last.task_id = t.task_id
                )
                and not (:active::boolean and v.acl && :groups::text[])
        )
    order by t.task_id
    for update of t
),
marked as (
    update tasks t
    set recheck_reason = :reason, updated_at = now()
    from affected a
    where t.tenant_id = :tenant_id and t.task_id = a.task_id
    returning t.task_id
),
posted as (
    insert into outbox (tenant_id, task_id, kind, reference)
    select :tenant_id, m.task_id, 'recheck', :reason
    from marked m
    returning outbox_id, task_id
),
noticed as (
    insert into outbox_notices (tenant_id, outbox_id)
    select :tenant_id, p.outbox_id
    from posted p
)
select task_id
from posted
order by task_id;
