-- findRollbackCandidates
select f.id, ( select r.id from run r left join verification v on v.run_id = r.id where r.workspace_id =
    f.workspace_id and r.number < f.number and r.outcome = 'APPLIED' and not r.refresh_only and r.targets = '{}' and
    r.source_blob_id is not null and r.revision is not null and (v.id is null or v.status = 'PASSED') and not exists
    (select from state_version s where s.run_id = r.id and s.lineage is distinct from w.state_lineage) and not exists
    (select from run d where d.workspace_id = f.workspace_id and d.kind = 'DESTROY' and d.applied_at is not null and
    d.number > r.number) order by r.number desc limit 1 ) as candidate
  from run f
  join workspace w on w.id = f.workspace_id
  where f.id = any($1);

-- hasNewerRun
select "id"
  from "run"
  where "workspace_id" = $1
  and "number" > $2
  and "kind" in ($3, $4, $5)
  and "finished_at" is null
  limit $6;

-- findOutputsAfter
select "outputs"
  from "state_version"
  where "run_id" = $1
  order by "serial" desc
  limit $2;
