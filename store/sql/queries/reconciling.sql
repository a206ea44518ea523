-- name: tenant_ids
select tenant_id
from tenants
order by tenant_id;

-- name: task_unattended_list
-- Open tasks, and completed ones that something was added to, that nothing moved for a while and whose start is not on
-- its way.
select t.task_id, t.run_epoch, t.status
from tasks t
where t.tenant_id = :tenant_id
    and (
        t.status not in ('completed', 'failed', 'cancelled')
        or t.status = 'completed' and exists (
            select from messages m
            where m.tenant_id = t.tenant_id and m.task_id = t.task_id and m.merged_revision is null
        )
    )
    and t.updated_at <= now() - make_interval(secs => :quiet_seconds)
    and not exists (
        select from outbox o
        where o.tenant_id = t.tenant_id and o.task_id = t.task_id and o.kind = 'start' and o.delivered_at is null
    )
order by t.task_id;
