-- insertOrganization
insert into "organization" ("id", "slug", "name", "concurrency_limit", "max_runs_per_push", "log_days", "event_days",
    "archive_days", "limits", "approval_rules", "freeze_windows", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- toOrganization
-- sends nothing

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
  set "name" = $1, "concurrency_limit" = $2, "max_runs_per_push" = $3, "log_days" = $4, "event_days" = $5,
      "archive_days" = $6, "limits" = $7, "approval_rules" = $8, "freeze_windows" = $9
  where "id" = $10;

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
