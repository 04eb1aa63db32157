-- listLogLines
select "first_line", "last_line", "phase", "attempt", "body"
  from (select *, sum(least(last_line, (select $1::int) - 1) - greatest(first_line, (select $2::int) + 1) + 1) over
      (order by last_line rows between unbounded preceding and 1 preceding) as "earlier" from (select * from
      "log_batch" where "run_id" = $3 and "last_line" > (select $4::int) and "last_line" < (select $5::int) and
      "first_line" < (select $6::int) and ((select $7::text) is null or phase = (select $8::text) and attempt =
      (select $9::int)) and streams & (select $10::int) <> 0 order by "last_line" asc limit 50) as "next") as
      "counted"
  where (earlier is null or earlier < $11::bigint)
  order by "last_line" asc;

-- listLogLines: the tail, of one phase and stream
select "first_line", "last_line", "phase", "attempt", "body"
  from (select *, sum(least(last_line, (select $1::int) - 1) - greatest(first_line, (select $2::int) + 1) + 1) over
      (order by last_line desc rows between unbounded preceding and 1 preceding) as "earlier" from (select * from
      "log_batch" where "run_id" = $3 and "last_line" > (select $4::int) and "last_line" < (select $5::int) and
      "first_line" < (select $6::int) and ((select $7::text) is null or phase = (select $8::text) and attempt =
      (select $9::int)) and streams & (select $10::int) <> 0 order by "last_line" desc limit 50) as "next") as
      "counted"
  where (earlier is null or earlier < $11::bigint)
  order by "last_line" desc;

-- listLogLines: between two lines
select "first_line", "last_line", "phase", "attempt", "body"
  from (select *, sum(least(last_line, (select $1::int) - 1) - greatest(first_line, (select $2::int) + 1) + 1) over
      (order by last_line desc rows between unbounded preceding and 1 preceding) as "earlier" from (select * from
      "log_batch" where "run_id" = $3 and "last_line" > (select $4::int) and "last_line" < (select $5::int) and
      "first_line" < (select $6::int) and ((select $7::text) is null or phase = (select $8::text) and attempt =
      (select $9::int)) and streams & (select $10::int) <> 0 order by "last_line" desc limit 50) as "next") as
      "counted"
  where (earlier is null or earlier < $11::bigint)
  order by "last_line" desc;

-- readLogForListener
select "first_line", "last_line", "phase", "attempt", "body", (select version from access_epoch) as "access_version"
  from (select *, sum(case when first_line > (select $1::int) then greatest(0, octet_length(body) * 99 / 100 - 64 - 16
      * (last_line - first_line + 1)) else 0 end) over (order by last_line rows between unbounded preceding and 1
      preceding) as "earlier" from (select * from "log_batch" where "run_id" = $2 and "last_line" > (select $3::int)
      order by "last_line" limit 8) as "next") as "counted"
  where (earlier is null or earlier < $4::bigint)
  order by "last_line";

-- readLogAfter
select "first_line", "last_line", "phase", "attempt", "body", (select version from access_epoch) as "access_version"
  from (select *, sum(case when first_line > (select $1::int) then greatest(0, octet_length(body) * 99 / 100 - 64 - 16
      * (last_line - first_line + 1)) else 0 end) over (order by last_line rows between unbounded preceding and 1
      preceding) as "earlier" from (select * from "log_batch" where "run_id" = $2 and "last_line" > (select $3::int)
      order by "last_line" limit 8) as "next") as "counted"
  where (earlier is null or earlier < $4::bigint)
  order by "last_line";
