-- insertTeam
insert into "team" ("id", "organization_id", "name", "external_ids", "created_at")
  values ($1, $2, $3, $4, $5);

-- updateTeamRow
update "team"
  set "name" = $1, "external_ids" = $2
  where "id" = $3;

-- lockTeam
select *
  from "team"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- holdTeams
select "id"
  from "team"
  where "deleted_at" is null
  and "id" in ($1)
  order by "id"
  for share;

-- listRulesNamingTeam
select rule ->> 'name' as rule, null as id, null as project_id, null as name
  from organization, jsonb_array_elements(approval_rules) rule
  where organization.id = $1
  and jsonb_exists(rule -> 'teamIds', $2)
  union all
  select rule ->> 'name', workspace.id, project_id, name
  from workspace, jsonb_array_elements(approval_rules) rule
  where organization_id = $3
  and deleted_at is null
  and jsonb_exists(rule -> 'teamIds', $4)
  order by name nulls first, rule;

-- findTeams
select *
  from "team"
  where "deleted_at" is null
  and "id" in ($1);

-- listTeamIdsOfActor
select distinct m.team_id as id
  from team_member m
  join team on team.id = m.team_id
  and team.deleted_at is null
  where m.actor_id = $1
  and (m.lapses_at is null or m.lapses_at > $2::timestamptz)
  order by m.team_id;

-- listTeams
select *
  from "team"
  where "deleted_at" is null
  and "organization_id" in ($1)
  order by "name";

-- insertMember
insert into "team_member" ("team_id", "actor_id", "source", "added_at")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- listMembers
select *
  from "team_member"
  where "team_id" in ($1)
  and ("lapses_at" is null or "lapses_at" > $2)
  order by "added_at", "actor_id", "source";

-- listTeamsOfActors
select distinct "team".*, "team_member"."actor_id"
  from "team_member"
  inner join "team" on "team"."id" = "team_member"."team_id"
  where "team_member"."actor_id" in ($1)
  and "team"."deleted_at" is null
  and ("lapses_at" is null or "lapses_at" > $2)
  order by "team"."name", "team"."id";

-- deleteMember
delete from "team_member"
  where "team_id" = $1
  and "actor_id" = $2;

-- markTeamDeleted
update "team"
  set "deleted_at" = $1
  where "id" = $2;
