-- findDeploymentInputs
select "workspace"."id", "workspace"."paused", "workspace_health"."health", "last"."kind", "last"."status",
    "last"."outcome", "last"."applied_at", exists (select "run"."id" from "run" where "run"."workspace_id" =
    "workspace"."id" and "run"."finished_at" is null and "run"."kind" in ($1, $2, $3) and "run"."status" in ($4, $5,
    $6, $7, $8, $9, $10, $11, $12, $13, $14)) as "deploying", exists (select "run"."id" from "run" where
    "run"."workspace_id" = "workspace"."id" and "run"."applied_at" is not null) as "applied"
  from "workspace"
  left join lateral (select "run"."kind", "run"."status", "run"."outcome", "run"."applied_at" from "run" where
      "run"."workspace_id" = "workspace"."id" and "run"."kind" in ($15, $16, $17) and "run"."finished_at" is not null
      and ("run"."applying_at" is not null or "run"."status" in ($18, $19)) order by "run"."id" desc limit $20) as
      "last" on true
  left join "workspace_health" on "workspace_health"."workspace_id" = "workspace"."id"
  where "workspace"."id" in ($21);
