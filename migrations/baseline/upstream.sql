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

-- States that were applied in workspaces on which others depend: each starts runs there once.
create table upstream_change (
  workspace_id text references workspace,
  serial bigint,
  run_id text not null references run,
  decided_at timestamptz(3),
  -- The changeset of the workspaces downstream; null: nothing has changed for them.
  changeset_id text references changeset,
  primary key (workspace_id, serial)
);
create index upstream_change_open on upstream_change (run_id) where decided_at is null;
create index upstream_change_run on upstream_change (run_id);
create index upstream_change_changeset on upstream_change (changeset_id) where changeset_id is not null;

-- In the transaction in which a run is applied: a server that dies afterwards has not lost it.
create function note_upstream_change() returns trigger language plpgsql as $$
begin
  insert into upstream_change (workspace_id, serial, run_id)
  select w.id, w.state_serial, new.id from workspace w
  where w.id = new.workspace_id and exists (
    select from workspace_dependency d where d.upstream_id = w.id and d.trigger <> 'NEVER')
  on conflict do nothing;
  return null;
end
$$;
create trigger run_applied after update of outcome on run for each row
  when (new.outcome = 'APPLIED' and old.outcome is null) execute function note_upstream_change();
