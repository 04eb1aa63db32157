-- readPlannedDrift
select coalesce(r.resources, 0)::int as resources, coalesce(o.outputs, 0)::int as outputs, md5(concat(r.words, '|',
    o.words)) as fingerprint
  from plan
  cross join lateral ( select count(*) as resources, string_agg(address || ' ' || action, ',' order by address) as
      words from resource_change where plan_id = plan.id and action not in ('READ', 'NO_OP') ) r
  cross join lateral ( select count(*) as outputs, string_agg(o ->> 'name', ',' order by o ->> 'name') as words from
      jsonb_array_elements(plan.output_changes) o where o ->> 'action' not in ('READ', 'NO_OP') ) o
  where plan.run_id = $1
  order by plan.version desc
  limit 1;

-- isChanging
select "id"
  from "run"
  where "workspace_id" = $1
  and "finished_at" is null
  and "kind" <> $2
  and "applying_at" is not null
  limit $3;

-- setDrift
update "workspace"
  set "drift" = $1
  where "id" = $2;

-- hideRun
update "run"
  set "hidden" = $1
  where "id" = $2;
