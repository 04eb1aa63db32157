-- listRequesterIds
select distinct who.id
  from run
  cross join lateral unnest(coalesce(run.requested_by, '{}') || array[run.created_by, run.replanned_by]) who (id)
  where (run.id = any($1::text[]) or run.changeset_id = any($2::text[]))
  and who.id <> $3
  order by who.id;
