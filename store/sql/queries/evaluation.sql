-- name: document_ranges_shift!
-- Lets days pass for an evaluation's own tenant: every effective range moves into the past.
update document_versions
set effective_from = effective_from - make_interval(secs => :days::double precision * 86400),
    effective_to = effective_to - make_interval(secs => :days::double precision * 86400)
where tenant_id = :tenant_id;
