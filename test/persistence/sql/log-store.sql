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
