-- insertOrganization
insert into "organization" ("id", "slug", "name", "concurrency_limit", "log_days", "event_days", "archive_days",
    "limits", "approval_rules", "freeze_windows", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- findOrganizations
select *
  from "organization"
  where "id" = any((select $1::text[])::text[]);

-- findOrganizationBySlug
select *
  from "organization"
  where "slug" = $1;

-- listOrganizations
select *
  from "organization"
  order by "slug" asc
  limit $1;

-- listOrganizations: in a scope
select *
  from "organization"
  where "id" = any($1::text[])
  order by "slug" asc
  limit $2;

-- listOrganizations: backward
select *
  from "organization"
  where "slug" > $1
  and "slug" < $2
  order by "slug" desc
  limit $3;

-- updateOrganizationSettings
update "organization"
  set "name" = $1, "concurrency_limit" = $2, "log_days" = $3, "event_days" = $4, "archive_days" = $5, "limits" = $6,
      "approval_rules" = $7, "freeze_windows" = $8
  where "id" = $9;

-- lockOrganization
select *
  from "organization"
  where "id" = $1
  for no key update;

-- lockOrganizationIfAny
select *
  from "organization"
  where "id" = $1
  for no key update;
