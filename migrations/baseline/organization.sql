-- Organizations, their settings, and what retention has done for them.

create table organization (
  id text primary key,
  slug text not null unique,
  name text not null,
  concurrency_limit integer not null default 3 check (concurrency_limit > 0),
  created_at timestamptz(3) not null,
  limits jsonb not null default '{}',
  approval_rules jsonb not null default '[]',
  freeze_windows jsonb not null default '[]',
  alarm_at timestamptz(3),
  log_days integer check (log_days > 0),
  event_days integer check (event_days > 0),
  archive_days integer check (archive_days > 0),
  -- A push that starts more waits for a person.
  max_runs_per_push integer not null default 200 check (max_runs_per_push > 0)
);
create index organization_by_name on organization (lower(name) collate "C");
create index organization_alarm on organization (alarm_at) where alarm_at is not null;

create table retention_mark (
  organization_id text references organization,
  kind text check (kind in ('LOGS', 'EVENTS', 'ARCHIVES')),
  finished_at timestamptz(3) not null,
  run_id text not null,
  primary key (organization_id, kind)
) with (fillfactor = 50);
