-- The seals over the audit: which rows, in which order, the head of the chain after them, and its signature.

create table audit_seals (
    tenant_id text not null references tenants,
    number bigint not null check (number > 0),
    seqs bigint[] not null check (cardinality(seqs) > 0),
    row_hashes bytea[] not null check (cardinality(row_hashes) = cardinality(seqs)),
    highest_seq bigint not null,
    head bytea not null check (length(head) = 32),
    sealed_at timestamptz not null default clock_timestamp(),
    key_id text not null,
    signature bytea not null,
    primary key (tenant_id, number)
);

alter table audit_seals enable row level security;
alter table audit_seals force row level security;
create policy tenant_wall on audit_seals
    using (tenant_id = (select nullif(current_setting('app.tenant', true), '')))
    with check (tenant_id = (select nullif(current_setting('app.tenant', true), '')));
grant select, insert on audit_seals to proofdesk_app;
grant select on audit_seals to proofdesk_auditor;

-- Tells the sealer by one number whether any row of any tenant was written since its last look.
grant select on sequence audit_log_seq_seq to proofdesk_app;
