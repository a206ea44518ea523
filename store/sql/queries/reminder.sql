-- name: reminder_insert^
-- Nothing comes back when this draft had it already.
insert into reminders (tenant_id, task_id, decision_version, kind, run_epoch)
values (:tenant_id, :task_id, :decision_version, :kind, :run_epoch)
on conflict do nothing
returning kind;

-- name: reminder_list
select kind
from reminders
where tenant_id = :tenant_id and task_id = :task_id and decision_version = :decision_version
order by kind;
