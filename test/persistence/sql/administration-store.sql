-- findAdministration
select "expires_at"
  from "access_grant"
  where "principal_id" = $1
  and "role_id" = $2
  and "scope_id" is null
  and "revoked_at" is null
  and "granted_by" = $3
  and "expires_at" is not null;

-- putAdministration
insert into "access_grant" ("id", "principal_id", "role_id", "organization_id", "scope_id", "reason", "granted_by",
    "created_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict ("principal_id", "role_id", "scope_id")
  where "revoked_at" is null do update
  set "expires_at" = $10
  where "access_grant"."granted_by" = $11
  and "access_grant"."expires_at" is not null;

-- hasAdministratorToSignIn
select "actor"."id"
  from "access_grant"
  inner join "actor" on "actor"."id" = "access_grant"."principal_id"
  where "role_id" = $1
  and "scope_id" is null
  and "revoked_at" is null
  and "expires_at" is null
  and "actor"."disabled_at" is null
  and (exists (select "passkey"."id" from "passkey" where "passkey"."actor_id" = "actor"."id") or exists (select
      "subject" from "identity" where "identity"."actor_id" = "actor"."id"))
  limit $2;

-- hasAdministratorToSignIn: without a provider
select "actor"."id"
  from "access_grant"
  inner join "actor" on "actor"."id" = "access_grant"."principal_id"
  where "role_id" = $1
  and "scope_id" is null
  and "revoked_at" is null
  and "expires_at" is null
  and "actor"."disabled_at" is null
  and exists (select "passkey"."id" from "passkey" where "passkey"."actor_id" = "actor"."id")
  limit $2;

-- endAdministration
update "access_grant"
  set "revoked_at" = $1, "revoked_by" = $2
  where "principal_id" = $3
  and "role_id" = $4
  and "scope_id" is null
  and "revoked_at" is null
  and "granted_by" = $5
  and "expires_at" is not null;
