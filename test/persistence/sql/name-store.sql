-- findByIds
select id, 'run' as kind, concat_ws(' ', '#' || run.number, nullif(split_part(left(run.message, 200), E' ', 1), ''))
    as title, case when $1 = $2 then 'EXACT' else 'PREFIX' end as match
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and id between $3
  and $4
  order by id
  limit $5 /* planned each time */;

-- findByIds: of a scope
select id, 'workspace' as kind, "name" as title, case when $1 = $2 then 'EXACT' else 'PREFIX' end as match
  from "workspace"
  where deleted_at is null
  and (("organization_id" = any($3::text[]) and "project_id" <> all($4::text[])) or "project_id" = any($5::text[]) or
      "id" = any($6::text[]))
  and id between $7
  and $8
  order by id
  limit $9 /* planned each time */;

-- findByName
(select id, 'workspace' as kind, name as title, case when lower("name") = lower($1) then 'EXACT' else 'PREFIX' end as
    match from "workspace" where deleted_at is null and lower("name") collate "C" >= lower($2) and lower("name")
    collate "C" < lower($3) || chr(1114111) order by lower("name") collate "C", id limit $4)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'workspace' as kind, name,
      "name" as searched from "workspace" where deleted_at is null order by id desc limit 10000) newest where
      strpos(lower(searched), lower($5)) > 1 order by lower(searched) collate "C", id limit $6)
  union all (select id, 'project' as kind, name as title, case when lower("name") = lower($7) then 'EXACT' else
      'PREFIX' end as match from "project" where deleted_at is null and lower("name") collate "C" >= lower($8) and
      lower("name") collate "C" < lower($9) || chr(1114111) order by lower("name") collate "C", id limit $10)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'project' as kind, name, "name"
      as searched from "project" where deleted_at is null order by id desc limit 10000) newest where
      strpos(lower(searched), lower($11)) > 1 order by lower(searched) collate "C", id limit $12)
  union all (select id, 'organization' as kind, name as title, case when lower("name") = lower($13) then 'EXACT' else
      'PREFIX' end as match from "organization" where true and lower("name") collate "C" >= lower($14) and
      lower("name") collate "C" < lower($15) || chr(1114111) order by lower("name") collate "C", id limit $16)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'organization' as kind, name,
      "name" as searched from "organization" where true order by id desc limit 10000) newest where
      strpos(lower(searched), lower($17)) > 1 order by lower(searched) collate "C", id limit $18)
  union all (select id, 'team' as kind, name as title, case when lower("name") = lower($19) then 'EXACT' else 'PREFIX'
      end as match from "team" where deleted_at is null and lower("name") collate "C" >= lower($20) and lower("name")
      collate "C" < lower($21) || chr(1114111) order by lower("name") collate "C", id limit $22)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'team' as kind, name, "name" as
      searched from "team" where deleted_at is null order by id desc limit 10000) newest where strpos(lower(searched),
      lower($23)) > 1 order by lower(searched) collate "C", id limit $24)
  union all (select id, case kind when 'USER' then 'user' else 'machineUser' end as kind, name as title, case when
      lower("name") = lower($25) then 'EXACT' else 'PREFIX' end as match from "actor" where kind <> 'SYSTEM' and
      workspace_id is null and lower("name") collate "C" >= lower($26) and lower("name") collate "C" < lower($27) ||
      chr(1114111) order by lower("name") collate "C", id limit $28)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, case kind when 'USER' then
      'user' else 'machineUser' end as kind, name, "name" as searched from "actor" where kind <> 'SYSTEM' and
      workspace_id is null order by id desc limit 10000) newest where strpos(lower(searched), lower($29)) > 1 order by
      lower(searched) collate "C", id limit $30)
  union all (select id, 'policySet' as kind, name as title, case when lower("name") = lower($31) then 'EXACT' else
      'PREFIX' end as match from "policy_set" where deleted_at is null and lower("name") collate "C" >= lower($32) and
      lower("name") collate "C" < lower($33) || chr(1114111) order by lower("name") collate "C", id limit $34)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'policySet' as kind, name,
      "name" as searched from "policy_set" where deleted_at is null order by id desc limit 10000) newest where
      strpos(lower(searched), lower($35)) > 1 order by lower(searched) collate "C", id limit $36)
  union all (select id, 'promotionPipeline' as kind, name as title, case when lower("name") = lower($37) then 'EXACT'
      else 'PREFIX' end as match from "promotion_pipeline" where deleted_at is null and lower("name") collate "C" >=
      lower($38) and lower("name") collate "C" < lower($39) || chr(1114111) order by lower("name") collate "C", id
      limit $40)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'promotionPipeline' as kind,
      name, "name" as searched from "promotion_pipeline" where deleted_at is null order by id desc limit 10000) newest
      where strpos(lower(searched), lower($41)) > 1 order by lower(searched) collate "C", id limit $42)
  union all (select id, 'repository' as kind, name as title, case when lower("name") = lower($43) then 'EXACT' else
      'PREFIX' end as match from "repository" where deleted_at is null and lower("name") collate "C" >= lower($44) and
      lower("name") collate "C" < lower($45) || chr(1114111) order by lower("name") collate "C", id limit $46)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'repository' as kind, name,
      "name" as searched from "repository" where deleted_at is null order by id desc limit 10000) newest where
      strpos(lower(searched), lower($47)) > 1 order by lower(searched) collate "C", id limit $48)
  union all (select id, 'runnerPool' as kind, name as title, case when lower("name") = lower($49) then 'EXACT' else
      'PREFIX' end as match from "runner_pool" where deleted_at is null and lower("name") collate "C" >= lower($50)
      and lower("name") collate "C" < lower($51) || chr(1114111) order by lower("name") collate "C", id limit $52)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'runnerPool' as kind, name,
      "name" as searched from "runner_pool" where deleted_at is null order by id desc limit 10000) newest where
      strpos(lower(searched), lower($53)) > 1 order by lower(searched) collate "C", id limit $54)
  union all (select id, 'organization' as kind, name as title, case when lower("slug") = lower($55) then 'EXACT' else
      'PREFIX' end as match from "organization" where true and lower("slug") collate "C" >= lower($56) and
      lower("slug") collate "C" < lower($57) || chr(1114111) order by lower("slug") collate "C", id limit $58)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'organization' as kind, name,
      "slug" as searched from "organization" where true order by id desc limit 10000) newest where
      strpos(lower(searched), lower($59)) > 1 order by lower(searched) collate "C", id limit $60) /* planned each time
      */;

