-- Reminders of waiting drafts, sources that a person chose between, and topics that a message answers.

-- The key makes each reminder one for each draft, whatever becomes of the run that waits.
create table reminders (
    tenant_id text not null,
    task_id text not null,
    decision_version integer not null,
    kind text not null check (kind in ('reminder', 'escalation')),
    run_epoch integer not null,
    recorded_at timestamptz not null default now(),
    primary key (tenant_id, task_id, decision_version, kind),
    foreign key (tenant_id, task_id, decision_version) references drafts
);

-- What the takeover of one block chose: it holds for the sides that were shown, and for this text of the version.
create table source_choices (
    tenant_id text not null,
    task_id text not null,
    pass integer not null,
    topic text not null,
    document_id text not null,
    version integer not null,
    content_hash text not null,
    sides jsonb not null,
    voided_at timestamptz,
    void_reason text,
    primary key (tenant_id, task_id, pass),
    foreign key (tenant_id, task_id, pass) references takeovers,
    foreign key (tenant_id, document_id, version) references document_versions,
    check ((voided_at is null) = (void_reason is null))
);

-- What its author said that the message answers; whether it was asked is decided when it is merged.
alter table messages add column answers text[] not null default '{}';

do $$
declare
    name text;
    wall constant text := 'tenant_id = (select nullif(current_setting(''app.tenant'', true), ''''))';
begin
    foreach name in array array['reminders', 'source_choices'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format('create policy tenant_wall on %I using (%s) with check (%s)', name, wall, wall);
    end loop;
end $$;

grant select, insert on reminders to proofdesk_app;
grant select, insert, update on source_choices to proofdesk_app;
grant select on reminders, source_choices to proofdesk_auditor;
