-- name: policy_current_fetch^
select policy_version, body
from policies
where tenant_id = :tenant_id
order by policy_version desc
limit 1;

-- name: policy_insert!
insert into policies (tenant_id, policy_version, body, created_by)
values (:tenant_id, :policy_version, :body, :created_by);
