-- insertOverrides
insert into policy_override (run_id, plan_version, owner_id, fingerprint, approval_id)
  select $1, $2, $3, decode(fingerprint, 'hex'), $4
  from unnest($5::text[]) fingerprint
  on conflict do nothing;

-- listHoldingOverrides
select o.owner_id, array_agg(distinct encode(o.fingerprint, 'hex')) as fingerprints, a.id, a.run_id, a.gate, a.stage,
    a.actor_id, a.approver_kind, a.sponsor_id, a.team_ids, a.present, a.comment, a.plan_version, a.plan_digest, a.at
  from policy_override o
  join approval a on a.id = o.approval_id
  join run r on r.id = a.run_id
  left join policy_set s on s.id = o.owner_id
  where o.fingerprint in (select decode(wanted, 'hex') from unnest($1::text[]) wanted)
  and o.owner_id = any($2::text[])
  and r.workspace_id = $3
  and r.status <> 'REJECTED'
  and ( (a.run_id = $4 and a.plan_version = $5) or (s.overriders ->> 'holds' = 'SAME_VIOLATIONS' and (a.run_id in ($6,
      $7) or r.revision = $8)) )
  and not exists ( select from approval newer where newer.run_id = a.run_id and newer.gate = a.gate and newer.actor_id
      = a.actor_id and newer.position > a.position and (newer.stage is not distinct from a.stage or newer.decision =
      'REJECTED') and newer.plan_version = a.plan_version)
  group by o.owner_id, a.id
  order by a.position;

-- listPlanFindings
select "policy_result".*, "version"."set_id", "policy_set"."name" as "owner"
  from "policy_result"
  inner join "policy_evaluation" as "evaluation" on "evaluation"."id" = "evaluation_id"
  inner join "policy_set_version" as "version" on "version"."id" = "evaluation"."version_id"
  inner join "policy_set" on "policy_set"."id" = "version"."set_id"
  where "evaluation"."run_id" = $1
  and "evaluation"."plan_version" = $2
  and "evaluation"."point" = $3
  and "evaluation"."shadow" = $4
  order by "evaluation"."id", "policy_result"."position";
