-- name: chaos_task_list
-- Every task of the tenant with the number of its timeline entries.
select t.state, t.starter, t.cancel_requested_by is not null as cancel_requested,
    (select count(*) from task_events e where e.tenant_id = t.tenant_id and e.task_id = t.task_id) as events
from tasks t
where t.tenant_id = :tenant_id
order by t.task_id;

-- name: chaos_message_list
-- Every message of the tenant, without its text.
select task_id, message_id, kind, author, content_hash as text_hash, confirmations,
    merged_revision is not null as merged
from messages
where tenant_id = :tenant_id
order by task_id, ordinal;

-- name: chaos_decision_list
select task_id, decision_version, decision_id::text as decision_id, verdict, actor,
    applied_at is not null as applied, voided_at is not null as voided
from decisions
where tenant_id = :tenant_id
order by task_id, decision_version, decided_at;

-- name: chaos_draft_list
select task_id, decision_version, content_hash, voided_at is not null as voided
from drafts
where tenant_id = :tenant_id
order by task_id, decision_version;

-- name: chaos_audit_list
-- What the audit tells of tasks, in its order; a refusal may tell of a task that is not there.
select substr(object, 6) as task_id, event, detail
from audit_log
where tenant_id = :tenant_id and object like 'task/%'
order by seq;

-- name: chaos_undelivered$
select count(*)
from outbox
where tenant_id = :tenant_id and delivered_at is null;
