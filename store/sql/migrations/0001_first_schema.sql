-- The first schema: tenants, principals, governed knowledge, its index, quote tasks, messages and the audit.
--
-- Every table with a tenant_id is under forced row security; keys and foreign keys begin with tenant_id.
-- Lock order inside a transaction: tasks, then documents and document_versions, then everything else.

create extension if not exists vector;

-- ---------------------------------------------------------------- content-free directory (no row security)

create table tenants (
    tenant_id text primary key check (tenant_id ~ '^[A-Za-z0-9-]{1,40}$'),
    time_zone text not null default 'UTC',
    created_at timestamptz not null default now()
);

-- Tells the relay where work waits; the work itself is read in a transaction of the tenant.
create table outbox_notices (
    tenant_id text not null references tenants,
    outbox_id uuid not null,
    due_at timestamptz not null default now(),
    primary key (tenant_id, outbox_id)
);
create index outbox_notices_due on outbox_notices (due_at);

-- ---------------------------------------------------------------- people and policies

create table principals (
    tenant_id text not null references tenants,
    subject text not null,
    roles text[] not null default '{}',
    groups text[] not null default '{}',
    active boolean not null default true,
    revision integer not null default 1,
    updated_at timestamptz not null default now(),
    primary key (tenant_id, subject),
    check (roles <@ array['requester', 'approver', 'knowledge_owner', 'operator', 'auditor'])
);

create table policies (
    tenant_id text not null references tenants,
    policy_version integer not null check (policy_version >= 1),
    body jsonb not null,
    created_by text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, policy_version)
);

-- ---------------------------------------------------------------- governed knowledge

-- Original bytes, kept once per tenant and content.
create table originals (
    tenant_id text not null references tenants,
    original_hash text not null,
    media_type text not null,
    bytes bytea not null,
    stored_at timestamptz not null default now(),
    primary key (tenant_id, original_hash)
);

create table documents (
    tenant_id text not null references tenants,
    document_id text not null check (document_id ~ '^[A-Za-z0-9._-]{1,64}$'),
    kind text not null check (kind in ('formal_fact', 'historical_event', 'inference')),
    created_by text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, document_id)
);

create table document_versions (
    tenant_id text not null,
    document_id text not null,
    version integer not null check (version >= 1),
    status text not null check (status in ('draft', 'submitted', 'approved', 'published', 'withdrawn')),
    title text not null,
    acl text[] not null,
    effective_from timestamptz,
    effective_to timestamptz,
    file_name text,
    media_type text not null,
    original_hash text not null,
    parser_name text not null,
    parser_version text not null,
    canonical_text text not null,
    content_hash text not null,
    segments jsonb not null,
    parse_flags text[] not null default '{}',
    revision integer not null default 1,
    created_by text not null,
    submitted_by text,
    approved_by text,
    published_by text,
    withdrawn_by text,
    withdrawn_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, document_id, version),
    foreign key (tenant_id, document_id) references documents,
    foreign key (tenant_id, original_hash) references originals,
    check (effective_to is null or effective_to > effective_from),
    check (status <> 'published' or effective_from is not null),
    check (approved_by is null or approved_by <> created_by),
    check (approved_by is null or approved_by <> submitted_by),
    constraint approval_needs_submitted_by check (approved_by is null or submitted_by is not null),
    constraint publication_needs_approved_by check (status not in ('approved', 'published') or approved_by is not null)
);
create index document_versions_published on document_versions (tenant_id, effective_from, effective_to)
    where status = 'published';

-- ---------------------------------------------------------------- the index: a way in, never the truth

create table tenant_indexes (
    tenant_id text not null references tenants,
    index_version text not null,
    embedding_model text not null,
    dimension integer not null,
    chunker_version text not null,
    tokenizer_version text not null,
    live boolean not null,
    chunk_count bigint not null default 0,
    token_total bigint not null default 0,
    created_at timestamptz not null default now(),
    primary key (tenant_id, index_version)
);
create unique index tenant_indexes_one_live on tenant_indexes (tenant_id) where live;

create table chunks (
    tenant_id text not null,
    index_version text not null,
    chunk_id bigint generated always as identity,
    document_id text not null,
    version integer not null,
    ordinal integer not null,
    char_start integer not null,
    char_end integer not null check (char_end > char_start),
    content_hash text not null,
    span_hash text not null,
    chunker_version text not null,
    embedding_model text not null,
    dimension integer not null,
    embedding halfvec not null,
    acl text[] not null,
    token_count integer not null,
    primary key (tenant_id, index_version, chunk_id),
    unique (tenant_id, index_version, document_id, version, ordinal),
    foreign key (tenant_id, index_version) references tenant_indexes,
    foreign key (tenant_id, document_id, version) references document_versions,
    check (vector_dims(embedding) = dimension)
);

