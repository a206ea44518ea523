-- name: retrieval_joins_set$
-- Rows that no statistics know yet make the planner expect one row everywhere and join by nested loops, which is
-- quadratic over a freshly filled index; joins by hash are linear whatever it expects. For this transaction only.
select set_config('enable_nestloop', case when :by_hash::boolean then 'off' else 'on' end, true);

-- name: retrieval_scope_fetch^
-- Who asks, as the database knows them now, the tenant's live index, and the question's vector if it is known.
select
    p.active, p.groups, i.index_version, i.embedding_model, i.dimension, i.chunk_count, i.token_total,
    (
        select e.embedding
        from embedding_cache e
        where e.tenant_id = :tenant_id and e.embedding_model = i.embedding_model and e.role = 'query'
            and e.text_hash = :query_hash
    ) as query_vector
from principals p
left join tenant_indexes i on i.tenant_id = p.tenant_id and i.live
where p.tenant_id = :tenant_id and p.subject = :subject;

-- name: retrieval_token_list
-- How many chunks hold each token. In the order of the tokens, so that only the index led by them serves, even before
-- there are statistics.
select p.token, count(*) as holders
from postings p
where p.tenant_id = :tenant_id and p.index_version = :index_version and p.token = any(:tokens::text[])
group by p.token
order by p.token;

-- name: retrieval_keyword_list
-- BM25 as models.ranking.bm25 defines it, over the chunks of the scope. Both indexes hold all that is read here.
with eligible as materialized (
    select v.document_id, v.version
    from document_versions v
    join documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
    where v.tenant_id = :tenant_id and v.status = 'published'
        and v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to)
        and v.acl && :groups::text[] and d.kind = any(:kinds::text[])
),
posted as materialized (
    select p.token, p.chunk_id, p.tf
    from postings p
    where p.tenant_id = :tenant_id and p.index_version = :index_version and p.token = any(:tokens::text[])
    order by p.token
),
holding as materialized (
    select c.chunk_id, c.document_id, c.version, c.token_count
    from chunks c
    where c.tenant_id = :tenant_id and c.index_version = :index_version
        and c.chunk_id = any(array(select distinct chunk_id from posted))
)
select
    c.chunk_id, c.document_id,
    sum(
        asked.weight * p.tf * (:k1::float8 + 1)
        / (p.tf + :k1::float8 * (1 - :b::float8 + :b::float8 * c.token_count / :mean_length::float8))
    ) as score
from posted p
join unnest(:tokens::text[], :weights::float8[]) as asked (token, weight) on asked.token = p.token
join holding c on c.chunk_id = p.chunk_id
join eligible e on e.document_id = c.document_id and e.version = c.version
group by c.chunk_id, c.document_id
order by score desc, c.chunk_id
limit :top;

-- name: retrieval_exact_list
-- The chunks of the scope that hold exact terms of the query, each term counted once in whatever form it stands.
with eligible as materialized (
    select v.document_id, v.version
    from document_versions v
    join documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
    where v.tenant_id = :tenant_id and v.status = 'published'
        and v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to)
        and v.acl && :groups::text[] and d.kind = any(:kinds::text[])
)
select c.chunk_id, c.document_id, count(distinct asked.place) as terms
from unnest(:terms::text[], :places::integer[]) as asked (term, place)
join exact_terms t
    on t.tenant_id = :tenant_id and t.index_version = :index_version and t.term = asked.term
    and t.term = any(:terms::text[])
join chunks c on c.tenant_id = :tenant_id and c.index_version = :index_version and c.chunk_id = t.chunk_id
join eligible e on e.document_id = c.document_id and e.version = c.version
group by c.chunk_id, c.document_id
order by terms desc, c.chunk_id
limit :top;

