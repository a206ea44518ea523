-- name: message_insert!
insert into messages (tenant_id, task_id, message_id, ordinal, kind, author, text, content_hash, segments, parse_flags,
    file_name, original_hash, confirmations, idempotency_hash, answers)
values (:tenant_id, :task_id, :message_id, :ordinal, :kind, :author, :text, :content_hash, :segments, :parse_flags,
    :file_name, :original_hash, :confirmations, :idempotency_hash, :answers);

-- name: message_list
select message_id, ordinal, kind, author, text, content_hash, segments, parse_flags, file_name, original_hash,
    confirmations, idempotency_hash, received_at, merged_revision, answers
from messages
where tenant_id = :tenant_id and task_id = :task_id
order by ordinal;

-- name: message_fetch^
select message_id, ordinal, kind, author, text, content_hash, segments, parse_flags, file_name, original_hash,
    confirmations, idempotency_hash, received_at, merged_revision, answers
from messages
where tenant_id = :tenant_id and task_id = :task_id and message_id = :message_id;

-- name: message_unmerged_exists$
select exists (
    select from messages
    where tenant_id = :tenant_id and task_id = :task_id and merged_revision is null
);

-- name: message_merge!
update messages
set merged_revision = :revision
where tenant_id = :tenant_id and task_id = :task_id and message_id = any(:message_ids::text[])
    and merged_revision is null;

-- name: message_author_list
-- Everyone who said something to the task or took it over.
select author from messages where tenant_id = :tenant_id and task_id = :task_id
union
select actor from takeovers where tenant_id = :tenant_id and task_id = :task_id;
