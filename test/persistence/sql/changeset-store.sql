-- insertChangeset
insert into "changeset" ("id", "organization_id", "source", "title", "commit", "kind", "trigger", "refresh_only",
    "command", "priority", "created_by", "credential_id", "idempotency_key", "request_digest", "created_at",
    "held_at", "due")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- findChangesetByKey
select "id", "request_digest", "created_at"
  from "changeset"
  where "created_by" = $1
  and "idempotency_key" = $2
  for no key update;

-- findChangesetByKey: of long ago
select "id", "request_digest", "created_at"
  from "changeset"
  where "created_by" = $1
  and "idempotency_key" = $2
  for no key update;
update "changeset"
  set "idempotency_key" = $1, "request_digest" = $2
  where "id" = $3;

-- findChangesets
select c.*, f.*, f.members + v.plans as version
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) as members, count(*) filter (where m.run_id is null and
      m.problem is null) as uncreated, count(*) filter (where (m.problem is not null or r.finished_at is not null)) as
      ended, count(*) filter (where (m.problem is not null or r.status in ('FAILED', 'TIMED_OUT', 'STOPPED'))) as
      failed, count(*) filter (where r.status in ('REJECTED', 'DISCARDED', 'CANCELED') or r.outcome = 'APPLY_SKIPPED')
      as unwanted, count(*) filter (where r.outcome in ('APPLIED', 'DESTROYED', 'PERFORMED')) as applied, count(*)
      filter (where r.outcome = 'PLANNED') as planned, count(*) filter (where r.outcome = 'NO_CHANGES') as no_changes,
      count(*) filter (where r.status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')) as waiting, count(*)
      filter (where r.finished_at is null and (r.status = 'CONFIRMED' or r.leg in ('APPLY', 'DESTROY') and
      r.applying_at is not null)) as applying, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at from changeset_member m join workspace w on w.id =
      m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id, r.id)
      and p.version = r.plan_version where m.changeset_id = c.id and w.deleted_at is null ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null ) v
  where f.workspaces > 0
  and c.id = any($1::text[]);

-- findChangesets: of a scope
select c.*, f.*, f.members + v.plans as version
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) as members, count(*) filter (where m.run_id is null and
      m.problem is null) as uncreated, count(*) filter (where (m.problem is not null or r.finished_at is not null)) as
      ended, count(*) filter (where (m.problem is not null or r.status in ('FAILED', 'TIMED_OUT', 'STOPPED'))) as
      failed, count(*) filter (where r.status in ('REJECTED', 'DISCARDED', 'CANCELED') or r.outcome = 'APPLY_SKIPPED')
      as unwanted, count(*) filter (where r.outcome in ('APPLIED', 'DESTROYED', 'PERFORMED')) as applied, count(*)
      filter (where r.outcome = 'PLANNED') as planned, count(*) filter (where r.outcome = 'NO_CHANGES') as no_changes,
      count(*) filter (where r.status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')) as waiting, count(*)
      filter (where r.finished_at is null and (r.status = 'CONFIRMED' or r.leg in ('APPLY', 'DESTROY') and
      r.applying_at is not null)) as applying, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at from changeset_member m join workspace w on w.id =
      m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id, r.id)
      and p.version = r.plan_version where m.changeset_id = c.id and w.deleted_at is null and (("w"."organization_id"
      = any($1::text[]) and "w"."project_id" <> all($2::text[])) or "w"."project_id" = any($3::text[]) or "w"."id" =
      any($4::text[])) ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null and (("w"."organization_id" =
      any($5::text[]) and "w"."project_id" <> all($6::text[])) or "w"."project_id" = any($7::text[]) or "w"."id" =
      any($8::text[])) ) v
  where f.workspaces > 0
  and c.id = any($9::text[]);

-- listChangesets
select c.*, f.*, f.members + v.plans as version
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) as members, count(*) filter (where m.run_id is null and
      m.problem is null) as uncreated, count(*) filter (where (m.problem is not null or r.finished_at is not null)) as
      ended, count(*) filter (where (m.problem is not null or r.status in ('FAILED', 'TIMED_OUT', 'STOPPED'))) as
      failed, count(*) filter (where r.status in ('REJECTED', 'DISCARDED', 'CANCELED') or r.outcome = 'APPLY_SKIPPED')
      as unwanted, count(*) filter (where r.outcome in ('APPLIED', 'DESTROYED', 'PERFORMED')) as applied, count(*)
      filter (where r.outcome = 'PLANNED') as planned, count(*) filter (where r.outcome = 'NO_CHANGES') as no_changes,
      count(*) filter (where r.status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')) as waiting, count(*)
      filter (where r.finished_at is null and (r.status = 'CONFIRMED' or r.leg in ('APPLY', 'DESTROY') and
      r.applying_at is not null)) as applying, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at from changeset_member m join workspace w on w.id =
      m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id, r.id)
      and p.version = r.plan_version where m.changeset_id = c.id and w.deleted_at is null ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null ) v
  where f.workspaces > 0
  and c.organization_id = $1
  and ($2::text is null or c.id < $3)
  and ($4::text is null or c.id > $5)
  order by c.id desc
  limit $6;

