-- name: decision_insert^
-- Nothing comes back when somebody else decided first.
insert into decisions (tenant_id, task_id, decision_version, decision_id, verdict, actor, content_hash, comment,
    confirmations)
values (:tenant_id, :task_id, :decision_version, :decision_id, :verdict, :actor, :content_hash, :comment,
    :confirmations)
on conflict do nothing
returning decision_id;

-- name: decision_fetch^
select decision_version, decision_id::text as decision_id, verdict, actor, content_hash, comment, confirmations, decided_at, applied_at,
    voided_at, void_reason
from decisions
where tenant_id = :tenant_id and task_id = :task_id and decision_version = :decision_version;

-- name: decision_known$
select exists (
    select from decisions where tenant_id = :tenant_id and task_id = :task_id and decision_id::text = :reference
);

-- name: decision_apply!
update decisions
set applied_at = now()
where tenant_id = :tenant_id and task_id = :task_id and decision_version = :decision_version and applied_at is null;

-- name: decision_void!
update decisions
set voided_at = now(), void_reason = :reason
where tenant_id = :tenant_id and task_id = :task_id and decision_version = :decision_version and voided_at is null;
