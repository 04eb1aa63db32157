-- lastLogLine
select "last_line"
  from "log_head"
  where "run_id" = $1;

-- logSize
select "last_line", "bytes", "expired_at"
  from "log_head"
  where "run_id" = $1;

-- findLogExtents
select "run_id", "last_line", "phase_lines"
  from "log_head"
  where "run_id" = any((select $1::text[])::text[]);

-- lastOutputAt
select "appended_at"
  from "log_head"
  where "run_id" = $1;

-- appendLog
select "last_line", "bytes", "phase_bytes", "phase_lines"
  from "log_head"
  where "run_id" = $1
  for no key update;
update "log_head"
  set "last_line" = $1, "appended_at" = $2, "bytes" = $3, "phase_bytes" = $4, "phase_lines" = $5
  where "run_id" = $6;
insert into "log_batch" ("run_id", "last_line", "first_line", "phase", "attempt", "body", "bytes", "streams")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- appendLog: again
select "last_line", "bytes", "phase_bytes", "phase_lines"
  from "log_head"
  where "run_id" = $1
  for no key update;
select "first_line", "phase", "attempt", "body"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4
  order by "last_line";
