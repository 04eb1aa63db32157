-- listOlderRuns
select id
  from run
  where workspace_id = $1
  and trigger = 'PUSH'
  and cause ->> 'ref' = $2
  and finished_at is null
  and id < $3
  order by id;

-- listOlderRuns: that go back
select id
  from run
  where workspace_id = $1
  and trigger = 'ROLLBACK'
  and cause ->> 'type' = 'ROLLBACK'
  and finished_at is null
  and id < $2
  order by id;

-- listOlderRuns: of a promotion
select id
  from run
  where workspace_id = $1
  and trigger = 'PROMOTION'
  and cause ->> 'pipelineId' = $2
  and cause ->> 'stage' = $3
  and finished_at is null
  and id < $4
  order by id;

-- setSupersededBy
update "run"
  set "superseded_by" = $1
  where "id" = $2;

-- findSupersedingRuns
select "id", "superseded_by"
  from "run"
  where "id" in ($1)
  and "superseded_by" is not null;

-- listOvertakenChecks
select "check"."id", "newer"."id" as "newer_id", "newer"."number" as "newer_number"
  from "run" as "check"
  inner join "run" as "newer" on "newer"."workspace_id" = "check"."workspace_id"
  where "check"."trigger" = 'DRIFT'
  and "check"."kind" = 'PLAN'
  and "check"."finished_at" is null
  and "check"."superseded_by" is null
  and newer.status in ('APPLYING', 'VERIFYING', 'PERFORMING')
  order by "check"."id"
  limit $1;
