-- insertRunnerToken
insert into "runner_token" ("id", "pool_id", "name", "secret_hash", "created_by", "created_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7);

-- findRunnerTokenBySecret
select "runner_token"."id", "pool_id", "last_used_at"
  from "runner_token"
  inner join "runner_pool" on "runner_pool"."id" = "runner_token"."pool_id"
  where "secret_hash" = $1
  and "revoked_at" is null
  and "runner_pool"."deleted_at" is null
  and ("expires_at" is null or "expires_at" > $2);

-- touchRunnerToken
update "runner_token"
  set "last_used_at" = $1
  where "id" = $2;

-- findRunnerTokens
select "id", "pool_id", "name", "created_by", "created_at", "expires_at", "last_used_at", (select "organization_id"
    from "runner_pool" where "runner_pool"."id" = "runner_token"."pool_id") as "organization_id"
  from "runner_token"
  where "revoked_at" is null
  and "id" in ($1);

-- listRunnerTokens
select "id", "pool_id", "name", "created_by", "created_at", "expires_at", "last_used_at"
  from "runner_token"
  where "revoked_at" is null
  and "pool_id" in ($1)
  order by "id";

-- revokeRunnerTokenRow
update "runner_token"
  set "revoked_at" = $1
  where "id" = $2
  and "revoked_at" is null;
