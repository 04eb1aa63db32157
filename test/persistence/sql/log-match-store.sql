-- listLogMatches
select "first_line", "last_line", "phase", "attempt", "body", "bytes"
  from "log_batch"
  where "run_id" = $1
  and "last_line" > $2
  order by "last_line"
  limit 8;