-- name: retrieval_vector_list
-- An exact scan of the scope: the nearest of each script, and the chunks that other channels found.
with eligible as materialized (
    select v.document_id, v.version
    from document_versions v
    join documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
    where v.tenant_id = :tenant_id and v.status = 'published'
        and v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to)
        and v.acl && :groups::text[] and d.kind = any(:kinds::text[])
),
measured as materialized (
    select c.chunk_id, c.document_id, c.script, -(c.embedding <#> :query_vector::halfvec) as cosine
    from eligible e
    join chunks c on c.tenant_id = :tenant_id and c.index_version = :index_version
        and c.document_id = e.document_id and c.version = e.version
    where c.embedding_model = :embedding_model and c.dimension = :dimension
),
nearest as materialized (
    select
        n.chunk_id, n.document_id, n.script, n.cosine,
        row_number() over (partition by n.script order by n.cosine desc, n.chunk_id) as place
    from (select distinct script from measured) as present
    cross join lateral (
        select m.chunk_id, m.document_id, m.script, m.cosine
        from measured m
        where m.script = present.script
        order by m.cosine desc, m.chunk_id
        limit :top
    ) as n
)
select chunk_id, document_id, script, cosine, place
from nearest
union all
select chunk_id, document_id, script, cosine, :top::bigint + 1
from measured
where chunk_id = any(:also::bigint[]) and chunk_id not in (select chunk_id from nearest);

-- name: retrieval_original_list
-- Each candidate read again from its original, in the order given; a chunk without an original has nulls. A text is
-- unpacked and hashed once, and its addresses are sent once, however many of its chunks are asked for.
with asked as materialized (
    select
        c.chunk_id, c.document_id, c.version, c.char_start, c.char_end, c.span_hash, c.content_hash as indexed_hash
    from chunks c
    where c.tenant_id = :tenant_id and c.index_version = :index_version and c.chunk_id = any(:chunk_ids::bigint[])
),
texts as materialized (
    select v.document_id, v.version, v.canonical_text || '' as canonical_text
    from document_versions v
    where v.tenant_id = :tenant_id
        and (v.document_id, v.version) in (select a.document_id, a.version from asked a)
),
hashed as materialized (
    select document_id, version, encode(sha256(convert_to(canonical_text, 'UTF8')), 'hex') as text_hash
    from texts
)
select
    a.chunk_id, a.document_id, a.version, a.char_start, a.char_end, a.span_hash, d.kind, v.title,
    case when row_number() over (partition by a.document_id, a.version) = 1 then v.segments end as segments,
    v.content_hash, v.effective_from, v.effective_to,
    v.status = 'published' as version_holds,
    v.acl && :groups::text[] and d.kind = any(:kinds::text[]) as permission_holds,
    v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to) as validity_holds,
    a.indexed_hash = v.content_hash and h.text_hash = v.content_hash as hash_holds,
    substring(t.canonical_text from a.char_start + 1 for a.char_end - a.char_start) as quote
from asked a
join document_versions v on v.tenant_id = :tenant_id and v.document_id = a.document_id and v.version = a.version
join documents d on d.tenant_id = :tenant_id and d.document_id = a.document_id
join texts t on t.document_id = a.document_id and t.version = a.version
join hashed h on h.document_id = a.document_id and h.version = a.version
order by array_position(:chunk_ids::bigint[], a.chunk_id);

-- name: retrieval_evidence_fetch^
-- The original of one piece of evidence, for checking it again.
select
    v.content_hash,
    v.status = 'published' as version_holds,
    p.active and v.acl && p.groups as permission_holds,
    v.effective_from <= now() and (v.effective_to is null or now() < v.effective_to) as validity_holds,
    encode(sha256(convert_to(v.canonical_text, 'UTF8')), 'hex') = v.content_hash as hash_holds,
    substring(v.canonical_text from :char_start::integer + 1 for :char_end::integer - :char_start::integer) as quote
from document_versions v
join principals p on p.tenant_id = v.tenant_id and p.subject = :subject
where v.tenant_id = :tenant_id and v.document_id = :document_id and v.version = :version;

-- name: retrieval_alarm_insert!
insert into audit_log (tenant_id, actor, event, object, detail)
values (:tenant_id, :actor, 'stale_index_row_dropped', :object, :detail);
