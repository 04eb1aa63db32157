-- insertTarget
insert into "probe_target" ("workspace_id", "probe", "number", "created_at", "weight", "pool", "shard", "address",
    "unresolved", "request_sealed", "interval_ms", "state", "status", "since", "reason", "absent", "sampled_at",
    "latency_ms")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18);

-- updateTarget
update "probe_target"
  set "weight" = $1, "pool" = $2, "shard" = $3, "address" = $4, "unresolved" = $5, "request_sealed" = $6,
      "interval_ms" = $7, "state" = $8, "status" = $9, "since" = $10, "reason" = $11, "absent" = $12, "sampled_at" =
      $13, "latency_ms" = $14
  where "id" = $15;

-- listTargets
select "id", "workspace_id", "probe", "number", "weight", "pool", "shard", "address", "unresolved", "request_sealed",
    "interval_ms", "state", "status", "since", "reason", "absent", "sampled_at", "latency_ms"
  from "probe_target"
  where "workspace_id" = $1
  order by "probe", "number";

-- listTargetsOfShards
select "id", "workspace_id", "probe", "number", "weight", "pool", "shard", "address", "unresolved", "request_sealed",
    "interval_ms", "state", "status", "since", "reason", "absent", "sampled_at", "latency_ms"
  from "probe_target"
  where "pool" = $1
  and "shard" in ($2)
  and "address" is not null
  order by "id";

-- findTargetKeys
select "id", "workspace_id" as "workspaceId", "probe", "number"
  from "probe_target"
  where "id" in ($1);

-- listTargetWorkspaces
select distinct "workspace_id"
  from "probe_target"
  where "pool" = $1
  and "address" is not null
  and "id" in ($2)
  order by "workspace_id";

-- findReportedTargets
select "id", "workspace_id", "probe", "number", "weight", "pool", "shard", "address", "unresolved", "interval_ms",
    "state", "status", "since", "reason", "absent", "sampled_at", "latency_ms", exists (select "run"."id" from "run"
    where "run"."workspace_id" = "probe_target"."workspace_id" and "run"."finished_at" is null and "run"."status" in
    ($1, $2, $3)) as "held"
  from "probe_target"
  where "pool" = $4
  and "address" is not null
  and "id" in ($5);

-- updateStandings
update probe_target t
  set state = n.state::jsonb, status = n.status, since = n.since, reason = n.reason, absent = n.absent, sampled_at =
      n.sampled_at, latency_ms = n.latency_ms
  from unnest($1::int[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::boolean[], $7::timestamptz[],
      $8::int[]) as n (id, state, status, since, reason, absent, sampled_at, latency_ms)
  where t.id = n.id;

-- listHeldTargets
select "probe_target"."id"
  from "run"
  inner join "probe_target" on "probe_target"."workspace_id" = "run"."workspace_id"
  inner join "probe_shard" on "probe_shard"."pool" = "probe_target"."pool"
  and "probe_shard"."shard" = "probe_target"."shard"
  where "run"."status" in ($1, $2, $3)
  and "probe_shard"."prober_id" = $4
  and "probe_target"."address" is not null
  order by "probe_target"."id";

-- listAbsentTargets
select t.id, t.workspace_id as "workspaceId", t.pool
  from probe_shard s
  join probe_target t on t.pool = s.pool
  and t.shard = s.shard
  where s.left_at is not null
  and t.address is not null
  and not t.absent
  and greatest(s.left_at, t.created_at) + t.interval_ms * '3 milliseconds'::interval <= $1::timestamptz
  and not exists ( select from run r where r.workspace_id = t.workspace_id and r.finished_at is null and r.status =
      any($2) )
  order by t.id
  limit $3;

-- markAbsent
update probe_target t
  set absent = true, reason = $1, status = 'UNKNOWN', since = case when t.status = 'UNKNOWN' then t.since else
      $2::timestamptz end
  from probe_shard s
  where t.id = any($3)
  and s.pool = t.pool
  and s.shard = t.shard
  and s.left_at is not null;

-- listShownTargets
select "probe_target"."id", "probe_target"."workspace_id", "probe_target"."probe", "probe_target"."number",
    "probe_target"."weight", "probe_target"."pool", "probe_target"."shard", "probe_target"."address",
    "probe_target"."unresolved", "probe_target"."interval_ms", "probe_target"."state", "probe_target"."status",
    "probe_target"."since", "probe_target"."reason", "probe_target"."absent", "probe_target"."sampled_at",
    "probe_target"."latency_ms"
  from "probe_target"
  inner join "probe" on "probe"."workspace_id" = "probe_target"."workspace_id"
  and "probe"."name" = "probe_target"."probe"
  where "probe_target"."workspace_id" in ($1)
  order by "probe_target"."workspace_id", "probe"."position", "probe_target"."number";

-- deleteTargets
delete from "probe_target"
  where "id" in ($1);
