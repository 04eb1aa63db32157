-- findDecidingRules
select o.*, j.judges
  from organization o
  join workspace w on w.organization_id = o.id
  cross join lateral (select (select json_agg(judge) from (select 'POLICY' as type, v.id, s.name, array[case when
      v.at_create then 'RUN_CREATE' end, case when v.at_plan then 'PLAN' end, case when v.before_apply then
      'PRE_APPLY' end] as points, s.selector -> 'kinds' as kinds, s.judges_unchanged as unchanged, v.state = 'SHADOW'
      as shadow from policy_set s join policy_set_version v on v.set_id = s.id and v.state in ('ACTIVE', 'SHADOW')
      where s.organization_id = w.organization_id and s.enabled and s.deleted_at is null and
      policy_selects(s.selector, w.id, w.name, w.labels, null)) judge) as judges) j
  where w.id = $1;

-- judgesOfWorkspace
-- sends nothing

-- toJudges
-- sends nothing
