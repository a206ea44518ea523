-- name: audit_insert$
insert into audit_log (tenant_id, actor, event, object, detail)
values (:tenant_id, :actor, :event, :object, :detail)
returning seq;

-- name: audit_refusal_insert$
-- Null where there is no such tenant: nobody could read the row.
insert into audit_log (tenant_id, actor, event, object, detail)
select tenant_id, :actor, :event, :object, :detail
from tenants
where tenant_id = :tenant_id
returning seq;

-- name: audit_list
-- The newest first.
select seq, at, actor, event, object, detail
from audit_log
where tenant_id = :tenant_id and (:object::text is null or object = :object)
order by seq desc
limit :top;
