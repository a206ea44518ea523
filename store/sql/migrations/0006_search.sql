-- What a search reads becomes narrow: the script of a chunk stands in its row instead of in a reserved posting, and
-- the indexes of postings and chunks hold what ranking needs, so that it reads no row of the tables themselves.

alter table chunks add column script text not null default 'none';

-- The owner has no tenant here, so its own row security is set aside for the rewriting of what the index holds.
alter table chunks no force row level security;
alter table postings no force row level security;
update chunks c
set script = substr(p.token, 2)
from postings p
where p.tenant_id = c.tenant_id and p.index_version = c.index_version and p.chunk_id = c.chunk_id
    and p.token in ('@han', '@kana', '@hangul', '@latin', '@cyrillic', '@other', '@none');
delete from postings where token in ('@han', '@kana', '@hangul', '@latin', '@cyrillic', '@other', '@none');
alter table chunks force row level security;
alter table postings force row level security;
alter table chunks alter column script drop default;

alter table postings drop constraint postings_pkey;
alter table postings add primary key (tenant_id, index_version, token, chunk_id) include (tf);
create index chunks_of_ranking on chunks (tenant_id, index_version, chunk_id)
    include (document_id, version, token_count);
