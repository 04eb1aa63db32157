-- claimLooks
with due as ( select repository_id from repository_look where true and (wanted > done or next_at <= $1) and
    (lease_until is null or lease_until <= $2) and (begun_at is null or begun_at <= $3) order by next_at limit $4 for
    update skip locked ) update repository_look l
  set lease_by = $5, lease_until = $6, begun_at = $7
  from due
  where l.repository_id = due.repository_id
  returning l.repository_id as "repositoryId", l.wanted, l.hooked > l.done as "isHooked", l.wanted > l.done as
      "isCalled", l.found_by as "foundBy", l.failures, l.tags_seen as "tagsSeen";

-- claimLooks: of one repository
with due as ( select repository_id from repository_look where repository_id = $1 and (wanted > done or next_at <= $2)
    and (lease_until is null or lease_until <= $3) and (begun_at is null or begun_at <= $4) order by next_at limit $5
    for update skip locked ) update repository_look l
  set lease_by = $6, lease_until = $7, begun_at = $8
  from due
  where l.repository_id = due.repository_id
  returning l.repository_id as "repositoryId", l.wanted, l.hooked > l.done as "isHooked", l.wanted > l.done as
      "isCalled", l.found_by as "foundBy", l.failures, l.tags_seen as "tagsSeen";

-- renewLooks
update "repository_look"
  set "lease_until" = $1
  where "lease_by" = $2;

-- releaseLooks
update "repository_look"
  set "lease_by" = $1, "lease_until" = $2
  where "lease_by" = $3;

-- lockLook
select "lease_by"
  from "repository_look"
  where "repository_id" = $1
  for update;

-- endLook
update "repository_look"
  set "done" = $1, "next_at" = $2, "ended_at" = $3, "lease_by" = $4, "lease_until" = $5, "error" = $6, "failures" =
      $7, "found_by" = $8, "tags_seen" = $9
  where "repository_id" = $10;

-- requestLook
update "repository_look"
  set "wanted" = "wanted" + $1
  where "repository_id" = $2
  returning "wanted";

-- findLooks
select "repository_id", "done", "ended_at", "error", "found_by"
  from "repository_look"
  where "repository_id" in ($1);
