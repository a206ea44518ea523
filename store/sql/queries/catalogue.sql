-- What the catalogue check reads. Objects of extensions and of PostgreSQL itself are left out.

-- name: catalogue_relation_list
select
    n.nspname::text || '.' || c.relname::text as full_name,
    c.relname::text as name,
    c.relkind::text as kind,
    pg_get_userbyid(c.relowner)::text as owner,
    c.relrowsecurity as row_security,
    c.relforcerowsecurity as forced,
    coalesce(c.reloptions, '{}') as options,
    array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
    ) as columns,
    exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull and a.atttypid = 'text'::regtype
    ) as has_tenant,
    array(
        select (case p.polpermissive when true then '' else 'restrictive ' end)
            || p.polcmd::text || ' ' || p.polroles::oid[]::text
            || ' using ' || coalesce(pg_get_expr(p.polqual, p.polrelid), 'nothing')
            || ' check ' || coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'nothing')
        from pg_policy p where p.polrelid = c.oid order by p.polname
    ) as policies,
    exists (select from pg_rewrite r where r.ev_class = c.oid and r.rulename <> '_RETURN') as has_rules
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_%'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
order by 1;

-- name: catalogue_key_list
-- Primary keys and unique indexes by their first column; foreign keys by the first column of either side.
select
    c.relname::text as table_name,
    i.relname::text as name,
    case when x.indisprimary then 'primary key' else 'unique index' end as kind,
    coalesce((select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = x.indkey[0]), '')
        as first_column,
    'tenant_id' as first_referenced
from pg_index x
join pg_class i on i.oid = x.indexrelid
join pg_class c on c.oid = x.indrelid
join pg_namespace n on n.oid = c.relnamespace
where x.indisunique and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_%'
union all
select
    c.relname::text,
    k.conname::text,
    'foreign key',
    (select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1]),
    (select a.attname::text from pg_attribute a where a.attrelid = k.confrelid and a.attnum = k.confkey[1])
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where k.contype = 'f'
order by 1, 2;

-- name: catalogue_grant_list
-- Every grant on a table or a column to somebody who does not own it.
select
    c.relname::text as table_name,
    case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee)::text end as grantee,
    a.privilege_type::text as privilege,
    a.is_grantable
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join lateral (
    select g.* from aclexplode(c.relacl) g
    union all
    select g.* from pg_attribute t cross join lateral aclexplode(t.attacl) g where t.attrelid = c.oid
) a
where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.grantee <> c.relowner
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_%'
order by 1, 2, 3;

-- name: catalogue_function_list
select
    p.proname::text as name,
    p.prosecdef as is_definer,
    p.proleakproof as is_leakproof,
    p.provolatile::text = 'i' and coalesce(p.prosrc, '') ilike '%current\_setting%' as is_frozen_tenant,
    exists (select from unnest(p.proconfig) s where s like 'search\_path=%') as fixes_search_path,
    p.proacl is null or exists (select from aclexplode(p.proacl) g where g.grantee = 0) as public_may_call
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_%'
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
order by 1;

-- name: catalogue_role_fetch^
-- What the application's role could do beyond its grants.
select
    r.rolsuper as superuser,
    r.rolbypassrls as bypasses_row_security,
    r.rolcreaterole as creates_roles,
    r.rolcreatedb as creates_databases,
    r.rolreplication as replicates,
    exists (select from pg_auth_members m where m.member = r.oid) as acts_as_another_role,
    has_database_privilege(r.oid, current_database(), 'TEMP') as makes_temporary_tables,
    has_database_privilege(r.oid, current_database(), 'CREATE') as makes_schemas,
    has_schema_privilege(r.oid, 'public', 'CREATE') as makes_objects_in_public
from pg_roles r
where r.rolname = :role_name;
