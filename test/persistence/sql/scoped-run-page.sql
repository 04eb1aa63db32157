-- inParts
-- sends nothing

-- listRunsOfParts
select distinct on (id) *
  from ( select newest.* from unnest((select $1::text[])) as part (id) cross join lateral ( select "run"."id",
      "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind", "run"."status",
      "run"."outcome", "run"."trigger", "run"."created_by", "run"."message", "run"."created_at", "run"."started_at",
      "run"."finished_at" from run where "run"."organization_id" = part.id and not run.hidden and not exists ( select
      from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null) and run.project_id <>
      all ((select $2::text[])::text[]) order by run.id desc limit 51 ) newest union all select newest.* from
      unnest((select $3::text[])) as part (id) cross join lateral ( select "run"."id", "run"."organization_id",
      "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind", "run"."status", "run"."outcome",
      "run"."trigger", "run"."created_by", "run"."message", "run"."created_at", "run"."started_at",
      "run"."finished_at" from run where "run"."project_id" = part.id and not run.hidden and not exists ( select from
      workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null) order by run.id desc limit
      51 ) newest union all select newest.* from unnest((select $4::text[])) as part (id) cross join lateral ( select
      "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind",
      "run"."status", "run"."outcome", "run"."trigger", "run"."created_by", "run"."message", "run"."created_at",
      "run"."started_at", "run"."finished_at" from run where "run"."workspace_id" = part.id and not run.hidden and not
      exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null) order
      by run.id desc limit 51 ) newest ) page
  order by id desc
  limit (select $5::int);
