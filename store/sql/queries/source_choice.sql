-- name: source_choice_insert!
insert into source_choices (tenant_id, task_id, pass, topic, document_id, version, content_hash, sides)
values (:tenant_id, :task_id, :pass_, :topic, :document_id, :version, :content_hash, :sides);

-- name: source_choice_fetch^
select topic, document_id, version
from source_choices
where tenant_id = :tenant_id and task_id = :task_id and pass = :pass_;

-- name: source_choice_list
-- The last choice on each topic that is not void, and whether its version is still what was chosen for this reader.
select distinct on (c.topic) c.pass, c.topic, c.document_id, c.version, c.content_hash, c.sides, t.actor, t.taken_at,
    v.content_hash = c.content_hash as hash_holds,
    v.status = 'published' as version_holds,
    v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to) as validity_holds,
    coalesce(p.active and v.acl && p.groups, false) as permission_holds
from source_choices c
join takeovers t on t.tenant_id = c.tenant_id and t.task_id = c.task_id and t.pass = c.pass
join document_versions v on v.tenant_id = c.tenant_id and v.document_id = c.document_id and v.version = c.version
left join principals p on p.tenant_id = c.tenant_id and p.subject = :subject
where c.tenant_id = :tenant_id and c.task_id = :task_id and c.voided_at is null
order by c.topic, c.pass desc;

-- name: source_choice_void!
-- All of the topic: an older choice does not come back.
update source_choices
set voided_at = now(), void_reason = :reason
where tenant_id = :tenant_id and task_id = :task_id and topic = :topic and voided_at is null;

-- name: source_version_fetch^
-- A version as a source for this reader now.
select v.content_hash,
    v.status = 'published' as version_holds,
    v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to) as validity_holds,
    coalesce(p.active and v.acl && p.groups, false) as permission_holds
from document_versions v
left join principals p on p.tenant_id = v.tenant_id and p.subject = :subject
where v.tenant_id = :tenant_id and v.document_id = :document_id and v.version = :version;
