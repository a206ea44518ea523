-- name: tenant_fetch^
select tenant_id, time_zone
from tenants
where tenant_id = :tenant_id;

-- name: tenant_insert$
-- True for the transaction that made the tenant; another one that names it waits for this one's end.
insert into tenants (tenant_id, time_zone)
values (:tenant_id, :time_zone)
on conflict do nothing
returning true;

-- name: tenant_lock!
-- One change of a tenant's people or policies at a time; let go at the transaction's end.
select pg_advisory_xact_lock(hashtextextended('tenant/' || :tenant_id, 0));

-- name: time_zone_check$
-- Only names with a region: abbreviations and offsets know no daylight saving.
select exists (
    select from pg_timezone_names
    where name = :time_zone and (name like '%/%' or name = 'UTC') and name not like 'posix/%' and name not like 'right/%'
);

-- name: tenant_midnight_fetch$
-- The first moment of a day where the tenant lives.
select :day::date::timestamp at time zone time_zone
from tenants
where tenant_id = :tenant_id;
