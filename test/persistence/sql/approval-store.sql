-- insertApproval
insert into "approval" ("id", "run_id", "gate", "stage", "decision", "actor_id", "approver_kind", "sponsor_id",
    "team_ids", "present", "comment", "plan_version", "plan_digest", "apply_at", "at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, array( select distinct m.team_id from team_member m join team on team.id =
      m.team_id and team.deleted_at is null where m.actor_id = $9 and (m.lapses_at is null or m.lapses_at >
      $10::timestamptz) order by m.team_id), $11, $12, $13, $14, $15, $16)
  returning "team_ids";

-- findApprovals
select "approval".*, ("approval"."decision" <> $1 and not exists (select "run_event"."version" from "run_event" where
    "run_event"."run_id" = "approval"."run_id" and "run_event"."to_status" = $2 and "run_event"."version" >
    coalesce((select "given"."version" from "run_event" as "given" where "given"."run_id" = "approval"."run_id" and
    "given"."type" = $3 and given.data ->> 'approvalId' = "approval"."id"), 0)) and not exists (select "newer"."id"
    from "approval" as "newer" where "newer"."run_id" = "approval"."run_id" and "newer"."gate" = "approval"."gate" and
    ("newer"."stage" is not distinct from "approval"."stage" or "newer"."decision" = $4) and "newer"."actor_id" =
    "approval"."actor_id" and "newer"."position" > "approval"."position")) as "counts", "run"."organization_id",
    "run"."project_id", "run"."workspace_id"
  from "approval"
  inner join "run" on "run"."id" = "approval"."run_id"
  where "approval"."id" in ($5)
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- listApprovals
select "approval".*, ("approval"."decision" <> $1 and not exists (select "run_event"."version" from "run_event" where
    "run_event"."run_id" = "approval"."run_id" and "run_event"."to_status" = $2 and "run_event"."version" >
    coalesce((select "given"."version" from "run_event" as "given" where "given"."run_id" = "approval"."run_id" and
    "given"."type" = $3 and given.data ->> 'approvalId' = "approval"."id"), 0)) and not exists (select "newer"."id"
    from "approval" as "newer" where "newer"."run_id" = "approval"."run_id" and "newer"."gate" = "approval"."gate" and
    ("newer"."stage" is not distinct from "approval"."stage" or "newer"."decision" = $4) and "newer"."actor_id" =
    "approval"."actor_id" and "newer"."position" > "approval"."position")) as "counts"
  from "approval"
  where "approval"."run_id" = any((select $5::text[])::text[])
  order by "approval"."position";
