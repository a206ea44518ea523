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

-- name: draft_hidden_text_list
-- Which of these sources held text that a reader of the original does not see.
select v.document_id, v.version
from unnest(:document_ids::text[], :versions::integer[]) as asked (document_id, version)
join document_versions v on v.tenant_id = :tenant_id and v.document_id = asked.document_id and v.version = asked.version
where 'hidden_text' = any(v.parse_flags)
union
select m.message_id, 1
from messages m
where m.tenant_id = :tenant_id and m.task_id = :task_id and 'hidden_text' = any(m.parse_flags)
order by 1, 2;
