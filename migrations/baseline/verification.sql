-- The verification of applies: whether what was applied works.

create table verification (
  id text primary key,
  run_id text not null unique references run,
  status text not null check (
    status in ('PENDING', 'RUNNING', 'PASSED', 'FAILED', 'INCONCLUSIVE', 'SKIPPED', 'CANCELED')
  ),
  -- Those of the workspace when the run was approved.
  settings jsonb not null,
  -- Whether all required probes passed before the apply.
  baseline_passed boolean,
  -- The progress of each target of each probe.
  probes jsonb not null default '[]',
  -- The required probes when the apply ended, with digests of their definitions: a change of one asks a person.
  required_probes jsonb not null default '[]',
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  -- The end of the window, then that of the time for a judgement.
  ends_at timestamptz(3),
  finished_at timestamptz(3),
  reason text,
  concluded_by text references actor,
  comment text,
  -- The run to which the workspace goes back, until the run for that is created.
  rollback_to text,
  -- When a server probes or judges next.
  due_at timestamptz(3),
  -- The server that probes, until when it has the row, and how often the row was taken: an older one writes nothing.
  lease_id text,
  lease_until timestamptz(3),
  fence integer not null default 0,
  -- When runners sample next, the attempt of the runner that does, until when it has it, and how often one has got it.
  samples_due_at timestamptz(3),
  samples_lease_id text,
  samples_lease_until timestamptz(3),
  samples_fence integer not null default 0,
  check ((samples_lease_id is null) = (samples_lease_until is null)),
  check (finished_at is null or samples_due_at is null),
  check ((lease_id is null) = (lease_until is null)),
  check (started_at is null or ends_at is not null),
  check ((finished_at is not null) = (status in ('PASSED', 'FAILED', 'SKIPPED', 'CANCELED')) or status = 'INCONCLUSIVE'),
  check (finished_at is null or due_at is null or rollback_to is not null)
) with (fillfactor = 60);
create index verification_due on verification (due_at) where due_at is not null;
create index verification_samples_due on verification (samples_due_at) where samples_due_at is not null;
create index verification_of_actor on verification (concluded_by) where concluded_by is not null;
