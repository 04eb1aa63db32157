-- One action on many runs.

create table bulk_operation (
  id text primary key,
  action text not null check (action in ('CANCEL', 'DISCARD', 'APPROVE', 'RETRY')),
  gate text check (gate in ('PLAN', 'APPLY')),
  comment text,
  state text not null check (state in ('RUNNING', 'STOPPED', 'FINISHED')),
  total_count integer not null,
  done_count integer not null default 0,
  succeeded_count integer not null default 0,
  created_by text not null references actor,
  -- The token or the session that started it.
  credential_id text not null,
  idempotency_key text,
  request_digest text not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((gate is not null) = (action = 'APPROVE')),
  check ((finished_at is not null) = (state <> 'RUNNING')),
  check ((done_count <= total_count) and (succeeded_count <= done_count)),
  check ((state <> 'FINISHED') or (done_count = total_count))
) with (fillfactor = 50);
create unique index bulk_operation_key on bulk_operation (created_by, idempotency_key) where idempotency_key is not null;
create index bulk_operation_of_actor on bulk_operation (created_by, id desc);
create index bulk_operation_running on bulk_operation (id) where state = 'RUNNING';

-- Each item is marked in the transaction of its own command, under the lock of the operation's row, so that no command is
-- repeated when a worker dies.
create table bulk_item (
  operation_id text references bulk_operation,
  position integer,
  run_id text not null references run,
  plan_version integer not null,
  ok boolean,
  code text,
  message text,
  new_run_id text references run,
  done_at timestamptz(3),
  primary key (operation_id, "position"),
  check ((ok is not null) = (done_at is not null))
) with (fillfactor = 80);
create index bulk_item_open on bulk_item (operation_id, "position") where done_at is null;
