-- insertPasskey
insert into "passkey" ("id", "actor_id", "credential_id", "public_key", "counter", "name", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7);

-- findPasskeyCredential
select "passkey"."id", "credential_id", "public_key", "counter", "actor"."id" as "actor_id", "actor"."kind",
    "actor"."name", "actor"."disabled_at"
  from "passkey"
  inner join "actor" on "actor"."id" = "passkey"."actor_id"
  where "credential_id" = $1;

-- usePasskey
update "passkey"
  set "counter" = $1, "last_used_at" = $2
  where "id" = $3
  and ("counter" < $4 or ("counter" = $5 and false));

-- listPasskeys
select "id", "actor_id", "name", "created_at", "last_used_at"
  from "passkey"
  where "actor_id" = $1
  order by "id";

-- listCredentialIds
select "credential_id"
  from "passkey"
  where "actor_id" = $1;

-- findPasskeys
select "id", "actor_id", "name", "created_at", "last_used_at"
  from "passkey"
  where "id" in ($1);

-- renamePasskeyRow
update "passkey"
  set "name" = $1
  where "id" = $2;

-- lockPasskeys
select "id"
  from "actor"
  where "id" = $1
  for no key update;

-- removePasskey
delete from "passkey"
  where "id" = $1;
