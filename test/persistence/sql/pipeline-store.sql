-- insertPipeline
insert into "promotion_pipeline" ("id", "organization_id", "created_at", "name", "stages", "owner_id")
  values ($1, $2, $3, $4, $5, $6);

-- updatePipelineRow
update "promotion_pipeline"
  set "name" = $1, "stages" = $2, "owner_id" = $3
  where "id" = $4;

-- lockPipeline
select *
  from "promotion_pipeline"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- findPipelines
select *
  from "promotion_pipeline"
  where "deleted_at" is null
  and "id" in ($1);

-- listAllPipelines
select *
  from "promotion_pipeline"
  where "deleted_at" is null
  and "organization_id" = $1
  order by "id";

-- listPipelines
select *
  from "promotion_pipeline"
  where "deleted_at" is null
  and "organization_id" = $1
  order by "id" asc
  limit $2;

-- listPipelines: backward
select *
  from "promotion_pipeline"
  where "deleted_at" is null
  and "organization_id" = $1
  and "id" > $2
  and "id" < $3
  order by "id" desc
  limit $4;

-- countPipelines
select count(*) as "count"
  from "promotion_pipeline"
  where "organization_id" = $1
  and "deleted_at" is null;

-- markPipelineDeleted
update "promotion_pipeline"
  set "deleted_at" = $1
  where "id" = $2;
