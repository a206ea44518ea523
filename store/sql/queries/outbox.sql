-- name: outbox_insert^
-- The row and the content-free notice that the relay finds it by.
with work as (
    insert into outbox (tenant_id, task_id, kind, reference)
    values (:tenant_id, :task_id, :kind, :reference)
    returning tenant_id, outbox_id
), notice as (
    insert into outbox_notices (tenant_id, outbox_id)
    select tenant_id, outbox_id from work
)
select outbox_id from work;

-- name: outbox_known$
select exists (
    select from outbox
    where tenant_id = :tenant_id and task_id = :task_id and kind = :kind and reference = :reference
);

-- name: outbox_claim
-- Leases due notices: whoever else asks meanwhile gets others, and a relay that dies gives them back by the lease.
update outbox_notices n
set due_at = now() + make_interval(secs => :lease_seconds::float8)
from (
    select tenant_id, outbox_id
    from outbox_notices
    where due_at <= now()
    order by due_at
    limit :limit
    for update skip locked
) as due
where n.tenant_id = due.tenant_id and n.outbox_id = due.outbox_id
returning n.tenant_id, n.outbox_id::text as outbox_id;

-- name: outbox_due_count$
select count(*) from outbox_notices where due_at <= now();

-- name: outbox_fetch^
select o.outbox_id::text as outbox_id, o.task_id, o.kind, o.reference, o.attempts, o.delivered_at, t.run_epoch, t.starter
from outbox o
join tasks t on t.tenant_id = o.tenant_id and t.task_id = o.task_id
where o.tenant_id = :tenant_id and o.outbox_id = :outbox_id;

-- name: outbox_deliver!
with done as (
    update outbox
    set delivered_at = coalesce(delivered_at, now())
    where tenant_id = :tenant_id and outbox_id = :outbox_id
)
delete from outbox_notices
where tenant_id = :tenant_id and outbox_id = :outbox_id;

-- name: outbox_fail^
-- Counts the failed delivery and makes it due again: after 0.5 s, then doubled up to 10 s.
with failed as (
    update outbox
    set attempts = attempts + 1, last_error_code = :error_code
    where tenant_id = :tenant_id and outbox_id = :outbox_id
    returning tenant_id, outbox_id, attempts
)
update outbox_notices n
set due_at = now() + make_interval(secs => least(10.0, 0.25 * power(2, least(failed.attempts, 10))))
from failed
where n.tenant_id = failed.tenant_id and n.outbox_id = failed.outbox_id
returning failed.attempts, n.due_at;
