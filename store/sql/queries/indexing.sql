-- name: index_ensure!
-- The first index of a tenant is its live one; a later one is built beside it.
insert into tenant_indexes (tenant_id, index_version, embedding_model, dimension, chunker_version, tokenizer_version, live)
values (
    :tenant_id, :index_version, :embedding_model, :dimension, :chunker_version, :tokenizer_version,
    not exists (select from tenant_indexes where tenant_id = :tenant_id and live)
)
on conflict do nothing;

-- name: index_source_fetch^
-- The original to be indexed; locked, so that two indexers of one version come one after the other.
select status, title, acl, canonical_text, content_hash, segments
from document_versions
where tenant_id = :tenant_id and document_id = :document_id and version = :version
for update;

-- name: chunk_count_fetch$
select count(*)
from chunks
where tenant_id = :tenant_id and index_version = :index_version
    and document_id = :document_id and version = :version;

-- name: embedding_list
select text_hash, embedding
from embedding_cache
where tenant_id = :tenant_id and embedding_model = :embedding_model and role = :role
    and text_hash = any(:text_hashes::text[]);

-- name: embedding_save!
insert into embedding_cache (tenant_id, embedding_model, role, text_hash, embedding)
select :tenant_id, :embedding_model, :role, text_hash, embedding
from unnest(:text_hashes::text[], :embeddings::halfvec[]) as given (text_hash, embedding)
on conflict do nothing;

-- name: chunk_insert
insert into chunks (
    tenant_id, index_version, document_id, version, ordinal, char_start, char_end, content_hash, span_hash,
    chunker_version, embedding_model, dimension, embedding, acl, token_count, script
)
select
    :tenant_id, :index_version, :document_id, :version, ordinal, char_start, char_end, :content_hash, span_hash,
    :chunker_version, :embedding_model, :dimension, embedding, :acl::text[], token_count, script
from unnest(
    :ordinals::integer[], :starts::integer[], :ends::integer[], :span_hashes::text[], :embeddings::halfvec[],
    :token_counts::integer[], :scripts::text[]
) as given (ordinal, char_start, char_end, span_hash, embedding, token_count, script)
returning ordinal, chunk_id;

-- name: posting_insert!
insert into postings (tenant_id, index_version, token, chunk_id, tf)
select :tenant_id, :index_version, token, chunk_id, tf
from unnest(:tokens::text[], :chunk_ids::bigint[], :frequencies::integer[]) as given (token, chunk_id, tf);

-- name: exact_term_insert!
insert into exact_terms (tenant_id, index_version, term, chunk_id)
select :tenant_id, :index_version, term, chunk_id
from unnest(:terms::text[], :chunk_ids::bigint[]) as given (term, chunk_id);

-- name: index_grow!
-- The statistics of BM25 change in the transaction of the rows they count.
update tenant_indexes
set chunk_count = chunk_count + :chunks, token_total = token_total + :tokens
where tenant_id = :tenant_id and index_version = :index_version;

-- name: chunk_version_delete
-- Postings and exact terms go with their chunk.
delete from chunks
where tenant_id = :tenant_id and document_id = :document_id and version = :version
returning index_version, token_count;

-- name: chunk_delete
delete from chunks
where tenant_id = :tenant_id and index_version = :index_version and chunk_id = any(:chunk_ids::bigint[])
returning index_version, token_count;
