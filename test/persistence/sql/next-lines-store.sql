-- appendNextLines
with live as ( select run_id from job where id = $1 and ended_at is null for share ), newest as ( select phase.run_id,
    max(phase.attempt) as attempt from live join phase on phase.run_id = live.run_id where phase.kind = $2::text group
    by phase.run_id ), moved as ( update log_head set last_line = $3::int, appended_at = $4::timestamptz, bytes =
    log_head.bytes + $5::bigint, phase_bytes = log_head.phase_bytes || jsonb_build_object($6::text || ':' ||
    newest.attempt, coalesce((log_head.phase_bytes ->> ($7::text || ':' || newest.attempt))::bigint, 0) + $8::bigint)
    from newest where log_head.run_id = newest.run_id and log_head.last_line = $9::int - 1 and log_head.bytes +
    $10::bigint <= 301989888 and coalesce((log_head.phase_bytes ->> ($11::text || ':' || newest.attempt))::bigint, 0)
    + $12::bigint <= 75497472 returning log_head.run_id, newest.attempt ) insert into log_batch (run_id, last_line,
    first_line, phase, attempt, body, bytes, streams)
  select run_id, $13::int, $14::int, $15::text, attempt, $16::bytea, $17::int, $18::smallint
  from moved
  returning run_id;
