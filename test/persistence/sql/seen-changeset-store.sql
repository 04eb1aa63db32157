-- findChangesets
select c.*, f.*, f.workspaces + v.plans as version, h.ref_change_id
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) filter (where s.standing = 'UNCREATED') as uncreated,
      count(*) filter (where s.standing in ('APPLIED', 'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')) as
      ended, count(*) filter (where s.standing = 'FAILED') as failed, count(*) filter (where s.standing = 'UNWANTED')
      as unwanted, count(*) filter (where s.standing = 'APPLIED') as applied, count(*) filter (where s.standing =
      'PLANNED') as planned, count(*) filter (where s.standing = 'NO_CHANGES') as no_changes, count(*) filter (where
      s.standing = 'SKIPPED') as skipped, count(*) filter (where s.standing = 'WAITING') as waiting, count(*) filter
      (where s.standing = 'APPROVED') as approved, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at, max(newer.changeset_id) filter (where s.standing <> 'SKIPPED')
      as superseded_by, min(w.project_id || ' ' || w.id) as first_place from changeset_member m join workspace w on
      w.id = m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id,
      r.id) and p.version = r.plan_version left join run newer on newer.id = r.superseded_by cross join lateral
      (select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome, run_overtaken(r.trigger,
      r.superseded_by)) as standing) s where m.changeset_id = c.id and w.deleted_at is null ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null ) v
  left join lateral (select id as ref_change_id from ref_change where changeset_id = c.id limit 1) h on true
  where f.workspaces > 0
  and c.id = any($1::text[]);

-- findChangesets: of a scope
select c.*, f.*, f.workspaces + v.plans as version, h.ref_change_id
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) filter (where s.standing = 'UNCREATED') as uncreated,
      count(*) filter (where s.standing in ('APPLIED', 'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')) as
      ended, count(*) filter (where s.standing = 'FAILED') as failed, count(*) filter (where s.standing = 'UNWANTED')
      as unwanted, count(*) filter (where s.standing = 'APPLIED') as applied, count(*) filter (where s.standing =
      'PLANNED') as planned, count(*) filter (where s.standing = 'NO_CHANGES') as no_changes, count(*) filter (where
      s.standing = 'SKIPPED') as skipped, count(*) filter (where s.standing = 'WAITING') as waiting, count(*) filter
      (where s.standing = 'APPROVED') as approved, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at, max(newer.changeset_id) filter (where s.standing <> 'SKIPPED')
      as superseded_by, min(w.project_id || ' ' || w.id) as first_place from changeset_member m join workspace w on
      w.id = m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id,
      r.id) and p.version = r.plan_version left join run newer on newer.id = r.superseded_by cross join lateral
      (select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome, run_overtaken(r.trigger,
      r.superseded_by)) as standing) s where m.changeset_id = c.id and w.deleted_at is null and
      (("w"."organization_id" = any($1::text[]) and "w"."project_id" <> all($2::text[])) or "w"."project_id" =
      any($3::text[]) or "w"."id" = any($4::text[])) ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null and (("w"."organization_id" =
      any($5::text[]) and "w"."project_id" <> all($6::text[])) or "w"."project_id" = any($7::text[]) or "w"."id" =
      any($8::text[])) ) v
  left join lateral (select id as ref_change_id from ref_change where changeset_id = c.id limit 1) h on true
  where f.workspaces > 0
  and c.id = any($9::text[]);

-- listChangesets
select c.*, f.*, f.workspaces + v.plans as version, h.ref_change_id
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) filter (where s.standing = 'UNCREATED') as uncreated,
      count(*) filter (where s.standing in ('APPLIED', 'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')) as
      ended, count(*) filter (where s.standing = 'FAILED') as failed, count(*) filter (where s.standing = 'UNWANTED')
      as unwanted, count(*) filter (where s.standing = 'APPLIED') as applied, count(*) filter (where s.standing =
      'PLANNED') as planned, count(*) filter (where s.standing = 'NO_CHANGES') as no_changes, count(*) filter (where
      s.standing = 'SKIPPED') as skipped, count(*) filter (where s.standing = 'WAITING') as waiting, count(*) filter
      (where s.standing = 'APPROVED') as approved, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at, max(newer.changeset_id) filter (where s.standing <> 'SKIPPED')
      as superseded_by, min(w.project_id || ' ' || w.id) as first_place from changeset_member m join workspace w on
      w.id = m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id,
      r.id) and p.version = r.plan_version left join run newer on newer.id = r.superseded_by cross join lateral
      (select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome, run_overtaken(r.trigger,
      r.superseded_by)) as standing) s where m.changeset_id = c.id and w.deleted_at is null ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null ) v
  left join lateral (select id as ref_change_id from ref_change where changeset_id = c.id limit 1) h on true
  where f.workspaces > 0
  and c.organization_id = $1
  and ($2::text is null or c.id < $3)
  and ($4::text is null or c.id > $5)
  order by c.id desc
  limit $6;

