-- insertOverrides
insert into policy_override (run_id, plan_version, owner_id, judge_id, fingerprint, approval_id)
  select $1, $2, $3, judge, decode(fingerprint, 'hex'), $4
  from unnest($5::text[], $6::text[]) failure (judge, fingerprint)
  on conflict do nothing;

-- listHoldingOverrides
select o.owner_id, array_agg(o.judge_id order by o.judge_id, o.fingerprint) as judges, array_agg(encode(o.fingerprint,
    'hex') order by o.judge_id, o.fingerprint) as fingerprints, a.id, a.run_id, a.gate, a.stage, a.actor_id,
    a.approver_kind, a.sponsor_id, a.team_ids, a.present, a.comment, a.plan_version, a.plan_digest, a.at
  from policy_override o
  join approval a on a.id = o.approval_id
  join run r on r.id = a.run_id
  left join policy_set s on s.id = o.owner_id
  where (o.judge_id, o.fingerprint) in ( select judge, decode(wanted, 'hex') from unnest($1::text[], $2::text[])
      failure (judge, wanted))
  and r.workspace_id = $3
  and r.status <> 'REJECTED'
  and ( (a.run_id = $4 and a.plan_version = $5) or (s.overriders ->> 'holds' = 'SAME_VIOLATIONS' and (a.run_id in ($6,
      $7) or r.revision = $8) and not exists ( select from policy_evaluation evaluation where evaluation.run_id = $9
      and evaluation.plan_version = $10 and evaluation.version_id = o.judge_id and evaluation.dropped > 0)) )
  and not exists ( select from approval newer where newer.run_id = a.run_id and newer.gate = a.gate and newer.actor_id
      = a.actor_id and newer.position > a.position and (newer.stage is not distinct from a.stage or newer.decision =
      'REJECTED') and newer.plan_version = a.plan_version)
  and not exists ( select from policy_override withdrawn where withdrawn.approval_id = a.id and
      withdrawn.withdrawal_id is not null)
  group by o.owner_id, a.id
  order by a.position;

-- listCarriedOverrides
select distinct o.run_id as "runId", a.position, a.id as "approvalId", a.actor_id as "actorId", a.stage
  from run r
  join policy_override o on o.run_id = r.id
  and o.plan_version = r.plan_version
  join approval a on a.id = o.approval_id
  where r.id = any($1::text[])
  and (a.run_id <> r.id or a.plan_version <> r.plan_version)
  and o.withdrawal_id is null
  order by o.run_id, a.position;

-- withdrawCarriedOverride
update "policy_override"
  set "withdrawal_id" = $1
  where "run_id" = $2
  and "plan_version" = $3
  and "approval_id" = $4;

-- findOverridersOfResults
select distinct on ("result"."id") "result"."id", "a"."actor_id"
  from "policy_result" as "result"
  inner join "policy_evaluation" as "evaluation" on "evaluation"."id" = "result"."evaluation_id"
  inner join "policy_override" as "o" on "o"."run_id" = "evaluation"."run_id"
  and "o"."plan_version" = "evaluation"."plan_version"
  and "o"."judge_id" = "evaluation"."version_id"
  and "o"."fingerprint" = "result"."fingerprint"
  inner join "approval" as "a" on "a"."id" = "o"."approval_id"
  where "result"."id" in ($1)
  and "o"."withdrawal_id" is null
  and not exists (select "newer"."id" from "approval" as "newer" where "newer"."run_id" = "a"."run_id" and
      "newer"."plan_version" = "a"."plan_version" and "newer"."gate" = "a"."gate" and "newer"."actor_id" =
      "a"."actor_id" and "newer"."position" > "a"."position" and newer.stage is not distinct from a.stage)
  order by "result"."id", "a"."position";
