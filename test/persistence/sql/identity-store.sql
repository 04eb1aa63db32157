-- insertIdentity
insert into "identity" ("issuer", "subject", "email", "actor_id", "created_at", "last_login_at")
  values ($1, $2, $3, $4, $5, $6);

-- listSignInMethods
select 'OIDC' as "method"
  from "identity"
  where "actor_id" = $1
  union
  select 'PASSKEY' as "method"
  from "passkey"
  where "actor_id" = $2
  order by "method";

-- lockIdentity
select "actor"."id", "actor"."kind", "actor"."name", "actor"."disabled_at"
  from "identity"
  inner join "actor" on "actor"."id" = "identity"."actor_id"
  where "issuer" = $1
  and "subject" = $2
  for update;

-- noteSignIn
update "identity"
  set "last_login_at" = $1, "email" = $2
  where "issuer" = $3
  and "subject" = $4;
update "actor"
  set "name" = $1, "email" = $2
  where "id" = $3
  and ("name" != $4 or email is distinct from $5);

-- listTeamIdsOfGroups
select id
  from team
  where deleted_at is null
  and external_ids && $1::text[]
  order by id;

-- listConfirmedMemberships
select "team_id", "lapses_at"
  from "team_member"
  where "actor_id" = $1
  and "source" = $2;

-- confirmMemberships
insert into "team" ("id", "organization_id", "name", "external_ids", "created_at")
  values ($1, $2, $3, $4, $5);
insert into "team_member" ("team_id", "actor_id", "source", "added_at", "confirmed_at", "lapses_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("team_id", "actor_id", "source") do update
  set "confirmed_at" = $7, "lapses_at" = $8;

-- removeConfirmedMemberships
delete from "team_member"
  where "actor_id" = $1
  and "source" = $2
  and "team_id" in ($3);

-- spendAttempt
insert into "spent_attempt" ("digest", "until")
  values ($1, $2)
  on conflict do nothing;

-- removeSpentAttempts
delete from "spent_attempt"
  where "digest" in (select "digest" from "spent_attempt" where "until" < $1 order by "until" limit $2);