create table postings (
    tenant_id text not null,
    index_version text not null,
    token text not null,
    chunk_id bigint not null,
    tf integer not null check (tf >= 1),
    primary key (tenant_id, index_version, token, chunk_id),
    foreign key (tenant_id, index_version, chunk_id) references chunks on delete cascade
);
create index postings_of_chunk on postings (tenant_id, index_version, chunk_id);

create table exact_terms (
    tenant_id text not null,
    index_version text not null,
    term text not null,
    chunk_id bigint not null,
    primary key (tenant_id, index_version, term, chunk_id),
    foreign key (tenant_id, index_version, chunk_id) references chunks on delete cascade
);
create index exact_terms_of_chunk on exact_terms (tenant_id, index_version, chunk_id);

-- Keyed by tenant, model and hash; a vector is as secret as its text.
create table embedding_cache (
    tenant_id text not null references tenants,
    embedding_model text not null,
    role text not null check (role in ('query', 'passage')),
    text_hash text not null,
    embedding halfvec not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, embedding_model, role, text_hash)
);

-- ---------------------------------------------------------------- quote tasks

-- `state` is task-state@1; what is filtered or compared is generated from it, so the two cannot disagree.
create table tasks (
    tenant_id text not null references tenants,
    task_id text not null check (task_id ~ '^[A-Za-z0-9._-]{1,64}$'),
    request_hash text not null,
    starter text not null,
    state jsonb not null,
    status text not null generated always as (state ->> 'status') stored,
    revision integer not null generated always as ((state ->> 'revision')::integer) stored,
    decision_version integer not null generated always as ((state ->> 'decision_version')::integer) stored,
    run_epoch integer not null generated always as ((state ->> 'run_epoch')::integer) stored,
    pass integer not null generated always as ((state ->> 'pass')::integer) stored,
    blocked_reason text generated always as (state -> 'block' ->> 'reason') stored,
    attempt integer not null default 0,
    cancel_requested_by text,
    cancel_reason text,
    recheck_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, task_id),
    foreign key (tenant_id, starter) references principals,
    check (status in ('created', 'restoring', 'retrieving', 'analyzing', 'reviewing', 'awaiting_approval',
                      'completed', 'waiting_input', 'retrying', 'blocked', 'failed', 'cancelled')),
    check ((cancel_requested_by is null) = (cancel_reason is null))
);
create index tasks_by_status on tasks (tenant_id, status, updated_at);

create table messages (
    tenant_id text not null,
    task_id text not null,
    message_id text not null,
    ordinal integer not null,
    kind text not null check (kind in ('request', 'supplement', 'confirmation', 'request_changes', 'takeover')),
    author text not null,
    text text not null,
    content_hash text not null,
    segments jsonb not null,
    parse_flags text[] not null default '{}',
    file_name text,
    original_hash text,
    confirmations jsonb not null default '{}',
    idempotency_hash text not null,
    received_at timestamptz not null default now(),
    merged_revision integer,
    primary key (tenant_id, task_id, message_id),
    unique (tenant_id, task_id, ordinal),
    foreign key (tenant_id, task_id) references tasks,
    foreign key (tenant_id, author) references principals,
    foreign key (tenant_id, original_hash) references originals
);
create index messages_unmerged on messages (tenant_id, task_id) where merged_revision is null;

-- Step key (tenant, task, step, pass): a repeated step finds its own checkpoint and returns it.
create table checkpoints (
    tenant_id text not null,
    task_id text not null,
    step text not null,
    pass integer not null,
    run_epoch integer not null,
    attempt integer not null,
    revision integer not null,
    result jsonb not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, task_id, step, pass),
    foreign key (tenant_id, task_id) references tasks
);

create table handoffs (
    tenant_id text not null,
    task_id text not null,
    pass integer not null,
    source_agent text not null,
    target_agent text not null,
    schema_version text not null,
    run_id text not null,
    payload_hash text not null,
    body jsonb not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, task_id, pass, source_agent, target_agent),
    foreign key (tenant_id, task_id) references tasks
);

create table task_evidence (
    tenant_id text not null,
    task_id text not null,
    evidence_id text not null,
    pass integer not null,
    source text not null check (source in ('document', 'message')),
    document_id text not null,
    version integer not null,
    body jsonb not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, task_id, evidence_id),
    foreign key (tenant_id, task_id) references tasks
);
create index task_evidence_of_pass on task_evidence (tenant_id, task_id, pass);
create index task_evidence_of_document on task_evidence (tenant_id, document_id, version) where source = 'document';

