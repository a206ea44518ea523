-- name: prompt_activation_last$
-- What every process asks once a second: another number means that another version may hold.
select coalesce(max(activation_no), 0)
from prompt_activations
where tenant_id = :tenant_id;

-- name: prompt_active_list
-- The version of each prompt that holds now.
select distinct on (a.prompt_id)
    v.prompt_id, v.version, v.input, v.output, v.evaluation_set, v.owner, v.model_binding, v.text, v.text_hash,
    v.author, v.published_at, a.activation_no, a.kind
from prompt_activations a
join prompt_versions v on v.tenant_id = a.tenant_id and v.prompt_id = a.prompt_id and v.version = a.version
where a.tenant_id = :tenant_id
order by a.prompt_id, a.activation_no desc;

-- name: prompt_version_fetch^
select prompt_id, version, input, output, evaluation_set, owner, model_binding, text, text_hash, author, published_at
from prompt_versions
where tenant_id = :tenant_id and prompt_id = :prompt_id and version = :version;

-- name: prompt_version_list
-- Every version without its text, the newest of each prompt first.
select
    v.prompt_id, v.version, v.input, v.output, v.evaluation_set, v.owner, v.model_binding, v.text_hash, v.author,
    v.published_at,
    (select max(a.activation_no) from prompt_activations a
     where a.tenant_id = v.tenant_id and a.prompt_id = v.prompt_id and a.version = v.version) as last_activation,
    (select max(a.activation_no) from prompt_activations a
     where a.tenant_id = v.tenant_id and a.prompt_id = v.prompt_id) as active_activation
from prompt_versions v
where v.tenant_id = :tenant_id and (:prompt_id::text is null or v.prompt_id = :prompt_id)
order by v.prompt_id, string_to_array(v.version, '.')::integer[] desc;

-- name: prompt_version_insert!
insert into prompt_versions (
    tenant_id, prompt_id, version, input, output, evaluation_set, owner, model_binding, text, text_hash, author
)
values (
    :tenant_id, :prompt_id, :version, :input, :output, :evaluation_set, :owner, :model_binding, :text, :text_hash,
    :author
);

-- name: prompt_activation_list
-- Every activation of a prompt, the oldest first.
select version, kind
from prompt_activations
where tenant_id = :tenant_id and prompt_id = :prompt_id
order by activation_no;

-- name: prompt_activation_insert!
-- The caller holds the tenant's lock, so the number is free.
insert into prompt_activations (tenant_id, activation_no, prompt_id, version, author, kind, activated_by)
select :tenant_id, coalesce(max(activation_no), 0) + 1, :prompt_id, :version, :author, :kind, :activated_by
from prompt_activations
where tenant_id = :tenant_id;
