-- findDecidingRules
select o.*, j.judges, exists(select from probe p where p.workspace_id = w.id and p.use <> 'HEALTH') as has_probes
  from organization o
  join workspace w on w.organization_id = o.id
  cross join lateral (select (select json_agg(judge) from (select 'POLICY' as type, v.id, s.name, array[case when
      v.at_create then 'RUN_CREATE' end, case when v.at_plan then 'PLAN' end, case when v.before_apply then
      'PRE_APPLY' end] as points, s.selector -> 'kinds' as kinds, s.judges_unchanged as unchanged, v.state = 'SHADOW'
      as shadow from policy_set s join policy_set_version v on v.set_id = s.id and v.state in ('ACTIVE', 'SHADOW')
      where s.organization_id = w.organization_id and s.enabled and s.deleted_at is null and
      policy_selects(s.selector, w.id, w.name, w.labels, null) union all select 'CHECK', c.id, c.name, array[case when
      'PRE_PLAN' = any(c.stages) then 'PRE_PLAN' end, case when c.stages && '{PRE_PLAN,POST_PLAN}' then 'PLAN' end,
      case when 'PRE_APPLY' = any(c.stages) then 'PRE_APPLY' end, case when 'POST_APPLY' = any(c.stages) then
      'POST_APPLY' end, case when 'POST_APPLY' = any(c.stages) and c.level <> 'ADVISORY' then 'VERIFY' end],
      c.selector -> 'kinds', false, false from external_check c where c.organization_id = w.organization_id and
      c.enabled and c.deleted_at is null and policy_selects(c.selector, w.id, w.name, w.labels, null)) judge) as
      judges) j
  where w.id = $1;

-- hasProbesOfWorkspace
-- sends nothing

-- judgesOfWorkspace
-- sends nothing

-- toJudges
-- sends nothing
