-- name: original_insert!
-- Kept once per content; the same bytes again change nothing.
insert into originals (tenant_id, original_hash, media_type, bytes)
values (:tenant_id, :original_hash, :media_type, :bytes)
on conflict do nothing;

-- name: document_insert!
-- The first version fixes the kind; whoever adds another one meanwhile waits for this transaction's end.
insert into documents (tenant_id, document_id, kind, created_by)
values (:tenant_id, :document_id, :kind, :created_by)
on conflict do nothing;

-- name: document_kind_fetch$
select kind
from documents
where tenant_id = :tenant_id and document_id = :document_id;

-- name: document_maker_fetch$
select created_by
from documents
where tenant_id = :tenant_id and document_id = :document_id;

-- name: document_version_lock
-- Every version of a document, held until the transaction's end: two publications come one after the other.
select version, status, effective_from, effective_to
from document_versions
where tenant_id = :tenant_id and document_id = :document_id
order by version
for update;

-- name: document_version_last_fetch$
select max(version)
from document_versions
where tenant_id = :tenant_id and document_id = :document_id;

-- name: document_version_insert!
insert into document_versions (
    tenant_id, document_id, version, status, title, acl, effective_from, effective_to, file_name, media_type,
    original_hash, parser_name, parser_version, canonical_text, content_hash, segments, parse_flags, created_by
)
values (
    :tenant_id, :document_id, :version, 'draft', :title, :acl::text[], :effective_from, :effective_to, :file_name,
    :media_type, :original_hash, :parser_name, :parser_version, :canonical_text, :content_hash, :segments,
    :parse_flags::text[], :created_by
);

-- name: document_version_fetch^
select
    v.tenant_id, v.document_id, v.version, d.kind, v.status, v.title, v.acl, v.effective_from, v.effective_to,
    v.original_hash, v.content_hash, v.media_type, v.file_name, v.created_by, v.submitted_by, v.revision
from document_versions v
join documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
where v.tenant_id = :tenant_id and v.document_id = :document_id and v.version = :version;

-- name: document_version_list
-- What the reader may know of: everything for who keeps the knowledge, else what names a group or comes from them.
select
    v.tenant_id, v.document_id, v.version, d.kind, v.status, v.title, v.acl, v.effective_from, v.effective_to,
    v.original_hash, v.content_hash, v.media_type, v.file_name, v.created_by, v.submitted_by, v.revision
from document_versions v
join documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
where v.tenant_id = :tenant_id
    and (:sees_all::boolean or v.created_by = :subject or v.submitted_by = :subject
         or (v.status = 'published' and v.acl && :groups::text[]))
    and (:document_id::text is null or v.document_id = :document_id)
    and (:status::text is null or v.status = :status)
    and (v.document_id, v.version) > (:after_document, :after_version::integer)
order by v.document_id, v.version
limit :top;

-- name: document_version_submit!
update document_versions
set status = 'submitted', submitted_by = :actor, revision = revision + 1, updated_at = now()
where tenant_id = :tenant_id and document_id = :document_id and version = :version and status = 'draft';

-- name: document_version_approve!
update document_versions
set status = 'approved', approved_by = :actor, revision = revision + 1, updated_at = now()
where tenant_id = :tenant_id and document_id = :document_id and version = :version and status = 'submitted';

-- name: document_version_publish!
update document_versions
set status = 'published', published_by = :actor, effective_from = :effective_from, effective_to = :effective_to,
    revision = revision + 1, updated_at = now()
where tenant_id = :tenant_id and document_id = :document_id and version = :version and status = 'approved';

-- name: document_version_close!
-- A later version takes over.
update document_versions
set effective_to = :effective_to, revision = revision + 1, updated_at = now()
where tenant_id = :tenant_id and document_id = :document_id and version = :version and status = 'published';

-- name: document_version_withdraw!
update document_versions
set status = 'withdrawn', withdrawn_by = :actor, withdrawn_reason = :reason, revision = revision + 1,
    updated_at = now()
where tenant_id = :tenant_id and document_id = :document_id and version = :version and status <> 'withdrawn';

-- name: original_text_fetch^
-- For citations: published versions alone, and only for who may read them. Whether one is effective now is not asked.
select
    v.document_id, v.version, d.kind, v.title, v.effective_from, v.effective_to, v.media_type, v.file_name,
    v.original_hash, v.content_hash, v.canonical_text, v.segments
from document_versions v
join documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
where v.tenant_id = :tenant_id and v.document_id = :document_id and v.version = :version
    and v.status = 'published' and v.acl && :groups::text[];

-- name: original_bytes_fetch$
select o.bytes
from document_versions v
join originals o on o.tenant_id = v.tenant_id and o.original_hash = v.original_hash
where v.tenant_id = :tenant_id and v.document_id = :document_id and v.version = :version
    and v.status = 'published' and v.acl && :groups::text[];

-- name: task_recheck_by_document
-- Open tasks whose last evidence holds the document: marked, and a notice to each one's workflow. The tasks are locked
-- in their order before any document is, as everywhere.
with affected as materialized (
    select t.task_id
    from tasks t
    where t.tenant_id = :tenant_id and t.status not in ('completed', 'failed', 'cancelled')
        and exists (
            select from task_evidence e
            where e.tenant_id = :tenant_id and e.task_id = t.task_id and e.source = 'document'
                and e.document_id = :document_id
                and e.pass = (
                    select max(last.pass) from task_evidence last
                    where last.tenant_id = :tenant_id and last.task_id = t.task_id
                )
        )
    order by t.task_id
    for update of t
),
marked as (
    update tasks t
    set recheck_reason = :reason, updated_at = now()
    from affected a
    where t.tenant_id = :tenant_id and t.task_id = a.task_id
    returning t.task_id
),
posted as (
    insert into outbox (tenant_id, task_id, kind, reference)
    select :tenant_id, m.task_id, 'recheck', :reason
    from marked m
    returning outbox_id, task_id
),
noticed as (
    insert into outbox_notices (tenant_id, outbox_id)
    select :tenant_id, p.outbox_id
    from posted p
)
select task_id
from posted
order by task_id;
