-- name: budget_reserve$
-- One conditional statement: the day's row is locked, compared and raised, or nothing happens and no row comes back.
with today as (
    select t.tenant_id, (now() at time zone t.time_zone)::date as day, b.daily_tokens
    from tenants t left join token_budgets b on b.tenant_id = t.tenant_id
    where t.tenant_id = :tenant_id
), raised as (
    insert into token_days as d (tenant_id, day, reserved, calls)
    select tenant_id, day, :estimate, 1 from today where daily_tokens is null or :estimate <= daily_tokens
    on conflict (tenant_id, day) do update set reserved = d.reserved + excluded.reserved, calls = d.calls + 1
    where (select daily_tokens is null or d.used + d.reserved + excluded.reserved <= daily_tokens from today)
    returning d.tenant_id, d.day
)
insert into token_bookings (tenant_id, day, purpose, estimate)
select tenant_id, day, :purpose, :estimate from raised
returning booking_id;

-- name: budget_refuse^
-- Counts a refusal; `next_day` is when the tenant's day turns.
with today as (
    select t.tenant_id, t.time_zone, (now() at time zone t.time_zone)::date as day, b.daily_tokens
    from tenants t left join token_budgets b on b.tenant_id = t.tenant_id
    where t.tenant_id = :tenant_id
), counted as (
    insert into token_days as d (tenant_id, day, refused)
    select tenant_id, day, 1 from today
    on conflict (tenant_id, day) do update set refused = d.refused + 1
)
select daily_tokens, (day + 1)::timestamp at time zone time_zone as next_day
from today;

-- name: budget_settle^
-- The booking's row decides: settled once, on the day of its reservation.
with settled as (
    update token_bookings
    set used = coalesce(:used::bigint, estimate), settled_at = now()
    where tenant_id = :tenant_id and booking_id = :booking_id and settled_at is null
    returning tenant_id, day, estimate, used
)
update token_days d
set reserved = d.reserved - s.estimate, used = d.used + s.used
from settled s
where d.tenant_id = s.tenant_id and d.day = s.day and d.tenant_id = :tenant_id
returning d.used;

-- name: budget_set!
insert into token_budgets (tenant_id, daily_tokens, set_by)
values (:tenant_id, :daily_tokens, :set_by)
on conflict (tenant_id) do update
set daily_tokens = excluded.daily_tokens, set_by = excluded.set_by, set_at = now();

-- name: budget_fetch^
-- Budget and state of the tenant's present day; null for a tenant that nobody knows.
select
    (now() at time zone t.time_zone)::date as day,
    ((now() at time zone t.time_zone)::date + 1)::timestamp at time zone t.time_zone as next_day,
    b.daily_tokens,
    b.set_by,
    coalesce(d.used, 0) as used,
    coalesce(d.reserved, 0) as reserved,
    coalesce(d.calls, 0) as calls,
    coalesce(d.refused, 0) as refused
from tenants t
left join token_budgets b on b.tenant_id = t.tenant_id
left join token_days d on d.tenant_id = t.tenant_id and d.day = (now() at time zone t.time_zone)::date
where t.tenant_id = :tenant_id;

-- name: budget_purpose_list
-- What each purpose took on a day; a booking that is not settled counts by its estimate.
select purpose, count(*) as calls, sum(coalesce(used, estimate))::bigint as tokens
from token_bookings
where tenant_id = :tenant_id and day = :day
group by purpose
order by purpose;
