-- claimLooks
with candidate as ( select l.repository_id, l.wanted = l.done as by_clock, l.next_at, r.git_host_id from
    repository_look l join repository r on r.id = l.repository_id where true and (l.wanted > l.done or l.next_at <=
    $1) and (l.lease_until is null or l.lease_until <= $2) and (l.begun_at is null or l.begun_at <= $3) and
    r.git_host_id <> all($4::text[]) order by by_clock, l.next_at limit $5 ), ranked as ( select repository_id,
    git_host_id, by_clock, row_number() over (partition by git_host_id order by by_clock, next_at) as place from
    candidate ), due as ( select l.repository_id, ranked.git_host_id from ranked join repository_look l using
    (repository_id) left join unnest($6::text[], $7::int[]) busy(host, count) on busy.host = ranked.git_host_id where
    ranked.place + coalesce(busy.count, 0) <= $8 and (l.lease_until is null or l.lease_until <= $9) and (l.begun_at is
    null or l.begun_at <= $10) order by ranked.by_clock, l.next_at limit $11 for update of l skip locked ) update
    repository_look l
  set lease_by = $12, lease_until = $13, begun_at = $14
  from due
  where l.repository_id = due.repository_id
  returning l.repository_id as "repositoryId", due.git_host_id as "gitHostId", l.wanted, l.hooked > l.done as
      "isHooked", l.wanted > l.done as "isCalled", l.found_by as "foundBy", l.failures, l.tags_seen as "tagsSeen";

-- claimLooks: of one repository
with candidate as ( select l.repository_id, l.wanted = l.done as by_clock, l.next_at, r.git_host_id from
    repository_look l join repository r on r.id = l.repository_id where l.repository_id = $1 and (l.wanted > l.done or
    l.next_at <= $2) and (l.lease_until is null or l.lease_until <= $3) and (l.begun_at is null or l.begun_at <= $4)
    and r.git_host_id <> all($5::text[]) order by by_clock, l.next_at limit $6 ), ranked as ( select repository_id,
    git_host_id, by_clock, row_number() over (partition by git_host_id order by by_clock, next_at) as place from
    candidate ), due as ( select l.repository_id, ranked.git_host_id from ranked join repository_look l using
    (repository_id) left join unnest($7::text[], $8::int[]) busy(host, count) on busy.host = ranked.git_host_id where
    ranked.place + coalesce(busy.count, 0) <= $9 and (l.lease_until is null or l.lease_until <= $10) and (l.begun_at
    is null or l.begun_at <= $11) order by ranked.by_clock, l.next_at limit $12 for update of l skip locked ) update
    repository_look l
  set lease_by = $13, lease_until = $14, begun_at = $15
  from due
  where l.repository_id = due.repository_id
  returning l.repository_id as "repositoryId", due.git_host_id as "gitHostId", l.wanted, l.hooked > l.done as
      "isHooked", l.wanted > l.done as "isCalled", l.found_by as "foundBy", l.failures, l.tags_seen as "tagsSeen";

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
select "repository_id", "done", "ended_at", "error", "found_by", "tags_seen"
  from "repository_look"
  where "repository_id" in ($1);
