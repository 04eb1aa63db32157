-- insertChangeset
insert into "changeset" ("id", "organization_id", "source", "title", "commit", "kind", "trigger", "refresh_only",
    "command", "priority", "created_by", "credential_id", "idempotency_key", "request_digest", "created_at",
    "held_at", "origin_id", "due")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18);

-- findChangesetByKey
select "id", "request_digest", "created_at"
  from "changeset"
  where "created_by" = $1
  and "idempotency_key" = $2
  for no key update;

-- findChangesetByKey: of long ago
select "id", "request_digest", "created_at"
  from "changeset"
  where "created_by" = $1
  and "idempotency_key" = $2
  for no key update;
update "changeset"
  set "idempotency_key" = $1, "request_digest" = $2
  where "id" = $3;

-- listDueChangesets
select "id"
  from "changeset"
  where "due" = true
  order by "id"
  limit $1;

-- findChangeset
select *
  from "changeset"
  where "id" = $1;

-- lockChangeset
select *
  from "changeset"
  where "id" = $1
  for no key update;

-- setChangesetDue
update "changeset"
  set "due" = $1
  where "id" = $2;

-- noteApplied
select waits, change, announces
  from changeset_settle($1, $2);

-- discardMembers
update changeset_member
  set problem = $1, discarded = true
  from workspace w
  where w.id = changeset_member.workspace_id
  and changeset_member.changeset_id = $2
  and changeset_member.run_id is null
  and changeset_member.problem is null
  and w.deleted_at is null
  and (("w"."organization_id" = any($3::text[]) and "w"."project_id" <> all($4::text[])) or "w"."project_id" =
      any($5::text[]) or "w"."id" = any($6::text[]))
  returning w.id;

-- setChangesetDiscarded
update changeset
  set discarded_at = $1, held_at = null
  where id = $2
  and discarded_at is null
  and not exists ( select from changeset_member m join workspace w on w.id = m.workspace_id where m.changeset_id =
      changeset.id and w.deleted_at is null and not (w.deleted_at is null));

-- releaseHeldChangeset
update "changeset"
  set "held_at" = $1, "due" = $2
  where "id" = $3
  and "held_at" is not null;
