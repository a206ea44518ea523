-- Token budgets: what a tenant may spend on models in one day of its own time zone, and what it spent.

-- No row, or null: nothing is refused and everything is counted.
create table token_budgets (
    tenant_id text not null references tenants,
    daily_tokens bigint check (daily_tokens >= 0),
    set_by text not null,
    set_at timestamptz not null default now(),
    primary key (tenant_id)
);

-- Reserved and used count alike against the budget: what was never settled stays spent, on its own day alone.
create table token_days (
    tenant_id text not null references tenants,
    day date not null,
    reserved bigint not null default 0 check (reserved >= 0),
    used bigint not null default 0 check (used >= 0),
    calls bigint not null default 0 check (calls >= 0),
    refused bigint not null default 0 check (refused >= 0),
    primary key (tenant_id, day)
);

-- One row for one call of a model, so that settling twice is settling once.
create table token_bookings (
    tenant_id text not null,
    booking_id uuid not null default gen_random_uuid(),
    day date not null,
    purpose text not null check (purpose ~ '^[a-z][a-z_]{0,39}$'),
    estimate bigint not null check (estimate >= 0),
    used bigint check (used >= 0),
    reserved_at timestamptz not null default now(),
    settled_at timestamptz,
    primary key (tenant_id, booking_id),
    foreign key (tenant_id, day) references token_days,
    check ((used is null) = (settled_at is null))
);
create index token_bookings_of_day on token_bookings (tenant_id, day, purpose);

do $$
declare
    name text;
    wall constant text := 'tenant_id = (select nullif(current_setting(''app.tenant'', true), ''''))';
begin
    foreach name in array array['token_budgets', 'token_days', 'token_bookings'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format('create policy tenant_wall on %I using (%s) with check (%s)', name, wall, wall);
    end loop;
end $$;

grant select, insert, update on token_budgets, token_days, token_bookings to proofdesk_app;
grant select on token_budgets, token_days, token_bookings to proofdesk_auditor;
