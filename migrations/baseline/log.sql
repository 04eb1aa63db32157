-- Logs, a row for each batch of lines.

create table log_head (
  run_id text primary key references run,
  last_line integer not null,
  appended_at timestamptz(3),
  bytes bigint not null default 0,
  phase_bytes jsonb not null default '{}',
  -- By phase and attempt, as `phase_bytes`: the numbers of the first and the last line.
  phase_lines jsonb not null default '{}',
  expired_at timestamptz(3)
) with (fillfactor = 50);

-- Keyed on its last line, so that a repeated batch collides and "from line N" is one index seek.
create table log_batch (
  run_id text references run,
  last_line integer,
  first_line integer not null,
  phase text not null,
  attempt integer not null,
  body bytea not null,
  bytes integer not null,
  streams smallint not null,
  primary key (run_id, last_line)
);
alter table log_batch alter column body set storage external;
