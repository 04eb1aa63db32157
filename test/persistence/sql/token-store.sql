-- insertToken
insert into "token" ("id", "name", "actor_id", "role", "permissions", "scope_ids", "networks", "secret_hash",
    "created_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- putAdminToken
select "id"
  from "actor"
  where "id" = $1
  for no key update;
select "secret_hash"
  from "token"
  where "id" = $1
  for update;
insert into "token" ("id", "name", "actor_id", "role", "secret_hash", "created_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("id") do update
  set "secret_hash" = $7, "revoked_at" = $8;

-- findTokensBySecret
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name",
    "token"."secret_hash", "actor"."identified_by", "actor"."sponsor_id", "actor"."sponsored_until", (select version
    from access_epoch) as "access_version", (select moves from access_epoch) as "access_moves"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."secret_hash" = any((select $1::bytea[])::bytea[])
  and ("token"."id" = $2 or (("token"."expires_at" is null or "token"."expires_at" > $3) and
      greatest(token.last_used_at, token.rotated_at, token.created_at) > $4));
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name",
    token.former_hash as "secret_hash", token.former_until as "former_until", "actor"."identified_by",
    "actor"."sponsor_id", "actor"."sponsored_until", (select version from access_epoch) as "access_version", (select
    moves from access_epoch) as "access_moves"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."former_hash" = any((select $1::bytea[])::bytea[])
  and "token"."former_until" > $2
  and ("token"."id" = $3 or (("token"."expires_at" is null or "token"."expires_at" > $4) and
      greatest(token.last_used_at, token.rotated_at, token.created_at) > $5));

-- findTokens
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name",
    "actor"."organization_id"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."id" in ($1, $2);

-- findTokenInForce
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name",
    "actor"."identified_by", "actor"."sponsor_id", "actor"."sponsored_until", (select version from access_epoch) as
    "access_version", (select moves from access_epoch) as "access_moves"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."id" = $1
  and ("token"."id" = $2 or (("token"."expires_at" is null or "token"."expires_at" > $3) and
      greatest(token.last_used_at, token.rotated_at, token.created_at) > $4));

-- lockToken
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name",
    "actor"."organization_id"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."id" = $1
  for update of "token";

-- putToken
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name",
    "actor"."organization_id"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."id" = $1
  for update of "token";
update "token"
  set "name" = $1, "permissions" = $2, "scope_ids" = $3, "networks" = $4, "expires_at" = $5
  where "id" = $6;

-- putRotatedSecret
update "token"
  set "secret_hash" = $1, "former_hash" = "secret_hash", "former_until" = $2, "expires_at" = $3, "rotated_at" = $4
  where "id" = $5;

-- listTokensOfActor
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."revoked_at" is null
  and "token"."actor_id" = $1
  order by "token"."id" desc
  limit $2;

-- listTokenIds
select "id"
  from "token"
  where "actor_id" = $1
  and "revoked_at" is null;

-- listTokens
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  order by "token"."id" desc
  limit $1;

-- listTokens: of those that were revoked, backward
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."revoked_at" is not null
  and "token"."id" < $1
  and "token"."id" > $2
  order by "token"."id" asc
  limit $3;

-- listTokens: of those that were not
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "token"."revoked_at" is null
  order by "token"."id" desc
  limit $1;

-- listTokens: of machine users
select "token"."id", "token"."name", "token"."role", "token"."permissions", "token"."scope_ids", "token"."created_at",
    "token"."networks", "token"."last_used_at", "token"."last_used_from", "token"."rotated_at", "token"."expires_at",
    "token"."revoked_at", "actor"."id" as "actor_id", "actor"."kind" as "actor_kind", "actor"."name" as "actor_name"
  from "token"
  inner join "actor" on "actor"."id" = "token"."actor_id"
  where "actor"."organization_id" = $1
  order by "token"."id" desc
  limit $2;

-- revokeToken
update "token"
  set "revoked_at" = $1
  where "id" = $2
  and "revoked_at" is null;

-- touchToken
update "token"
  set "last_used_at" = $1, "last_used_from" = network(set_masklen($2::inet, case family($3::inet) when 4 then 32 else
      64 end))::inet
  where "id" = $4
  and ("last_used_at" is null or "last_used_at" < $5);
