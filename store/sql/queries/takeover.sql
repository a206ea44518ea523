-- name: takeover_insert!
insert into takeovers (tenant_id, task_id, pass, takeover_id, choice, actor, text, confirmations)
values (:tenant_id, :task_id, :pass_, :takeover_id, :choice, :actor, :text, :confirmations);

-- name: takeover_fetch^
select pass, takeover_id::text as takeover_id, choice, actor, text, confirmations, taken_at, applied_at
from takeovers
where tenant_id = :tenant_id and task_id = :task_id and pass = :pass_;

-- name: takeover_known$
select exists (
    select from takeovers where tenant_id = :tenant_id and task_id = :task_id and takeover_id::text = :reference
);

-- name: takeover_apply!
update takeovers
set applied_at = now()
where tenant_id = :tenant_id and task_id = :task_id and pass = :pass_ and applied_at is null;
