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
-- Every tenant in its turn: the first of each, then the second of each, so that a flood of one delays no other.
with recursive busy as (
    (select tenant_id from outbox_notices order by tenant_id limit 1)
    union all
    select (select n.tenant_id from outbox_notices n where n.tenant_id > b.tenant_id order by n.tenant_id limit 1)
    from busy b
    where b.tenant_id is not null
), turns as (
    select d.tenant_id, d.outbox_id, d.due_at, d.turn
    from busy b
    cross join lateral (
        select n.tenant_id, n.outbox_id, n.due_at, row_number() over (order by n.due_at) as turn
        from outbox_notices n
        where n.tenant_id = b.tenant_id and n.due_at <= now()
        order by n.due_at
        limit 8 * :limit
    ) d
), due as (
    select n.tenant_id, n.outbox_id
    from turns t
    join outbox_notices n on n.tenant_id = t.tenant_id and n.outbox_id = t.outbox_id
    where n.due_at <= now()
    order by t.turn, t.due_at
    limit :limit
    for update of n skip locked
)
update outbox_notices n
set due_at = now() + make_interval(secs => :lease_seconds::float8)
from due
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
