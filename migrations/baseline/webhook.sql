-- Outgoing webhooks with their deliveries and attempts.

create table webhook (
  id text primary key,
  organization_id text not null references organization,
  workspace_id text references workspace,
  url text not null,
  events text[] not null,
  secret_sealed bytea not null,
  former_secret_sealed bytea,
  former_secret_until timestamptz(3),
  description text,
  enabled boolean not null default true,
  gone_at timestamptz(3),
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check ((former_secret_sealed is null) = (former_secret_until is null))
);
create index webhook_kept on webhook (organization_id) where deleted_at is null;

-- One event for one webhook. `turn` counts the jobs that were queued for it: a job of an earlier turn does nothing.
-- `round_began`: the attempts before a person asked for it to be sent again.
create table webhook_delivery (
  id text primary key,
  webhook_id text not null references webhook,
  event text not null,
  payload text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELED')),
  turn integer not null default 1,
  attempt_count integer not null default 0,
  round_began integer not null default 0,
  created_at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  finished_at timestamptz(3),
  check ((state = 'PENDING') = (next_attempt_at is not null)),
  check ((state = 'PENDING') = (finished_at is null))
);
create index webhook_delivery_finished on webhook_delivery (finished_at) where finished_at is not null;
create index webhook_delivery_of_webhook on webhook_delivery (webhook_id, id desc);
create index webhook_delivery_pending on webhook_delivery (webhook_id) where state = 'PENDING';

create table webhook_attempt (
  delivery_id text references webhook_delivery on delete cascade,
  number integer,
  at timestamptz(3) not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response text,
  primary key (delivery_id, number)
);
