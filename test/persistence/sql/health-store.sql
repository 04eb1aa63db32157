-- lockHealth
select "h"."workspace_id", "h"."health", "h"."since", "h"."reason", "h"."stale", "h"."announced", "h"."announce_at",
    "w"."organization_id"
  from "workspace_health" as "h"
  inner join "workspace" as "w" on "w"."id" = "h"."workspace_id"
  where "h"."workspace_id" in ($1)
  order by "h"."workspace_id"
  for no key update of "h";

-- updateHealth
update "workspace_health"
  set "health" = $1, "since" = $2, "reason" = $3, "stale" = $4, "announced" = $5, "announce_at" = $6
  where "workspace_id" = $7;

-- listStaleHealth
select "workspace_id"
  from "workspace_health"
  where "stale" = true
  and not exists (select "run"."id" from "run" where "run"."workspace_id" = "workspace_health"."workspace_id" and
      "run"."finished_at" is null and "run"."status" in ($1, $2, $3))
  order by "workspace_id"
  limit $4;

-- listHealthAnnouncements
select "workspace_id"
  from "workspace_health"
  where "announce_at" <= $1
  order by "announce_at"
  limit $2;

-- findHealth
select "workspace_id", "health", "since", "reason"
  from "workspace_health"
  where "workspace_id" in ($1);
