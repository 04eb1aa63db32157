-- enterDispatch
insert into dispatch (run_id, organization_id, workspace_id, class, priority, since, pool_id, labels, reachable, turn,
    fair_key)
  values ($1, $2, $3, $4, $5, $6, $7, $8, true, (select greatest(n, coalesce((select turn >> 20 from dispatch where
      organization_id = $9 and not offered and reachable and class = $10::smallint and priority = $11::int order by
      class, priority desc, turn limit 1), 0)) << 20 | (n & 1048575) from nextval('dispatch_turn') n), $12);
-- before the commit:
select dispatch_offer($1) as given;

-- offerSlots
-- before the commit:
select dispatch_offer($1) as given;

-- listOrganizationsToOffer
select o.id
  from organization o
  cross join lateral (select count(*) as offered, count(*) filter (where not reachable) as lost from dispatch where
      organization_id = o.id and offered) d
  cross join lateral (select count(*) as busy from job where job.organization_id = o.id and job.ended_at is null) j
  where busy + offered < concurrency_limit
  and coalesce( (select true from dispatch w where w.organization_id = "o"."id" and not w.offered and w.reachable and
      w.class < 3 order by w.class, w.priority desc, w.turn limit 1), (select true from dispatch w where
      w.organization_id = "o"."id" and not w.offered and w.reachable and w.class = 3 and w.pool_id is null order by
      w.priority desc, w.turn limit 1), (select true from runner_pool p where p.organization_id = "o"."id" and
      p.deleted_at is null and (select true from dispatch c where c.pool_id = p.id and c.class = 3 and not c.offered
      and c.reachable order by c.priority desc, c.turn limit 1) and not (p.drift_check_limit is not null and
      p.deleted_at is null and p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id)) limit 1), false)
      or busy + offered > concurrency_limit
  and offered > 0 or lost > 0;

-- isWorkFor
select exists (select from job where claim_id = $1) as answered, (select coalesce(("d"."pool_id" is null and
    "d"."labels" = '{}'), false) from dispatch d where d.offered order by d.class, d.priority desc, d.turn limit 1) as
    takes;

-- isWorkFor: a runner of a pool
select exists (select from job where claim_id = $1) as answered, (select coalesce(("d"."organization_id" = $2 and
    "d"."pool_id" = $3 and "d"."labels" <@ $4::text[]), false) from dispatch d where d.offered order by d.class,
    d.priority desc, d.turn limit 1) as takes;
select case when exists (select from dispatch d where d.offered and ("d"."organization_id" = $1 and "d"."pool_id" = $2
    and "d"."labels" <@ $3::text[])) then 'YES' when exists (select from dispatch o where o.offered and
    "o"."organization_id" = $4) then 'MAYBE' else 'NO' end as found;