-- listChangesets: in a state, of a scope, backward
select c.*, f.*, f.workspaces + v.plans as version, h.ref_change_id
  from changeset c
  cross join lateral ( select count(*) as workspaces, count(*) filter (where s.standing = 'UNCREATED') as uncreated,
      count(*) filter (where s.standing in ('APPLIED', 'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')) as
      ended, count(*) filter (where s.standing = 'FAILED') as failed, count(*) filter (where s.standing = 'UNWANTED')
      as unwanted, count(*) filter (where s.standing = 'APPLIED') as applied, count(*) filter (where s.standing =
      'PLANNED') as planned, count(*) filter (where s.standing = 'NO_CHANGES') as no_changes, count(*) filter (where
      s.standing = 'SKIPPED') as skipped, count(*) filter (where s.standing = 'WAITING') as waiting, count(*) filter
      (where s.standing = 'APPROVED') as approved, coalesce(sum(p.additions), 0)::int as additions,
      coalesce(sum(p.changes), 0)::int as changes, coalesce(sum(p.destructions), 0)::int as destructions,
      encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex') as
      plan_digest, max(r.finished_at) as last_ended_at, max(newer.changeset_id) filter (where s.standing <> 'SKIPPED')
      as superseded_by, min(w.project_id || ' ' || w.id) as first_place from changeset_member m join workspace w on
      w.id = m.workspace_id left join run r on r.id = m.run_id left join plan p on p.run_id = coalesce(r.plan_run_id,
      r.id) and p.version = r.plan_version left join run newer on newer.id = r.superseded_by cross join lateral
      (select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome, run_overtaken(r.trigger,
      r.superseded_by)) as standing) s where m.changeset_id = c.id and w.deleted_at is null and
      (("w"."organization_id" = any($1::text[]) and "w"."project_id" <> all($2::text[])) or "w"."project_id" =
      any($3::text[]) or "w"."id" = any($4::text[])) ) f
  cross join lateral ( select coalesce(sum(run.plan_version + 1), 0)::int as plans from run join workspace w on w.id =
      run.workspace_id where run.changeset_id = c.id and w.deleted_at is null and (("w"."organization_id" =
      any($5::text[]) and "w"."project_id" <> all($6::text[])) or "w"."project_id" = any($7::text[]) or "w"."id" =
      any($8::text[])) ) v
  left join lateral (select id as ref_change_id from ref_change where changeset_id = c.id limit 1) h on true
  where f.workspaces > 0
  and c.organization_id = $9
  and changeset_state(f.workspaces, f.ended, f.failed, f.unwanted, f.applied, f.planned, f.waiting, f.approved,
      c.discarded_at is not null, f.superseded_by is not null) = any($10::text[])
  and ($11::text is null or c.id < $12)
  and ($13::text is null or c.id > $14)
  order by c.id asc
  limit $15;

-- listWaves
select c.id as changeset_id, m.wave as index, count(*) as total, count(*) filter (where s.standing in ('APPLIED',
    'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')) as ended, count(*) filter (where s.standing = 'FAILED')
    as failed
  from changeset c, changeset_member m
  join workspace w on w.id = m.workspace_id
  left join run r on r.id = m.run_id
  cross join lateral (select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome,
      run_overtaken(r.trigger, r.superseded_by)) as standing) s
  where m.changeset_id = c.id
  and w.deleted_at is null
  and c.id = any($1::text[])
  group by c.id, m.wave
  order by c.id, m.wave;

-- listWaves: of a scope
select c.id as changeset_id, m.wave as index, count(*) as total, count(*) filter (where s.standing in ('APPLIED',
    'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')) as ended, count(*) filter (where s.standing = 'FAILED')
    as failed
  from changeset c, changeset_member m
  join workspace w on w.id = m.workspace_id
  left join run r on r.id = m.run_id
  cross join lateral (select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome,
      run_overtaken(r.trigger, r.superseded_by)) as standing) s
  where m.changeset_id = c.id
  and w.deleted_at is null
  and (("w"."organization_id" = any($1::text[]) and "w"."project_id" <> all($2::text[])) or "w"."project_id" =
      any($3::text[]) or "w"."id" = any($4::text[]))
  and c.id = any($5::text[])
  group by c.id, m.wave
  order by c.id, m.wave;
