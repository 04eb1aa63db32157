-- lockRollups
select "unit", "done_until"
  from "health_rollup"
  order by "unit"
  for share;

-- addUpAgain
insert into "health_hour" (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
  select w.at, w.target_id, sum(b.samples), sum(b.bad), sum(b.held), percentile_disc(0.5) within group (order by
      b.median_ms), max(b.max_ms)
  from ( select distinct target_id, at, first from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as n
      (target_id, at, first) ) as w
  cross join generate_series(w.first, w.at + '3600000 milliseconds'::interval - '1 millisecond'::interval, '300000
      milliseconds'::interval) as part
  join "health_bucket" b on b.bucket_at = part
  and b.target_id = w.target_id
  group by w.at, w.target_id
  order by w.at, w.target_id
  on conflict (bucket_at, target_id) do update
  set samples = excluded.samples, bad = excluded.bad, held = excluded.held, median_ms = excluded.median_ms, max_ms =
      excluded.max_ms;

-- addUpAgain: days
insert into "health_day" (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
  select w.at, w.target_id, sum(b.samples), sum(b.bad), sum(b.held), percentile_disc(0.5) within group (order by
      b.median_ms), max(b.max_ms)
  from ( select distinct target_id, at, first from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as n
      (target_id, at, first) ) as w
  cross join generate_series(w.first, w.at + '86400000 milliseconds'::interval - '1 millisecond'::interval, '3600000
      milliseconds'::interval) as part
  join "health_hour" b on b.bucket_at = part
  and b.target_id = w.target_id
  group by w.at, w.target_id
  order by w.at, w.target_id
  on conflict (bucket_at, target_id) do update
  set samples = excluded.samples, bad = excluded.bad, held = excluded.held, median_ms = excluded.median_ms, max_ms =
      excluded.max_ms;