-- takeFirstOffered
with held as materialized ( select r.id from runner r where r.id = $1 and r.revoked_at is null and
    r.drain_requested_at is null for share ), claim as materialized ( select
    pg_advisory_xact_lock(hashtextextended($2, 0)) ), first as materialized ( select d.run_id, w.*, o.slug as
    organization_slug, o.limits as organization_limits, o.approval_rules as organization_approval_rules,
    o.freeze_windows as organization_freeze_windows, (select json_agg(judge) from (select 'POLICY' as type, v.id,
    s.name, array[case when v.at_create then 'RUN_CREATE' end, case when v.at_plan then 'PLAN' end, case when
    v.before_apply then 'PRE_APPLY' end] as points, s.selector -> 'kinds' as kinds, s.judges_unchanged as unchanged,
    v.state = 'SHADOW' as shadow from policy_set s join policy_set_version v on v.set_id = s.id and v.state in
    ('ACTIVE', 'SHADOW') where s.organization_id = w.organization_id and s.enabled and s.deleted_at is null and
    policy_selects(s.selector, w.id, w.name, w.labels, null) union all select 'CHECK', c.id, c.name, array[case when
    'PRE_PLAN' = any(c.stages) then 'PRE_PLAN' end, case when c.stages && '{PRE_PLAN,POST_PLAN}' then 'PLAN' end, case
    when 'PRE_APPLY' = any(c.stages) then 'PRE_APPLY' end, case when 'POST_APPLY' = any(c.stages) then 'POST_APPLY'
    end, case when 'POST_APPLY' = any(c.stages) and c.level <> 'ADVISORY' then 'VERIFY' end], c.selector -> 'kinds',
    false, false from external_check c where c.organization_id = w.organization_id and c.enabled and c.deleted_at is
    null and policy_selects(c.selector, w.id, w.name, w.labels, null)) judge) as judges, exists(select from probe p
    where p.workspace_id = w.id and p.use <> 'HEALTH') as has_probes from dispatch d join workspace w on w.id =
    d.workspace_id join organization o on o.id = w.organization_id join run on run.id = d.run_id where d.offered =
    true and ("d"."pool_id" is null and "d"."labels" = '{}') and d.run_id <> all($3) and w.deleted_at is null and
    exists (select from held) and exists (select from claim) order by d.class, d.priority desc, d.turn limit 1 for
    update of d skip locked for no key update of w skip locked for no key update of run skip locked ), taken as (
    delete from dispatch d using first where d.run_id = first.run_id )
  select *
  from first;

-- takeFirstOffered: a runner of a pool, again
with held as materialized ( select r.id from runner r join runner_pool p on p.id = r.pool_id where r.id = $1 and
    r.revoked_at is null and r.drain_requested_at is null and p.deleted_at is null and p.reserved = $2 for share ),
    claim as materialized ( select pg_advisory_xact_lock(hashtextextended($3, 0)) ), first as materialized ( select
    d.run_id, w.*, o.slug as organization_slug, o.limits as organization_limits, o.approval_rules as
    organization_approval_rules, o.freeze_windows as organization_freeze_windows, (select json_agg(judge) from (select
    'POLICY' as type, v.id, s.name, array[case when v.at_create then 'RUN_CREATE' end, case when v.at_plan then 'PLAN'
    end, case when v.before_apply then 'PRE_APPLY' end] as points, s.selector -> 'kinds' as kinds, s.judges_unchanged
    as unchanged, v.state = 'SHADOW' as shadow from policy_set s join policy_set_version v on v.set_id = s.id and
    v.state in ('ACTIVE', 'SHADOW') where s.organization_id = w.organization_id and s.enabled and s.deleted_at is null
    and policy_selects(s.selector, w.id, w.name, w.labels, null) union all select 'CHECK', c.id, c.name, array[case
    when 'PRE_PLAN' = any(c.stages) then 'PRE_PLAN' end, case when c.stages && '{PRE_PLAN,POST_PLAN}' then 'PLAN' end,
    case when 'PRE_APPLY' = any(c.stages) then 'PRE_APPLY' end, case when 'POST_APPLY' = any(c.stages) then
    'POST_APPLY' end, case when 'POST_APPLY' = any(c.stages) and c.level <> 'ADVISORY' then 'VERIFY' end], c.selector
    -> 'kinds', false, false from external_check c where c.organization_id = w.organization_id and c.enabled and
    c.deleted_at is null and policy_selects(c.selector, w.id, w.name, w.labels, null)) judge) as judges, exists(select
    from probe p where p.workspace_id = w.id and p.use <> 'HEALTH') as has_probes from dispatch d join workspace w on
    w.id = d.workspace_id join organization o on o.id = w.organization_id join run on run.id = d.run_id where
    d.offered = true and ("d"."organization_id" = $4 and "d"."pool_id" = $5 and "d"."labels" <@ $6::text[]) and
    d.run_id <> all($7) and w.deleted_at is null and exists (select from held) and exists (select from claim) order by
    d.class, d.priority desc, d.turn limit 1 for update of d skip locked for no key update of w skip locked for no key
    update of run skip locked ), taken as ( delete from dispatch d using first where d.run_id = first.run_id )
  select *
  from first;

