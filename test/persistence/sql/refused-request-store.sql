-- recordRefusedRequest
with counted as ( insert into refused_count as old (job_id, run_id, count) select id, run_id, 1 from job where id = $1
    on conflict (job_id) do update set count = least(old.count + 1, 2147483646) returning job_id, count ) insert into
    refused_request (at, organization_id, workspace_id, run_id, job_id, runner_id, request, code, message)
  select $2, job.organization_id, job.workspace_id, job.run_id, job.id, job.runner_id, $3, $4, $5
  from counted
  join job on job.id = counted.job_id
  where counted.count <= $6;

-- listRefusedRequests
select *
  from "refused_request"
  where "run_id" = $1
  order by "id" asc
  limit $2;

-- listRefusedRequests: backward
select *
  from "refused_request"
  where "run_id" = $1
  and "id" > $2
  and "id" < $3
  order by "id" desc
  limit $4;

-- countRefusedRequests
select "run_id", sum("count") as "count"
  from "refused_count"
  where "run_id" in ($1)
  group by "run_id";