-- findByName: of a scope
(select id, 'workspace' as kind, name as title, case when lower("name") = lower($1) then 'EXACT' else 'PREFIX' end as
    match from "workspace" where deleted_at is null and (("organization_id" = any($2::text[]) and "project_id" <>
    all($3::text[])) or "project_id" = any($4::text[]) or "id" = any($5::text[])) and lower("name") collate "C" >=
    lower($6) and lower("name") collate "C" < lower($7) || chr(1114111) order by lower("name") collate "C", id limit
    $8)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'workspace' as kind, name,
      "name" as searched from "workspace" where deleted_at is null and (("organization_id" = any($9::text[]) and
      "project_id" <> all($10::text[])) or "project_id" = any($11::text[]) or "id" = any($12::text[])) order by id
      desc limit 10000) newest where strpos(lower(searched), lower($13)) > 1 order by lower(searched) collate "C", id
      limit $14)
  union all (select id, 'project' as kind, name as title, case when lower("name") = lower($15) then 'EXACT' else
      'PREFIX' end as match from "project" where deleted_at is null and (("organization_id" = any($16::text[]) and
      "id" <> all($17::text[])) or "id" = any($18::text[]) or "id" = any($19::text[])) and lower("name") collate "C"
      >= lower($20) and lower("name") collate "C" < lower($21) || chr(1114111) order by lower("name") collate "C", id
      limit $22)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'project' as kind, name, "name"
      as searched from "project" where deleted_at is null and (("organization_id" = any($23::text[]) and "id" <>
      all($24::text[])) or "id" = any($25::text[]) or "id" = any($26::text[])) order by id desc limit 10000) newest
      where strpos(lower(searched), lower($27)) > 1 order by lower(searched) collate "C", id limit $28)
  union all (select id, 'organization' as kind, name as title, case when lower("name") = lower($29) then 'EXACT' else
      'PREFIX' end as match from "organization" where true and "id" = any($30::text[]) and lower("name") collate "C"
      >= lower($31) and lower("name") collate "C" < lower($32) || chr(1114111) order by lower("name") collate "C", id
      limit $33)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'organization' as kind, name,
      "name" as searched from "organization" where true and "id" = any($34::text[]) order by id desc limit 10000)
      newest where strpos(lower(searched), lower($35)) > 1 order by lower(searched) collate "C", id limit $36)
  union all (select id, 'team' as kind, name as title, case when lower("name") = lower($37) then 'EXACT' else 'PREFIX'
      end as match from "team" where deleted_at is null and "organization_id" = any($38::text[]) and lower("name")
      collate "C" >= lower($39) and lower("name") collate "C" < lower($40) || chr(1114111) order by lower("name")
      collate "C", id limit $41)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'team' as kind, name, "name" as
      searched from "team" where deleted_at is null and "organization_id" = any($42::text[]) order by id desc limit
      10000) newest where strpos(lower(searched), lower($43)) > 1 order by lower(searched) collate "C", id limit $44)
  union all (select id, case kind when 'USER' then 'user' else 'machineUser' end as kind, name as title, case when
      lower("name") = lower($45) then 'EXACT' else 'PREFIX' end as match from "actor" where kind <> 'SYSTEM' and
      workspace_id is null and (actor.organization_id = any($46::text[]) or exists (select from access_grant held
      where held.principal_id = actor.id and held.organization_id = any($47::text[]) and held.revoked_at is null) or
      exists (select from team_member m join team on team.id = m.team_id where m.actor_id = actor.id and
      team.organization_id = any($48::text[]) and team.deleted_at is null)) and lower("name") collate "C" >=
      lower($49) and lower("name") collate "C" < lower($50) || chr(1114111) order by lower("name") collate "C", id
      limit $51)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, case kind when 'USER' then
      'user' else 'machineUser' end as kind, name, "name" as searched from "actor" where kind <> 'SYSTEM' and
      workspace_id is null and (actor.organization_id = any($52::text[]) or exists (select from access_grant held
      where held.principal_id = actor.id and held.organization_id = any($53::text[]) and held.revoked_at is null) or
      exists (select from team_member m join team on team.id = m.team_id where m.actor_id = actor.id and
      team.organization_id = any($54::text[]) and team.deleted_at is null)) order by id desc limit 10000) newest where
      strpos(lower(searched), lower($55)) > 1 order by lower(searched) collate "C", id limit $56)
  union all (select id, 'policySet' as kind, name as title, case when lower("name") = lower($57) then 'EXACT' else
      'PREFIX' end as match from "policy_set" where deleted_at is null and "organization_id" = any($58::text[]) and
      lower("name") collate "C" >= lower($59) and lower("name") collate "C" < lower($60) || chr(1114111) order by
      lower("name") collate "C", id limit $61)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'policySet' as kind, name,
      "name" as searched from "policy_set" where deleted_at is null and "organization_id" = any($62::text[]) order by
      id desc limit 10000) newest where strpos(lower(searched), lower($63)) > 1 order by lower(searched) collate "C",
      id limit $64)
  union all (select id, 'promotionPipeline' as kind, name as title, case when lower("name") = lower($65) then 'EXACT'
      else 'PREFIX' end as match from "promotion_pipeline" where deleted_at is null and "organization_id" =
      any($66::text[]) and lower("name") collate "C" >= lower($67) and lower("name") collate "C" < lower($68) ||
      chr(1114111) order by lower("name") collate "C", id limit $69)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'promotionPipeline' as kind,
      name, "name" as searched from "promotion_pipeline" where deleted_at is null and "organization_id" =
      any($70::text[]) order by id desc limit 10000) newest where strpos(lower(searched), lower($71)) > 1 order by
      lower(searched) collate "C", id limit $72)
  union all (select id, 'repository' as kind, name as title, case when lower("name") = lower($73) then 'EXACT' else
      'PREFIX' end as match from "repository" where deleted_at is null and "organization_id" = any($74::text[]) and
      lower("name") collate "C" >= lower($75) and lower("name") collate "C" < lower($76) || chr(1114111) order by
      lower("name") collate "C", id limit $77)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'repository' as kind, name,
      "name" as searched from "repository" where deleted_at is null and "organization_id" = any($78::text[]) order by
      id desc limit 10000) newest where strpos(lower(searched), lower($79)) > 1 order by lower(searched) collate "C",
      id limit $80)
  union all (select id, 'runnerPool' as kind, name as title, case when lower("name") = lower($81) then 'EXACT' else
      'PREFIX' end as match from "runner_pool" where deleted_at is null and "organization_id" = any($82::text[]) and
      lower("name") collate "C" >= lower($83) and lower("name") collate "C" < lower($84) || chr(1114111) order by
      lower("name") collate "C", id limit $85)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'runnerPool' as kind, name,
      "name" as searched from "runner_pool" where deleted_at is null and "organization_id" = any($86::text[]) order by
      id desc limit 10000) newest where strpos(lower(searched), lower($87)) > 1 order by lower(searched) collate "C",
      id limit $88)
  union all (select id, 'organization' as kind, name as title, case when lower("slug") = lower($89) then 'EXACT' else
      'PREFIX' end as match from "organization" where true and "id" = any($90::text[]) and lower("slug") collate "C"
      >= lower($91) and lower("slug") collate "C" < lower($92) || chr(1114111) order by lower("slug") collate "C", id
      limit $93)
  union all (select id, kind as kind, name as title, 'PART' as match from (select id, 'organization' as kind, name,
      "slug" as searched from "organization" where true and "id" = any($94::text[]) order by id desc limit 10000)
      newest where strpos(lower(searched), lower($95)) > 1 order by lower(searched) collate "C", id limit $96) /*
      planned each time */;
