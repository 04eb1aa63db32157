-- countWorkspaces
select count(*) as "count"
  from (select "id" from "workspace" where "organization_id" = $1 and "deleted_at" is null and strpos(lower(name),
      lower($2)) > 0 and (locked_at is not null and (lock_expires_at is null or lock_expires_at > $3)) = $4 and
      "paused" = $5 limit $6) as "some";

-- listWorkspaces: in a scope
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and (("organization_id" = any($2::text[]) and "project_id" <> all($3::text[])) or "project_id" = any($4::text[]) or
      "id" = any($5::text[]))
  order by "name" asc
  limit $6;

-- listWorkspaces
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  order by "name" asc
  limit $2;

-- listWorkspaces: backward, by a part of the name
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and strpos(name, $2) > 0
  and "name" > $3
  and "name" < $4
  order by "name" desc
  limit $5;

-- listWorkspaces: with labels
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and ("workspace"."labels" <> '{}' and label_terms("workspace"."labels") @> $2::text[])
  order by "name" asc
  limit $3;
