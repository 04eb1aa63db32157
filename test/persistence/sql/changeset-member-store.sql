-- insertMembers
insert into changeset_member ("changeset_id", "workspace_id", "wave", "cause", "source_blob_id", "work_folder",
    "inputs_digest", "commit_url", "revision", "variables_of_run_id", "scheduled_at", "skip_reason", "by_edge")
  select *
  from unnest($1::text[], $2::text[], $3::int[], $4::jsonb[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::boolean[]);

-- withdrawHeldMembers
update changeset_member m
  set problem = $1, discarded = true
  from changeset s
  join ref_change c on c.changeset_id = s.id
  join ref_change this on this.id = $2
  and this.repository_id = c.repository_id
  and this.ref = c.ref
  where s.held_at is not null
  and c.seq < this.seq
  and m.changeset_id = s.id
  and m.workspace_id = any($3)
  and m.run_id is null
  and m.problem is null
  returning m.changeset_id as id;

-- listUncreatedMembers
select "changeset_id", "workspace_id", "wave", "cause", "source_blob_id", "work_folder", "inputs_digest",
    "commit_url", "revision", "variables_of_run_id", "scheduled_at", "skip_reason", "by_edge"
  from "changeset_member"
  where "changeset_id" = $1
  and "run_id" is null
  and "problem" is null
  order by "wave", "workspace_id"
  limit $2;

-- lockUncreatedMembers
select "workspace_id"
  from "changeset_member"
  where "changeset_id" = $1
  and "workspace_id" in ($2)
  and "run_id" is null
  and "problem" is null
  order by "workspace_id"
  for update skip locked;

-- setMemberProblem
update "changeset_member"
  set "problem" = $1
  where "changeset_id" = $2
  and "workspace_id" = $3
  and "run_id" is null;

-- setMemberRun
update "changeset_member"
  set "run_id" = $1
  where "changeset_id" = $2
  and "workspace_id" = $3;

-- listMemberRuns
select r.id, r.workspace_id, r.status, r.leg, r.outcome, r.plan_version, run_overtaken(r.trigger, r.superseded_by) as
    overtaken
  from changeset_member m
  join workspace w on w.id = m.workspace_id
  join run r on r.id = m.run_id
  where m.changeset_id = $1
  and w.deleted_at is null
  order by r.id;

-- listMemberRuns: of a scope
select r.id, r.workspace_id, r.status, r.leg, r.outcome, r.plan_version, run_overtaken(r.trigger, r.superseded_by) as
    overtaken
  from changeset_member m
  join workspace w on w.id = m.workspace_id
  join run r on r.id = m.run_id
  where m.changeset_id = $1
  and w.deleted_at is null
  and (("w"."organization_id" = any($2::text[]) and "w"."project_id" <> all($3::text[])) or "w"."project_id" =
      any($4::text[]) or "w"."id" = any($5::text[]))
  order by r.id;

-- listMemberWorkspaces
select "workspace_id"
  from "changeset_member"
  where "changeset_id" = $1
  order by "workspace_id";

-- isMemberRun
select "workspace_id"
  from "changeset_member"
  where "changeset_id" = $1
  and "run_id" = $2;