create table drafts (
    tenant_id text not null,
    task_id text not null,
    decision_version integer not null,
    revision integer not null,
    content_hash text not null,
    body jsonb not null,
    created_at timestamptz not null default now(),
    voided_at timestamptz,
    void_reason text,
    primary key (tenant_id, task_id, decision_version),
    foreign key (tenant_id, task_id) references tasks,
    check ((voided_at is null) = (void_reason is null))
);

-- The unique key decides: one decision for one draft, whoever comes second reads the first.
create table decisions (
    tenant_id text not null,
    task_id text not null,
    decision_version integer not null,
    decision_id uuid not null,
    verdict text not null check (verdict in ('approve', 'request_changes', 'reject')),
    actor text not null,
    content_hash text not null,
    comment text not null default '',
    confirmations jsonb not null default '{}',
    decided_at timestamptz not null default now(),
    applied_at timestamptz,
    voided_at timestamptz,
    void_reason text,
    primary key (tenant_id, task_id, decision_version),
    unique (tenant_id, decision_id),
    foreign key (tenant_id, task_id, decision_version) references drafts,
    foreign key (tenant_id, actor) references principals,
    check ((voided_at is null) = (void_reason is null))
);

-- One takeover for one entry into `blocked`.
create table takeovers (
    tenant_id text not null,
    task_id text not null,
    pass integer not null,
    takeover_id uuid not null,
    choice text not null check (choice in ('retry', 'provide', 'choose_source', 'abandon')),
    actor text not null,
    text text not null default '',
    confirmations jsonb not null default '{}',
    taken_at timestamptz not null default now(),
    applied_at timestamptz,
    primary key (tenant_id, task_id, pass),
    unique (tenant_id, takeover_id),
    foreign key (tenant_id, task_id) references tasks,
    foreign key (tenant_id, actor) references principals
);

create table dead_letters (
    tenant_id text not null,
    task_id text not null,
    pass integer not null,
    step text not null,
    reason text not null,
    error_code text not null,
    attempts integer not null,
    created_at timestamptz not null default now(),
    resolved_at timestamptz,
    primary key (tenant_id, task_id, pass),
    foreign key (tenant_id, task_id) references tasks
);

-- The timeline of a task: every status it was in, and why.
create table task_events (
    tenant_id text not null,
    task_id text not null,
    event_no bigint generated always as identity,
    at timestamptz not null default clock_timestamp(),
    status text not null,
    pass integer not null,
    run_epoch integer not null,
    reason text not null default '',
    primary key (tenant_id, task_id, event_no),
    foreign key (tenant_id, task_id) references tasks
);

create table outbox (
    tenant_id text not null references tenants,
    outbox_id uuid not null default gen_random_uuid(),
    task_id text not null,
    kind text not null check (kind in ('start', 'supplement', 'decision', 'takeover', 'cancel', 'recheck')),
    reference text not null,
    created_at timestamptz not null default now(),
    delivered_at timestamptz,
    attempts integer not null default 0,
    last_error_code text,
    primary key (tenant_id, outbox_id),
    foreign key (tenant_id, task_id) references tasks
);
create index outbox_of_task on outbox (tenant_id, task_id) where delivered_at is null;

-- ---------------------------------------------------------------- audit: appended, never changed

create table audit_log (
    tenant_id text not null references tenants,
    seq bigint generated always as identity,
    at timestamptz not null default clock_timestamp(),
    actor text not null,
    event text not null,
    object text not null,
    detail jsonb not null default '{}',
    primary key (tenant_id, seq)
);
create index audit_log_of_object on audit_log (tenant_id, object, seq);

-- ---------------------------------------------------------------- row security and grants

do $$
declare
    name text;
    wall constant text := 'tenant_id = (select nullif(current_setting(''app.tenant'', true), ''''))';
begin
    foreach name in array array[
        'principals', 'policies', 'originals', 'documents', 'document_versions', 'tenant_indexes', 'chunks',
        'postings', 'exact_terms', 'embedding_cache', 'tasks', 'messages', 'checkpoints', 'handoffs',
        'task_evidence', 'drafts', 'decisions', 'takeovers', 'dead_letters', 'task_events', 'outbox', 'audit_log'
    ] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format('create policy tenant_wall on %I using (%s) with check (%s)', name, wall, wall);
    end loop;
end $$;

grant select, insert on tenants, originals, policies, documents, checkpoints, handoffs, task_evidence,
    task_events, audit_log to proofdesk_app;
grant select, insert, update on principals, document_versions, tenant_indexes, tasks, messages, drafts, decisions,
    takeovers, dead_letters, outbox to proofdesk_app;
grant select, insert, update, delete on chunks, postings, exact_terms, embedding_cache, outbox_notices
    to proofdesk_app;
grant select on tenants, audit_log, tasks, task_events, decisions, drafts, takeovers to proofdesk_auditor;
