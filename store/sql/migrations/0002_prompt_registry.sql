-- Prompts as versioned, immutable rows, and which version held when.
--
-- They belong to the tenant `deployment`: its operators, its audit, the same wall as every tenant's rows. What is in
-- force is the last activation of a prompt; draft, active and retired follow from the activations and are not stored.

create table prompt_versions (
    tenant_id text not null references tenants,
    prompt_id text not null check (prompt_id ~ '^[a-z][a-z0-9-]{0,63}$'),
    version text not null check (version ~ '^(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}$'),
    input text not null,
    output text not null,
    evaluation_set text not null,
    owner text not null,
    model_binding text not null,
    text text not null check (text <> ''),
    text_hash text not null,
    author text not null,
    published_at timestamptz not null default now(),
    primary key (tenant_id, prompt_id, version),
    unique (tenant_id, prompt_id, version, author)
);

create table prompt_activations (
    tenant_id text not null references tenants,
    activation_no integer not null check (activation_no >= 1),
    prompt_id text not null,
    version text not null,
    author text not null,
    kind text not null check (kind in ('seed', 'activate', 'rollback')),
    activated_by text not null,
    activated_at timestamptz not null default now(),
    primary key (tenant_id, activation_no),
    foreign key (tenant_id, prompt_id, version, author) references prompt_versions (tenant_id, prompt_id, version, author),
    constraint activation_by_another_than_author check (kind = 'seed' or activated_by <> author)
);
create index prompt_activations_of_prompt on prompt_activations (tenant_id, prompt_id, activation_no);

do $$
declare
    name text;
    wall constant text := 'tenant_id = (select nullif(current_setting(''app.tenant'', true), ''''))';
begin
    foreach name in array array['prompt_versions', 'prompt_activations'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format('create policy tenant_wall on %I using (%s) with check (%s)', name, wall, wall);
    end loop;
end $$;

-- Neither is ever changed or deleted.
grant select, insert on prompt_versions, prompt_activations to proofdesk_app;
grant select on prompt_versions, prompt_activations to proofdesk_auditor;
