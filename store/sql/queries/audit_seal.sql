-- name: audit_written_fetch$
-- The last number given to a row of any tenant; null before the first one.
select pg_sequence_last_value('audit_log_seq_seq');

-- name: audit_seal_last^
select number, head
from audit_seals
where tenant_id = :tenant_id
order by number desc
limit 1;

-- name: audit_unsealed_list
-- Rows without a seal. Numbers up to the floor are settled: their seals are older than any transaction may last.
with settled as (
    select coalesce(max(highest_seq), 0) as floor
    from audit_seals
    where tenant_id = :tenant_id and sealed_at < clock_timestamp() - make_interval(secs => :settled_seconds::float8)
), recent as (
    select unnest(seqs) as seq
    from audit_seals
    where tenant_id = :tenant_id and sealed_at >= clock_timestamp() - make_interval(secs => :settled_seconds::float8)
)
select seq, at, actor, event, object, detail
from audit_log
where tenant_id = :tenant_id
    and seq > (select floor from settled)
    and seq not in (select seq from recent)
order by seq
limit :top;

-- name: audit_seal_insert^
-- Whoever comes second with a number changes nothing.
insert into audit_seals (tenant_id, number, seqs, row_hashes, highest_seq, head, key_id, signature)
values (:tenant_id, :number, :seqs, :row_hashes, :highest_seq, :head, :key_id, :signature)
on conflict do nothing
returning number;

-- name: audit_seal_list
select number, seqs, row_hashes, head, sealed_at, key_id, signature
from audit_seals
where tenant_id = :tenant_id and number > :after
order by number
limit :top;

-- name: audit_row_list
select seq, at, actor, event, object, detail
from audit_log
where tenant_id = :tenant_id and seq = any(:seqs);

-- name: audit_never_sealed_list
-- Rows that no seal covers at all; a settled one stands where the sealer will not look again.
select seq, seq <= (
    select coalesce(max(highest_seq), 0)
    from audit_seals
    where tenant_id = :tenant_id and sealed_at < clock_timestamp() - make_interval(secs => :settled_seconds::float8)
) as is_settled
from audit_log
where tenant_id = :tenant_id
    and seq not in (select unnest(seqs) from audit_seals where tenant_id = :tenant_id)
order by seq
limit :top;
