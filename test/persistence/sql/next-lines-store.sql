-- appendNextLines
with given as ( select * from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::smallint[],
    $7::int[], $8::int[] ) with ordinality as given (job_id, phase, first_line, last_line, bytes, streams, start,
    size, place) ), live as ( select id, run_id from job where id = any($9::text[]) and ended_at is null for no key
    update skip locked ), next as ( select given.*, live.run_id, newest.attempt, given.phase || ':' || newest.attempt
    as key from live join given on given.job_id = live.id cross join lateral ( select max(attempt) as attempt from
    phase where phase.run_id = live.run_id and phase.kind = given.phase ) newest where newest.attempt is not null ),
    moved as ( update log_head set last_line = next.last_line, appended_at = $10::timestamptz, bytes = log_head.bytes
    + next.bytes, phase_bytes = log_head.phase_bytes || jsonb_build_object(next.key, coalesce((log_head.phase_bytes
    ->> next.key)::bigint, 0) + next.bytes), phase_lines = log_head.phase_lines || jsonb_build_object(next.key,
    jsonb_build_array(coalesce((log_head.phase_lines -> next.key ->> 0)::int, next.first_line), next.last_line)) from
    next where log_head.run_id = next.run_id and log_head.last_line = next.first_line - 1 and log_head.bytes +
    next.bytes <= 301989888 and coalesce((log_head.phase_bytes ->> next.key)::bigint, 0) + next.bytes <= 75497472
    returning next.* ), stored as ( insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes,
    streams) select run_id, last_line, first_line, phase, attempt, substr($11::bytea, start, size), bytes, streams
    from moved )
  select place, run_id
  from moved;
