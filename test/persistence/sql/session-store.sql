-- insertSession
insert into "session" ("id", "actor_id", "secret_hash", "method", "token_id", "secret_until", "issuer", "subject",
    "provider_session", "address", "user_agent", "created_at", "seen_at", "present_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- findSessionsBySecret
select "session"."id", "session"."method", "session"."address", "session"."user_agent", "session"."created_at",
    "session"."seen_at", "session"."present_at", "session"."expires_at", "actor"."id" as "actor_id", "actor"."kind" as
    "actor_kind", "actor"."name" as "actor_name", "session"."token_id", "token"."role" as "token_role",
    "token"."permissions" as "token_permissions", "token"."scope_ids" as "token_scope_ids", "token"."networks" as
    "token_networks", least(token.expires_at, session.secret_until) as "token_expires_at", "actor"."identified_by",
    "actor"."sponsor_id", "actor"."sponsored_until", (select version from access_epoch) as "access_version", (select
    moves from access_epoch) as "access_moves", "session"."secret_hash"
  from "session"
  inner join "actor" on "actor"."id" = "session"."actor_id"
  left join "token" on "token"."id" = "session"."token_id"
  where "session"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."revoked_at" is null
  and (least(token.expires_at, session.secret_until) is null or least(token.expires_at, session.secret_until) > $1)
  and "session"."secret_hash" = any((select $2::bytea[])::bytea[])
  and "session"."expires_at" > $3
  and "session"."seen_at" > $4;

-- touchSession
update "session"
  set "seen_at" = $1
  where "id" = $2
  and "seen_at" < $3;

-- listSessions
select "session"."id", "session"."method", "session"."address", "session"."user_agent", "session"."created_at",
    "session"."seen_at", "session"."present_at", "session"."expires_at", "actor"."id" as "actor_id", "actor"."kind" as
    "actor_kind", "actor"."name" as "actor_name"
  from "session"
  inner join "actor" on "actor"."id" = "session"."actor_id"
  left join "token" on "token"."id" = "session"."token_id"
  where "session"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."revoked_at" is null
  and (least(token.expires_at, session.secret_until) is null or least(token.expires_at, session.secret_until) > $1)
  and "session"."expires_at" > $2
  and "session"."seen_at" > $3
  order by "session"."id" desc
  limit $4;

-- listSessions: of a person, backward
select "session"."id", "session"."method", "session"."address", "session"."user_agent", "session"."created_at",
    "session"."seen_at", "session"."present_at", "session"."expires_at", "actor"."id" as "actor_id", "actor"."kind" as
    "actor_kind", "actor"."name" as "actor_name"
  from "session"
  inner join "actor" on "actor"."id" = "session"."actor_id"
  left join "token" on "token"."id" = "session"."token_id"
  where "session"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."revoked_at" is null
  and (least(token.expires_at, session.secret_until) is null or least(token.expires_at, session.secret_until) > $1)
  and "session"."actor_id" = $2
  and "session"."expires_at" > $3
  and "session"."seen_at" > $4
  and "session"."id" < $5
  and "session"."id" > $6
  order by "session"."id" asc
  limit $7;

-- listSessionsOfActor
select "session"."id", "session"."method", "session"."address", "session"."user_agent", "session"."created_at",
    "session"."seen_at", "session"."present_at", "session"."expires_at", "actor"."id" as "actor_id", "actor"."kind" as
    "actor_kind", "actor"."name" as "actor_name"
  from "session"
  inner join "actor" on "actor"."id" = "session"."actor_id"
  left join "token" on "token"."id" = "session"."token_id"
  where "session"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."revoked_at" is null
  and (least(token.expires_at, session.secret_until) is null or least(token.expires_at, session.secret_until) > $1)
  and "session"."actor_id" = $2
  and "session"."expires_at" > $3
  and "session"."seen_at" > $4
  order by "session"."id" desc
  limit $5;

-- findSessions
select "session"."id", "session"."method", "session"."address", "session"."user_agent", "session"."created_at",
    "session"."seen_at", "session"."present_at", "session"."expires_at", "actor"."id" as "actor_id", "actor"."kind" as
    "actor_kind", "actor"."name" as "actor_name"
  from "session"
  inner join "actor" on "actor"."id" = "session"."actor_id"
  where "session"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "session"."id" in ($1);

-- findSessionInForce
select "session"."id", "session"."method", "session"."address", "session"."user_agent", "session"."created_at",
    "session"."seen_at", "session"."present_at", "session"."expires_at", "actor"."id" as "actor_id", "actor"."kind" as
    "actor_kind", "actor"."name" as "actor_name", "session"."token_id", "token"."role" as "token_role",
    "token"."permissions" as "token_permissions", "token"."scope_ids" as "token_scope_ids", "token"."networks" as
    "token_networks", least(token.expires_at, session.secret_until) as "token_expires_at", "actor"."identified_by",
    "actor"."sponsor_id", "actor"."sponsored_until", (select version from access_epoch) as "access_version", (select
    moves from access_epoch) as "access_moves"
  from "session"
  inner join "actor" on "actor"."id" = "session"."actor_id"
  left join "token" on "token"."id" = "session"."token_id"
  where "session"."revoked_at" is null
  and "actor"."disabled_at" is null
  and "token"."revoked_at" is null
  and (least(token.expires_at, session.secret_until) is null or least(token.expires_at, session.secret_until) > $1)
  and "session"."id" = $2
  and "session"."expires_at" > $3
  and "session"."seen_at" > $4;

-- revokeSessions
update "session"
  set "revoked_at" = $1
  where "revoked_at" is null
  and "id" = $2
  returning "id";

-- revokeSessions: by secret
update "session"
  set "revoked_at" = $1
  where "revoked_at" is null
  and "secret_hash" = $2
  returning "id";

-- revokeSessions: of an actor
update "session"
  set "revoked_at" = $1
  where "revoked_at" is null
  and "actor_id" = $2
  returning "id";

-- revokeSessions: of a token
update "session"
  set "revoked_at" = $1
  where "revoked_at" is null
  and "token_id" = $2
  returning "id";

-- revokeSessions: of a person at the provider
update "session"
  set "revoked_at" = $1
  where "revoked_at" is null
  and "issuer" = $2
  and "subject" = $3
  returning "id";

-- revokeSessions: of a session at the provider
update "session"
  set "revoked_at" = $1
  where "revoked_at" is null
  and "issuer" = $2
  and "provider_session" = $3
  returning "id";

-- removeEndedSessions
delete from "session"
  where "id" in (select "id" from "session" where "expires_at" < $1 order by "expires_at" limit $2);
