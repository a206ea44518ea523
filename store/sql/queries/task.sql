-- name: task_insert^
-- Nothing comes back when the id is taken.
insert into tasks (tenant_id, task_id, request_hash, starter, state)
values (:tenant_id, :task_id, :request_hash, :starter, :state)
on conflict do nothing
returning task_id;

-- name: task_fetch^
select t.state, t.starter, t.request_hash, t.attempt, t.cancel_requested_by, t.cancel_reason, t.recheck_reason,
    t.created_at, t.updated_at
from tasks t
where t.tenant_id = :tenant_id and t.task_id = :task_id;

-- name: task_progress_fetch^
-- What whoever waits for a task looks at again and again.
select t.status, t.revision, exists (
    select from messages m
    where m.tenant_id = :tenant_id and m.task_id = :task_id and m.merged_revision is null
) as unmerged
from tasks t
where t.tenant_id = :tenant_id and t.task_id = :task_id;

-- name: task_lock^
-- Every writer of a task begins here, so that what it reads next cannot move under it.
select t.state, t.starter, t.request_hash, t.attempt, t.cancel_requested_by, t.cancel_reason, t.recheck_reason,
    t.created_at, t.updated_at
from tasks t
where t.tenant_id = :tenant_id and t.task_id = :task_id
for update;

-- name: task_save_if_revision^
-- Nothing comes back when another writer was first.
update tasks
set state = :state, attempt = :attempt, updated_at = now()
where tenant_id = :tenant_id and task_id = :task_id and revision = :expected_revision
returning revision;

-- name: task_cancel_request!
update tasks
set cancel_requested_by = :actor, cancel_reason = :reason, updated_at = now()
where tenant_id = :tenant_id and task_id = :task_id and cancel_requested_by is null;

-- name: task_recheck_set!
update tasks
set recheck_reason = :reason
where tenant_id = :tenant_id and task_id = :task_id;

-- name: task_list
-- The most urgent first: drafts that the approvers were reminded of and that still await them.
select t.task_id, t.state, t.starter, t.created_at, t.updated_at, u.reminders
from tasks t
cross join lateral (
    select coalesce(array_agg(r.kind order by r.kind), '{}') as reminders
    from reminders r
    where r.tenant_id = t.tenant_id and r.task_id = t.task_id and r.decision_version = t.decision_version
        and t.status = 'awaiting_approval'
) u
where t.tenant_id = :tenant_id
    and (:status::text is null or t.status = :status::text)
    and (:blocked_reason::text is null or t.blocked_reason = :blocked_reason::text)
    and (:starter::text is null or t.starter = :starter::text)
order by cardinality(u.reminders) desc, t.updated_at desc, t.task_id
limit :limit;

-- name: task_event_insert!
insert into task_events (tenant_id, task_id, status, pass, run_epoch, reason)
values (:tenant_id, :task_id, :status, :pass_, :run_epoch, :reason);

-- name: task_event_list
select at, status, pass, run_epoch, reason
from task_events
where tenant_id = :tenant_id and task_id = :task_id
order by event_no;

-- name: dead_letter_insert!
insert into dead_letters (tenant_id, task_id, pass, step, reason, error_code, attempts)
values (:tenant_id, :task_id, :pass_, :step, :reason, :error_code, :attempts)
on conflict do nothing;

-- name: dead_letter_resolve!
update dead_letters
set resolved_at = now()
where tenant_id = :tenant_id and task_id = :task_id and resolved_at is null;

-- name: dead_letter_list
select pass, step, reason, error_code, attempts, created_at, resolved_at
from dead_letters
where tenant_id = :tenant_id and task_id = :task_id
order by pass;
