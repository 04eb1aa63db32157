-- claimRefChanges
with candidate as ( select c.id, c.decide_at, r.git_host_id from ref_change c join repository r on r.id =
    c.repository_id where c.decide_at <= $1 and r.git_host_id <> all($2::text[]) and c.repository_id <>
    all($3::text[]) and not exists (select from ref_change n where n.repository_id = c.repository_id and n.ref = c.ref
    and n.decide_at is not null and (n.seq > c.seq or n.seq < c.seq and n.decided_by is not null and n.decide_at >
    $4)) order by c.decide_at limit $5 ), ranked as ( select id, git_host_id, row_number() over (partition by
    git_host_id order by decide_at) as place from candidate ), due as ( select c.id, ranked.git_host_id from ranked
    join ref_change c using (id) left join unnest($6::text[], $7::int[]) busy(host, count) on busy.host =
    ranked.git_host_id where ranked.place + coalesce(busy.count, 0) <= $8 and c.decide_at <= $9 order by c.decide_at
    limit $10 for update of c skip locked ) update ref_change
  set decide_at = $11, decided_by = $12
  from due
  where ref_change.id = due.id
  returning ref_change.id, ref_change.repository_id as "repositoryId", due.git_host_id as "gitHostId";

-- renewRefChanges
update "ref_change"
  set "decide_at" = $1
  where "decided_by" = $2
  and "decide_at" is not null;

-- lockUndecided
select "id"
  from "ref_change"
  where "id" = $1
  and "decided_at" is null
  and "decided_by" = $2
  for update;

-- lockEarlierChanges
select "id"
  from "ref_change"
  where "repository_id" = $1
  and "ref" = $2
  and "seq" < $3
  and "decided_at" is null
  order by "seq" desc
  for update;

-- endRefChange
update ref_change c
  set decided_at = $1, decide_at = null, decided_by = null, error = null, forced = case when c.id = $2 then
      $3::boolean else c.forced end, superseded_by = nullif($4, c.id), changeset_id = case when c.id = $5 then $6 else
      c.changeset_id end
  from ref_change this
  where this.id = $7
  and c.repository_id = this.repository_id
  and c.ref = this.ref
  and c.seq <= this.seq
  and c.decided_at is null;

-- failRefChange
update "ref_change"
  set "error" = $1, "failures" = "failures" + $2
  where "id" = $3
  returning "failures";

-- deferRefChange
update "ref_change"
  set "decide_at" = $1, "decided_by" = $2
  where "id" = $3;

-- findSettledCommit
with earlier as ( select * from ref_change where repository_id = $1 and ref = $2 and seq < coalesce($3::bigint, seq +
    1) ), settled as ( select seq from earlier c where decided_at is not null and superseded_by is null and not exists
    ( select from trigger_decision d join changeset s on s.id = c.changeset_id join changeset_member m on
    m.changeset_id = s.id and m.workspace_id = d.workspace_id where d.ref_change_id = c.id and d.reason = 'TOO_MANY'
    and m.run_id is null and (s.held_at is not null or m.problem is not null)) order by seq desc limit 1 )
  select before as
  commit
  from earlier
  where seq > coalesce((select seq from settled), 0)
  order by seq
  limit 1;

-- isNewWithin
select
  from ref_change
  where repository_id = $1
  and ref = $2
  and seq < coalesce($3::bigint, seq + 1)
  and before is null
  and (decided_at is null or superseded_by = $4)
  limit 1;

-- findDoneInputs
select w.id as "workspaceId", made.digest, made.commit
  from unnest($1::text[]) w(id)
  cross join lateral ( select * from ( select inputs_digest as digest, revision as commit, created_at as at from run
      where workspace_id = w.id and kind = 'DEPLOY' and trigger <> 'TAG' and inputs_digest is not null and (trigger <>
      'PUSH' or cause ->> 'ref' = $2) and ($3::timestamptz is null or created_at < $4) order by id desc limit 1 )
      created union all select * from ( select d.inputs_digest, c.after, d.at from trigger_decision d join ref_change
      c on c.id = d.ref_change_id left join changeset s on s.id = c.changeset_id left join changeset_member m on
      m.changeset_id = c.changeset_id and m.workspace_id = d.workspace_id where d.workspace_id = w.id and
      d.inputs_digest is not null and c.ref = $5 and (d.reason = 'MESSAGE_SAYS_SKIP' or d.reason in ('AFFECTED',
      'TOO_MANY') and s.held_at is null and m.problem is null) and ($6::timestamptz is null or d.at < $7) order by
      d.at desc limit 1 ) decided order by at desc limit 1 ) made;

-- insertDecisions
insert into "trigger_decision" ("ref_change_id", "workspace_id", "outcome", "reason", "message", "inputs_digest",
    "changed", "at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- findDecision
select "d".*, "w"."organization_id", "w"."project_id", "m"."run_id", "m"."problem", "c"."after" as "commit"
  from "trigger_decision" as "d"
  inner join "workspace" as "w" on "w"."id" = "d"."workspace_id"
  inner join "ref_change" as "c" on "c"."id" = "d"."ref_change_id"
  left join "changeset_member" as "m" on "m"."changeset_id" = "c"."changeset_id"
  and "m"."workspace_id" = "d"."workspace_id"
  where "d"."ref_change_id" = $1
  and "w"."deleted_at" is null
  and "d"."workspace_id" = $2;

-- listDecisions
select "d".*, "w"."organization_id", "w"."project_id", "m"."run_id", "m"."problem", "c"."after" as "commit"
  from "trigger_decision" as "d"
  inner join "workspace" as "w" on "w"."id" = "d"."workspace_id"
  inner join "ref_change" as "c" on "c"."id" = "d"."ref_change_id"
  left join "changeset_member" as "m" on "m"."changeset_id" = "c"."changeset_id"
  and "m"."workspace_id" = "d"."workspace_id"
  where "d"."ref_change_id" = $1
  and "w"."deleted_at" is null
  order by "d"."workspace_id" asc
  limit $2;

-- listDecisions: some
select "d".*, "w"."organization_id", "w"."project_id", "m"."run_id", "m"."problem", "c"."after" as "commit"
  from "trigger_decision" as "d"
  inner join "workspace" as "w" on "w"."id" = "d"."workspace_id"
  inner join "ref_change" as "c" on "c"."id" = "d"."ref_change_id"
  left join "changeset_member" as "m" on "m"."changeset_id" = "c"."changeset_id"
  and "m"."workspace_id" = "d"."workspace_id"
  where "d"."ref_change_id" = $1
  and "w"."deleted_at" is null
  and (("w"."organization_id" = any($2::text[]) and "w"."project_id" <> all($3::text[])) or "w"."project_id" =
      any($4::text[]) or "w"."id" = any($5::text[]))
  order by "d"."workspace_id" asc
  limit $6;

-- listDecisions: between two
select "d".*, "w"."organization_id", "w"."project_id", "m"."run_id", "m"."problem", "c"."after" as "commit"
  from "trigger_decision" as "d"
  inner join "workspace" as "w" on "w"."id" = "d"."workspace_id"
  inner join "ref_change" as "c" on "c"."id" = "d"."ref_change_id"
  left join "changeset_member" as "m" on "m"."changeset_id" = "c"."changeset_id"
  and "m"."workspace_id" = "d"."workspace_id"
  where "d"."ref_change_id" = $1
  and "w"."deleted_at" is null
  and "d"."workspace_id" > $2
  and "d"."workspace_id" < $3
  order by "d"."workspace_id" desc
  limit $4;
