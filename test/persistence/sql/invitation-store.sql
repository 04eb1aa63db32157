-- insertInvitation
insert into "actor" ("id", "kind", "name", "email", "created_at", "invited_by")
  values ($1, $2, $3, $4, $5, $6);
insert into "invitation" ("id", "organization_id", "code_hash", "actor_id", "team_ids", "invited_by", "created_at",
    "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- findInvitationByCode
select "invitation"."id", "invitation"."organization_id", "team_ids", "invitation"."invited_by",
    "invitation"."created_at", "expires_at", "actor"."id" as "actor_id", "actor"."kind", "actor"."name",
    "actor"."email"
  from "invitation"
  inner join "actor" on "actor"."id" = "invitation"."actor_id"
  where "accepted_at" is null
  and "revoked_at" is null
  and "actor"."disabled_at" is null
  and not exists (select "inviter"."id" from "actor" as "inviter" where "inviter"."id" = "invitation"."invited_by" and
      "inviter"."disabled_at" is not null)
  and "code_hash" = $1
  and "expires_at" > $2;

-- lockInvitation
select "invitation"."id", "invitation"."organization_id", "team_ids", "invitation"."invited_by",
    "invitation"."created_at", "expires_at", "actor"."id" as "actor_id", "actor"."kind", "actor"."name",
    "actor"."email"
  from "invitation"
  inner join "actor" on "actor"."id" = "invitation"."actor_id"
  where "accepted_at" is null
  and "revoked_at" is null
  and "actor"."disabled_at" is null
  and not exists (select "inviter"."id" from "actor" as "inviter" where "inviter"."id" = "invitation"."invited_by" and
      "inviter"."disabled_at" is not null)
  and "invitation"."id" = $1
  for update of "invitation";

-- listInvitations
select "invitation"."id", "invitation"."organization_id", "team_ids", "invitation"."invited_by",
    "invitation"."created_at", "expires_at", "actor"."id" as "actor_id", "actor"."kind", "actor"."name",
    "actor"."email"
  from "invitation"
  inner join "actor" on "actor"."id" = "invitation"."actor_id"
  where "accepted_at" is null
  and "revoked_at" is null
  and "actor"."disabled_at" is null
  and not exists (select "inviter"."id" from "actor" as "inviter" where "inviter"."id" = "invitation"."invited_by" and
      "inviter"."disabled_at" is not null)
  and "invitation"."organization_id" in ($1)
  and "expires_at" > $2
  order by "invitation"."id";

-- markInvitationAccepted
update "invitation"
  set "accepted_at" = $1
  where "id" = $2;

-- markInvitationRevoked
update "invitation"
  set "revoked_at" = $1
  where "id" = $2;
