-- name: tenant_ids
select tenant_id
from tenants
order by tenant_id;

-- name: task_unattended_list
-- Open tasks, and completed ones that something was added to, that nothing moved for a while and whose start is not on
-- its way (or on its way for so long that an older run must hold it up). `is_due` says that the run should have moved.
select t.task_id, t.run_epoch, t.status,
    t.status not in ('waiting_input', 'awaiting_approval', 'blocked')
    or t.cancel_requested_by is not null
    or t.recheck_reason is not null
    or exists (
        select from messages m
        where m.tenant_id = t.tenant_id and m.task_id = t.task_id and m.merged_revision is null
    )
    or exists (
        select from decisions d
        where d.tenant_id = t.tenant_id and d.task_id = t.task_id and d.decision_version = t.decision_version
            and d.applied_at is null and d.voided_at is null
    )
    or exists (
        select from takeovers k
        where k.tenant_id = t.tenant_id and k.task_id = t.task_id and k.pass = t.pass and k.applied_at is null
    ) as is_due
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
            and o.attempts < 12
    )
order by t.task_id;
