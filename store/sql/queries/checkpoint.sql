-- name: checkpoint_fetch^
select run_epoch, attempt, revision, result
from checkpoints
where tenant_id = :tenant_id and task_id = :task_id and step = :step and pass = :pass_;

-- name: checkpoint_insert!
insert into checkpoints (tenant_id, task_id, step, pass, run_epoch, attempt, revision, result)
values (:tenant_id, :task_id, :step, :pass_, :run_epoch, :attempt, :revision, :result);

-- name: handoff_insert!
insert into handoffs (tenant_id, task_id, pass, source_agent, target_agent, schema_version, run_id, payload_hash, body)
values (:tenant_id, :task_id, :pass_, :source_agent, :target_agent, :schema_version, :run_id, :payload_hash, :body);

-- name: handoff_latest_fetch^
select body
from handoffs
where tenant_id = :tenant_id and task_id = :task_id and target_agent = :target_agent and pass < :pass_
order by pass desc
limit 1;

-- name: task_evidence_insert!
insert into task_evidence (tenant_id, task_id, evidence_id, pass, source, document_id, version, body)
select :tenant_id, :task_id, one.evidence_id, :pass_, one.source, one.document_id, one.version, one.body::jsonb
from unnest(:evidence_ids::text[], :sources::text[], :document_ids::text[], :versions::integer[], :bodies::text[])
    as one (evidence_id, source, document_id, version, body)
on conflict do nothing;

-- name: task_evidence_list
select body
from task_evidence
where tenant_id = :tenant_id and task_id = :task_id and evidence_id = any(:evidence_ids::text[])
order by evidence_id;