-- lockFirstOffered
select "run_id", "workspace_id", "organization_id"
  from "dispatch"
  where "offered" = true
  and ("dispatch"."pool_id" is null and "dispatch"."labels" = '{}')
  and run_id <> all($1)
  order by "class", "priority" desc, "turn"
  limit 1
  for update skip locked;

-- lockFirstOffered: a runner of a pool, again
select "run_id", "workspace_id", "organization_id"
  from "dispatch"
  where "offered" = true
  and ("dispatch"."organization_id" = $1 and "dispatch"."pool_id" = $2 and "dispatch"."labels" <@ $3::text[])
  and run_id <> all($4)
  order by "class", "priority" desc, "turn"
  limit 1
  for update skip locked;

-- isBarred
select r.id
  from runner r
  where r.id = $1
  and r.revoked_at is null
  and r.drain_requested_at is null;

-- isBarred: a runner of a pool
select r.id
  from runner r
  join runner_pool p on p.id = r.pool_id
  where r.id = $1
  and r.revoked_at is null
  and r.drain_requested_at is null
  and p.deleted_at is null
  and p.reserved = $2;

-- takeOffered
with held as materialized (select r.id from runner r where r.id = $1 and r.revoked_at is null and r.drain_requested_at
    is null for share) delete from dispatch d
  using held
  where d.run_id = $2
  and d.offered
  and ("d"."pool_id" is null and "d"."labels" = '{}')
  returning d.run_id;

-- takeOffered: a runner of a pool
with held as materialized (select r.id from runner r join runner_pool p on p.id = r.pool_id where r.id = $1 and
    r.revoked_at is null and r.drain_requested_at is null and p.deleted_at is null and p.reserved = $2 for share)
    delete from dispatch d
  using held
  where d.run_id = $3
  and d.offered
  and ("d"."organization_id" = $4 and "d"."pool_id" = $5 and "d"."labels" <@ $6::text[])
  returning d.run_id;

-- leaveDispatch
delete from "dispatch"
  where "run_id" = $1;
-- before the commit:
select dispatch_offer($1) as given;

-- enterDispatch: with wishes
insert into dispatch (run_id, organization_id, workspace_id, class, priority, since, pool_id, labels, reachable, turn,
    fair_key)
  values ($1, $2, $3, $4, $5, $6, $7, $8, exists (select from runner r left join runner_pool p on p.id = r.pool_id
      where runner_takes(r.pool_id, p.organization_id, p.reserved, r.labels, $9, $10, $11::text[]) and (r.revoked_at
      is null and p.deleted_at is null and not r.draining and r.drain_requested_at is null and r.last_seen_at >=
      $12)), (select greatest(n, coalesce((select turn >> 20 from dispatch where organization_id = $13 and not offered
      and reachable and class = $14::smallint and priority = $15::int order by class, priority desc, turn limit 1),
      0)) << 20 | (n & 1048575) from nextval('dispatch_turn') n), $16);
-- before the commit:
select dispatch_offer($1) as given;

-- enterDispatch: of a changeset
insert into dispatch (run_id, organization_id, workspace_id, class, priority, since, pool_id, labels, reachable, turn,
    fair_key)
  values ($1, $2, $3, $4, $5, $6, $7, $8, true, coalesce((select greatest((max(turn) >> 20) + 1, coalesce((select turn
      >> 20 from dispatch where organization_id = $9 and not offered and reachable and class = $10::smallint and
      priority = $11::int order by class, priority desc, turn limit 1), 0)) << 20 from dispatch where fair_key = $12
      and class = $13::smallint and priority = $14::int having max(turn) is not null), (select greatest(n,
      coalesce((select turn >> 20 from dispatch where organization_id = $15 and not offered and reachable and class =
      $16::smallint and priority = $17::int order by class, priority desc, turn limit 1), 0)) << 20 | (n & 1048575)
      from nextval('dispatch_turn') n)), $18);
-- before the commit:
select dispatch_offer($1) as given;
select dispatch_offer($1) as given;
