-- name: draft_insert!
insert into drafts (tenant_id, task_id, decision_version, revision, content_hash, body)
values (:tenant_id, :task_id, :decision_version, :revision, :content_hash, :body);

-- name: draft_fetch^
select decision_version, revision, content_hash, body, created_at, voided_at, void_reason
from drafts
where tenant_id = :tenant_id and task_id = :task_id and decision_version = :decision_version;

-- name: draft_latest_fetch^
select decision_version, revision, content_hash, body, created_at, voided_at, void_reason
from drafts
where tenant_id = :tenant_id and task_id = :task_id
order by decision_version desc
limit 1;

-- name: draft_void!
update drafts
set voided_at = now(), void_reason = :reason
where tenant_id = :tenant_id and task_id = :task_id and decision_version = :decision_version and voided_at is null;