-- listChangesets: of a scope, backward
select c.*, f.*, f.members + v.plans as version
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) as members, count(*) filter (where m.run_id is null and
      m.problem is null) as uncreated, count(*) filter (where (m.problem is not null or r.finished_at is not null)) as
      ended, count(*) filter (where (m.problem is not null or r.status in ('FAILED', 'TIMED_OUT', 'STOPPED'))) as
      failed, count(*) filter (where r.status in ('REJECTED', 'DISCARDED', 'CANCELED') or r.outcome = 'APPLY_SKIPPED')
      as unwanted, count(*) filter (where r.outcome in ('APPLIED', 'DESTROYED', 'PERFORMED')) as applied, count(*)
      filter (where r.outcome = 'PLANNED') as planned, count(*) filter (where r.outcome = 'NO_CHANGES') as no_changes,
      count(*) filter (where r.status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')) as waiting, count(*)
      filter (where r.finished_at is null and (r.status = 'CONFIRMED' or r.leg in ('APPLY', 'DESTROY') and
      r.applying_at is not null)) as applying, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at from changeset_member m join workspace w on w.id =
      m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id, r.id)
      and p.version = r.plan_version where m.changeset_id = c.id and w.deleted_at is null and (("w"."organization_id"
      = any($1::text[]) and "w"."project_id" <> all($2::text[])) or "w"."project_id" = any($3::text[]) or "w"."id" =
      any($4::text[])) ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null and (("w"."organization_id" =
      any($5::text[]) and "w"."project_id" <> all($6::text[])) or "w"."project_id" = any($7::text[]) or "w"."id" =
      any($8::text[])) ) v
  where f.workspaces > 0
  and c.organization_id = $9
  and ($10::text is null or c.id < $11)
  and ($12::text is null or c.id > $13)
  order by c.id asc
  limit $14;

-- listWaves
select c.id as changeset_id, m.wave as index, count(*) as total, count(*) filter (where (m.problem is not null or
    r.finished_at is not null)) as ended, count(*) filter (where (m.problem is not null or r.status in ('FAILED',
    'TIMED_OUT', 'STOPPED'))) as failed
  from changeset c, changeset_member m
  join workspace w on w.id = m.workspace_id
  left join run r on r.id = m.run_id
  where m.changeset_id = c.id
  and w.deleted_at is null
  and c.id = any($1::text[])
  group by c.id, m.wave
  order by c.id, m.wave;

-- listWaves: of a scope
select c.id as changeset_id, m.wave as index, count(*) as total, count(*) filter (where (m.problem is not null or
    r.finished_at is not null)) as ended, count(*) filter (where (m.problem is not null or r.status in ('FAILED',
    'TIMED_OUT', 'STOPPED'))) as failed
  from changeset c, changeset_member m
  join workspace w on w.id = m.workspace_id
  left join run r on r.id = m.run_id
  where m.changeset_id = c.id
  and w.deleted_at is null
  and (("w"."organization_id" = any($1::text[]) and "w"."project_id" <> all($2::text[])) or "w"."project_id" =
      any($3::text[]) or "w"."id" = any($4::text[]))
  and c.id = any($5::text[])
  group by c.id, m.wave
  order by c.id, m.wave;

-- listDueChangesets
select "id"
  from "changeset"
  where "due" = true
  order by "id"
  limit $1;

-- findChangeset
select *
  from "changeset"
  where "id" = $1;

-- lockChangeset
select *
  from "changeset"
  where "id" = $1
  for no key update;

-- setChangesetDue
update "changeset"
  set "due" = $1
  where "id" = $2;

-- settleChangeset
select changeset_settle($1, $2) as waits;

-- discardMembers
update changeset_member
  set problem = $1
  from workspace w
  where w.id = changeset_member.workspace_id
  and changeset_member.changeset_id = $2
  and changeset_member.run_id is null
  and changeset_member.problem is null
  and w.deleted_at is null
  and (("w"."organization_id" = any($3::text[]) and "w"."project_id" <> all($4::text[])) or "w"."project_id" =
      any($5::text[]) or "w"."id" = any($6::text[]));

-- setChangesetDiscarded
update changeset
  set discarded_at = coalesce(discarded_at, $1), held_at = null
  where id = $2
  and not exists ( select from changeset_member m join workspace w on w.id = m.workspace_id where m.changeset_id =
      changeset.id and w.deleted_at is null and not (w.deleted_at is null));

-- releaseHeldChangeset
update "changeset"
  set "held_at" = $1, "due" = $2
  where "id" = $3
  and "held_at" is not null;
