-- The roles of Proofdesk, and what PUBLIC loses. Run by a superuser, connected to Proofdesk's database; running it
-- again changes nothing. On a server of your own:
--
--     psql "$ADMIN_URL" -f deploy/roles.sql
--     psql "$ADMIN_URL" -c '\password proofdesk_owner' -c '\password proofdesk_app'
--
-- proofdesk_owner    owns everything and runs the migrations; never used in operation
-- proofdesk_app      the application: owns nothing, cannot bypass row security, only the grants of the migrations
-- proofdesk_auditor  reads what the migrations grant, one tenant at a time, under the same row security
-- proofdesk_backup   reads everything for pg_dump; has no login until an operator gives it one

create extension if not exists vector;

do $$
declare
    name text;
begin
    foreach name in array array['proofdesk_owner', 'proofdesk_app', 'proofdesk_auditor', 'proofdesk_backup'] loop
        if not exists (select from pg_roles where rolname = name) then
            execute format('create role %I', name);
        end if;
    end loop;
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to proofdesk_owner, proofdesk_app, proofdesk_auditor, proofdesk_backup',
                   current_database());
end $$;

alter role proofdesk_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role proofdesk_app login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit;
alter role proofdesk_auditor login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit;
alter role proofdesk_backup nologin nosuperuser nocreatedb nocreaterole noreplication bypassrls;

alter role proofdesk_app set statement_timeout = '30s';
alter role proofdesk_app set lock_timeout = '10s';
alter role proofdesk_app set idle_in_transaction_session_timeout = '60s';
alter role proofdesk_app set search_path = 'public';
alter role proofdesk_app set timezone = 'UTC';
alter role proofdesk_auditor set statement_timeout = '60s';
alter role proofdesk_auditor set default_transaction_read_only = 'on';
alter role proofdesk_auditor set search_path = 'public';

revoke all on schema public from public;
alter schema public owner to proofdesk_owner;
grant usage on schema public to proofdesk_app, proofdesk_auditor, proofdesk_backup;
alter default privileges for role proofdesk_owner revoke execute on functions from public;
grant pg_read_all_data to proofdesk_backup;
