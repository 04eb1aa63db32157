-- insertBuckets
insert into health_bucket as b (bucket_at, target_id, fence, samples, bad, held, median_ms, max_ms, packed)
  select n.bucket_at, n.target_id, s.fence, n.samples, n.bad, n.held, n.median_ms, n.max_ms, n.packed
  from unnest($1::timestamptz[], $2::int[], $3::smallint[], $4::smallint[], $5::smallint[], $6::int[], $7::int[],
      $8::bytea[]) as n (bucket_at, target_id, samples, bad, held, median_ms, max_ms, packed)
  join probe_target t on t.id = n.target_id
  and t.pool = $9
  join unnest($10::smallint[], $11::int[]) as s (shard, fence) on s.shard = t.shard
  order by n.bucket_at, n.target_id
  on conflict (bucket_at, target_id) do update
  set fence = excluded.fence, samples = b.samples + excluded.samples, bad = b.bad + excluded.bad, held = b.held +
      excluded.held, max_ms = greatest(b.max_ms, excluded.max_ms), packed = b.packed || excluded.packed, median_ms =
      case when b.samples >= excluded.samples then coalesce(b.median_ms, excluded.median_ms) else
      coalesce(excluded.median_ms, b.median_ms) end
  where b.fence < excluded.fence
  returning b.target_id as "targetId", b.bucket_at as "from";

-- listBuckets
select b.bucket_at as "from", sum(b.samples)::int as samples, sum(b.bad)::int as bad, sum(b.held)::int as held,
    percentile_disc(0.5) within group (order by b.median_ms) as "medianMs", max(b.max_ms) as "maxMs"
  from unnest($1::timestamptz[]) as s (at)
  cross join unnest($2::int[]) as t (id)
  join "health_bucket" b on b.bucket_at = s.at
  and b.target_id = t.id
  group by b.bucket_at
  order by b.bucket_at;

-- listBuckets: by hours
select b.bucket_at as "from", sum(b.samples)::int as samples, sum(b.bad)::int as bad, sum(b.held)::int as held,
    percentile_disc(0.5) within group (order by b.median_ms) as "medianMs", max(b.max_ms) as "maxMs"
  from unnest($1::timestamptz[]) as s (at)
  cross join unnest($2::int[]) as t (id)
  join "health_hour" b on b.bucket_at = s.at
  and b.target_id = t.id
  group by b.bucket_at
  order by b.bucket_at;

-- listPackedBuckets
select b.target_id as "targetId", b.bucket_at as "from", b.packed
  from unnest($1::int[], $2::timestamptz[]) as w (target_id, at)
  join health_bucket b on b.bucket_at = w.at
  and b.target_id = w.target_id
  order by b.bucket_at;

-- takeRollup
insert into "health_rollup" ("unit", "done_until")
  values ($1, $2)
  on conflict ("unit") do nothing;
select "done_until"
  from "health_rollup"
  where "unit" = $1
  for update skip locked;

-- rollUp
insert into "health_hour" (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
  select $1::timestamptz, b.target_id, sum(b.samples), sum(b.bad), sum(b.held), percentile_disc(0.5) within group
      (order by b.median_ms), max(b.max_ms)
  from "health_bucket" b
  where b.bucket_at >= $2
  and b.bucket_at < $3
  group by b.target_id
  on conflict (bucket_at, target_id) do nothing;
update "health_rollup"
  set "done_until" = $1
  where "unit" = $2;

-- rollUp: days
insert into "health_day" (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
  select $1::timestamptz, b.target_id, sum(b.samples), sum(b.bad), sum(b.held), percentile_disc(0.5) within group
      (order by b.median_ms), max(b.max_ms)
  from "health_hour" b
  where b.bucket_at >= $2
  and b.bucket_at < $3
  group by b.target_id
  on conflict (bucket_at, target_id) do nothing;
update "health_rollup"
  set "done_until" = $1
  where "unit" = $2;

-- removeHoursBefore
delete from health_hour
  where (bucket_at, target_id) in ( select bucket_at, target_id from health_hour where bucket_at < $1 limit $2 );
