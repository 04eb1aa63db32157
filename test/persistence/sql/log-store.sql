-- openLog
insert into "log_head" ("run_id", "last_line")
  values ($1, $2);

-- lastLogLine
select "last_line"
  from "log_head"
  where "run_id" = $1;

-- logSize
select "last_line", "bytes", "expired_at"
  from "log_head"
  where "run_id" = $1;

-- lastOutputAt
select "appended_at"
  from "log_head"
  where "run_id" = $1;

-- appendLog
update "log_head"
  set "last_line" = $1, "appended_at" = $2, "bytes" = bytes + $3::bigint, "phase_bytes" = phase_bytes ||
      jsonb_build_object($4::text, coalesce((phase_bytes ->> $5)::bigint, 0) + $6::bigint)
  where "run_id" = $7
  and "last_line" = $8
  and bytes + $9::bigint <= $10::bigint
  and coalesce((phase_bytes ->> $11)::bigint, 0) + $12::bigint <= $13::bigint;
insert into "log_batch" ("run_id", "last_line", "first_line", "phase", "attempt", "body", "bytes", "streams")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- appendLog: again
update "log_head"
  set "last_line" = $1, "appended_at" = $2, "bytes" = bytes + $3::bigint, "phase_bytes" = phase_bytes ||
      jsonb_build_object($4::text, coalesce((phase_bytes ->> $5)::bigint, 0) + $6::bigint)
  where "run_id" = $7
  and "last_line" = $8
  and bytes + $9::bigint <= $10::bigint
  and coalesce((phase_bytes ->> $11)::bigint, 0) + $12::bigint <= $13::bigint;
select "last_line", "bytes"
  from "log_head"
  where "run_id" = $1;
select *
  from "log_batch"
  where "run_id" = $1
  and "last_line" = $2;

-- listLogLines
select "first_line", "phase", "attempt", "body"
  from (select *, sum(last_line - first_line + 1) over (order by last_line rows between unbounded preceding and 1
      preceding) as "earlier" from (select * from "log_batch" where "run_id" = $1 and "last_line" > $2 and
      "first_line" < $3 and ($4::text is null or phase = $5 and attempt = $6::int) and ($7::int is null or
      coalesce(streams, 1) & $8::int <> 0) order by "last_line" asc limit 50) as "next") as "counted"
  where (earlier is null or earlier < $9::bigint)
  order by "last_line" asc;

-- listLogLines: the tail, of one phase and stream
select "first_line", "phase", "attempt", "body"
  from (select *, sum(last_line - first_line + 1) over (order by last_line desc rows between unbounded preceding and 1
      preceding) as "earlier" from (select * from "log_batch" where "run_id" = $1 and "last_line" > $2 and
      "first_line" < $3 and ($4::text is null or phase = $5 and attempt = $6::int) and ($7::int is null or
      coalesce(streams, 1) & $8::int <> 0) order by "last_line" desc limit 50) as "next") as "counted"
  where (earlier is null or earlier < $9::bigint)
  order by "last_line" desc;

-- listLogLines: between two lines
select "first_line", "phase", "attempt", "body"
  from (select *, sum(last_line - first_line + 1) over (order by last_line desc rows between unbounded preceding and 1
      preceding) as "earlier" from (select * from "log_batch" where "run_id" = $1 and "last_line" > $2 and
      "first_line" < $3 and ($4::text is null or phase = $5 and attempt = $6::int) and ($7::int is null or
      coalesce(streams, 1) & $8::int <> 0) order by "last_line" desc limit 50) as "next") as "counted"
  where (earlier is null or earlier < $9::bigint)
  order by "last_line" desc;

-- readLogAfter
select *
  from (select *, sum(case when first_line > $1 then greatest(0, octet_length(body) * 99 / 100 - 64 - 16 * (last_line
      - first_line + 1)) else 0 end) over (order by last_line rows between unbounded preceding and 1 preceding) as
      "earlier" from (select * from "log_batch" where "run_id" = $2 and "last_line" > $3 order by "last_line" limit
      $4) as "next") as "counted"
  where ("earlier" is null or "earlier" < $5)
  order by "last_line";
