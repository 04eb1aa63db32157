-- What runs take from workspaces upstream.

-- The outputs that a run got as variables, with the states that they are from.
create table run_upstream (
  run_id text references run,
  category text check (category in ('ENGINE', 'ENVIRONMENT')),
  key text,
  output text not null,
  state_version_id text not null references state_version,
  -- Values can be compared by it, and not be guessed: it is keyed.
  value_hash bytea not null,
  -- The value is not that of the newest state, because it has none.
  assumed boolean not null default false,
  primary key (run_id, category, key)
);
create index run_upstream_state on run_upstream (state_version_id);
