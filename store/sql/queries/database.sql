-- name: role_fetch^
-- What the connected role could do beyond row security.
select
    session_user::text as role_name,
    r.rolsuper as is_superuser,
    exists (
        select from pg_roles other
        where other.rolbypassrls and pg_has_role(session_user, other.oid, 'member')
    ) as bypasses,
    exists (
        select from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and pg_has_role(session_user, c.relowner, 'member')
    ) as owns_tables,
    current_user = session_user as is_itself
from pg_roles r
where r.rolname = session_user;

-- name: migration_list
-- The migrations this database has seen.
select version, name, checksum
from schema_migrations
order by version;

-- name: clock_fetch$
-- The transaction's time.
select now();
