-- insertProbeTest
delete from "probe_test"
  where "ends_at" <= $1;
insert into "probe_test" ("id", "workspace_id", "requests_sealed", "offered_at", "ends_at")
  values ($1, $2, $3, $4, $5);

-- takeProbeTest
update probe_test
  set lease_id = $1
  where id = ( select t.id from probe_test t join workspace w on w.id = t.workspace_id where t.samples is null and
      t.ends_at > $2 and (t.lease_id is null or t.lease_id = $3) and runner_takes($4, $5, $6, $7::text[],
      w.organization_id, w.runner_pool_id, w.runner_labels) order by t.offered_at, t.id limit 1 for no key update of t
      skip locked )
  returning id, requests_sealed;

-- answerProbeTest
update "probe_test"
  set "samples" = $1
  where "id" = $2
  and "lease_id" is not null
  and "samples" is null
  and "ends_at" > $3;

-- findProbeTestAnswer
select "samples"
  from "probe_test"
  where "id" = $1;

-- deleteProbeTest
delete from "probe_test"
  where "id" = $1;
