-- name: bench_one$
-- The cheapest round trip there is: the baseline of every figure of the store.
select 1;

-- name: bench_nearest
-- An exact scan of one tenant's vectors without words, scope or verification: the baseline of a search.
select chunk_id
from chunks
where tenant_id = :tenant_id
order by embedding <=> :embedding
limit :top;

-- name: bench_analyze!
-- What autovacuum does within a minute of a load; only the owner may.
analyze;

-- name: bench_drafted_count$
select count(*)
from tasks
where tenant_id = :tenant_id and status = 'awaiting_approval';
